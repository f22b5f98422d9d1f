// Makes the plan for counting by layers: finds layers, assigns slots, and writes the masks.
#include "counting/layers_plan.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

namespace dlx {
namespace {

// The lowest place from which `bits` bits in a row are all set, or -1.
int run_of_bits(std::uint64_t word, int bits) {
    for (int more = 1; more < bits && word != 0; ++more) word &= word >> 1;
    return word == 0 ? -1 : std::countr_zero(word);
}

}  // namespace

LayerPlan::LayerPlan(const Problem& problem, const LayerOrder& order)
    : bounds_(bounded_items(problem)) {
    find_layers(problem, order);
    code_colors(problem);
    if (fits_) give_slots(problem);
    if (fits_) write_masks(problem);
    if (fits_ && problem.multiple()) write_settled(problem);
    if (fits_) write_options(problem);
    layer_of_ = own_layer_ = first_ = last_ = code_ = {};
    bits_ = {};
    field_ = {};
    bounds_ = {};
    skips_ = {};
    begins_ = ends_ = {};
}

bool LayerPlan::is_counted(Int item) const {
    return index(item) < bounds_.size() && bounds_[index(item)].is_counted();
}

bool LayerPlan::is_needed(Int item) const {
    return index(item) < bounds_.size() && bounds_[index(item)].low > 0;
}

// Places in the order, then layers: the places that some option begins at, several for an item that
// is counted.
void LayerPlan::find_layers(const Problem& problem, const LayerOrder& order) {
    std::vector<Int> place(index(problem.primary));
    for (std::size_t number = 0; number < order.items.size(); ++number) {
        place[index(order.items[number])] = static_cast<Int>(number);
    }
    layer_of_.assign(index(problem.options()), problem.primary);
    std::vector<Int> layers_at(place.size(), 0);  // how many there are at each place
    for (Int option = 0; option < problem.options(); ++option) {
        Int& first = layer_of_[index(option)];
        for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
             ++entry) {
            const Int item = problem.item[index(entry)];
            if (item < problem.primary) first = std::min(first, place[index(item)]);
        }
        Int& number = layers_at[index(first)];
        number = is_counted(order.items[index(first)]) ? number + 1 : 1;
    }
    std::vector<Int> layer_at(place.size(), -1);
    own_layer_.assign(place.size(), -1);
    Int layers = 0;
    for (std::size_t number = 0; number < place.size(); ++number) {
        if (layers_at[number] == 0) continue;
        const Int item = order.items[number];
        const bool counted = is_counted(item);
        layer_at[number] = layers;
        if (!counted) own_layer_[index(item)] = layers;
        layers += layers_at[number];
        skips_.resize(index(layers), counted || !is_needed(item));
    }
    first_.assign(index(problem.items), layers);
    last_.assign(index(problem.items), -1);
    first_option_.assign(index(layers) + 1, 0);
    for (Int option = 0; option < problem.options(); ++option) {
        const Int first = layer_of_[index(option)];
        const Int layer = layer_of_[index(option)] = layer_at[index(first)];
        if (is_counted(order.items[index(first)])) ++layer_at[index(first)];
        ++first_option_[index(layer) + 1];
        for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
             ++entry) {
            const auto item = index(problem.item[index(entry)]);
            first_[item] = std::min(first_[item], layer);
            last_[item] = std::max(last_[item], layer);
        }
    }
    for (Int item = 0; item < problem.primary; ++item) {
        fits_ = fits_ && (last_[index(item)] >= 0 || !is_needed(item));
        if (problem.multiple())
            fits_ = fits_ && bounds_[index(item)].low <= bounds_[index(item)].total;
    }
}

// The colors of an item are numbered from 1, as they come; one that it is covered without is last.
void LayerPlan::code_colors(const Problem& problem) {
    bits_.assign(index(problem.items), 1);
    for (std::size_t item = 0; item < bounds_.size(); ++item) {
        bits_[item] = static_cast<std::uint32_t>(bounds_[item].bits());
    }
    if (!problem.colored()) return;
    code_.assign(problem.item.size(), 0);
    std::map<std::pair<Int, Int>, Int> codes;
    std::vector<Int> used(index(problem.items), 0);
    for (Int entry = 0; entry < problem.entries(); ++entry) {
        const Int item = problem.item[index(entry)];
        if (item < problem.primary) continue;
        const auto [found, added] = codes.try_emplace({item, problem.color_of(entry)}, 0);
        if (added) found->second = ++used[index(item)];
        code_[index(entry)] = found->second;
    }
    for (std::size_t item = index(problem.primary); item < used.size(); ++item) {
        bits_[item] = std::max(
            1U, static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(used[item]))));
    }
}

