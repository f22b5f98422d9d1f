// A search below a node with fixed prices: no price changes, so options stay in one order.
//
// Priced cells (minimum/priced_cells.hpp) raise prices whenever options are removed. Where that
// gains little, most of the time of a node is spent on removing options and restoring them. Here
// the options that are left at a node are numbered by their reduced costs, cheapest first, and sets
// of options are bits in this order:
//
//     bound + reduced cost of an option <= cutoff     for the first n of them: the others are not
//                                                     looked at (Knuth's Algorithm X$)
//     options left after an option is taken           = options left & row of the option
//     number of options, and cheapest one, of an item = those of the bits left & its members
//
// The items of a group of minimum/disjoint_items.hpp are covered by different options. So all that
// is left costs at least the sum of the cheapest reduced costs of these items, their `floor`. With
// item i being one of the group, an option that covers it costs too much if
//
//     bound + reduced cost + floor - cheapest(i) > cutoff,
//
// and any option, if that is true for the item of the group whose cheapest option costs most.
//
// The rows of options are made when the options are taken for the first time, from the cells, which
// must not change during the search.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/option_bits.hpp"
#include "minimum/disjoint_items.hpp"
#include "minimum/item_counts.hpp"
#include "minimum/priced_cells.hpp"

namespace dlx {

template <class Cost>
class FixedPriceSearch {
public:
    static constexpr std::size_t most_options = 8192;  // the tables then take 20 MB at most
    static constexpr std::size_t most_items = 1024;

    FixedPriceSearch() : count_options_(choose_item_counts()) {}

    bool busy() const noexcept { return !frames_.empty(); }
    void clear() noexcept { frames_.clear(); }

    // The work so far, in units of about 10 ns.
    std::uint64_t work() const noexcept { return work_; }

    // About the work that `begin` takes.
    static std::uint64_t work_of_tables(std::size_t options) noexcept { return 8 * options + 200; }

    // Begins a search of all that is left to priced cells, which have no multiplicities.
    void begin(PricedCells<Cost>& priced, const Problem& problem, const DisjointItems& groups) {
        number_options(priced, static_cast<std::size_t>(problem.options()));
        number_items(priced.cells(), static_cast<std::size_t>(problem.primary), groups);
        clashes_.clear();
        clashes_of_item_.assign(static_cast<std::size_t>(problem.items), none);
        clashes_of_color_.clear();
        work_ += work_of_tables(reduced_.size());
        std::fill_n(active_.begin(), words_, ~std::uint64_t{0});
        if (reduced_.size() % 64 != 0) {
            active_[words_ - 1] = (std::uint64_t{1} << reduced_.size() % 64) - 1;
        }
        std::iota(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(items_.size()), 0);
        look(priced, {priced.bound(), 0, reduced_.size(), items_.size()});
    }

    // Tries the next option of the innermost item. Returns whether the options taken are then a
    // solution. Call it only while the search is busy.
    bool step(PricedCells<Cost>& priced, const Problem& problem) {
        Frame& frame = frames_.back();
        const std::size_t level = frames_.size() - 1;
        frame.taken = next_choice(frame, level);
        if (frame.taken == none) {
            frames_.pop_back();
            return false;
        }
        const Cost bound = frame.bound + reduced_[frame.taken];
        if (!priced.affordable(bound + frame.rest)) {  // the others cost even more
            frames_.pop_back();
            return false;
        }
        const std::size_t open = close_items(frame, level, priced.cells(), problem);
        if (open == 0) return priced.affordable(total(priced));
        const std::size_t options = affordable_options(frame, bound + frame.least_rest, priced);
        const std::uint64_t* const row = row_of(frame.taken, priced.cells(), problem);
        const std::size_t words = (options + 63) / 64;
        const std::uint64_t* const before = active_.data() + level * words_;
        std::uint64_t* const after = active_.data() + (level + 1) * words_;
        for (std::size_t word = 0; word < words; ++word) after[word] = before[word] & row[word];
        work_ += words / 16;
        if (options % 64 != 0) after[words - 1] &= (std::uint64_t{1} << options % 64) - 1;
        look(priced, {bound, level + 1, options, open});
        return false;
    }

    // -- the path --------------------------------------------------------------------------------

    std::size_t levels() const noexcept { return frames_.size(); }
    Int item(std::size_t level) const noexcept { return items_[frames_[level].lane]; }

    // The option of a level that is being tried; of the last level, the one tried last, or -1 if
    // none has been.
    Int taken(std::size_t level) const noexcept {
        const std::size_t place = frames_[level].taken;
        return place == none ? -1 : options_[place];
    }

    // The options of a level that have not been tried, cheapest first.
    std::vector<Int> untried(std::size_t level) const {
        std::vector<Int> options;
        const Frame& frame = frames_[level];
        const std::uint64_t* const choices = choices_.data() + level * words_;
        for_each_bit(choices + frame.word, frame.words - frame.word,
                     [&](std::size_t at) { options.push_back(options_[64 * frame.word + at]); });
        return options;
    }

