// The Python module dlx._kernel. This file binds problems and searches; the other files of this
// folder bind one class each.
//
// `Problem` is the immutable description of a problem, and the data that engines prepare from it
// once. `Search` runs one engine: it releases the GIL while the engine works, checks for signals
// every few milliseconds, and converts solutions into tuples in batches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <variant>

#include "core/components.hpp"
#include "core/replay.hpp"
#include "core/throwing.hpp"
#include "core/ticket_mutex.hpp"
#include "engines/engines.hpp"
#include "python/batch.hpp"
#include "python/bindings.hpp"
#include "python/budget.hpp"
#include "python/chunks.hpp"
#include "python/counting.hpp"
#include "python/diagram.hpp"
#include "python/gil_and_signals.hpp"
#include "python/minimum.hpp"
#include "python/packs.hpp"
#include "python/probes.hpp"
#include "python/reduction.hpp"
#include "python/relaxation.hpp"
#include "python/stats.hpp"
#include "python/symmetry.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

using Array = nb::ndarray<const Int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Costs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const Int> view(const Array& array) {
    return {array.data(), array.size()};
}

std::span<const Int> view(const std::optional<Array>& array) {
    return array ? view(*array) : std::span<const Int>{};
}

// A position's decisions, with options in the caller's numbering.
using Path = std::vector<std::pair<Int, Int>>;

// An engine: its name, or what tests and benchmarks set of it, too.
using EngineOrName = std::variant<std::string, EngineChoice>;

EngineChoice choice_of(const EngineOrName& engine, const std::string& heuristic) {
    EngineChoice choice;
    if (const auto* name = std::get_if<std::string>(&engine)) {
        choice.kind = engine_named(*name);
    } else {
        choice = std::get<EngineChoice>(engine);
    }
    choice.heuristic = heuristic_named(heuristic);
    return choice;
}

class PreparedProblem {
public:
    PreparedProblem(const Array& start, const Array& item, const std::optional<Array>& color,
                    const Array& rank, const std::optional<Array>& order, Int primary,
                    const std::optional<Array>& low, const std::optional<Array>& high,
                    const std::optional<Array>& weight)
        : problem_(with_signal_checks([&] {
              return std::make_shared<Problem>(
                  make_problem({view(start), view(item), view(color), view(rank), view(order),
                                primary, view(low), view(high), view(weight)}));
          })),
          engines_(std::make_shared<Engines>(problem_)) {
        find_places();
    }
    PreparedProblem(std::shared_ptr<const Problem> problem, std::shared_ptr<Engines> engines)
        : problem_(std::move(problem)), engines_(std::move(engines)) {
        find_places();
    }

    // The arrays of a problem, for pickling.
    using State = std::tuple<Int, Int, nb::bytes, nb::bytes, nb::bytes, nb::bytes, nb::bytes,
                             nb::bytes, nb::bytes>;
    State state() const {
        const auto packed = [](const std::vector<Int>& numbers) {
            return nb::bytes(numbers.data(), numbers.size() * sizeof(Int));
        };
        const Problem& own = *problem_;
        return {own.primary,      own.items,         packed(own.start),
                packed(own.item), packed(own.color), packed(own.label),
                packed(own.low),  packed(own.high),  packed(own.weight)};
    }
    explicit PreparedProblem(const State& state) {
        const auto unpacked = [](const nb::bytes& bytes) {
            std::vector<Int> numbers(bytes.size() / sizeof(Int));
            if (!numbers.empty()) {
                std::memcpy(numbers.data(), bytes.c_str(), numbers.size() * sizeof(Int));
            }
            return numbers;
        };
        const auto& [primary, items, start, item, color, label, low, high, weight] = state;
        auto made = std::make_shared<Problem>(
            Problem{primary, items, unpacked(start), unpacked(item), unpacked(color),
                    unpacked(label), unpacked(low), unpacked(high), unpacked(weight)});
        with_signal_checks([&] { check_problem(*made); });
        problem_ = std::move(made);
        engines_ = std::make_shared<Engines>(problem_);
        find_places();
    }

    const Problem& problem() const noexcept { return *problem_; }

    bool multiple() const noexcept { return problem_->multiple(); }
    bool weighted() const noexcept { return problem_->weighted(); }

