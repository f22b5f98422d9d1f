// Builds the diagram of a problem with multiplicities.
//
// As in diagram/builder.hpp, every subproblem is searched once; but the branches are those of
// links/algorithm_m.hpp. The k-th branch of an item takes its k-th live option, and the options
// above are excluded from then on. If the item needs nothing, a last branch takes no further
// option:
//
//        item a, options b c d, needs 1           item a, options b c, needs nothing
//
//        (b) -lo-> (c) -lo-> (d) -lo-> empty      (b) -lo-> (c) -lo-> {no more of a}
//         |         |         |                    |         |
//         hi        hi        hi                   hi        hi
//
// A MultipleKey identifies a subproblem.
#pragma once

#include <memory>
#include <span>

#include "diagram/builder.hpp"

namespace dlx {

// See DiagramBuilder::make.
std::unique_ptr<DiagramBuilder> make_multiple(std::shared_ptr<const Problem> problem,
                                              std::span<const Int> given,
                                              std::span<const Int> order,
                                              std::uint64_t memory_limit, bool bits);

}  // namespace dlx
