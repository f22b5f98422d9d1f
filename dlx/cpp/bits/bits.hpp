// The `bits` engine: bits/loop.hpp's search over bits/tables.hpp's tables, with memory of its own.
//
// It can be restarted on the same tables with different givens. It can also continue a `links`
// search at some node; that search's path then begins each solution.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bits/tables.hpp"
#include "core/engine.hpp"

namespace dlx {

class Bits final : public Engine {
public:
    Bits(std::shared_ptr<const Problem> problem, std::shared_ptr<const BitsTables> tables,
         Heuristic heuristic, std::span<const Int> given);

    // The state of another engine's learning search: the weights, and the items whose weights
    // change if this is a dead end.
    struct Learned {
        const LearnedWeights* weights = nullptr;
        std::vector<Int> blamed;
    };

    // Continues a search at the position of another engine; all options of that path are taken.
    // Call it before the first `run`, with the tables of a whole problem. Nodes on the path are not
    // counted again.
    void continue_from(const Position& position, const Learned& learned);

    bool finished() const noexcept override { return finished_; }
    Outcome run(const Quota& quota) override;
    void rewind() override;
    using Engine::restart;
    void restart(std::span<const Int> given, const Position& begin) override;
    std::optional<Position> position() override;
    std::vector<std::byte> image() const override;

private:
    void check(std::span<const Int> given, const Position& begin) const;
    bool replay(const Position& begin, std::size_t taken);
    Int option_at(Int depth) const;
    void collect(Found& found);
    void update_stats();
    std::int64_t allowance(const Quota& quota);

    std::shared_ptr<const Problem> problem_;
    std::shared_ptr<const BitsTables> tables_;
    BitsTask task_;
    AlignedBytes states_, scratch_;
    std::vector<BitsFrame> frames_;
    std::vector<Int> path_;   // options by their number in the tables, or no_more; givens first
    std::vector<Int> found_;  // where the loops put solutions
    std::vector<BitsNode> nodes_;
    LearnedWeights learned_;  // unused while the weights of another engine are shared
    std::vector<Int> blamed_;
    Position begin_;
    BitsEntry entry_ = BitsEntry::start;  // the next one
    bool fresh_ = true;                   // is the first node still to be visited?
    bool finished_ = false;
};

}  // namespace dlx
