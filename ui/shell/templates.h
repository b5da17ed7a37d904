// SPDX-License-Identifier: Apache-2.0
#pragma once
// The designs of projects/ as of the build, by folder name. CMake generates the function's source.

#include <span>
#include <string_view>

namespace weft::ui {

struct DesignTemplate {
    std::string_view name; ///< folder in projects/
    std::string_view text; ///< content of the design file
};
[[nodiscard]] std::span<const DesignTemplate> designTemplates();

} // namespace weft::ui
