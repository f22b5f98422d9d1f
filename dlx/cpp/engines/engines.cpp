// Makes engines by name; "auto" changes from `links` to `bits` during the search.
#include "engines/engines.hpp"

#include <stdexcept>
#include <utility>

#include "links/algorithm_m.hpp"
#include "propagation/propagation.hpp"

namespace dlx {
namespace {

// The engine "auto": `links` until the tables of `bits` pay; see links/handover.hpp.
class Automatic final : public Engine, public RunsByTurns {
public:
    Automatic(std::shared_ptr<Engines> engines, const EngineChoice& choice,
              std::span<const Int> given)
        : engines_(std::move(engines)), choice_(choice) {
        begin(given, {});
    }
    ~Automatic() override { settle(); }

    Outcome run(const Quota& quota) override { return engine_->run(quota); }
    void rewind() override { engine_->rewind(); }
    bool finished() const noexcept override { return engine_->finished(); }
    std::vector<std::byte> image() const override { return engine_->image(); }
    const Stats& stats() const noexcept override { return engine_->stats(); }

    bool runs_by_turns() const noexcept override { return by_turns_ != nullptr; }
    Outcomes run_both(RunsByTurns& other, const Quota& own, const Quota& others) override {
        return by_turns_->run_both(*static_cast<Automatic&>(other).by_turns_, own, others);
    }

    std::optional<Position> position() override { return engine_->position(); }
    std::vector<Int> untried() override { return engine_->untried(); }

    using Engine::restart;
    void restart(std::span<const Int> given, const Position& position) override {
        settle();
        if (on_bits_ || !engines_->tables_made()) {
            engine_->restart(given, position);
        } else {
            begin(given, position);
        }
    }

private:
    void begin(std::span<const Int> given, const Position& position) {
        on_bits_ =
            engines_->tables_made() || (!choice_.handover_work && engines_->dense_from_the_start());
        if (on_bits_) {
            engine_ = engines_->make_bits(choice_, given);
        } else {
            engine_ =
                engines_->make_links(choice_.heuristic, engines_->make_handover(choice_), given);
        }
        by_turns_ = dynamic_cast<RunsByTurns*>(engine_.get());
        if (!position.path.empty()) engine_->restart(given, position);
    }

    void settle() noexcept {
        if (!on_bits_) engines_->add_credit(engine_->stats().nodes + engine_->stats().updates);
    }

