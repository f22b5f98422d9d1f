// Counting by layers: reads a layer's states, extends them, and keeps within the memory limit.
#include "counting/layers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace dlx {
namespace {

constexpr std::uint64_t work_between_checks = 20'000;
constexpr std::size_t states_at_once = 512;  // extended without a look at memory or at overflow,
constexpr std::size_t tries_at_once = 8192;  // and options tried on them
constexpr std::size_t blocks_at_once = 512;  // widened

// to += count * weight. Returns what does not fit into the limbs: 0, if there is room.
template <std::size_t fixed>
std::uint64_t add_product(std::uint64_t* to, const std::uint64_t* count, std::uint64_t weight,
                          std::size_t limbs) noexcept {
    if constexpr (fixed == 1) {
        to[0] += count[0] * weight;
        return 0;
    }
    const std::size_t end = fixed > 0 ? fixed : limbs;
    std::uint64_t carry = 0;
    if (weight == 1) {
        for (std::size_t limb = 0; limb < end; ++limb) {
            const std::uint64_t sum = to[limb] + count[limb];
            const std::uint64_t with_carry = sum + carry;
            carry = static_cast<std::uint64_t>(sum < count[limb]) |
                    static_cast<std::uint64_t>(with_carry < sum);
            to[limb] = with_carry;
        }
        return carry;
    }
    constexpr std::uint64_t half = 0xFFFF'FFFF;  // weights are below 2^32: there are fewer options
    for (std::size_t limb = 0; limb < end; ++limb) {
        const std::uint64_t low = (count[limb] & half) * weight + (to[limb] & half) + carry;
        const std::uint64_t high = (count[limb] >> 32) * weight + (to[limb] >> 32) + (low >> 32);
        to[limb] = (high << 32) | (low & half);
        carry = high >> 32;
    }
    return carry;
}

// Adds an option to the numbers of a state; false if one would exceed its bound.
bool add_numbers(const LayerPlan& plan, std::size_t option, std::uint64_t* key) noexcept {
    for (const NumberAdd* add = plan.adds(option); add != plan.adds_end(option); ++add) {
        const std::uint64_t value = key[add->word] >> add->shift & add->mask;
        if (value > add->most) return false;
        const std::uint64_t sum = std::min(value + add->weight, add->largest);
        key[add->word] += (sum - value) << add->shift;
    }
    return true;
}

// Settles the numbers of a state that leaves a layer; returns 0, or 1 if there is no solution.
std::uint64_t settle_numbers(const LayerPlan& plan, std::size_t layer,
                             std::uint64_t* key) noexcept {
    for (const NumberSettled* number = plan.settled(layer); number != plan.settled_end(layer);
         ++number) {
        const std::uint64_t value = key[number->word] >> number->shift & number->mask;
        if (value < number->least) return 1;
        if (value > number->from && value <= number->to) {
            key[number->word] -= (value - number->from) << number->shift;
        }
    }
    return 0;
}

}  // namespace

Layers::Layers(std::shared_ptr<const LayerPlan> plan, std::size_t memory)
    : plan_(std::move(plan)),
      memory_(memory),
      tables_(plan_->layers()),
      may_be_full_(reserve(*plan_) <= memory / 2) {
    if (may_be_full_) memory_ -= reserve(*plan_);
    if (plan_->layers() == 0) {
        total_ = {1};
        finished_ = true;
        return;
    }
    StateBlocks first(stride(), &used_);
    std::uint64_t* state = first.append();
    std::fill_n(state, plan_->words(), 0);
    state[plan_->words()] = 1;
    readings_.push_back({0, std::move(first), 0, memory_ / 8 * 7});
}

// The memory needed in any case: the plan, and a few states in every layer.
std::size_t Layers::reserve(const LayerPlan& plan) {
    constexpr std::size_t limbs = 4;
    const std::size_t least =
        StateBlocks::block_bytes(plan.words() + limbs) + StateTable::least_bytes();
    return plan.bytes() + 2 * plan.layers() * (least + sizeof(StateTable));
}

StateTable& Layers::table(std::size_t layer) {
    std::unique_ptr<StateTable>& table = tables_[layer];
    if (table == nullptr) table = std::make_unique<StateTable>(stride(), &used_);
    return *table;
}

