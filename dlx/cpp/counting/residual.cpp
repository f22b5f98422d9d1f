// Simplifies residuals, encodes them in canonical form, and makes the residual after an option.
#include "counting/residual.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/random_numbers.hpp"

namespace dlx {
namespace {

constexpr Int none = -1;

std::uint64_t mixed(std::uint64_t hash, Int word) noexcept {
    return (hash ^ static_cast<std::uint32_t>(word)) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

std::uint64_t row_hash(const Residual& residual, std::size_t first, std::size_t end) noexcept {
    std::uint64_t hash = end - first;
    for (std::size_t entry = first; entry < end; ++entry) {
        hash = mixed(hash, residual.item[entry]);
        if (!residual.color.empty()) hash = mixed(hash, residual.color[entry]);
    }
    return hash ^ (hash >> 31);
}

bool same_row(const Residual& residual, std::size_t one, std::size_t other, std::size_t length) {
    const auto same = [&](const std::vector<Int>& numbers) {
        const auto begin = numbers.begin();
        return std::equal(begin + static_cast<std::ptrdiff_t>(one),
                          begin + static_cast<std::ptrdiff_t>(one + length),
                          begin + static_cast<std::ptrdiff_t>(other));
    };
    return same(residual.item) && (residual.color.empty() || same(residual.color));
}

void make_lists(Residual& residual) {
    residual.list.assign(index(residual.items) + 1, 0);
    for (const Int item : residual.item) ++residual.list[index(item) + 1];
    std::partial_sum(residual.list.begin(), residual.list.end(), residual.list.begin());
    residual.option_of.resize(residual.item.size());
    // Where the next option of each item's list goes. Lists are in the order of the options.
    std::vector<Int> next(residual.list.begin(), residual.list.end() - 1);
    for (Int option = 0; option < residual.options(); ++option) {
        for (Int entry = residual.start[index(option)]; entry < residual.start[index(option) + 1];
             ++entry) {
            residual.option_of[index(next[index(residual.item[index(entry)])]++)] = option;
        }
    }
}

// Merges the last option, which has just been appended, with an equal one before it.
class EqualOptions {
public:
    EqualOptions(std::vector<Int>& table, Residual& residual, std::size_t options)
        : table_(table), residual_(residual), mask_(std::bit_ceil(2 * options + 2) - 1) {
        table_.assign(mask_ + 1, none);
    }

    void add(Int copies) {
        const std::size_t first = index(residual_.start.back());
        const std::size_t end = residual_.item.size();
        std::size_t place = row_hash(residual_, first, end) & mask_;
        for (; table_[place] != none; place = (place + 1) & mask_) {
            const std::size_t option = index(table_[place]);
            const std::size_t other = index(residual_.start[option]);
            if (index(residual_.start[option + 1]) - other != end - first) continue;
            if (!same_row(residual_, other, first, end - first)) continue;
            residual_.copies[option] += copies;
            residual_.item.resize(first);
            if (!residual_.color.empty()) residual_.color.resize(first);
            return;
        }
        table_[place] = residual_.options();
        residual_.copies.push_back(copies);
        residual_.start.push_back(static_cast<Int>(end));
    }

private:
    std::vector<Int>& table_;
    Residual& residual_;
    std::size_t mask_;
};

}  // namespace

// -- residuals -----------------------------------------------------------------------------------

Int Residual::shortest() const noexcept {
    Int best = 0;
    for (Int number = 1; number < primary; ++number) {
        const auto length = [&](Int one) { return list[index(one) + 1] - list[index(one)]; };
        if (length(number) < length(best)) best = number;
    }
    return best;
}

Problem Residual::problem() const {
    Problem result;
    result.primary = primary;
    result.items = items;
    result.start.push_back(0);
    for (Int option = 0; option < options(); ++option) {
        const auto first = start[index(option)];
        const auto end = start[index(option) + 1];
        for (Int copy = 0; copy < copies[index(option)]; ++copy) {
            result.item.insert(result.item.end(), item.begin() + first, item.begin() + end);
            if (!color.empty())
                result.color.insert(result.color.end(), color.begin() + first, color.begin() + end);
            result.start.push_back(result.entries());
        }
    }
    return result;
}

IncidenceGraph Residual::graph() const {
    IncidenceGraph graph;
    graph.vertices = items + options();
    // The vertex that an entry is adjacent to: its item, or a vertex of its color.
    std::vector<Int> end_of = item;
    std::vector<Int> item_of_color;
    if (!color.empty()) {
        std::vector<std::pair<Int, Int>> names;  // an item and a color, sorted
        for (std::size_t entry = 0; entry < item.size(); ++entry) {
            if (color[entry] != 0) names.emplace_back(item[entry], color[entry]);
        }
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        for (std::size_t entry = 0; entry < item.size(); ++entry) {
            if (color[entry] == 0) continue;
            const std::pair name(item[entry], color[entry]);
            const auto place = std::lower_bound(names.begin(), names.end(), name);
            end_of[entry] = graph.vertices + static_cast<Int>(place - names.begin());
        }
        for (const auto& [number, name] : names) item_of_color.push_back(number);
    }
    const Int colors = graph.vertices;
    graph.vertices += static_cast<Int>(item_of_color.size());
    graph.kind.assign(index(graph.vertices), 0);
    std::fill_n(graph.kind.begin() + primary, items - primary, 1);
    std::fill(graph.kind.begin() + colors, graph.kind.end(), 2);
    for (Int option = 0; option < options(); ++option) {
        graph.kind[index(items + option)] = 2 + copies[index(option)];
    }
    graph.start.assign(index(graph.vertices) + 1, 0);
    for (const Int end : end_of) ++graph.start[index(end) + 1];
    for (Int option = 0; option < options(); ++option) {
        graph.start[index(items + option) + 1] =
            index(start[index(option) + 1] - start[index(option)]);
    }
    for (std::size_t number = 0; number < item_of_color.size(); ++number) {
        ++graph.start[index(item_of_color[number]) + 1];
        ++graph.start[index(colors) + number + 1];
    }
    std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
    graph.neighbor.resize(graph.start.back());
    std::vector<std::size_t> next(graph.start.begin(), graph.start.end() - 1);
    for (Int option = 0; option < options(); ++option) {
        for (Int entry = start[index(option)]; entry < start[index(option) + 1]; ++entry) {
            graph.neighbor[next[index(items + option)]++] = end_of[index(entry)];
            graph.neighbor[next[index(end_of[index(entry)])]++] = items + option;
        }
    }
    for (std::size_t number = 0; number < item_of_color.size(); ++number) {
        const Int vertex = colors + static_cast<Int>(number);
        graph.neighbor[next[index(item_of_color[number])]++] = vertex;
        graph.neighbor[next[index(vertex)]++] = item_of_color[number];
    }
    return graph;
}

std::string Residual::encoded(const IncidenceGraph& graph, std::span<const Int> order) const {
    // The items come first in every canonical order, then the colors, then the options, because
    // the order keeps to the kinds. Numbers are those of places.
    const Int colors = graph.vertices - items - options();
    const Int size = std::max<Int>(items + colors, *std::max_element(copies.begin(), copies.end()));
    const int width = size < 0xFF ? 1 : size < 0xFFFF ? 2 : 4;
    std::string bytes;
    bytes.reserve(16 + index(width) * (entries() + 2 * copies.size() + index(colors)));
    const auto put = [&](Int number, int length) {
        for (int byte = 0; byte < length; ++byte) {
            const auto part = static_cast<std::uint32_t>(number) >> (8 * byte);
            bytes.push_back(static_cast<char>(static_cast<unsigned char>(part)));
        }
    };
    bytes.push_back(static_cast<char>(width));
    put(primary, 4);
    put(items, 4);
    put(colors, 4);
    std::vector<Int> place(order.size());
    for (std::size_t number = 0; number < order.size(); ++number) {
        place[index(order[number])] = static_cast<Int>(number);
    }
    std::vector<Int> ends;
    for (const Int vertex : order.subspan(index(items))) {
        const bool is_color = vertex >= items + options();
        ends.clear();
        for (std::size_t edge = graph.first_edge(vertex); edge < graph.end_edge(vertex); ++edge) {
            // Of a color: only its item. (Its options have it in their rows.)
            const Int neighbor = graph.neighbor[edge];
            if (!is_color || neighbor < items) ends.push_back(place[index(neighbor)]);
        }
        if (is_color) {
            put(ends.front(), width);
            continue;
        }
        std::sort(ends.begin(), ends.end());
        put(copies[index(vertex - items)], width);
        put(static_cast<Int>(ends.size()), width);
        for (const Int end : ends) put(end, width);
    }
    return bytes;
}

// -- taking options ------------------------------------------------------------------------------

Rest Reducer::whole(const Problem& problem) {
    Residual all;
    all.primary = problem.primary;
    all.items = problem.items;
    std::vector<std::pair<Int, Int>> row;  // item and color
    for (Int option = 0; option < problem.options(); ++option) {
        row.clear();
        for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
             ++entry) {
            row.emplace_back(problem.item[index(entry)], problem.color_of(entry));
        }
        std::sort(row.begin(), row.end());
        for (const auto& [item, color] : row) {
            all.item.push_back(item);
            if (problem.colored()) all.color.push_back(color);
        }
        all.start.push_back(static_cast<Int>(all.item.size()));
        all.copies.push_back(1);
    }
    make_lists(all);
    begin(all);
    for (Int item = 0; item < all.primary; ++item) {
        if (live_[index(item)] == 0) dead_ = true;
        if (live_[index(item)] == 1) forced_.push_back(item);
    }
    Rest rest;
    rest.dead = dead_ || !take_forced();
    if (!rest.dead) collect(rest);
    return rest;
}

Rest Reducer::after(const Residual& from, Int option) {
    begin(from);
    take(option);
    Rest rest;
    rest.dead = dead_ || !take_forced();
    if (!rest.dead) collect(rest);
    return rest;
}

void Reducer::begin(const Residual& from) {
    from_ = &from;
    dead_ = false;
    factors_.clear();
    active_.assign(index(from.options()), 1);
    covered_.assign(index(from.items), 0);
    live_.resize(index(from.items));
    for (std::size_t item = 0; item < live_.size(); ++item) {
        live_[item] = from.list[item + 1] - from.list[item];
    }
    forced_.clear();
    work_ += active_.size() + covered_.size();
}

void Reducer::take(Int option) {
    const auto first = from_->start[index(option)];
    const auto end = from_->start[index(option) + 1];
    active_[index(option)] = 0;
    // A secondary item that is covered already has the option's color.
    std::vector<Int> fresh;
    for (Int entry = first; entry < end; ++entry) {
        const Int item = from_->item[index(entry)];
        if (covered_[index(item)]) continue;
        covered_[index(item)] = 1;
        fresh.push_back(entry);
    }
    for (const Int entry : fresh) {
        const Int item = from_->item[index(entry)];
        const Int color = from_->color_of(entry);
        for (const Int other : from_->options_of(item)) {
            if (!active_[index(other)]) continue;
            if (color != 0) {
                Int same = from_->start[index(other)];
                while (from_->item[index(same)] != item) ++same;
                if (from_->color_of(same) == color) continue;
            }
            remove(other);
        }
        work_ += from_->options_of(item).size();
    }
}

void Reducer::remove(Int option) {
    active_[index(option)] = 0;
    for (Int entry = from_->start[index(option)]; entry < from_->start[index(option) + 1];
         ++entry) {
        const Int item = from_->item[index(entry)];
        const Int left = --live_[index(item)];
        if (item >= from_->primary || covered_[index(item)]) continue;
        if (left == 1) forced_.push_back(item);
        if (left == 0) dead_ = true;
    }
    work_ += index(from_->start[index(option) + 1] - from_->start[index(option)]);
}

bool Reducer::take_forced() {
    while (!forced_.empty() && !dead_) {
        const Int item = forced_.back();
        forced_.pop_back();
        if (covered_[index(item)]) continue;
        for (const Int option : from_->options_of(item)) {
            if (!active_[index(option)]) continue;
            const Int copies = from_->copies[index(option)];
            if (copies > 1) factors_.push_back(static_cast<std::uint64_t>(copies));
            take(option);
            break;
        }
    }
    return !dead_;
}

Int Reducer::find(Int item) noexcept {
    while (root_[index(item)] != item) {
        root_[index(item)] = root_[index(root_[index(item)])];
        item = root_[index(item)];
    }
    return item;
}

// Finds the items that are kept, and those that options connect.
void Reducer::number_items() {
    const Residual& from = *from_;
    root_.assign(index(from.items), none);
    for (Int item = 0; item < from.items; ++item) {
        if (covered_[index(item)]) continue;
        if (item < from.primary || live_[index(item)] > 1) root_[index(item)] = item;
    }
    for (Int option = 0; option < from.options(); ++option) {
        if (!active_[index(option)]) continue;
        Int first = none;
        for (Int entry = from.start[index(option)]; entry < from.start[index(option) + 1];
             ++entry) {
            const Int item = from.item[index(entry)];
            if (root_[index(item)] == none) continue;
            const Int root = find(item);
            if (first == none) first = root;
            root_[index(root)] = first;
        }
    }
}

void Reducer::collect(Rest& rest) {
    const Residual& from = *from_;
    rest.factors = factors_;
    if (!from.color.empty()) {
        // A secondary item with the same color in all its options excludes nothing.
        for (Int item = from.primary; item < from.items; ++item) {
            if (covered_[index(item)] || live_[index(item)] < 2) continue;
            Int seen = none;
            bool same = true;
            for (const Int option : from.options_of(item)) {
                if (!active_[index(option)]) continue;
                Int entry = from.start[index(option)];
                while (from.item[index(entry)] != item) ++entry;
                const Int color = from_->color_of(entry);
                same = same && color != 0 && (seen == none || seen == color);
                seen = color;
            }
            if (same) live_[index(item)] = 0;
        }
    }
    number_items();
    part_.assign(index(from.items), none);
    number_.assign(index(from.items), none);
    for (Int item = 0; item < from.items; ++item) {
        if (root_[index(item)] == none) continue;
        Int& part = part_[index(find(item))];
        if (part == none) {
            part = static_cast<Int>(rest.parts.size());
            rest.parts.emplace_back();
        }
        Residual& own = rest.parts[index(part)];
        number_[index(item)] = own.items++;
        if (item < from.primary) ++own.primary;
    }
    std::vector<std::vector<Int>> members(rest.parts.size());  // the options of each part
    for (Int option = 0; option < from.options(); ++option) {
        if (active_[index(option)]) {
            // The first entry is a primary item: that is not covered, since the option is active.
            members[index(part_[index(find(from.item[index(from.start[index(option)])]))])]
                .push_back(option);
        }
    }
    for (std::size_t number = 0; number < rest.parts.size(); ++number) {
        Residual& own = rest.parts[number];
        EqualOptions equal(table_, own, members[number].size());
        for (const Int option : members[number]) {
            for (Int entry = from.start[index(option)]; entry < from.start[index(option) + 1];
                 ++entry) {
                const Int item = from.item[index(entry)];
                if (root_[index(item)] == none) continue;
                own.item.push_back(number_[index(item)]);
                if (!from.color.empty()) own.color.push_back(from_->color_of(entry));
            }
            equal.add(from.copies[index(option)]);
        }
        if (std::ranges::all_of(own.color, [](Int color) { return color == 0; })) own.color = {};
        make_lists(own);
        work_ += 4 * own.entries();
    }
}

}  // namespace dlx
