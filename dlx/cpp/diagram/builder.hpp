// Builds the diagram of a problem's solutions: a search with memoization.
//
// This is Algorithm C, but every subproblem is searched once. The subproblem after some options
// were taken is determined by the set of live options, and that set by
//
//   * which primary items are open, a bit each;
//   * for each secondary item, a code of its live options: 0: it has none; c + 1: all have color c
//     there, because the item has this color or because no other color is left; 1: anything else.
//
// These bits are the *key* of the subproblem. Keys are hashed, and compared in full. A subproblem
// seen before has its node of the diagram; one that is new is branched on, and its options become a
// chain of nodes, first to last by `lo`, each with its own subproblem as `hi`:
//
//        key {b c d}, branch on b:    (b c) -lo-> (b) -lo-> (b d) -lo-> empty
//                                       |          |          |
//                                       hi {d}     hi {c d}   hi {c}
//
// Two ways to choose the item to branch on:
//
//   * like a search with the heuristic "mrv": then the diagram has the order of the search;
//   * the first open one in a fixed order: then an option always appears below the options of
//     earlier items, and the diagram is ordered. If the order sweeps over a narrow problem, the
//     open items differ in few places only, and there are few subproblems.
//
// Source: M. Nishino, N. Yasuda, S. Minato, M. Nagata, "Dancing with decision diagrams" (AAAI
// 2017), with a fixed order of the search itself; D. E. Knuth's program DLX6 for colors.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/engine.hpp"
#include "diagram/diagram.hpp"

namespace dlx {

// Where the parts of a key are, in words of 64 bits.
class KeyLayout {
public:
    // `order`: the primary items as they are branched on; empty if that is their own order.
    KeyLayout(const Problem& problem, std::span<const Int> order);

    struct Field {
        std::uint32_t word;
        std::uint32_t shift;
    };
    Field primary(Int item) const noexcept {
        const auto at = position_[static_cast<std::size_t>(item)];
        return {at >> 6, at & 63};
    }
    std::size_t place_of(Int item) const noexcept {
        return position_[static_cast<std::size_t>(item)];
    }
    Field secondary(std::size_t number) const noexcept { return secondary_[number]; }
    Int item_at(std::size_t position) const noexcept { return item_at_[position]; }
    std::size_t words() const noexcept { return words_; }
    std::size_t primary_words() const noexcept { return (item_at_.size() + 63) / 64; }
    bool plain() const noexcept { return secondary_.empty(); }

private:
    std::vector<std::uint32_t> position_;  // of primary items
    std::vector<Int> item_at_;             // the other way round
    std::vector<Field> secondary_;
    std::size_t words_;
};

// A diagram under construction.
class DiagramBuilder {
public:
    virtual ~DiagramBuilder() = default;
    DiagramBuilder(const DiagramBuilder&) = delete;
    DiagramBuilder& operator=(const DiagramBuilder&) = delete;

    // `given`: options (in search numbering) that every solution must contain; no two may clash.
    // `order`: a permutation of the primary items to branch by; empty to choose as "mrv" does.
    // `bits`: whether a dense problem may be stored as bits, which is faster and changes no result.
    static std::unique_ptr<DiagramBuilder> make(std::shared_ptr<const Problem> problem,
                                                std::span<const Int> given,
                                                std::span<const Int> order,
                                                std::uint64_t memory_limit, bool bits);

    // Continues until a time; returns true when the diagram is complete. Throws OverBudget.
    virtual bool run(Clock::time_point until) = 0;
    virtual std::uint64_t updates() const noexcept = 0;

    NodeId root() const noexcept { return root_; }
    const Nodes& nodes() const noexcept { return nodes_; }
    std::uint64_t tried() const noexcept { return tried_; }
    std::uint64_t subproblems() const noexcept { return results_.size(); }
    std::uint64_t peak() const noexcept { return budget_.peak(); }

    // The options (caller's indices) in the order in which an ordered diagram tests them.
    std::vector<Int> variables() const;

protected:
    // `key_words`: the length of a key; 0: that of the layout.
    DiagramBuilder(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                   std::span<const Int> order, std::uint64_t memory_limit,
                   std::size_t key_words = 0);

    using Key = std::vector<std::uint64_t>;
    static std::uint32_t hash_of(const Key& key) noexcept;
    std::uint32_t find(const Key& key, std::uint32_t hash) const noexcept;
    std::uint32_t remember(const Key& key, std::uint32_t hash);
    void conclude(NodeId node);

    Budget budget_;
    std::shared_ptr<const Problem> problem_;
    std::vector<Int> given_;
    std::vector<Int> order_;
    KeyLayout layout_;
    Nodes nodes_;
    Places seen_;  // subproblems by key
    Column<std::uint64_t> keys_;
    Column<NodeId> results_;
    NodeId root_ = diagram::empty;
    std::uint64_t tried_ = 0;
};

}  // namespace dlx
