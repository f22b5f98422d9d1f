// Declares the bindings of linear programs, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>

namespace dlx {

void bind_relaxation(nanobind::module_& module);

}  // namespace dlx
