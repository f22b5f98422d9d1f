// A sample of each state, to count roughly how many options would be removed.
//
// In slices, an option has a bit for each of its items. To count options, one of these bits is
// enough: those of a set of items no two of which share an option. Such a set is chosen here, the
// items in order. The sample of a state has the parts of its slices, 16 bytes each, that contain
// items of the set; a single part of each slice is cut behind its last item, so that more slices
// fit into a vector. For a Sudoku these are the 81 cells: 11 bytes of each slice, two vectors in
// all.
#pragma once

#include <cstdint>
#include <vector>

#include "bits/aligned_memory.hpp"
#include "bits/rounds/task.hpp"

namespace dlx {

class Sample {
public:
    // `tables`: laid out in slices. `slice_bytes`: of each. O(options * bytes of a state).
    Sample(const BitsView& tables, std::size_t slice_bytes);
    Sample(const Sample&) = delete;
    Sample& operator=(const Sample&) = delete;

    const SampleView& view() const noexcept { return view_; }

private:
    std::vector<std::byte> disjoint_items(const BitsView& tables, std::size_t slice_bytes) const;

    SampleView view_;
    std::vector<Int> column_;
    AlignedBytes removal_;
};

}  // namespace dlx