    std::vector<Int> places(const std::vector<Int>& options) const {
        std::vector<Int> result(options);
        for (Int& option : result) {
            if (option < 0 || option >= problem_->options())
                throw nb::index_error("no such option");
            if (!place_.empty()) option = place_[static_cast<std::size_t>(option)];
        }
        return result;
    }

    // Negative `work`: no limit.
    ReducedProblem reduce(const std::vector<Int>& given, const std::vector<std::uint8_t>& alone,
                          std::int64_t work, double seconds) const {
        return reduce_problem(problem_, places(given), alone, work, seconds);
    }

    // Two of these options that clash, by place, and the number of the item where they do.
    std::optional<std::tuple<std::size_t, std::size_t, Int>> clash(
        const std::vector<Int>& options) const {
        const auto found = first_clash(*problem_, places(options));
        if (!found) return std::nullopt;
        return std::tuple{found->earlier, found->later, found->item};
    }

    Position position(const Path& path, std::size_t floor) const {
        Position position{{}, floor};
        for (const auto& [item, option] : path) {
            const bool known = option >= 0 && option < problem_->options() && !place_.empty();
            const Int place = known ? place_[static_cast<std::size_t>(option)] : option;
            position.path.push_back({item, place});
        }
        check_numbers(*problem_, position);
        return position;
    }

    std::unique_ptr<Engine> engine(const EngineOrName& engine, const std::string& heuristic,
                                   const std::vector<Int>& given) const {
        const SignalCheck check;
        return engines_->make(choice_of(engine, heuristic), places(given));
    }

    PreparedProblem shuffled(std::uint64_t seed) const {
        auto made = with_signal_checks(
            [&] { return std::make_shared<Problem>(dlx::shuffled(*problem_, seed)); });
        auto engines = std::make_shared<Engines>(made);
        return {std::move(made), std::move(engines)};
    }

    // Whether `bits` fits into memory, the bytes that it takes, and the limit.
    std::tuple<bool, std::size_t, std::size_t> bits_plan() const {
        const BitsPlan& plan = engines_->plan();
        return {plan.fits(), plan.bytes + plan.search_bytes, BitsPlan::limit};
    }

    // How this engine of `bits` lays out its states. For tests and benchmarks.
    std::string bits_layout(const EngineOrName& engine) const {
        return engines_->layout(choice_of(engine, "mrv"));
    }

    // A batch of sets of givens. `seconds`: the limit for each set. `nodes`: after them, the set is
    // left to a search of its own.
    std::unique_ptr<BatchSearch> batch(nb::object names, std::shared_ptr<const LineCodec> codec,
                                       std::uint64_t limit, bool keep, double seconds,
                                       std::size_t workers, const EngineOrName& engine,
                                       const std::string& heuristic, std::uint64_t nodes) const {
        // Each worker thread makes its own engine, possibly after this object was destroyed.
        EngineChoice choice = choice_of(engine, heuristic);
        choice.counting = !keep;
        EngineFactory make_engine = [engines = engines_, choice](std::span<const Int> given) {
            return engines->make(choice, given);
        };
        OtherEngineFactory make_other = [choice](std::shared_ptr<const Problem> problem,
                                                 std::span<const Int> given) {
            return std::make_shared<Engines>(std::move(problem))->make(choice, given);
        };
        return std::make_unique<BatchSearch>(
            BatchArguments{problem_, place_, std::move(make_engine), std::move(make_other), limit,
                           keep, duration_of(seconds), workers, nodes},
            std::move(names), std::move(codec));
    }

    // Random descents; `seed` is the seed of their random numbers.
    std::unique_ptr<Probes> probes(const std::vector<Int>& given, std::uint64_t seed) const {
        ReleasedGil nogil;
        const SignalCheck check(nogil);
        return std::make_unique<Probes>(problem_, place_, places(given), seed);
    }