Outcome Layers::run(Clock::time_point until, std::uint64_t work_limit) {
    std::uint64_t next_check = work() + work_between_checks;
    while (!finished_) {
        if (given_up_) return Outcome::spent;
        if (work() >= work_limit) return Outcome::enough;
        if (work() >= next_check) {
            next_check = work() + work_between_checks;
            if (Clock::now() >= until) return Outcome::timed_out;
        }
        if (widening_) {
            widen_some();
            work_ += 20 * StateBlocks::block_states * blocks_at_once;
        } else if (readings_.empty() || readings_.back().next == readings_.back().states.size()) {
            finished_ = !choose_layer();
        } else if (!relieve()) {
            extend_some();
        }
    }
    return Outcome::finished;
}

std::uint64_t Layers::try_work() const noexcept {
    return 3 + plan_->words();
}

// The work of looking up a state. It grows with the memory in use, because of cache misses.
// Measured.
std::uint64_t Layers::reach_work() const noexcept {
    constexpr std::size_t most = 56;
    return 25 + 10 * plan_->words() + 3 * std::min(used_ >> 20, most);
}

// Goes to the next layer after the one that has been read, or, if there is none, back to the layer
// that waits above it. Returns false at the end.
bool Layers::choose_layer() {
    const Reading& done = readings_.back();
    const std::size_t threshold = done.threshold;
    std::size_t layer = done.layer + 1;
    readings_.pop_back();
    while (layer <= farthest_ && tables_[layer] == nullptr) ++layer;
    if (layer <= farthest_) {
        start_reading(layer, threshold);
        return true;
    }
    farthest_ = layer - 1;
    return !readings_.empty();
}

void Layers::start_reading(std::size_t layer, std::size_t threshold) {
    readings_.push_back({layer, tables_[layer]->take(), 0, threshold});
    tables_[layer] = nullptr;
    if (was_full_) return;
    const double bits = std::log2(static_cast<double>(readings_.back().states.size()));
    if (plan_->width(layer) >= 8) density_ = std::max(density_, bits / plan_->width(layer));
}

// If memory is full, goes to the deepest layer that has states. Returns false if it changed
// nothing.
bool Layers::relieve() {
    const Reading& reading = readings_.back();
    if (used_ <= reading.threshold) return false;
    std::size_t deepest = farthest_;
    while (deepest > reading.layer && tables_[deepest] == nullptr) --deepest;
    farthest_ = deepest;
    if (deepest == reading.layer) return false;
    if (!may_be_full_) return given_up_ = true;
    was_full_ = true;
    start_reading(deepest, reading.threshold + (memory_ - reading.threshold) / 2);
    return true;
}

void Layers::extend_some() {
    Reading& reading = readings_.back();
    constexpr std::size_t block = StateBlocks::block_states;
    const std::size_t branches = plan_->branches(reading.layer);
    // After memory was full, states are extended a few at a time, so that they fit into the rest.
    const std::size_t few = std::max<std::size_t>(1, block / branches);
    std::size_t count = was_full_ ? few : std::clamp(tries_at_once / branches, few, states_at_once);
    count = std::min(count, reading.states.size() - reading.next);
    if (!has_room(count)) {
        widening_ = true;
        return;
    }
    const std::size_t first = reading.next;
    const std::size_t end = first + count;
    switch (plan_->words()) {
        case 1:
            extend_by_limbs<1>(reading, end);
            break;
        case 2:
            extend_by_limbs<2>(reading, end);
            break;
        case 4:
            extend_by_limbs<4>(reading, end);
            break;
        default:
            extend_by_limbs<8>(reading, end);
            break;
    }
    reading.next = end;
    for (std::size_t number = first / block; number < end / block; ++number) {
        reading.states.drop_block(number);
    }
    if (end == reading.states.size()) reading.states.clear(), reading.next = 0;
}

// Is it certain that no count overflows while this number of states is extended?
bool Layers::has_room(std::size_t states) const {
    const auto branches = static_cast<std::uint64_t>(plan_->branches(readings_.back().layer));
    const auto more = static_cast<int>(std::bit_width(states * branches)) + 1;
    return static_cast<int>(std::bit_width(top_)) + more <= 64;
}

// Adds a limb to some of the counts. There may be very many, so not to all at once.
void Layers::widen_some() {
    const std::size_t wider = stride() + 1;
    std::size_t blocks = blocks_at_once;
    for (const auto& table : tables_) {
        if (table != nullptr && !table->widen(wider, blocks)) return;
    }
    for (Reading& reading : readings_) {
        if (!reading.states.widen(wider, blocks)) return;
    }
    widening_ = false;
    ++limbs_;
    top_ = 0;
}

