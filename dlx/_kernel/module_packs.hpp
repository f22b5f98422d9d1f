// Solutions on their way from a worker to whoever asked: a queue of them, packed.
//
//     options   0 4 3 | 7 1 | 2 5 6        indices of options, solution after solution
//     lengths   3       2     3
//                       ^ those before have been taken
//
// Four bytes an option, where a tuple in Python takes eight and forty more each; two packs are put
// together by putting their bytes together; and what a signal in Python may not come between,
// taking solutions from here and having them in the caller's list, is one call.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <vector>

#include "engine.hpp"

namespace dlx {

// A solution for Python: the names of its options, or, if `names` is None, their indices. All
// indices must be within the list.
nanobind::object solution_tuple(std::span<const Int> options, nanobind::handle names);

class Pack {
public:
    Pack() = default;
    Pack(const nanobind::bytes& options, const nanobind::bytes& lengths);

    void add(const Found& found);
    void append(const std::vector<Int>& solution);

    // Moves all that another one has behind what is here.
    void extend(Pack& other);

    // Moves up to `count` solutions from the front to the end of a list. Returns how many.
    std::uint64_t take(std::uint64_t count, nanobind::handle names, nanobind::list into);

    // Throws up to `count` of them away.
    std::uint64_t drop(std::uint64_t count);

    // All that were ever taken or thrown away here.
    std::uint64_t taken() const noexcept { return taken_; }
    std::size_t size() const noexcept { return lengths_.size() - first_; }
    std::size_t memory() const noexcept;
    nanobind::bytes options() const;
    nanobind::bytes lengths() const;

private:
    void make_room(std::size_t more);
    void pass();
    void forget_taken();

    std::vector<Int> options_;
    std::vector<Int> lengths_;
    std::size_t first_option_ = 0;  // of what has not been taken
    std::size_t first_ = 0;
    std::uint64_t taken_ = 0;
};

void bind_packs(nanobind::module_& module);

}  // namespace dlx
