// Declares the binding of ChunkIterator, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>

namespace dlx {

void bind_chunks(nanobind::module_& module);

}  // namespace dlx