    // A lower bound on the cost of all solutions with an untried option of a level; nullopt if
    // there is none.
    std::optional<Cost> bound_of_untried(std::size_t level) const noexcept {
        const Frame& frame = frames_[level];
        const std::uint64_t* const choices = choices_.data() + level * words_;
        for (std::size_t word = frame.word; word < frame.words; ++word) {
            if (choices[word] == 0) continue;
            return frame.bound + reduced_[64 * word + bit(choices[word])] + frame.rest;
        }
        return std::nullopt;
    }

    void give_away_untried(std::size_t level) noexcept {
        frames_[level].words = frames_[level].word;
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};

    struct Frame {
        Cost bound;
        Cost rest;                // what the other options cost at least, beside a choice
        Cost least_rest;          // the same, beside a choice and any other option
        std::size_t options;      // the first ones; the others are too expensive
        std::size_t open;         // items
        std::size_t lane;         // the item chosen
        std::size_t word, words;  // of its choices: the next, and how many there are
        std::size_t taken;        // option
    };

    // A node that is to be looked at.
    struct Node {
        Cost bound;
        std::size_t level, options, open;
    };

    static std::size_t bit(std::uint64_t word) noexcept {
        return static_cast<std::size_t>(std::countr_zero(word));
    }

    // -- tables ----------------------------------------------------------------------------------

    void number_options(const PricedCells<Cost>& priced, std::size_t all) {
        order_.clear();
        for (const Int option : priced.cells().alive()) {
            order_.emplace_back(priced.reduced(option), option);
        }
        std::sort(order_.begin(), order_.end());
        place_.resize(all);
        reduced_.clear();
        options_.clear();
        for (const auto& [reduced, option] : order_) {
            place_[index(option)] = static_cast<Int>(options_.size());
            reduced_.push_back(reduced);
            options_.push_back(option);
        }
        words_ = std::max<std::size_t>((options_.size() + 63) / 64, 1);
        has_row_.assign(options_.size(), 0);
        if (rows_.size() < options_.size() * words_) rows_.resize(options_.size() * words_);
    }

    void number_items(const Cells& cells, std::size_t primary, const DisjointItems& groups) {
        items_.assign(cells.open().begin(), cells.open().end());
        std::sort(items_.begin(), items_.end());
        const std::size_t lanes =
            (items_.size() / ItemCounts::lanes_at_once + 1) * ItemCounts::lanes_at_once;
        closed_.assign(primary, 0);
        members_.assign(words_ * lanes, 0);
        group_.clear();
        for (std::size_t lane = 0; lane < items_.size(); ++lane) {
            group_.push_back(groups.of(items_[lane]));
            for (const Int entry : cells.left(items_[lane])) {
                const auto place = static_cast<std::size_t>(place_[index(cells.option_of(entry))]);
                members_[place / 64 * lanes + lane] |= std::uint64_t{1} << place % 64;
            }
        }
        count_.resize(lanes);
        first_.resize(lanes);
        lanes_ = lanes;
        const std::size_t levels = items_.size() + 1;
        if (active_.size() < levels * words_) active_.resize(levels * words_);
        if (choices_.size() < levels * words_) choices_.resize(levels * words_);
        if (open_.size() < levels * items_.size()) open_.resize(levels * items_.size());
        frames_.clear();
        frames_.reserve(levels);
    }

    // The options that do not clash with one.
    const std::uint64_t* row_of(std::size_t place, const Cells& cells, const Problem& problem) {
        std::uint64_t* const row = rows_.data() + place * words_;
        if (has_row_[place]) return row;
        has_row_[place] = 1;
        std::fill_n(row, words_, ~std::uint64_t{0});
        for (const Int entry : cells.entries_of(options_[place])) {
            const std::size_t first = clashes_with(entry, cells, problem);
            work_ += words_ / 16 + 1;
            for (std::size_t word = 0; word < words_; ++word) row[word] &= ~clashes_[first + word];
        }
        return row;
    }

    // The options that clash with all that have this item in this color: where they are in
    // `clashes_`.
    std::size_t clashes_with(Int entry, const Cells& cells, const Problem& problem) {
        const Int item = cells.item_of(entry);
        const Int color = problem.color_of(entry);
        std::size_t& first = color == 0
                                 ? clashes_of_item_[index(item)]
                                 : clashes_of_color_.try_emplace({item, color}, none).first->second;
        if (first != none) return first;
        first = clashes_.size();
        clashes_.resize(first + words_, 0);
        const std::span<const Int> left = cells.left(item);
        work_ += (left.size() + words_) / 4;
        for (const Int other : left) {
            if (color != 0 && problem.color_of(other) == color) continue;
            const auto place = static_cast<std::size_t>(place_[index(cells.option_of(other))]);
            set_bit(clashes_.data() + first, place);
        }
        return first;
    }

    // -- nodes -----------------------------------------------------------------------------------

    std::size_t next_choice(Frame& frame, std::size_t level) noexcept {
        std::uint64_t* const choices = choices_.data() + level * words_;
        while (frame.word < frame.words && choices[frame.word] == 0) ++frame.word;
        if (frame.word >= frame.words) return none;
        const std::size_t place = 64 * frame.word + bit(choices[frame.word]);
        choices[frame.word] &= choices[frame.word] - 1;
        return place;
    }

