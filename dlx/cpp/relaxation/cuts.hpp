// Inequalities that all solutions satisfy, and the fractional solution of a linear program does
// not.
//
// Two options that share an item, which may be covered once only, exclude each other. Then at most
// one option of a *clique*, a set of options of which any two exclude each other, is taken; and so
// is at most one of the options that cover at least two of three such items (a subset row cut:
// Jepsen, Petersen, Spoorendonk and Pisinger, Operations Research 56, 2008). Both are rows of ones
// with an upper bound of 1. Cliques were what solved the first large problems of airlines (Hoffman
// and Padberg, Management Science 39, 1993).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "relaxation/integer_program.hpp"

namespace dlx {

using Cut = std::vector<Int>;  // columns, at most one of which is taken

// Cuts that these values violate, the most violated first, at most `most` of them. `exclusive`: of
// each row, may it be covered once only, by weights of 1? Other rows take no part. `work` is
// increased by about 10 ns each.
std::vector<Cut> violated_cuts(const IntegerProgram& program, const ColumnsOfRows& columns,
                               std::span<const std::uint8_t> exclusive,
                               std::span<const double> values, std::size_t most,
                               std::uint64_t& work);

}  // namespace dlx
