// Declares the bindings of batches, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <optional>

#include "batch/line_codec.hpp"
#include "core/ticket_mutex.hpp"

namespace dlx {

// A `Batch` for Python: releases the GIL while it waits, checks for signals, and converts answers
// into Python objects.
class BatchSearch {
public:
    // `names`: a list of the options' names by index, or None: the indices are the names. With a
    // codec, solutions become strings instead of tuples.
    BatchSearch(BatchArguments arguments, nanobind::object names,
                std::shared_ptr<const LineCodec> codec);
    BatchSearch(const BatchSearch&) = delete;
    BatchSearch& operator=(const BatchSearch&) = delete;
    ~BatchSearch();

    using Row = std::span<const Int>;
    void submit(Row start, Row option, nanobind::list sets, Row forbid_start, Row forbid);
    std::size_t submit_lines(nanobind::list lines);
    void collect(nanobind::list into);
    void close();
    std::uint64_t submitted() const { return batch_->submitted(); }
    std::uint64_t pending() const { return batch_->pending(); }
    nanobind::object stats() const;

private:
    void deliver(const Answers& answers, nanobind::list& into) const;
    nanobind::object answer_of(const Answers& answers, std::size_t at, std::size_t& solution) const;
    nanobind::object refusal_of(const Answers& answers, std::size_t at, const SetError& error,
                                std::size_t& solution) const;
    nanobind::list solutions_of(const Answers& answers, std::size_t at,
                                std::size_t& solution) const;
    nanobind::object solution_of(const Found& found, std::size_t solution) const;

    std::uint64_t limit_;
    bool keep_;
    nanobind::object names_;
    std::shared_ptr<const LineCodec> codec_;
    std::unique_ptr<Batch> batch_;
    TicketMutex collecting_;
    mutable std::mutex stats_lock_;
    Stats stats_;
    double seconds_ = 0;
};

void bind_batches(nanobind::module_& module);

}  // namespace dlx