    std::unique_ptr<ClassTest> class_test(const std::vector<ImageArray>& generators,
                                          const std::vector<Int>& factors,
                                          const std::vector<Int>& given) const {
        return std::make_unique<ClassTest>(problem_, place_, generators, factors, given);
    }
    // The symmetries that keep these kinds of items and options. Negative limits: none.
    std::unique_ptr<SymmetryGroup> symmetries(const std::vector<Int>& item_kind,
                                              const std::vector<Int>& option_kind,
                                              std::int64_t nodes, std::int64_t work) const {
        return std::make_unique<SymmetryGroup>(*problem_, item_kind, option_kind, nodes, work);
    }

    std::optional<std::pair<std::vector<Int>, std::vector<Int>>> canonical(
        const std::vector<Int>& item_kind, const std::vector<Int>& option_kind, std::int64_t nodes,
        std::int64_t work) const {
        return canonical_orders(*problem_, item_kind, option_kind, nodes, work);
    }

    std::unique_ptr<Refuter> refuter() const {
        ReleasedGil nogil;
        const SignalCheck check(nogil);
        return std::make_unique<Refuter>(problem_, place_);
    }

    std::unique_ptr<ProofWriter> proof(const std::vector<Int>& given, bool drat, bool in_order,
                                       bool all, std::uint64_t constraints, const nb::bytes& loose,
                                       const nb::bytes& kept) const {
        const auto flags = [](const nb::bytes& bytes) {
            const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
            return std::vector<std::uint8_t>(first, first + bytes.size());
        };
        return std::make_unique<ProofWriter>(problem_, place_, given, drat, in_order, all,
                                             constraints, flags(loose), flags(kept));
    }

    // The diagram of the solutions with these options. `order`: the primary items to branch by.
    // `cost`: by the caller's indices of options.
    std::unique_ptr<MinimumWork> minimum(const Costs& cost, const std::vector<Int>& given,
                                         std::uint64_t k, bool any_order, std::size_t workers,
                                         std::uint64_t alone, bool relaxation) const {
        const std::vector<Int> taken = places(given);
        if (first_clash(*problem_, taken)) throw nb::value_error("given: options that clash");
        return std::make_unique<MinimumWork>(problem_, std::span(cost.data(), cost.size()), taken,
                                             MinimumOptions{k, any_order, workers, alone},
                                             relaxation);
    }

    std::unique_ptr<DiagramWork> diagram(const std::vector<Int>& given, const Array& order,
                                         std::uint64_t memory_limit, bool bits) const {
        return std::make_unique<DiagramWork>(problem_, places(given), view(order), memory_limit,
                                             bits);
    }

    // The independent parts of what the givens leave, and of each part the indices of its options
    // in the whole. Searched with the heuristic "mrv", the parts have the solutions of the whole.
    std::vector<std::pair<PreparedProblem, std::vector<Int>>> parts(
        const std::vector<Int>& given) const {
        Parts parts = [&] {
            const ReleasedGil nogil;
            return parts_of(*problem_, places(given), false);
        }();
        std::vector<std::pair<PreparedProblem, std::vector<Int>>> result;
        for (Problem& part : parts.problems) {
            std::vector<Int> labels = std::move(part.label);
            part.label = {};
            auto own = std::make_shared<const Problem>(std::move(part));
            auto engines = std::make_shared<Engines>(own);
            result.emplace_back(PreparedProblem(std::move(own), std::move(engines)),
                                std::move(labels));
        }
        return result;
    }

    // The options of a solution in the order in which a search takes them, after the givens.
    std::vector<Int> in_search_order(const std::vector<Int>& given,
                                     const std::vector<Int>& solution) const {
        const SignalCheck check;
        return labels(dlx::in_search_order(problem_, places(given), places(solution)));
    }

    // An order of the primary items for a diagram, with a narrow frontier.
    std::vector<Int> narrow_order() const {
        constexpr std::uint64_t steps = 1 << 25;
        const ReleasedGil nogil;
        return best_order(*problem_, steps).items;
    }

    // A certificate of the number of solutions. `order`: as in `CountCertificate`.
    std::unique_ptr<CertificateWork> count_certificate(const std::vector<Int>& given,
                                                       const std::vector<Int>& order,
                                                       bool isomorphic,
                                                       std::uint64_t memory) const {
        return std::make_unique<CertificateWork>(problem_, places(given), order, isomorphic,
                                                 memory);
    }

