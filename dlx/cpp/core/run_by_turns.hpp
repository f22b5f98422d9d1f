// The ability of an engine to run two searches by turns, in one thread.
//
// A step of a search often waits for the one before, and the processor is idle. With another search
// to run meanwhile, two take less time than one after the other.
#pragma once

#include <optional>

#include "core/engine.hpp"

namespace dlx {

class RunsByTurns {
public:
    virtual ~RunsByTurns() = default;

    // nullopt for a search that has not stopped.
    struct Outcomes {
        std::optional<Outcome> own;
        std::optional<Outcome> others;
    };

    // Has the engine this ability now? "auto" gets it when it changes to another engine.
    virtual bool runs_by_turns() const noexcept = 0;

    // Runs this search and another one, made in the same way, by turns, each within its quota,
    // until one of them stops. Solutions are only counted. Of a search that has not stopped, only
    // stats().solutions is up to date. Both must have the ability now.
    virtual Outcomes run_both(RunsByTurns& other, const Quota& own, const Quota& others) = 0;
};

}  // namespace dlx
