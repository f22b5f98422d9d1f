// Binding functions that need no other declarations; python/module.cpp calls them.
#pragma once

#include <nanobind/nanobind.h>

namespace dlx {

void bind_lines(nanobind::module_& module);    // python/lines.cpp
void bind_reading(nanobind::module_& module);  // python/reading.cpp

}  // namespace dlx
