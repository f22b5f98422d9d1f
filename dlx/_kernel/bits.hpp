// The `bits` engine: bits_loop.hpp's search over bits_tables.hpp's tables, with memory of its own.
//
// It can be started again and again on the same tables, below different givens; and it can search
// what a `links` search has left over at some node, whose path so far then begins each solution.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bits_tables.hpp"
#include "engine.hpp"

namespace dlx {

class Bits final : public Engine {
public:
    Bits(std::shared_ptr<const Problem> problem, std::shared_ptr<const BitsTables> tables,
         Heuristic heuristic, std::span<const Int> given);

    // Where another engine has come to: the items branched on, the option of each being tried, and
    // in a weighted search the weights and the items that share the blame if this is a dead end.
    struct Position {
        std::vector<Int> items;
        std::vector<Int> options;
        std::vector<Int> blamed;
        const Weights* weights = nullptr;
    };

    // The search goes on from there. To be called before it has begun, with the tables of a whole
    // problem. Nodes on the way to the position are not counted again.
    void go_on_from(const Position& position);

    bool finished() const noexcept override { return phase_ == Phase::finished; }
    Outcome run(const Quota& quota) override;
    void rewind() override;
    void restart(std::span<const Int> given) override;
    std::vector<std::byte> image() const override;

private:
    enum class Phase : std::uint8_t { fresh, searching, finished };

    void collect(Found& found);
    void update_stats();
    std::int64_t allowance(const Quota& quota);

    std::shared_ptr<const Problem> problem_;
    std::shared_ptr<const BitsTables> tables_;
    BitsTask task_;
    AlignedBytes states_, scratch_;
    std::vector<BitsFrame> frames_;
    std::vector<Int> path_;   // options by their number in the tables, the givens first
    std::vector<Int> found_;  // where the loops put solutions
    std::vector<std::uint64_t> profile_;
    Weights weights_;  // unless they are shared
    std::vector<Int> blamed_;
    std::vector<Int> replayed_;
    Phase phase_ = Phase::fresh;
};

}  // namespace dlx
