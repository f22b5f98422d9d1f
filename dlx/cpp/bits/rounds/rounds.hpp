// The `rounds` engine: counts solutions under many sets of givens, in a tree of its own.
//
// It is for problems that `bits` lays out in slices, where the caller wants no solutions listed.
// bits/rounds/loop.hpp lists how it differs from `bits`. Two searches by turns take less time than
// one after the other. A search cannot be divided or continued elsewhere: it has no positions.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bits/rounds/dominance.hpp"
#include "bits/tables.hpp"
#include "core/run_by_turns.hpp"

namespace dlx {

// What all searches of a problem share.
class RoundsTables {
public:
    explicit RoundsTables(std::shared_ptr<const BitsTables> tables);

    // Can this plan be searched in rounds? The same on every processor.
    static bool suits(const BitsPlan& plan, const BitsLoops& loops) noexcept;

    const BitsTables& tables() const noexcept { return *tables_; }
    const DominanceView& dominance() const noexcept { return dominance_.view(); }
    // Where the removal of an option is, in bytes; and by item and place.
    std::uint32_t removal_at(Int option) const noexcept;
    const std::uint32_t* removals() const noexcept { return removal_at_.data(); }
    const std::byte* no_removal() const noexcept { return no_removal_.data(); }

private:
    std::shared_ptr<const BitsTables> tables_;
    Dominance dominance_;
    std::vector<std::uint32_t> removal_at_;
    AlignedBytes no_removal_;
};

class Rounds final : public Engine, public RunsByTurns {
public:
    // `given`: options, no two of which clash.
    Rounds(std::shared_ptr<const RoundsTables> tables, std::span<const Int> given);

    bool finished() const noexcept override { return finished_; }
    // Throws std::logic_error if the quota asks for the solutions.
    Outcome run(const Quota& quota) override;
    bool runs_by_turns() const noexcept override { return true; }
    // `other` is a `Rounds` of the same tables. Throws as `run` does.
    Outcomes run_both(RunsByTurns& other, const Quota& own, const Quota& others) override;
    void rewind() override;
    using Engine::restart;
    void restart(std::span<const Int> given, const Position& begin) override;
    // Throws std::logic_error unless the search is finished.
    std::optional<Position> position() override;
    std::vector<std::byte> image() const override;

private:
    std::optional<Outcome> begin(const Quota& quota);
    std::optional<Outcome> after_stop(const Quota& quota);
    void update_stats();
    std::int64_t allowance(const Quota& quota, std::int64_t interval);

    std::shared_ptr<const RoundsTables> tables_;
    RoundsTask task_;
    AlignedBytes states_, scratch_;
    std::vector<RoundsFrame> frames_;
    std::vector<std::uint64_t> visits_;
    std::vector<std::uint32_t> given_;
    bool finished_ = false;
};

}  // namespace dlx
