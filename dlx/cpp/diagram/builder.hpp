// Builds the diagram of a problem's solutions: a search with memoization.
//
// This is Algorithm C, but every subproblem is searched once. The subproblem after some options
// were taken is determined by the set of live options, and that set by its *key* (diagram/key.hpp),
// such as the open items. Keys are hashed, and compared in full. A subproblem seen before has its
// node of the diagram; one that is new is branched on, and its options become a chain of nodes,
// first to last by `lo`, each with its own subproblem as `hi`:
//
//        key {b c d}, branch on b:    (b c) -lo-> (b) -lo-> (b d) -lo-> empty
//                                       |          |          |
//                                       hi {d}     hi {c d}   hi {c}
//
// With multiplicities, the branches are those of links/algorithm_m.hpp. The k-th branch of an item
// takes its k-th live option, and the options above are excluded from then on. If the item needs
// nothing, a last branch takes no further option:
//
//        item a, options b c d, needs 1           item a, options b c, needs nothing
//
//        (b) -lo-> (c) -lo-> (d) -lo-> empty      (b) -lo-> (c) -lo-> {no more of a}
//         |         |         |                    |         |
//         hi        hi        hi                   hi        hi
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
#include "diagram/key.hpp"

namespace dlx {

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
    DiagramBuilder(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                   std::span<const Int> order, std::uint64_t memory_limit);

    bool find_node(NodeId& node) noexcept;
    std::uint32_t remember();
    void conclude(NodeId node);

    Budget budget_;
    std::shared_ptr<const Problem> problem_;
    std::vector<Int> given_;
    SubproblemKey key_;  // of the current subproblem
    Nodes nodes_;
    Places seen_;  // subproblems by key
    Column<std::uint64_t> keys_;
    Column<NodeId> results_;
    std::uint32_t hash_ = 0;  // of the key that was looked up last
    NodeId root_ = diagram::empty;
    std::uint64_t tried_ = 0;
};

}  // namespace dlx