// The first word with `bits` free bits (one after another if they are to be `together`), or
// most_words.
std::size_t LayerPlan::find_word(int bits, bool together) const {
    std::size_t word = 0;
    while (word < most_words &&
           (together ? run_of_bits(free_[word], bits) < 0 : std::popcount(free_[word]) < bits)) {
        ++word;
    }
    return word;
}

// Assigns the lowest free bits first. A slot that is freed when a layer is left can be used again
// from the next layer on.
void LayerPlan::give_slots(const Problem& problem) {
    const std::size_t layers = first_option_.size() - 1;
    begins_.resize(layers);
    ends_.resize(layers);
    for (Int item = 0; item < problem.items; ++item) {
        const Int first = first_[index(item)];
        const Int own = item < problem.primary ? own_layer_[index(item)] : -1;
        const Int end = own >= 0 ? own : last_[index(item)];
        if (end < 0 || bits_[index(item)] == 0) continue;
        if (first == end && (own >= 0 || item >= problem.primary)) continue;
        begins_[index(first)].push_back(item);
        ends_[index(end)].push_back(item);
    }
    free_.fill(~std::uint64_t{0});
    field_.assign(index(problem.items), Field{});
    width_.assign(layers, 0);
    double width = 0;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        width_[layer] = width;
        for (const Int item : begins_[layer]) {
            const auto bits = static_cast<int>(bits_[index(item)]);
            const std::size_t word = find_word(bits, is_counted(item));
            if (word == most_words) {
                fits_ = false;
                return;
            }
            words_ = std::max(words_, word + 1);
            Field& field = field_[index(item)];
            field.word = static_cast<std::uint32_t>(word);
            if (is_counted(item)) {
                const auto lowest = static_cast<std::uint32_t>(run_of_bits(free_[word], bits));
                field.mask = (~std::uint64_t{0} >> (64 - bits)) << lowest;
            } else {
                std::uint64_t left = free_[word];
                for (int bit = 0; bit < bits; ++bit, left &= left - 1) {
                    field.mask |= left & (~left + 1);
                }
            }
            free_[word] ^= field.mask;
            width += bits;
        }
        for (const Int item : ends_[layer]) {
            free_[field_[index(item)].word] |= field_[index(item)].mask;
            width -= bits_[index(item)];
        }
    }
    words_ = std::bit_ceil(words_);
}

void LayerPlan::write_masks(const Problem& problem) {
    const std::size_t layers = first_option_.size() - 1;
    masks_.assign(3 * words_ * layers, 0);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        std::uint64_t* own = &masks_[3 * words_ * layer];
        std::uint64_t* required = own + words_;
        std::uint64_t* keep = required + words_;
        std::fill(keep, keep + words_, ~std::uint64_t{0});
        for (const Int item : ends_[layer]) {
            const Field& field = field_[index(item)];
            keep[field.word] &= ~field.mask;
            if (item >= problem.primary || is_counted(item)) continue;
            if (own_layer_[index(item)] >= 0) {
                own[field.word] |= field.mask;
            } else if (is_needed(item)) {
                required[field.word] |= field.mask;
            }
        }
    }
}

// What each layer does to the numbers of its options' items.
void LayerPlan::write_settled(const Problem& problem) {
    const std::size_t layers = first_option_.size() - 1;
    std::vector<std::int64_t> left(bounds_.size());  // what the options to come cover
    std::vector<std::size_t> seen(bounds_.size(), layers);
    for (std::size_t item = 0; item < left.size(); ++item) left[item] = bounds_[item].total;
    std::vector<std::vector<Int>> by_layer(layers);
    for (Int option = 0; option < problem.options(); ++option) {
        by_layer[index(layer_of_[index(option)])].push_back(option);
    }
    std::vector<Int> items;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        first_settled_.push_back(static_cast<std::uint32_t>(settled_.size()));
        items.clear();
        for (const Int option : by_layer[layer]) {
            for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
                 ++entry) {
                const Int item = problem.item[index(entry)];
                if (!is_counted(item) || field_[index(item)].mask == 0) continue;
                left[index(item)] -= problem.weight_of(entry);
                if (std::exchange(seen[index(item)], layer) != layer) items.push_back(item);
            }
        }
        for (const Int item : items) {
            const BoundedItem& own = bounds_[index(item)];
            const Field& field = field_[index(item)];
            const auto shift = static_cast<std::uint32_t>(std::countr_zero(field.mask));
            const std::int64_t rest = left[index(item)];
            const auto least = std::max<std::int64_t>(0, own.low - rest);
            const auto low = std::int64_t{own.low};
            const auto to = own.is_unbounded() ? own.largest() : own.high - rest;
            const bool any = low <= to;
            settled_.push_back({field.mask >> shift, static_cast<std::uint64_t>(least),
                                static_cast<std::uint64_t>(any ? low : 1),
                                static_cast<std::uint64_t>(any ? to : 0), field.word, shift});
        }
    }
    first_settled_.push_back(static_cast<std::uint32_t>(settled_.size()));
}

