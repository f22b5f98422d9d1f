// What python/module.cpp needs of python/batch.cpp, the other file that knows Python.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <optional>

#include "batch/line_codec.hpp"
#include "core/fair_mutex.hpp"

namespace dlx {

// A `Batch` for Python: lets other threads run while it waits, looks for signals, and turns answers
// into Python's objects.
class BatchSearch {
public:
    // `names`: a list that leads from an option's index to its name, or None for the index itself.
    // With a code, solutions become texts instead of tuples.
    BatchSearch(Question question, nanobind::object names, std::shared_ptr<const Code> code);
    BatchSearch(const BatchSearch&) = delete;
    BatchSearch& operator=(const BatchSearch&) = delete;
    ~BatchSearch();

    void submit(std::span<const Int> start, std::span<const Int> option, nanobind::list sets);
    std::size_t submit_lines(nanobind::list lines);
    void collect(nanobind::list into);
    void close();
    std::uint64_t submitted() const { return batch_->submitted(); }
    std::uint64_t pending() const { return batch_->pending(); }
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::vector<std::uint64_t>, double>
    stats() const;

private:
    void deliver(const Answers& answers, nanobind::list& into) const;
    nanobind::object answer_of(const Answers& answers, std::size_t at, std::size_t& solution) const;
    nanobind::object refusal_of(const Answers& answers, std::size_t at, const Trouble& trouble,
                                std::size_t& solution) const;
    nanobind::list solutions_of(const Answers& answers, std::size_t at,
                                std::size_t& solution) const;
    nanobind::object solution_of(const Found& found, std::size_t solution) const;

    std::uint64_t limit_;
    bool keep_;
    nanobind::object names_;
    std::shared_ptr<const Code> code_;
    std::unique_ptr<Batch> batch_;
    FairMutex collecting_;
    mutable std::mutex stats_lock_;
    Stats stats_;
    double seconds_ = 0;
};

void bind_batches(nanobind::module_& module);

}  // namespace dlx