    std::shared_ptr<Engines> engines_;
    EngineChoice choice_;
    std::unique_ptr<Engine> engine_;
    RunsByTurns* by_turns_ = nullptr;  // the same engine, if it has this ability
    bool on_bits_ = false;
};

// By BitsLayout.
constexpr const char* layout_names[] = {"lanes8",    "lanes16",   "lanes32",   "lanes64",
                                        "slices",    "segments",  "crossings", "counters",
                                        "scattered", "renumbered"};

}  // namespace

EngineKind engine_named(const std::string& name) {
    if (name == "auto") return EngineKind::automatic;
    if (name == "links") return EngineKind::links;
    if (name == "bits") return EngineKind::bits;
    if (name == "propagation") return EngineKind::propagation;
    throw std::invalid_argument("engine: \"auto\", \"links\", \"bits\" or \"propagation\"");
}

Heuristic heuristic_named(const std::string& name) {
    for (std::size_t heuristic = 0; heuristic < heuristic_names.size(); ++heuristic) {
        if (name == heuristic_names[heuristic]) return static_cast<Heuristic>(heuristic);
    }
    throw std::invalid_argument("no such heuristic");
}

BitsLayout layout_named(const std::string& name) {
    for (std::size_t layout = 0; layout < std::size(layout_names); ++layout) {
        if (name == layout_names[layout]) return static_cast<BitsLayout>(layout);
    }
    throw std::invalid_argument("no such layout");
}

std::unique_ptr<Engine> Engines::make(const EngineChoice& choice, std::span<const Int> given) {
    if (choice.kind == EngineKind::bits) {
        if (!choice.layout) return make_bits(choice, given);
        const WholePart whole(*problem_);
        return std::make_unique<Bits>(
            problem_, std::make_shared<const BitsTables>(*problem_, whole.part(), choice.layout),
            choice.heuristic, given);
    }
    if (choice.kind == EngineKind::propagation) {
        return std::make_unique<Propagation>(problem_, given);
    }
    if (choice.kind == EngineKind::automatic) {
        return std::make_unique<Automatic>(shared_from_this(), choice, given);
    }
    std::unique_ptr<Handover> handover;
    if (choice.handover_depth && choice.heuristic == Heuristic::mrv) {
        handover = Handover::of_subtrees(problem_, *choice.handover_depth,
                                         choice.handover_work.value_or(Handover::never));
    }
    return make_links(choice.heuristic, std::move(handover), given);
}

const BitsPlan& Engines::plan() {
    std::call_once(plan_once_, [this] { plan_ = plan_for(std::nullopt); });
    return plan_;
}

BitsPlan Engines::plan_for(std::optional<BitsLayout> layout) const {
    std::vector<Int> lengths(static_cast<std::size_t>(problem_->primary), 0);
    for (const Int item : problem_->item) {
        if (item < problem_->primary) ++lengths[static_cast<std::size_t>(item)];
    }
    const WholePart whole(*problem_);
    return BitsPlan::of(
        {whole.options.size(), lengths, problem_->multiple(),
         BitsWeights::of(*problem_, whole.items, whole.options),
         CrossingsShape::of(*problem_, whole.items, whole.options, bits_loops().vector_bytes,
                            layout == BitsLayout::crossings)},
        bits_loops(), layout);
}

const char* Engines::layout(const EngineChoice& choice) const {
    return layout_names[static_cast<std::size_t>(plan_for(choice.layout).layout)];
}

bool Engines::dense_from_the_start() {
    return dlx::dense_from_the_start(*problem_, plan());
}

std::shared_ptr<const BitsTables> Engines::tables() {
    std::call_once(tables_once_, [this] {
        const WholePart whole(*problem_);
        tables_ = std::make_shared<const BitsTables>(*problem_, whole.part());
        tables_made_.store(true, std::memory_order_release);
    });
    return tables_;
}

// The first search of a large problem gets a torus of its own: often it is the only one, and a
// second copy would be most of the memory. Making one takes four times as long as copying it, so
// from the second search on one is kept.
std::shared_ptr<Torus> Engines::torus() {
    bool alone = false;
    {
        const std::lock_guard lock(torus_lock_);
        if (torus_ != nullptr) return torus_;
        alone = problem_->entries() >= Torus::large && !std::exchange(searched_, true);
        if (!alone && !InterruptCheck::any()) {
            return torus_ = std::make_shared<Torus>(*problem_, Torus::Kept::yes);
        }
    }
    if (alone) return std::make_shared<Torus>(*problem_, Torus::Kept::no);
    // Without the lock: the check for signals may call this function again, or wait for the GIL
    // while the thread that holds it waits for the lock. At worst the torus is made twice.
    auto made = std::make_shared<Torus>(*problem_, Torus::Kept::yes);
    const std::lock_guard lock(torus_lock_);
    if (torus_ == nullptr) torus_ = std::move(made);
    return torus_;
}

std::unique_ptr<Handover> Engines::make_handover(const EngineChoice& choice) {
    if (choice.handover_work) {
        return Handover::of_all(problem_, choice.heuristic, shared_from_this(),
                                *choice.handover_work);
    }
    auto handover = std::make_unique<Handover>(problem_, choice.heuristic, shared_from_this());
    if (!choice.subtrees) handover->keep_subtrees();
    return handover;
}

bool Engines::suits_rounds(const EngineChoice& choice) {
    return choice.counting && choice.heuristic == Heuristic::mrv &&
           RoundsTables::suits(plan(), bits_loops());
}

std::shared_ptr<const RoundsTables> Engines::rounds_tables() {
    std::call_once(rounds_once_,
                   [this] { rounds_tables_ = std::make_shared<const RoundsTables>(tables()); });
    return rounds_tables_;
}

std::unique_ptr<Engine> Engines::make_bits(const EngineChoice& choice, std::span<const Int> given) {
    if (suits_rounds(choice)) return std::make_unique<Rounds>(rounds_tables(), given);
    return std::make_unique<Bits>(problem_, tables(), choice.heuristic, given);
}

std::unique_ptr<Engine> Engines::make_links(Heuristic heuristic, std::unique_ptr<Handover> handover,
                                            std::span<const Int> given) {
    const auto make = [&]<Heuristic chosen, bool colored>() -> std::unique_ptr<Engine> {
        if (problem_->weighted()) {
            return std::make_unique<Multiple<colored, true, chosen>>(problem_, torus(),
                                                                     std::move(handover), given);
        }
        if (problem_->multiple()) {
            return std::make_unique<Multiple<colored, false, chosen>>(problem_, torus(),
                                                                      std::move(handover), given);
        }
        return std::make_unique<Links<colored, chosen>>(problem_, torus(), std::move(handover),
                                                        given);
    };
    return with_heuristic(heuristic, [&]<Heuristic chosen>() {
        return problem_->colored() ? make.operator()<chosen, true>()
                                   : make.operator()<chosen, false>();
    });
}

}  // namespace dlx
