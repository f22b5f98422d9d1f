// Declares the bindings of counting, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/ticket_mutex.hpp"
#include "counting/certificate.hpp"
#include "counting/counting.hpp"
#include "python/gil_and_signals.hpp"

namespace dlx {

// A `Counting` for Python: releases the GIL while it works, and checks for signals. One thread at a
// time uses it; another one waits, at most for one time slice.
class CountSearch {
public:
    explicit CountSearch(Counting counting) : counting_(std::move(counting)) {}

    // "auto", "without symmetry", "layers", "learning" or "subproblems".
    static CountStrategy strategy_named(const std::string& name);

    // Continues until all is counted, or `seconds` have passed. Returns true
    // if the caller must enumerate now (only if the count is shared).
    bool run(double seconds);
    bool finished() const {
        return alone([&] { return counting_.finished(); });
    }

    std::optional<Listing> listing() {
        return alone([&] { return counting_.listing(); });
    }
    std::size_t part() const {
        return alone([&] { return counting_.part(); });
    }
    std::uint64_t nodes_for_others() const {
        return alone([&] { return counting_.nodes_for_others(); });
    }
    void report(std::uint64_t nodes, std::uint64_t updates, std::uint64_t solutions,
                std::vector<std::uint64_t> profile, bool finished) {
        alone([&] { counting_.report({nodes, updates, solutions, std::move(profile)}, finished); });
    }
    std::uint64_t work() const { return counting_.work(); }
    nanobind::list factors() const;
    nanobind::object stats() const;
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> tally() const;

private:
    // Calls `work` while no other thread uses the count.
    template <class Work>
    std::invoke_result_t<Work> alone(Work work) const {
        const ReleasedGil nogil;
        const std::lock_guard lock(running_);
        return work();
    }

    mutable TicketMutex running_;
    Counting counting_;
    double seconds_ = 0;
};

// A certificate of a count that is being written.
class CertificateWork {
public:
    CertificateWork(std::shared_ptr<const Problem> problem, const std::vector<Int>& given,
                    const std::vector<Int>& order, bool isomorphic, std::uint64_t memory);

    // Continues for `seconds`, until there are `lines` in all, or until there is about a megabyte
    // of text. Returns the text since the last call.
    nanobind::bytes run(double seconds, std::uint64_t lines);
    bool finished() const { return writer_->finished(); }
    std::uint64_t lines() const { return writer_->lines(); }
    nanobind::bytes solutions() const;

private:
    std::unique_ptr<CountCertificate> writer_;
};

void bind_counting(nanobind::module_& module);

}  // namespace dlx
