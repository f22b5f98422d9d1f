// Makes engines by name, and holds what they share: the torus and tables of a problem, made once.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bits/bits.hpp"
#include "bits/rounds/rounds.hpp"
#include "core/heuristic.hpp"
#include "links/algorithm_x.hpp"

namespace dlx {

enum class EngineKind : std::uint8_t { automatic, links, bits, propagation };

// Which engine, and its parameters.
struct EngineChoice {
    EngineKind kind = EngineKind::automatic;
    Heuristic heuristic = Heuristic::mrv;
    bool counting = false;  // solutions are only counted, so `auto` and `bits` may use `rounds`

    // For tests, which reach every path by them, and for benchmarks/ablation.py:
    std::optional<std::size_t> handover_depth{};   // `links` hands over each subtree at this depth,
    std::optional<std::uint64_t> handover_work{};  // the rest of it after this work; `auto` all
    std::optional<BitsLayout> layout{};            // of `bits`
    bool subtrees = true;                          // may `auto` make tables of subtrees?
};

// By their public names. Throw std::invalid_argument for any other.
EngineKind engine_named(const std::string& name);
Heuristic heuristic_named(const std::string& name);
BitsLayout layout_named(const std::string& name);

// Shared by all searches of a problem, and by threads.
class Engines final : public SharedTables, public std::enable_shared_from_this<Engines> {
public:
    explicit Engines(std::shared_ptr<const Problem> problem) : problem_(std::move(problem)) {}

    // `given`: options, no two of which clash.
    std::unique_ptr<Engine> make(const EngineChoice& choice, std::span<const Int> given);

    const BitsPlan& plan() override;
    // The layout that this choice of `bits` uses: the fastest one if its own is not possible.
    const char* layout(const EngineChoice& choice) const;
    std::shared_ptr<const BitsTables> tables() override;
    bool dense_from_the_start();
    bool tables_made() const noexcept { return tables_made_.load(std::memory_order_acquire); }

    void add_credit(std::uint64_t work) noexcept { credit_ += work; }
    std::uint64_t credit() const noexcept override { return credit_; }

    std::unique_ptr<Engine> make_links(Heuristic heuristic, std::unique_ptr<Handover> handover,
                                       std::span<const Int> given);
    std::unique_ptr<Handover> make_handover(const EngineChoice& choice);
    std::unique_ptr<Engine> make_bits(const EngineChoice& choice, std::span<const Int> given);

private:
    bool suits_rounds(const EngineChoice& choice);
    std::shared_ptr<const RoundsTables> rounds_tables();
    std::shared_ptr<Torus> torus();
    BitsPlan plan_for(std::optional<BitsLayout> layout) const;

    std::shared_ptr<const Problem> problem_;
    std::once_flag plan_once_, tables_once_, rounds_once_;
    std::mutex torus_lock_;
    std::shared_ptr<Torus> torus_;
    bool searched_ = false;  // has a torus been made that its search took?
    BitsPlan plan_{};
    std::shared_ptr<const BitsTables> tables_;
    std::shared_ptr<const RoundsTables> rounds_tables_;
    std::atomic<bool> tables_made_ = false;
    std::atomic<std::uint64_t> credit_ = 0;
};

}  // namespace dlx
