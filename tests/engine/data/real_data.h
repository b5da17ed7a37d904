// SPDX-License-Identifier: Apache-2.0
#pragma once
// Real data that a machine may have: under WEFT_DATA, or in shared/data beside the checkout.

#include "support/places.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace weft::test {

/// The folder of that name, or nothing: then the test skips itself.
inline std::optional<std::filesystem::path> realData(const std::string& name) {
    const char* given = std::getenv("WEFT_DATA");
    const std::filesystem::path root =
        given != nullptr ? given : sourceFolder() / ".." / "shared" / "data";
    std::error_code ignored;
    if (!std::filesystem::is_directory(root / name, ignored)) {
        return std::nullopt;
    }
    return std::filesystem::canonical(root / name);
}

} // namespace weft::test
