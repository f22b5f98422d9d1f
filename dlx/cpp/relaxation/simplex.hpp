// A linear program with bounded variables, solved by the dual simplex method.
//
//     minimize cost x  subject to  low <= A x <= high,  0 <= lower <= x <= upper
//
// Each row has a slack variable s = (A x) of that row, between low and high: so the program is
// A x - s = 0 with bounds, and the basis of all slacks is a start. Every column has a finite upper
// bound, so any basis is dual feasible once its nonbasic columns are at the right bounds. So after
// bounds are changed, and after columns are added, the last basis is a good start: a search that
// branches needs some dozens of steps for each of its nodes.
//
// Rows are chosen by steepest edge, columns by a ratio test that passes bounds (Forrest and
// Goldfarb, "Steepest-edge simplex algorithms for linear programming", 1992; Maros, "A generalized
// dual phase-2 simplex algorithm", 2003). Costs are perturbed a little against ties: no result is
// exact, so bounds are computed again in integers (relaxation/exact_bound.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "core/problem.hpp"
#include "relaxation/factor.hpp"

namespace dlx {

constexpr double endless = std::numeric_limits<double>::infinity();

// Columns of a linear program, one after the other.
struct ProgramColumns {
    std::vector<std::size_t> start{0};
    std::vector<Int> row;
    std::vector<double> weight;
    std::vector<double> cost;
    std::vector<double> upper;
};

class Simplex {
public:
    enum class Status {
        optimal,
        infeasible,
        above,    // the objective is above the cutoff
        limit,    // after a number of iterations
        stopped,  // at a time
        failed    // for numerical reasons
    };

    struct Limits {
        Clock::time_point until = Clock::time_point::max();
        std::uint64_t iterations = std::numeric_limits<std::uint64_t>::max();  // from now on
        double cutoff = endless;
    };

    // Everything that iterations change, as long as the basis is not factorized anew.
    struct Snapshot {
        std::vector<Int> basis, where;
        std::vector<double> value, reduced, cost, edge;
        std::size_t updates = 0, factorizations = 0;
        double objective = 0;
    };

    Simplex(std::vector<double> low, std::vector<double> high);

    void add_columns(const ProgramColumns& columns);
    std::size_t rows() const noexcept { return rows_; }
    std::size_t columns() const noexcept { return lower_.size() - rows_; }

    void set_bounds(std::size_t column, double lower, double upper);
    // Undoes the changes of costs that steps have made.
    void forget_shifts() {
        cost_ = perturbed_;
        priced_ = settled_ = false;
    }
    // Lets the next steps pass over the columns that are fixed.
    void leave_out_fixed() noexcept { rows_listed_ = false; }

    Status solve(const Limits& limits);
    // Removes the perturbation of the costs after an optimal solution, and continues.
    Status solve_unperturbed(const Limits& limits);

    double objective() const noexcept { return objective_; }
    std::uint64_t iterations() const noexcept { return iterations_; }
    std::uint64_t work() const noexcept { return work_; }
    std::vector<double> prices() const;
    std::vector<double> values() const;
    double value(std::size_t column) const noexcept;
    // After `infeasible`: a direction of prices in which the objective rises without end, and by
    // how much for each unit.
    std::pair<std::vector<double>, double> ray() const;

    // The variable of each row: slacks first, then columns.
    const std::vector<Int>& basis() const noexcept { return basis_; }
    void set_basis(std::vector<Int> basis);

    Snapshot snapshot() const;
    // Returns to a snapshot. The bounds must be those of then.
    void restore(const Snapshot& snapshot);

private:
    using Entry = Factor::Entry;

    struct Candidate {
        double ratio;
        double size;  // of its entry in the pivot row
        Int variable;
    };

    static constexpr Int at_lower = -1;
    static constexpr Int at_upper = -2;

    std::size_t variables() const noexcept { return lower_.size(); }
    bool basic(std::size_t variable) const noexcept { return where_[variable] >= 0; }
    double bound_of(std::size_t variable) const noexcept {
        return where_[variable] == at_upper ? upper_[variable] : lower_[variable];
    }
    template <class Use>
    void for_entries(std::size_t variable, Use use) const {
        if (variable < rows_) {
            use(static_cast<Int>(variable), -1.0);
            return;
        }
        const std::size_t column = variable - rows_;
        for (std::size_t at = start_[column]; at < start_[column + 1]; ++at)
            use(row_[at], weight_[at]);
    }
    void set_way(std::size_t variable) noexcept {
        const bool moves = where_[variable] < 0 && lower_[variable] < upper_[variable];
        way_[variable] = !moves ? 0 : where_[variable] == at_lower ? 1 : -1;
    }
    void list_rows();
    bool factorize();
    void price();
    void settle_nonbasic();
    void evaluate();
    bool prepare();
    Int leaving_row() const;
    void fill_pivot_row(Int row);
    Int entering(double excess, bool below, double& step);
    bool pivot(Int row, Int entering, double step, bool below);

    std::size_t rows_;
    // Slacks first, then columns.
    std::vector<double> lower_, upper_, cost_, perturbed_, true_cost_, reduced_;
    std::vector<Int> where_;  // the row of a basic variable, or at which bound
    std::vector<std::size_t> start_{0};
    std::vector<Int> row_;
    std::vector<double> weight_;
    // The same by rows, of columns that were not fixed when they were listed.
    std::vector<std::size_t> row_start_;
    std::vector<Int> row_column_;
    std::vector<double> row_weight_;
    std::vector<std::uint8_t> listed_;
    bool rows_listed_ = false;
    bool unit_weights_ = true;

    std::vector<Int> basis_;     // the variable of each row
    std::vector<double> value_;  // of the basic variable of each row
    std::vector<double> edge_;   // the weight of steepest edge of each row
    Factor factor_;
    bool factorized_ = false;
    bool priced_ = false;
    bool settled_ = false;
    std::size_t factorizations_ = 0;

    std::vector<double> way_;        // 1 at the lower bound, -1 at the upper; 0: basic, or fixed
    std::vector<double> pivot_row_;  // by variables; not of those that are fixed
    std::vector<double> rho_, column_, tau_, flips_;
    std::vector<Candidate> candidates_;
    std::vector<Int> flipped_;
    double objective_ = 0;
    double rise_ = 0;         // of the objective in the last ratio test
    double usual_ratio_ = 1;  // a little more than that of the last steps
    double ray_slope_ = 0;
    double ray_sign_ = 1;
    std::uint64_t iterations_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace dlx