    // Counts solutions, up to `limit` (and beyond, if that is less work). `way`: see
    // CountSearch::strategy_named.
    std::unique_ptr<CountSearch> count(const std::vector<Int>& given, std::uint64_t limit,
                                       std::size_t memory, const std::string& heuristic,
                                       const std::string& way, bool shared) const {
        const SignalCheck check;
        return std::make_unique<CountSearch>(
            Counting(problem_, engines_, choice_of("auto", heuristic), places(given), limit, memory,
                     CountSearch::strategy_named(way), shared));
    }

    std::vector<Int> labels(const std::vector<Int>& options) const {
        std::vector<Int> result(options);
        for (Int& option : result) option = problem_->label_of(option);
        return result;
    }

private:
    void find_places() {
        const SignalCheck check;
        place_ = places_of_labels(*problem_);
    }

    std::shared_ptr<const Problem> problem_;
    std::vector<Int> place_;  // the place of each of the caller's options in search order
    std::shared_ptr<Engines> engines_;
};

// Why a run has stopped (`dlx.core.budget.Reason`), made once.
struct Reasons {
    PyObject* finished = PyUnicode_InternFromString("finished");
    PyObject* solutions = PyUnicode_InternFromString("solutions");
    PyObject* nodes = PyUnicode_InternFromString("nodes");
    PyObject* deadline = PyUnicode_InternFromString("deadline");
};

class Search {
public:
    // `names`: a list of the options' names by index, or None: the indices are the names. `path`
    // and `floor`: the part of the search to run.
    Search(const PreparedProblem& problem, const std::vector<Int>& given, nb::object names,
           const EngineOrName& engine, const std::string& heuristic, const Path& path,
           std::size_t floor)
        : problem_(problem),
          given_(problem.places(given)),
          engine_(problem.engine(engine, heuristic, given)),
          names_(std::move(names)) {
        if (!path.empty() || floor != 0) restart(path, floor);
        if (!names_.is_none() && !PyList_Check(names_.ptr())) throw nb::type_error("names: a list");
    }

    // Appends further solutions to a list, and returns why it has stopped: "finished", "solutions",
    // "nodes" or "deadline". It may also return after some time if it has found any. The list
    // belongs to the caller, because a signal may prevent this call from returning a result. Once
    // the search has reached its number of nodes, an engine may continue through forced options.
    // Solutions found there are held back until a call with more nodes, because not every engine
    // continues equally far. (If several are wanted, solutions found before may be held back too.)
    // A pack gets indices of options, as many as fit into the time.
    nb::str run(nb::handle limits, nb::object into) {
        RunBudget budget(limits);
        const bool list = PyList_Check(into.ptr());
        if (list) budget.solutions = std::min(budget.solutions, most_at_once());
        Found batch;
        PyObject* const reason = advance(budget, &batch).reason;
        hand_over(batch, into);
        return nb::borrow<nb::str>(reason);
    }

    // Appends the solutions that were held back, or kept from the caller by a signal.
    void take_waiting(nb::object into) {
        Found batch;
        {
            const ReleasedGil nogil;
            const std::lock_guard lock(running_);
            if (broken_) throw std::bad_alloc();
            std::swap(batch, found_);
        }
        hand_over(batch, into);
    }

    // Skips further solutions; returns how many. Stops as `run` does, but for time only at the
    // deadline.
    std::uint64_t skip(nb::handle limits) { return advance(RunBudget(limits), nullptr).passed; }

    // Abandons the search and restarts with another part of it.
    void restart(const Path& path, std::size_t floor) {
        const Position begin = problem_.position(path, floor);
        const ReleasedGil nogil;
        const std::lock_guard lock(running_);
        if (broken_) throw std::bad_alloc();
        found_.clear();
        seconds_ = 0;
        try {
            engine_->restart(given_, begin);
        } catch (const std::invalid_argument&) {
            publish();
            throw;
        } catch (...) {
            broken_ = true;
            throw;
        }
        publish();
    }

