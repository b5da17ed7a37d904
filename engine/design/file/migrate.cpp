// SPDX-License-Identifier: Apache-2.0
#include "design/file/migrate.h"

#include <weft/design_file.h>
#include <weft/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace weft {

namespace {

// A step for every version but the last: the step at index k migrates from version k + 1 to k + 2.
constexpr std::array<MigrationStep, designFormatVersion - 1> migrations = {};

} // namespace

std::int64_t migrate(Json& document, const std::string& name) {
    return migrate(document, name, migrations);
}

std::int64_t migrate(Json& document, const std::string& name,
                     std::span<const MigrationStep> steps) {
    const auto current = static_cast<std::int64_t>(steps.size()) + 1;
    const auto found = document.is_object() ? document.find("weft") : document.end();
    if (!document.is_object() || found == document.end() || !found->is_number_integer()) {
        throw Error(ErrorCode::format, {.file = name}, "is JSON but not a design",
                    "a design is a JSON object that begins with \"weft\": 1");
    }
    const bool isHuge = found->is_number_unsigned() &&
                        found->get<std::uint64_t>() > static_cast<std::uint64_t>(current);
    const auto version = found->get<std::int64_t>();
    if (isHuge || version > current) {
        throw Error(ErrorCode::format, {.file = name},
                    fmt::format("has format version {}; this program reads versions up to {}",
                                jsonText(*found), current),
                    "open it with a newer Weft");
    }
    if (version < 1) {
        throw Error(ErrorCode::format, {.file = name},
                    fmt::format("has format version {}", version),
                    "versions count from 1; correct the number after \"weft\"");
    }
    for (std::int64_t step = version; step < current; ++step) {
        steps[static_cast<std::size_t>(step - 1)](document);
        document["weft"] = step + 1;
    }
    return version;
}

} // namespace weft