template <std::size_t words>
void Layers::extend_by_limbs(Reading& reading, std::size_t end) {
    switch (limbs_) {
        case 1:
            return extend<words, 1>(reading, end);
        case 2:
            return extend<words, 2>(reading, end);
        case 3:
            return extend<words, 3>(reading, end);
        default:
            return extend<words, 0>(reading, end);
    }
}

template <std::size_t words, std::size_t fixed>
void Layers::extend(Reading& reading, std::size_t end) {
    const LayerPlan& plan = *plan_;
    const std::size_t limbs = fixed > 0 ? fixed : limbs_;
    const std::size_t layers = plan.layers();
    const std::size_t first_option = plan.first_option(reading.layer);
    const std::size_t last_option = plan.first_option(reading.layer + 1);
    const bool colored = plan.colored();
    const bool counted = plan.counted();
    std::uint64_t top = top_;
    std::uint64_t reached = 0;
    std::size_t farthest = farthest_;
    for (std::size_t number = reading.next; number < end; ++number) {
        const std::uint64_t* state = reading.states.state(number);
        for (std::size_t option = first_option; option < last_option; ++option) {
            const std::uint64_t* conflict = plan.conflict(option);
            const std::uint64_t* set = conflict + words;
            std::uint64_t clash = 0;
            for (std::size_t word = 0; word < words; ++word) clash |= state[word] & conflict[word];
            if (clash != 0) continue;
            if (colored) {
                for (const ColorTest* test = plan.tests(option); test != plan.tests_end(option);
                     ++test) {
                    const std::uint64_t field = state[test->word] & test->field;
                    clash |= static_cast<std::uint64_t>(field != 0 && field != test->value);
                }
                if (clash != 0) continue;
            }
            std::uint64_t key[words];
            for (std::size_t word = 0; word < words; ++word) key[word] = state[word] | set[word];
            if (counted && !add_numbers(plan, option, key)) continue;
            // To the next layer whose item is not yet covered.
            std::size_t layer = reading.layer;
            for (;;) {
                const std::uint64_t* required = plan.required(layer);
                const std::uint64_t* keep = required + words;
                std::uint64_t missing = 0;
                if (counted) missing = settle_numbers(plan, layer, key);
                for (std::size_t word = 0; word < words; ++word) {
                    missing |= required[word] & ~key[word];
                    key[word] &= keep[word];
                }
                if (missing != 0) {
                    clash = 1;
                    break;
                }
                if (++layer == layers) break;
                const std::uint64_t* own = plan.own(layer);
                std::uint64_t covered = 0;
                for (std::size_t word = 0; word < words; ++word) covered |= key[word] & own[word];
                if (covered == 0) break;
            }
            if (clash != 0) continue;
            ++reached;
            if (layer == layers) {
                add_to_total(state + words, plan.weight(option));
                continue;
            }
            farthest = std::max(farthest, layer);
            std::uint64_t* count = table(layer).find<words>(key, limbs);
            add_product<fixed>(count, state + words, plan.weight(option), limbs);
            top |= count[limbs - 1];
        }
    }
    top_ = top;
    farthest_ = farthest;
    const std::uint64_t tried = (end - reading.next) * (last_option - first_option);
    states_ += end - reading.next;
    updates_ += tried;
    reached_ += reached;
    work_ += try_work() * tried + reach_work() * reached;
}

void Layers::add_to_total(const std::uint64_t* count, std::uint64_t weight) {
    if (total_.size() < limbs_) total_.resize(limbs_, 0);
    std::uint64_t carry = add_product<0>(total_.data(), count, weight, limbs_);
    for (std::size_t limb = limbs_; carry != 0; ++limb) {
        if (limb == total_.size()) total_.push_back(0);
        total_[limb] += carry;
        carry = static_cast<std::uint64_t>(total_[limb] < carry);
    }
}

// Assumes that every layer to come is as dense, for its width, as the densest so far.
double Layers::work_left() const {
    if (finished_ || readings_.empty()) return 0;
    const double arrivals =
        static_cast<double>(reached_) / static_cast<double>(std::max<std::uint64_t>(1, states_));
    const auto reach = static_cast<double>(reach_work());
    double left = 0;
    for (std::size_t layer = readings_.front().layer; layer < plan_->layers(); ++layer) {
        const auto options =
            static_cast<double>(plan_->first_option(layer + 1) - plan_->first_option(layer));
        const double states = std::exp2(density_ * plan_->width(layer));
        left += states *
                (static_cast<double>(try_work()) * options + reach * std::min(arrivals, options));
    }
    return left;
}

}  // namespace dlx
