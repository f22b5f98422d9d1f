// The bindings of batches and line codecs.
#include "python/batch.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/gil_and_signals.hpp"
#include "python/packs.hpp"
#include "python/stats.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

using Array = nb::ndarray<const Int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The error of a set, as a Python object.
struct Refusal {
    std::string kind;      // "unknown", "clash", "forbidden", "timeout" or "nodes"
    std::uint64_t number;  // of the set
    Int first;
    Int second;
    Int item;
    nb::object stats;
    nb::list solutions;      // found before the time was up
    std::vector<Int> given;  // the set, if its search has used up its nodes
};

std::span<const Int> row_of(const Array& array) {
    return {array.data(), array.size()};
}

// The characters of an ASCII str; nullopt for other objects.
std::optional<std::span<const std::uint8_t>> ascii(PyObject* object) {
    if (!PyUnicode_Check(object) || !PyUnicode_IS_ASCII(object)) return std::nullopt;
    return std::span{static_cast<const std::uint8_t*>(PyUnicode_1BYTE_DATA(object)),
                     static_cast<std::size_t>(PyUnicode_GET_LENGTH(object))};
}

nb::object text_of(const LineCodec& codec, std::span<const Int> options) {
    nb::object text = checked(PyUnicode_New(static_cast<Py_ssize_t>(codec.places()), 127));
    codec.write(options, reinterpret_cast<char*>(PyUnicode_1BYTE_DATA(text.ptr())));
    return text;
}

void make_codec(LineCodec* self, const Array& meaning, const Bytes& letter, int open_place) {
    const auto options = static_cast<Int>(letter.size());
    const std::span<const Int> view{meaning.data(), meaning.size()};
    const bool known = std::all_of(view.begin(), view.end(), [options](Int option) {
        return option >= LineCodec::invalid && option < options;
    });
    if (!known || view.size() % LineCodec::alphabet != 0) throw nb::value_error("meaning");
    new (self)
        LineCodec(view, std::span{letter.data(), letter.size()}, static_cast<char>(open_place));
}

std::optional<std::vector<Int>> read_line(const LineCodec& codec, nb::str line) {
    Sets sets;
    const auto characters = ascii(line.ptr());
    if (!characters || !codec.read(*characters, sets)) return std::nullopt;
    return std::move(sets.option);
}

// Bounds of rows of options that ascend, counted from the first one.
std::vector<Int> bounds_of(std::span<const Int> start, std::span<const Int> option) {
    const Int first = start.front();
    if (!std::is_sorted(start.begin(), start.end()) ||
        static_cast<std::size_t>(start.back() - first) > option.size()) {
        throw nb::value_error("start: bounds that ascend within option");
    }
    std::vector<Int> bounds(start.begin(), start.end());
    for (Int& bound : bounds) bound -= first;
    return bounds;
}

}  // namespace

BatchSearch::BatchSearch(BatchArguments arguments, nb::object names,
                         std::shared_ptr<const LineCodec> codec)
    : limit_(arguments.limit),
      keep_(arguments.keep),
      names_(std::move(names)),
      codec_(std::move(codec)),
      batch_(std::make_unique<Batch>(std::move(arguments))) {
    if (!names_.is_none() && !PyList_Check(names_.ptr())) throw nb::type_error("names: a list");
}

BatchSearch::~BatchSearch() {
    if (batch_->is_elsewhere()) {
        static_cast<void>(batch_.release());
        return;
    }
    const ReleasedGil nogil;
    batch_.reset();  // which waits for its threads
}

