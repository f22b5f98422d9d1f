// What python/module.cpp needs of python/reading.cpp, the file that reads options from Python's
// containers.
#pragma once

#include <nanobind/nanobind.h>

namespace dlx {

void bind_reading(nanobind::module_& module);

}  // namespace dlx