    // The path to what is left and its floor; None if nothing is left. All solutions found must
    // have been returned before.
    std::optional<std::pair<Path, std::size_t>> position() {
        std::optional<Position> here;
        {
            const ReleasedGil nogil;
            const std::lock_guard lock(running_);
            if (broken_) throw std::bad_alloc();
            if (found_.size() > 0) {
                throw std::logic_error("solutions wait to be handed over: take_waiting(into)");
            }
            here = engine_->position();
            publish();
        }
        if (!here) return std::nullopt;
        Path path;
        for (const auto& [item, option] : here->path) path.emplace_back(item, label_of(option));
        return std::pair{std::move(path), here->floor};
    }

    std::vector<Int> untried() {
        const ReleasedGil nogil;
        const std::lock_guard lock(running_);
        if (broken_) throw std::bad_alloc();
        std::vector<Int> options = engine_->untried();
        for (Int& option : options) option = label_of(option);
        publish();
        return options;
    }

    // Abandons the search, also if it runs in another thread; there it is then finished.
    void close() {
        const ReleasedGil nogil;
        const std::lock_guard lock(running_);
        if (!broken_) engine_->rewind();
        publish();
    }

    bool finished() const {
        const std::lock_guard lock(published_lock_);
        return finished_;
    }

    nb::object stats() const {
        std::unique_lock lock(published_lock_);
        const Stats stats = published_;
        const double seconds = seconds_;
        lock.unlock();  // making objects may run the garbage collector, and so any code
        return stats_object(stats, seconds);
    }

    nb::bytes image() {
        std::vector<std::byte> bytes;
        {
            const ReleasedGil nogil;
            const std::lock_guard lock(running_);
            bytes = engine_->image();
        }
        return nb::bytes(bytes.data(), bytes.size());
    }

private:
    // How many solutions become tuples between two checks of limits and signals: those of some
    // hundred thousand options, which take a few milliseconds.
    std::uint64_t most_at_once() const noexcept {
        constexpr std::uint64_t most_options = 1 << 18;
        const Problem& problem = problem_.problem();
        const Int longest = problem.multiple() ? problem.options() : problem.primary;
        return std::max<std::uint64_t>(
            most_options / static_cast<std::uint64_t>(std::max(longest, 1)), 1);
    }

    // Appends solutions to a list, or adds them to a pack.
    void hand_over(const Found& batch, nb::object& into) {
        if (batch.size() == 0) return;
        const auto started = Clock::now();
        try {
            if (PyList_Check(into.ptr())) {
                auto list = nb::borrow<nb::list>(into);
                std::size_t begin = 0;
                for (const std::size_t end : batch.ends) {
                    const std::span<const Int> options(batch.labels.data() + begin, end - begin);
                    list.append(solution_tuple(options, names_));
                    begin = end;
                }
            } else {
                const nb::ft_object_guard alone(into);
                nb::cast<Pack&>(into).add(batch);
            }
        } catch (...) {
            broken_ = true;  // some solutions are lost
            throw;
        }
        add_seconds(Clock::now() - started);
    }

    void add_seconds(Clock::duration duration) {
        const std::lock_guard lock(published_lock_);
        seconds_ += std::chrono::duration<double>(duration).count();
    }

    struct Advanced {
        std::uint64_t passed;
        PyObject* reason;
    };

    Advanced advance(const RunBudget& budget, Found* batch) {
        static const Reasons why;
        std::uint64_t passed = 0;
        for (;;) {
            Outcome outcome;
            {
                const ReleasedGil nogil;
                const std::lock_guard lock(running_);
                if (broken_) throw std::bad_alloc();
                try {
                    outcome = run_slice(budget, batch != nullptr, passed);
                } catch (...) {
                    broken_ = true;
                    throw;
                }
                const bool deliver = outcome == Outcome::finished ||
                                     (engine_->stats().nodes <= budget.nodes && found_.size() > 0);
                if (batch != nullptr && deliver) std::swap(*batch, found_);
            }
            const bool some = batch != nullptr ? batch->size() > 0 : passed >= budget.solutions;
            if (outcome == Outcome::finished) return {passed, why.finished};
            if (some) return {passed, why.solutions};
            if (outcome != Outcome::timed_out) return {passed, why.nodes};
            check_signals();
            if (Clock::now() >= budget.deadline) return {passed, why.deadline};
        }
    }