// Submits sets of options, and removes the same number from the front of `sets`, the caller's list
// of the sets not yet submitted. One call does both, so that no signal can come between them.
void BatchSearch::submit(Row start, Row option, nb::list sets, Row forbid_start, Row forbid) {
    if (start.empty()) throw nb::value_error("start: at least one bound");
    if (!forbid_start.empty() && forbid_start.size() != start.size()) {
        throw nb::value_error("forbid_start: as many bounds as start");
    }
    Sets copy;
    copy.start = bounds_of(start, option);
    copy.option.assign(option.begin(), option.end());
    if (!forbid_start.empty()) copy.forbid_start = bounds_of(forbid_start, forbid);
    copy.forbid.assign(forbid.begin(), forbid.end());
    const auto count = static_cast<Py_ssize_t>(copy.size());
    batch_->submit(std::move(copy));
    if (PyList_SetSlice(sets.ptr(), 0, count, nullptr) != 0) throw nb::python_error();
}

// Submits lines and removes them from the front of the list, up to the first invalid one. Returns
// how many.
std::size_t BatchSearch::submit_lines(nb::list lines) {
    if (codec_ == nullptr) throw nb::value_error("there is no code");
    Sets sets;
    for (Py_ssize_t at = 0;; ++at) {
        const nb::object line = element_of(lines, at);
        if (!line.is_valid()) break;
        const auto characters = ascii(line.ptr());
        if (!characters || !codec_->read(*characters, sets)) break;
    }
    const std::size_t count = sets.size();
    batch_->submit(std::move(sets));
    if (PyList_SetSlice(lines.ptr(), 0, static_cast<Py_ssize_t>(count), nullptr) != 0) {
        throw nb::python_error();
    }
    return count;
}

// Waits for the next answers, and appends them to a list: at least one, unless none is pending. The
// list belongs to the caller, because a signal may prevent this call from returning a result.
void BatchSearch::collect(nb::list into) {
    for (;;) {
        std::vector<Answers> taken;
        bool pending = false;
        {
            const ReleasedGil nogil;
            const std::lock_guard lock(collecting_);
            taken = batch_->collect(Clock::now() + slice);
            pending = batch_->pending() > 0;
            const std::lock_guard stats_lock(stats_lock_);
            for (const Answers& answers : taken) {
                add_to(stats_, answers.work);
                seconds_ += answers.seconds;
            }
        }
        for (const Answers& answers : taken) deliver(answers, into);
        if (!taken.empty() || !pending) return;
        check_signals();
    }
}

void BatchSearch::close() {
    const ReleasedGil nogil;
    const std::lock_guard lock(collecting_);
    batch_->close();
}

nb::object BatchSearch::stats() const {
    std::unique_lock lock(stats_lock_);
    const Stats stats = stats_;
    const double seconds = seconds_;
    lock.unlock();
    return stats_object(stats, seconds);
}

void BatchSearch::deliver(const Answers& answers, nb::list& into) const {
    std::size_t solution = 0;
    auto error = answers.errors.begin();
    for (std::size_t at = 0; at < answers.size(); ++at) {
        nb::object answer;
        if (answers.answer[at].verdict == Verdict::answered) {
            answer = answer_of(answers, at, solution);
        } else {
            answer = refusal_of(answers, at, *error++, solution);
        }
        if (PyList_Append(into.ptr(), answer.ptr()) != 0) throw nb::python_error();
    }
}

nb::object BatchSearch::answer_of(const Answers& answers, std::size_t at,
                                  std::size_t& solution) const {
    const std::uint64_t count = answers.answer[at].solutions;
    if (!keep_) return checked(PyLong_FromUnsignedLongLong(count));
    if (limit_ == 1) return count == 0 ? nb::none() : solution_of(answers.found, solution++);
    return solutions_of(answers, at, solution);
}

nb::object BatchSearch::refusal_of(const Answers& answers, std::size_t at, const SetError& error,
                                   std::size_t& solution) const {
    const char* kind = error.verdict == Verdict::unknown     ? "unknown"
                       : error.verdict == Verdict::clash     ? "clash"
                       : error.verdict == Verdict::forbidden ? "forbidden"
                       : error.verdict == Verdict::spent     ? "nodes"
                                                             : "timeout";
    return nb::cast(Refusal{kind, answers.first + at, error.first, error.second, error.item,
                            stats_object(error.work, error.seconds),
                            solutions_of(answers, at, solution), error.given});
}

