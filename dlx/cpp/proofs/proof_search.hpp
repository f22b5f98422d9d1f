// A search for all solutions, or for one, that writes a proof of its result as it goes.
//
// When a branch of Algorithm X is exhausted, some of the options taken are the reason
// (explain/refutation.hpp), and no solution contains all of these. That is a clause, the *nogood*
// of the branch, and unit propagation confirms it: assume the options of the reason, and
//
//     at a dead end          each option of some item clashes with one of them;
//     at a branching item    each of its options does, or the nogood of its branch excludes it;
//     at a solution          so does the clause that excludes it after it was found.
//
// So each nogood is a step of a proof by reverse unit propagation, over the clauses or the
// inequalities of the problem (dlx/formats). The last one is empty: there are no solutions but
// those found. The nogood of the last branch of an item is left out, since that of the item follows
// without it; so forced options cost nothing. Once a nogood is written, those that led to it are
// deleted.
//
// As in a refutation, the search goes back to the last option in the reason. If any solution will
// do, a failed option is removed from all items, and items that were dead ends weigh more;
// otherwise solutions come in the promised order.
//
// A branch and bound that writes a proof (dlx/proofs/minimum.py) leaves small branches to this
// search, with a *budget*: the reduced costs of the options taken are at most an amount, which is
// an inequality in the proof. An option that costs more than what is left is excluded; the reason
// is those taken before that together leave too little.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/active_options.hpp"
#include "core/engine.hpp"

namespace dlx {

class ProofSearch {
public:
    enum class Format : std::uint8_t { drat, pseudo_boolean };
    enum class Verdict : std::uint8_t { running, solution, exhausted };

    // `constraints`: how many the formula has, in the numbering of the proof. `loose`: a flag for
    // each of the caller's options, 1 if a solution names it when it does not contain it; or empty.
    // `in_order`: see above. `all`: are all solutions wanted, so that the proof has them?
    ProofSearch(std::shared_ptr<const Problem> problem, Format format, bool in_order, bool all,
                std::uint64_t constraints, std::vector<std::uint8_t> loose);

    // Begins with these options given, for which the formula has units, and with the items that
    // have a flag; empty: with all.
    void begin(std::span<const Int> given, std::span<const std::uint8_t> kept);

    // A branch of another search.
    struct Branch {
        std::vector<Int> given;           // the options that it contains,
        std::vector<Int> removed;         // and those that it does not,
        std::string decisions;            // which follows from these, negated, as terms
        std::uint64_t constraints = 0;    // the number of the last one in the proof
        std::vector<std::int64_t> costs;  // of the caller's options; those below 0 do not count
        std::int64_t amount = 0;          // that all options but the given ones may cost
        std::vector<Int> variables;       // of the caller's options
    };

    // Begins anew. If it is exhausted, the last step is the clause of the decisions. With
    // multiplicities, the caller knows that no more options can make a solution acceptable.
    void begin_below(Branch branch);

    // Continues until the next solution, until there are `nodes` nodes or `bytes` of text, or until
    // the time is up.
    Verdict run(std::uint64_t nodes, std::size_t bytes, Clock::time_point until);

    // The proof since the last call.
    std::string take_text() { return std::exchange(text_, {}); }
    std::uint64_t nodes() const noexcept { return nodes_; }
    std::uint64_t updates() const noexcept { return active_.work(); }
    std::uint64_t last_constraint() const noexcept { return last_; }  // written

    // The options of the solution just found, in search numbering.
    const std::vector<Int>& solution() const noexcept { return solution_; }

private:
    static constexpr std::uint64_t check_interval = 20'000;           // work between clock checks
    static constexpr std::uint32_t no_reason = ~std::uint32_t{0};     // instead of excluders:
    static constexpr std::uint32_t too_dear = ~std::uint32_t{0} - 1;  // of the branch; the budget

    // Places of options taken, as bits.
    using Reason = std::vector<std::uint64_t>;

    struct Frame {
        Int item;
        Int base;               // options taken before
        std::size_t next, end;  // options to be tried, in `options_`
        std::size_t nogoods;    // how many there are but for those of the branch being searched
        Reason reason;          // why those tried failed
    };

    void step();
    void arrive();
    void note_solution();
    void fail(Reason reason);
    void end();
    Int choose() noexcept;

    bool excludes() const noexcept { return !in_order_ || problem_->multiple(); }
    bool may_leave(Int item) const noexcept {
        return problem_->multiple() && active_.need(item) == 0;
    }
    void push(Int item);
    static void add_place(Int place, Reason& reason) {
        const auto word = static_cast<std::size_t>(place) / 64;
        if (reason.size() <= word) reason.resize(word + 1);
        reason[word] |= std::uint64_t{1} << (place % 64);
    }
    void add_removal(Int option, Reason& reason) const;
    void add_item(Int item, Reason& reason) const;
    Reason reason_of_uncoverable();
    Int last_place(const Reason& reason) const noexcept;

    std::int64_t cost(Int option) const noexcept {
        return branch_.costs[static_cast<std::size_t>(problem_->label_of(option))];
    }
    bool pay(Int option);
    void exclude_dear();
    void add_costs(Int taken, std::int64_t enough, Reason& reason) const;

    Int variable(Int option) const noexcept {
        const Int label = problem_->label_of(option);
        return branch_.variables.empty() ? label + 1
                                         : branch_.variables[static_cast<std::size_t>(label)];
    }
    void write_nogood(const Reason& reason, Int option);
    void write_solution();
    void write_clause(std::span<const Int> variables);
    void remove_nogoods(std::size_t kept);

    std::shared_ptr<const Problem> problem_;
    ActiveOptions active_;
    Format format_;
    bool in_order_;
    bool all_;
    std::vector<std::uint8_t> loose_;
    std::uint64_t last_;
    Int given_ = 0;
    std::vector<Frame> frames_;
    std::vector<Int> options_;             // of all frames, those to be tried
    std::vector<std::uint32_t> excluder_;  // of an excluded option, its frame
    Branch branch_;
    std::vector<Int> by_cost_;            // options with a cost, the highest first
    std::vector<std::int64_t> left_;      // of the amount, by the number of options taken
    std::vector<std::size_t> dear_;       // and how many of `by_cost_` are too dear
    std::vector<std::uint64_t> weights_;  // of the primary items
    struct Nogood {
        std::uint64_t number;
        std::size_t first;  // its variables, in `variables_`
    };
    std::vector<Nogood> nogoods_;
    std::vector<Int> variables_;
    std::vector<Int> literals_;  // of the one being written
    std::vector<Int> solution_;
    std::string text_;
    Verdict verdict_ = Verdict::running;
    bool reported_ = false;  // has `run` returned the solution?
    std::uint64_t nodes_ = 0;
};

}  // namespace dlx
