// Which items may dominate which: pairs of items that share at least two options.
//
// Each primary item must be covered exactly once. So if all live options of item A also cover item
// B, one of them will, and the other options of B can be removed. ("Locked candidates" of Sudoku
// are an example: A is a digit in a box, B the same digit in a row.) With one common option, that
// is what taking a forced option does anyway; so only pairs with more are listed. The places of an
// item's partners are numbered; bits/rounds/loop.hpp compares all items with their partners in one
// place at a time, on the slices layout.
#pragma once

#include <cstdint>
#include <vector>

#include "bits/aligned_memory.hpp"
#include "bits/rounds/task.hpp"

namespace dlx {

class Dominance {
public:
    // `tables`: laid out in slices. `slice_bytes`: of each. The pairs with the most options in
    // common are kept, up to a number of partners for each item. O(entries * entries of an option).
    Dominance(const BitsView& tables, std::size_t slice_bytes);
    Dominance(const Dominance&) = delete;
    Dominance& operator=(const Dominance&) = delete;

    const DominanceView& view() const noexcept { return view_; }

private:
    struct Pair {
        Int common;  // how many options both have
        Int a;
        Int b;
    };

    void list_entries(const BitsView& tables);
    std::vector<Pair> pairs(const BitsView& tables) const;
    void add_partner(const BitsView& tables, Int item, Int partner, Int place);
    std::size_t bit(Int item, Int place) const;
    void list_rows(const BitsView& tables);

    DominanceView view_;
    std::size_t slice_bytes_;
    std::vector<Int> entry_start_, entry_item_, entry_place_;
    std::vector<std::uint16_t> partner_;
    std::vector<std::uint64_t> common_;
    std::vector<std::uint32_t> row_at_;
    std::vector<std::uint16_t> row_;
    AlignedBytes outside_;
};

}  // namespace dlx