void LayerPlan::write_options(const Problem& problem) {
    struct Written {
        std::vector<std::uint64_t> masks;
        std::vector<std::array<std::uint64_t, 3>> tests;  // word, field, value
        std::vector<NumberAdd> adds;
        auto operator<=>(const Written&) const = default;
    };
    const std::size_t layers = first_option_.size() - 1;
    std::partial_sum(first_option_.begin(), first_option_.end(), first_option_.begin());
    std::vector<Int> by_layer(layer_of_.size());
    std::vector<std::size_t> next(first_option_.begin(), first_option_.end() - 1);
    for (Int option = 0; option < problem.options(); ++option) {
        by_layer[next[index(layer_of_[index(option)])]++] = option;
    }
    std::vector<Written> here;
    first_test_.push_back(0);
    first_add_.push_back(0);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        here.clear();
        for (std::size_t place = first_option_[layer]; place < first_option_[layer + 1]; ++place) {
            const Int option = by_layer[place];
            Written& written = here.emplace_back();
            written.masks.assign(2 * words_, 0);
            for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
                 ++entry) {
                const Int item = problem.item[index(entry)];
                const Field& field = field_[index(item)];
                if (field.mask == 0 || (item < problem.primary &&
                                        own_layer_[index(item)] == static_cast<Int>(layer))) {
                    continue;
                }
                if (is_counted(item)) {
                    const BoundedItem& own = bounds_[index(item)];
                    const auto shift = static_cast<std::uint32_t>(std::countr_zero(field.mask));
                    const Int weight = problem.weight_of(entry);
                    const auto largest = static_cast<std::uint64_t>(own.largest());
                    const std::uint64_t most = own.is_unbounded()
                                                   ? largest
                                                   : static_cast<std::uint64_t>(own.high - weight);
                    written.adds.push_back({field.mask >> shift, most, largest,
                                            static_cast<std::uint64_t>(weight), field.word, shift});
                    continue;
                }
                const Int code = problem.colored() ? code_[index(entry)] : 0;
                std::uint64_t value = field.mask;  // an item without colors has one bit
                if (item >= problem.primary && problem.colored()) {
                    std::uint64_t left = field.mask;
                    value = 0;
                    for (Int rest = code; rest != 0; rest >>= 1) {
                        const std::uint64_t lowest = left & (~left + 1);
                        if (rest & 1) value |= lowest;
                        left ^= lowest;
                    }
                }
                written.masks[words_ + field.word] |= value;
                if (problem.color_of(entry) == 0) {
                    written.masks[field.word] |= field.mask;
                } else {
                    written.tests.push_back({field.word, field.mask, value});
                }
            }
            std::sort(written.tests.begin(), written.tests.end());
            std::sort(written.adds.begin(), written.adds.end());
        }
        if (skips_[layer]) here.emplace_back().masks.assign(2 * words_, 0);
        std::sort(here.begin(), here.end());
        branches_.push_back(here.size());
        first_option_[layer] = weight_.size();  // read no more
        for (std::size_t place = 0; place < here.size(); ++place) {
            if (place > 0 && here[place] == here[place - 1]) {
                ++weight_.back();
                continue;
            }
            const Written& written = here[place];
            weight_.push_back(1);
            option_masks_.insert(option_masks_.end(), written.masks.begin(), written.masks.end());
            for (const auto& [word, field, value] : written.tests) {
                tests_.push_back({field, value, static_cast<std::uint32_t>(word)});
            }
            first_test_.push_back(static_cast<std::uint32_t>(tests_.size()));
            adds_.insert(adds_.end(), written.adds.begin(), written.adds.end());
            first_add_.push_back(static_cast<std::uint32_t>(adds_.size()));
        }
    }
    first_option_[layers] = weight_.size();
}

}  // namespace dlx