    Outcome run_slice(const RunBudget& budget, bool keep, std::uint64_t& passed) {
        const auto started = Clock::now();
        const std::uint64_t solutions_before = engine_->stats().solutions;
        const std::uint64_t have = keep ? found_.size() : passed;
        Outcome outcome = Outcome::enough;
        if (have < budget.solutions) {
            const auto until = std::min(budget.deadline, started + slice);
            outcome = engine_->run(
                {budget.solutions - have, until, keep ? &found_ : nullptr, budget.nodes});
        }
        passed += engine_->stats().solutions - solutions_before;
        publish(std::chrono::duration<double>(Clock::now() - started).count());
        return outcome;
    }

    Int label_of(Int option) const noexcept {
        return option < 0 ? option : problem_.problem().label_of(option);
    }

    // Publishes the state of a paused engine for readers that do not wait for the lock.
    void publish(double seconds = 0) {
        const std::lock_guard lock(published_lock_);
        published_ = engine_->stats();
        auto& profile = published_.profile;
        while (!profile.empty() && profile.back() == 0) profile.pop_back();
        finished_ = engine_->finished();
        seconds_ += seconds;
    }

    const PreparedProblem& problem_;
    std::vector<Int> given_;
    std::unique_ptr<Engine> engine_;
    nb::object names_;
    // Solutions found but not returned: because of a signal, or because they are beyond the node
    // quota.
    Found found_;
    std::atomic<bool> broken_ = false;  // memory ran out: it must never appear to be finished
    TicketMutex running_;
    mutable std::mutex published_lock_;
    Stats published_;
    bool finished_ = false;
    double seconds_ = 0;
};

// What a count leaves to the caller: the problem, the givens, the path and the floor of the part.
std::optional<std::tuple<std::unique_ptr<PreparedProblem>, std::vector<Int>, Path, std::size_t>>
listing_of(CountSearch& count) {
    auto listing = count.listing();
    if (!listing) return std::nullopt;
    auto problem = std::make_unique<PreparedProblem>(listing->problem, listing->engines);
    Path path;
    for (const auto& [item, option] : listing->begin.path) {
        path.emplace_back(item, option < 0 ? option : listing->problem->label_of(option));
    }
    std::vector<Int> given = problem->labels(listing->given);
    return std::tuple{std::move(problem), std::move(given), std::move(path), listing->begin.floor};
}

std::tuple<std::string, std::string, std::vector<std::string>> info() {
    std::vector<std::string> levels;
    for (const BitsLoops* loops : available_bits_loops()) levels.emplace_back(loops->name);
    return {DLX_COMPILER, bits_loops().name, levels};
}

std::optional<Int> find_flaw(const Array& start, const Array& item,
                             const std::optional<Array>& color, const Bytes& secondary) {
    if (start.size() == 0) throw nb::value_error("start: at least one bound");
    if (color && color->size() != item.size()) throw nb::value_error("color: one for each entry");
    const SignalCheck check;
    return first_flaw(view(start), view(item), view(color), {secondary.data(), secondary.size()});
}

std::vector<std::int64_t> totals_of(const Array& start, const Array& item,
                                    const std::optional<Array>& weight, const Array& value) {
    if (start.size() == 0) throw nb::value_error("start: at least one bound");
    if (weight && weight->size() != item.size()) throw nb::value_error("weight: one an entry");
    const SignalCheck check;
    return option_totals(view(start), view(item), view(weight), view(value));
}

}  // namespace
}  // namespace dlx

