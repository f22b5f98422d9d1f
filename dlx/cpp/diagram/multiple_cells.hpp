// The live options and the residual bounds of a problem with multiplicities, while a diagram is
// built: for problems of any size.
//
// Each item has a bound, how much it may still be covered, and a need, how much it must be; their
// difference is at most its slack, high - low. Taking an option reduces the bounds of its primary
// items. Options that exceed a bound, or clash at a secondary item, are removed; so is the option
// itself, by `exclude`, before it is taken. (links/multiple_cover.hpp is the same for searches.)
//
// The live options of an item are a sparse set (core/sparse_sets.hpp). Everything that changes is
// undone in reverse order.
//
// The key of a subproblem is kept up to date: see MultipleKey.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/sparse_sets.hpp"
#include "diagram/multiple_key.hpp"

namespace dlx {

class MultipleCells {
public:
    // `key` must live as long as this object.
    MultipleCells(const Problem& problem, MultipleKey& key);

    static std::uint64_t bytes(const Problem& problem) noexcept;

    // Does some item need more than its live options can cover?
    bool dead() const noexcept { return short_ > 0; }
    Int size(Int item) const noexcept { return sets_.size(item); }
    std::int64_t total(Int item) const noexcept { return total_[index(item)]; }
    Int bound(Int item) const noexcept { return bound_[index(item)]; }
    Int need(Int item) const noexcept { return std::max(0, bound(item) - slack_[index(item)]); }
    std::uint64_t updates() const noexcept { return updates_; }

    // Appends the live options of an item, in ascending order.
    void list(Int item, std::vector<Int>& into) const;

    // A state that `undo` can return to.
    struct Mark {
        std::size_t removed = 0;
        std::size_t colored = 0;
        std::size_t taken = 0;
    };
    Mark mark() const noexcept { return {removed_.size(), colored_.size(), taken_.size()}; }
    void undo(const Mark& mark) noexcept;

    // Removes a live option.
    void exclude(Int option) noexcept { remove(option); }
    // Takes an option that was live until it was excluded. Returns false at a dead end.
    bool take(Int option) noexcept;

    // Writes what the key does not have yet.
    void complete_key() noexcept;

private:
    bool is_short(Int item) const noexcept { return total(item) < need(item); }
    void use(Int item, Int weight) noexcept;
    bool remove_heavier(Int item, Int weight) noexcept;
    bool purify(Int item, Int color) noexcept;
    void remove(Int option) noexcept;
    void restore(Int option) noexcept;
    void recode(Int item) noexcept;

    const Problem& problem_;
    MultipleKey& key_;
    SparseSets sets_;
    std::vector<std::int64_t> total_;  // of each primary item: what its live options cover together
    std::vector<Int> bound_;
    std::vector<Int> slack_;
    std::vector<Int> color_;    // of each item: what options taken have given it, or 0
    std::vector<Int> removed_;  // options, in order
    std::vector<Int> colored_;  // items, in order
    std::vector<Int> taken_;    // options, in order
    Int short_ = 0;             // items that need more than their live options can cover
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
