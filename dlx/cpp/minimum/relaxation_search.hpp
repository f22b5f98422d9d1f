// The cheapest solutions by branch and bound over the linear relaxation.
//
// A node is a set of decisions, and its bound the value of the linear program that they leave,
// proved in integers (relaxation/exact_bound.hpp). A node is not searched further if its bound is
// above the *cutoff*, the highest cost that is still of interest. Options whose reduced cost
// exceeds the distance of the bound and the cutoff are in no such solution, and are fixed: at the
// root for good, whenever a cheaper solution is found.
//
// A decision takes an option or leaves it out. Which option is found out by some steps of the
// simplex method for several that the fractional solution decides least (strong branching; pairs of
// items, as of Ryan and Foster, need four times as many nodes on crews of airlines). The search
// goes on with the branch that takes the option, and returns to the node of least bound when it
// cannot go on. At the root there are cuts (relaxation/cuts.hpp). Solutions are looked for by local
// search with the prices of the root (minimum/local_search.hpp), and now and then by a dive:
// options that the fractional solution nearly takes are taken one after the other.
//
// Ties: with `any_order` only cheaper solutions are looked for once k are known, otherwise all that
// cost as much as the k-th are found, too, of which those come first that an ordinary search visits
// first. It gives up if there are too many.
//
// Items with colors are not rows of the program, so a problem with colors is not for this search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "core/problem.hpp"
#include "minimum/local_search.hpp"
#include "minimum/minimum.hpp"
#include "minimum/problem_program.hpp"
#include "relaxation/exact_bound.hpp"
#include "relaxation/simplex.hpp"

namespace dlx {

class RelaxationSearch final : public MinimumSearch {
public:
    using Solution = std::pair<std::int64_t, std::vector<Int>>;  // cost; options in ascending order

    // `cost`: of each option. `given`: options, no two of which clash.
    RelaxationSearch(std::shared_ptr<const Problem> problem, std::span<const std::int64_t> cost,
                     std::span<const Int> given, std::uint64_t k, bool any_order);

    // Searches until that time. Returns whether it has ended: finished, or given up.
    bool run(Clock::time_point until) override;
    bool finished() const noexcept override { return phase_ == Phase::finished; }
    bool given_up() const noexcept override { return phase_ == Phase::given_up; }

    std::vector<Costed> best(Clock::time_point until) override;
    std::optional<std::int64_t> best_cost() const override;
    std::optional<std::int64_t> bound() const override;
    void offer(std::int64_t cost, std::vector<Int> options) override;

    // Nothing is kept: a resumed search begins anew.
    std::vector<std::int64_t> save() override { return {}; }
    void restore(std::span<const std::int64_t>) override {}

private:
    enum class Phase { next, solving, improving, diving, probing, finished, given_up };

    // One decision, and those before it.
    struct Decision {
        Int column;
        bool taken;
        std::shared_ptr<const Decision> before;
    };

    struct Node {
        std::int64_t bound;
        std::uint64_t number;  // the later the sooner, of equal bounds
        std::shared_ptr<const Decision> path;
        std::shared_ptr<const std::vector<Int>> basis;
        bool operator<(const Node& other) const noexcept {
            return bound != other.bound ? bound < other.bound : number > other.number;
        }
    };

    struct Candidate {
        Int column;
        double value;
        double expected;          // the product of the gains, from earlier probes, or -1
        double gain[2] = {0, 0};  // of the objective, where the option is taken and where it is not
    };

    static constexpr std::int64_t no_cutoff = std::int64_t{1} << 61;

    // In units of about 10 ns.
    std::uint64_t work() const noexcept {
        return (work_ + simplex_->work()) / 10 + (local_ ? local_->work() : 0);
    }
    void make_simplex();
    std::vector<Int> portable_basis() const;
    void use_basis(std::vector<Int> basis);
    bool shrink();
    bool add_cuts();
    void set_cuts(std::vector<Cut> cuts);
    std::int64_t last_cost() const;
    std::int64_t cutoff() const;
    void keep(std::int64_t cost, std::vector<Int> options);
    void tighten();
    void fix_at_root();

    void take_next();
    bool decide(Int column, bool taken);
    void show_bounds();
    void begin_solving();
    // Of a node, before the simplex method begins anew: it may be in a circle.
    std::uint64_t most_iterations() const noexcept { return 50'000 + 100 * program_->rows(); }
    void solve(Clock::time_point until);
    std::int64_t proved(bool with_ray);
    void fix_in_subtree();
    bool is_integral() const;
    void keep_integral();
    void offer_columns(std::span<const Int> columns);
    bool use_integral();
    bool start_improving();
    void improve(Clock::time_point until);
    bool start_dive();
    void dive(Clock::time_point until);
    bool fix_for_dive();
    void end_dive();
    void list_candidates();
    void probe(Clock::time_point until);
    void finish_probe(double objective, bool closed);
    void branch(Int column);
    void prune() { phase_ = Phase::next; }

    std::shared_ptr<const Problem> problem_;
    std::uint64_t k_;
    bool any_order_;
    std::vector<Int> given_;
    ProblemProgram program_;
    ColumnsOfRows columns_of_;  // of those in the linear program
    bool cuts_ended_ = false;
    std::size_t cut_rounds_ = 0;
    std::size_t rounds_without_gain_ = 0;
    double cut_objective_ = 0;     // before the last rounds
    std::uint64_t root_work_ = 0;  // before the first cuts
    std::optional<ExactBound> exact_;
    std::set<Solution> known_;

    std::unique_ptr<Simplex> simplex_;
    std::vector<Int> column_of_;  // the program's column of each of the simplex method's
    std::vector<Int> place_of_;   // and back, or -1
    std::vector<std::uint8_t> root_upper_, lower_,
        upper_;  // bounds of each column: at the root, here
    std::vector<std::int64_t> root_reduced_;
    Int128 root_bound_;
    Int128 last_bound_;  // of the last proof, which goes with the reduced costs
    bool root_solved_ = false;

    Phase phase_ = Phase::next;
    std::set<Node> open_;
    std::optional<Node> current_;
    std::optional<Node> plunge_;  // the node to go on with
    bool uncut_ = false;          // the simplex method must not stop at the cutoff
    int restarts_ = 0;
    std::optional<LocalSearch> local_;  // with the prices of the root
    std::vector<Int> local_column_;     // the column of each of its options
    std::uint64_t local_until_ = 0;     // its work
    // A dive, and what it returns to.
    std::vector<std::uint8_t> node_lower_, node_upper_;
    std::vector<Int> node_basis_;
    std::uint64_t next_dive_ = 1;  // at that number of nodes
    int retreats_ = 0;
    Int dived_ = -1;  // the column that was taken last, alone
    std::vector<Candidate> candidates_;
    // Of each column: the gains of the objective in probes, by how much its value changed.
    struct Gains {
        double sum[2] = {0, 0};
        double probes = 0;
    };
    std::vector<Gains> gains_;
    std::size_t probe_ = 0;  // the candidate that is probed,
    int side_ = 0;           // and its branch: 0 takes the option
    bool probing_ = false;   // has its linear program been begun?
    Simplex::Snapshot snapshot_;
    double node_objective_ = 0;
    std::size_t best_candidate_ = 0;
    std::size_t since_better_ = 0;
    std::uint64_t solve_until_ = 0;  // iterations
    std::uint64_t probe_until_ = 0;
    std::uint64_t numbers_ = 0;  // of nodes made
    std::uint64_t nodes_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace dlx