    // The items that stay open after the choice of a frame; returns their number.
    std::size_t close_items(const Frame& frame, std::size_t level, const Cells& cells,
                            const Problem& problem) noexcept {
        ++stamp_;
        for (const Int entry : cells.entries_of(options_[frame.taken])) {
            const Int item = cells.item_of(entry);
            if (item < problem.primary) closed_[index(item)] = stamp_;
        }
        const std::uint32_t* const before = open_.data() + level * items_.size();
        std::uint32_t* const after = open_.data() + (level + 1) * items_.size();
        std::size_t open = 0;
        for (std::size_t at = 0; at < frame.open; ++at) {
            after[open] = before[at];
            open += closed_[index(items_[before[at]])] == stamp_ ? 0 : 1;
        }
        return open;
    }

    // How many options may be taken below, where all that is left costs at least this without them.
    std::size_t affordable_options(const Frame& frame, Cost bound, PricedCells<Cost>& priced) {
        const auto end = reduced_.begin() + static_cast<std::ptrdiff_t>(frame.options);
        const auto last = std::upper_bound(reduced_.begin(), end, priced.cutoff() - bound);
        if (last != end) priced.note_refused(bound + *last);
        return static_cast<std::size_t>(last - reduced_.begin());
    }

    // Looks at a node; if it may have affordable solutions, opens a frame with the item chosen.
    void look(PricedCells<Cost>& priced, const Node& node) {
        const std::size_t words = (node.options + 63) / 64;
        const std::uint64_t* const active = active_.data() + node.level * words_;
        const std::uint32_t* const open = open_.data() + node.level * items_.size();
        const ItemCounts counts{members_.data(), lanes_, count_.data(), first_.data()};
        count_options_(counts, active, words);
        work_ += 10 + node.open / 2 + lanes_ * words / 64;
        Group groups[DisjointItems::most_groups + 1] = {};
        std::size_t lane = open[0];
        Cost most_of_lane = -1;
        for (std::size_t at = 0; at < node.open; ++at) {
            const std::size_t one = open[at];
            if (count_[one] == 0) return;
            const Cost least = reduced_[first_[one]];
            groups[group_[one]].add(least);
            if (count_[one] > count_[lane]) continue;
            if (count_[one] == count_[lane] && least <= most_of_lane) continue;
            lane = one;
            most_of_lane = least;
        }
        std::size_t best = 0;
        for (std::size_t group = 1; group < DisjointItems::most_groups; ++group) {
            if (groups[group].floor > groups[best].floor) best = group;
        }
        const Group& group = groups[best];
        if (!priced.affordable(node.bound + group.floor)) return;
        const Cost rest = group.floor - (group_[lane] == best ? most_of_lane : group.most);
        const Cost least_rest =
            rest - (group_[lane] == best ? group.most_beside(most_of_lane) : group.second);
        std::uint64_t* const choices = choices_.data() + node.level * words_;
        for (std::size_t word = 0; word < words; ++word) {
            choices[word] = active[word] & members_[word * lanes_ + lane];
        }
        frames_.push_back({node.bound, rest, least_rest, node.options, node.open, lane,
                           first_[lane] / 64, words, none});
    }

    // The cheapest reduced costs of the items of a group: their sum, and the largest two.
    struct Group {
        Cost floor = 0;
        Cost most = 0;
        Cost second = 0;

        void add(Cost least) noexcept {
            floor += least;
            if (least > most) {
                second = std::exchange(most, least);
            } else if (least > second) {
                second = least;
            }
        }
        Cost most_beside(Cost one) const noexcept { return one == most ? second : most; }
    };

    // The cost of the solution that has just been found.
    Cost total(const PricedCells<Cost>& priced) const noexcept {
        Cost cost = priced.paid();
        for (const Frame& frame : frames_) cost += priced.cost(options_[frame.taken]);
        return cost;
    }

    ItemCounts::Function count_options_;
    std::vector<std::pair<Cost, Int>> order_;
    std::vector<Cost> reduced_;        // of each option, ascending: their numbers are places
    std::vector<Int> options_;         // by place
    std::vector<Int> place_;           // of each of the problem's options
    std::vector<Int> items_;           // by lane
    std::vector<std::uint8_t> group_;  // by lane
    std::vector<std::uint64_t> members_;
    std::vector<std::uint64_t> rows_;
    std::vector<char> has_row_;
    std::vector<std::uint64_t> clashes_;
    std::vector<std::size_t> clashes_of_item_;
    std::map<std::pair<Int, Int>, std::size_t> clashes_of_color_;
    std::size_t words_ = 1;  // of a set of options
    std::size_t lanes_ = 0;
    // By level:
    std::vector<std::uint64_t> active_;
    std::vector<std::uint64_t> choices_;
    std::vector<std::uint32_t> open_;  // lanes
    std::vector<Frame> frames_;
    // Scratch:
    std::vector<std::uint64_t> count_;
    std::vector<std::uint64_t> first_;
    std::vector<std::uint64_t> closed_;  // of each primary item: the stamp when it was closed last
    std::uint64_t stamp_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace dlx
