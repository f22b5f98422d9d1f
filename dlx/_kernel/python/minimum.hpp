// What python/module.cpp needs of python/minimum.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace dlx {

void bind_minimum(nanobind::module_& module);

}  // namespace dlx