nb::list BatchSearch::solutions_of(const Answers& answers, std::size_t at,
                                   std::size_t& solution) const {
    const std::uint64_t count = keep_ ? answers.answer[at].solutions : 0;
    nb::object all = checked(PyList_New(static_cast<Py_ssize_t>(count)));
    for (std::uint64_t place = 0; place < count; ++place) {
        PyList_SET_ITEM(all.ptr(), static_cast<Py_ssize_t>(place),
                        solution_of(answers.found, solution++).release().ptr());
    }
    return nb::borrow<nb::list>(all);
}

nb::object BatchSearch::solution_of(const Found& found, std::size_t solution) const {
    const std::size_t begin = solution == 0 ? 0 : found.ends[solution - 1];
    const std::span<const Int> options{found.labels.data() + begin, found.ends[solution] - begin};
    if (codec_ != nullptr) return text_of(*codec_, options);
    return solution_tuple(options, names_);
}

void bind_batches(nb::module_& module) {
    nb::class_<LineCodec>(module, "Code", "Encodes options as characters of a line.")
        .def("__init__", &make_codec, "meaning"_a, "letter"_a, "open_place"_a)
        .def("read", &read_line, "line"_a, "The options that a line encodes, or None.")
        .def(
            "write",
            [](const LineCodec& codec, const std::vector<Int>& options) {
                return nb::borrow<nb::str>(text_of(codec, options));
            },
            "options"_a, "The line in which these options are written.");

    nb::class_<Refusal>(module, "Refusal", "An error of a set, in place of its answer.")
        .def(nb::init<std::string, std::uint64_t, Int, Int, Int, nb::object, nb::list,
                      std::vector<Int>>(),
             "kind"_a, "number"_a, "first"_a, "second"_a, "item"_a, "stats"_a, "solutions"_a,
             "given"_a = std::vector<Int>())
        .def_ro("kind", &Refusal::kind, "unknown, clash, forbidden, timeout or nodes")
        .def_ro("number", &Refusal::number, "The number of the set.")
        .def_ro("first", &Refusal::first,
                "The unknown or forbidden option, or the earlier of two that clash.")
        .def_ro("second", &Refusal::second, "The place of the unknown one, or the later of two.")
        .def_ro("item", &Refusal::item, "Where two clash.")
        .def_ro("stats", &Refusal::stats, "The work of a search that took too long.")
        .def_ro("solutions", &Refusal::solutions, "What it had found.")
        .def_ro("given", &Refusal::given, "The set of a search that has used up its nodes.");

    nb::class_<BatchSearch>(module, "Batch", "The same problem under many sets of givens.")
        .def(
            "submit",
            [](BatchSearch& self, const Array& start, const Array& option, nb::list sets,
               const Array& forbid_start, const Array& forbid) {
                self.submit(row_of(start), row_of(option), sets, row_of(forbid_start),
                            row_of(forbid));
            },
            "start"_a, "option"_a, "sets"_a, "forbid_start"_a, "forbid"_a,
            "Submits sets, and removes the same number from the front of a list.")
        .def("submit_lines", &BatchSearch::submit_lines, "lines"_a,
             "Submits lines from the front of a list, up to the first invalid one.")
        .def("collect", &BatchSearch::collect, "into"_a,
             "Waits for the next answers, and appends them to a list.")
        .def("close", &BatchSearch::close, "Stops all work and discards what is pending.")
        .def_prop_ro("submitted", &BatchSearch::submitted, "How many sets were submitted.")
        .def_prop_ro("pending", &BatchSearch::pending, "How many of them have no answer yet.")
        .def_prop_ro("stats", &BatchSearch::stats, "The work so far: `dlx.Stats`.");
}

}  // namespace dlx