NB_MODULE(_kernel, module) {
    using dlx::PreparedProblem;
    using dlx::Search;

    dlx::prepare_to_throw();
    // Problems live in caches until the interpreter exits; that is no leak.
    nb::set_leak_warnings(false);
    module.doc() = "The compiled engines of dlx. Private: use dlx.Problem.";

    dlx::bind_batches(module);
    dlx::bind_chunks(module);
    dlx::bind_counting(module);
    dlx::bind_diagrams(module);
    dlx::bind_minimum(module);
    dlx::bind_packs(module);
    dlx::bind_probing(module);
    dlx::bind_reading(module);
    dlx::bind_lines(module);
    dlx::bind_reduction(module);
    dlx::bind_relaxation(module);
    dlx::bind_symmetry(module);
    nb::class_<dlx::EngineChoice>(
        module, "EngineChoice",
        "An engine with parameters that tests and benchmarks set: the depth and the work after "
        "which it hands over, the layout of `bits`, and whether subtrees have tables.")
        .def(
            "__init__",
            [](dlx::EngineChoice* self, const std::string& engine, std::optional<std::size_t> depth,
               std::optional<std::uint64_t> work, const std::optional<std::string>& layout,
               bool subtrees) {
                new (self) dlx::EngineChoice{.kind = dlx::engine_named(engine),
                                             .handover_depth = depth,
                                             .handover_work = work,
                                             .subtrees = subtrees};
                if (layout) self->layout = dlx::layout_named(*layout);
            },
            "engine"_a, nb::kw_only(), "depth"_a = nb::none(), "work"_a = nb::none(),
            "layout"_a = nb::none(), "subtrees"_a = true);
    nb::class_<PreparedProblem>(module, "Problem", "A problem as the engines see it.")
        .def(nb::init<const dlx::Array&, const dlx::Array&, const std::optional<dlx::Array>&,
                      const dlx::Array&, const std::optional<dlx::Array>&, dlx::Int,
                      const std::optional<dlx::Array>&, const std::optional<dlx::Array>&,
                      const std::optional<dlx::Array>&>(),
             "start"_a, "item"_a, "color"_a.none(), "rank"_a, "order"_a.none(), "primary"_a,
             "low"_a.none() = nb::none(), "high"_a.none() = nb::none(),
             "weight"_a.none() = nb::none())
        .def("clash", &PreparedProblem::clash, "options"_a,
             "Two of the options that clash and their item's rank, or None.")
        .def_prop_ro("multiple", &PreparedProblem::multiple, "Has it multiplicities?")
        .def_prop_ro("weighted", &PreparedProblem::weighted,
                     "Does any option cover an item several times?")
        .def("bits_layout", &PreparedProblem::bits_layout, "engine"_a,
             "How this engine of `bits` lays out its states.")
        .def("bits_plan", &PreparedProblem::bits_plan,
             "Do the tables of `bits` fit, how many bytes do they take, how many may they take?")
        .def("shuffled", &PreparedProblem::shuffled, "seed"_a,
             "The problem with items and options in another order; options keep their indices.")
        .def("reduce", &PreparedProblem::reduce, "given"_a, "alone"_a, "work"_a, "seconds"_a,
             "Items and options that can be removed without a change to the solutions.")
        .def("batch", &PreparedProblem::batch, "names"_a.none(), "code"_a.none(), "limit"_a,
             "keep"_a, "seconds"_a, "workers"_a, "engine"_a, "heuristic"_a, "nodes"_a,
             "Starts a batch of sets of givens.")
        .def("probes", &PreparedProblem::probes, "given"_a, "seed"_a,
             "Begins random descents through the search tree.")
        .def("class_test", &PreparedProblem::class_test, "generators"_a, "factors"_a, "given"_a,
             "The test for the first solution of each class under a group of symmetries.")
        .def("refuter", &PreparedProblem::refuter,
             "Searches that find the reason why there is no solution.")
        .def("proof", &PreparedProblem::proof, "given"_a, "drat"_a, "in_order"_a, "every"_a,
             "constraints"_a, "loose"_a, "kept"_a,
             "Begins a search that writes a proof of its result.")
        .def("symmetries", &PreparedProblem::symmetries, "item_kind"_a, "option_kind"_a, "nodes"_a,
             "work"_a, "The symmetries that keep these kinds of items and options.")
        .def("canonical", &PreparedProblem::canonical, "item_kind"_a, "option_kind"_a, "nodes"_a,
             "work"_a, "Items and options in canonical order, or None at a limit.")
        .def("diagram", &PreparedProblem::diagram, "given"_a, "order"_a, "memory_limit"_a, "bits"_a,
             "Begins to build the diagram of all solutions.")
        .def("minimum", &PreparedProblem::minimum, "cost"_a, "given"_a, "k"_a,
             "any_order"_a = false, "workers"_a = 1, "alone"_a = dlx::MinimumOptions{}.alone,
             "relaxation"_a = false,
             "Begins to search for the cheapest solutions; over the linear relaxation, or by "
             "prices.")
        .def("parts", &PreparedProblem::parts, "given"_a,
             "The independent parts that the givens leave, each with its options' indices.")
        .def("in_search_order", &PreparedProblem::in_search_order, "given"_a, "solution"_a,
             "The options of a solution in the order in which a search takes them.")
        .def("count_certificate", &PreparedProblem::count_certificate, "given"_a, "order"_a,
             "isomorphic"_a, "memory"_a,
             "Begins to write a certificate of the number of solutions.")
        .def("narrow_order", &PreparedProblem::narrow_order,
             "The primary items in an order for diagrams of narrow problems.")
        .def("count", &PreparedProblem::count, "given"_a, "limit"_a, "memory"_a, "heuristic"_a,
             "way"_a, "shared"_a = false, "Begins to count solutions.")
        .def("__getstate__", &PreparedProblem::state)
        .def("__setstate__", [](PreparedProblem& self, const PreparedProblem::State& state) {
            new (&self) PreparedProblem(state);
        });

    nb::class_<Search>(module, "Search", "A search that can be paused: one engine at work.")
        .def(
            nb::init<const PreparedProblem&, const std::vector<dlx::Int>&, nb::object,
                     const dlx::EngineOrName&, const std::string&, const dlx::Path&, std::size_t>(),
            nb::keep_alive<1, 2>(), "problem"_a, "given"_a, "names"_a.none(), "engine"_a,
            "heuristic"_a, "path"_a = dlx::Path(), "floor"_a = 0)
        // Without names of arguments, which would make the calls slower.
        .def("run", &Search::run, "budget"_a, "into"_a,
             "Appends further solutions; returns why it has stopped.")
        .def("take_waiting", &Search::take_waiting, "into"_a, "Appends the solutions held back.")
        .def("skip", &Search::skip, "budget"_a, "Skips further solutions; returns how many.")
        .def("restart", &Search::restart, "path"_a, "floor"_a,
             "Abandons the search and restarts with another part of it.")
        .def("position", &Search::position, "What is left, as a path and its floor, or None.")
        .def("untried", &Search::untried,
             "The untried options of the item at the end of the position.")
        .def("close", &Search::close, "Abandons the search and undoes it.")
        .def("image", &Search::image, "The engine's data as bytes, to compare.")
        .def_prop_ro("finished", &Search::finished, "Has everything been searched?")
        .def_prop_ro("stats", &Search::stats, "The work so far: `dlx.Stats`.");

    nb::exception<dlx::TimeUp>(module, "TimeUp");
    nb::class_<dlx::Cancellation>(
        module, "Cancellation",
        "Ends the call of another thread, as Ctrl-C does; after some seconds, by TimeUp.")
        .def(nb::init<double>(), "seconds"_a = dlx::unlimited_seconds)
        .def("__enter__",
             [](nb::object self) {
                 nb::cast<dlx::Cancellation&>(self).enter();
                 return self;
             })
        .def("__exit__", [](dlx::Cancellation& self, nb::args) { self.leave(); })
        .def("cancel", &dlx::Cancellation::cancel,
             "Ends the calls of the thread that is in its context by KeyboardInterrupt.")
        .def_prop_ro("cancelled", &dlx::Cancellation::cancelled, "Has `cancel` been called?");
    module.def("check_cancelled", &dlx::Cancellation::check,
               "Raises KeyboardInterrupt if the call of this thread is cancelled, and TimeUp after "
               "its deadline.");

    module.def("listing_of", &dlx::listing_of, "count"_a,
               "The problem, givens, path and floor of what the caller must list, or None.");
    module.def("simulate_clock", &dlx::Clock::simulate, "nanoseconds"_a,
               "Makes each reading advance a simulated clock; 0: the real clock. "
               "Returns the simulated nanoseconds so far.");
    module.def("info", &dlx::info, "(compiler, SIMD level in use, SIMD levels available)");
    module.def("find_flaw", &dlx::find_flaw, "start"_a, "item"_a, "color"_a.none(), "secondary"_a,
               "The index of the first invalid option, or None.");
    module.def("option_totals", &dlx::totals_of, "start"_a, "item"_a, "weight"_a.none(), "value"_a,
               "The sum of weight times value over the entries of each option.");
}
