// SPDX-License-Identifier: Apache-2.0
#pragma once
// The designs of projects/ as they were when the program was built, by the names of their folders.
// The function is written by CMake.

#include <span>
#include <string_view>

namespace weft::ui {

struct DesignTemplate {
    std::string_view name;
    std::string_view text;
};
[[nodiscard]] std::span<const DesignTemplate> designTemplates();

} // namespace weft::ui
