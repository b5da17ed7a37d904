// SPDX-License-Identifier: Apache-2.0
#include "design/migrate.h"

#include <weft/design_file.h>
#include <weft/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace weft {

namespace {

using Step = void (*)(Json&);

// The step at place v leads from version v to v + 1.
constexpr std::array<Step, designFormatVersion> steps = {migrate0To1};

} // namespace

std::int64_t migrate(Json& document, const std::string& name) {
    const auto found = document.is_object() ? document.find("weft") : document.end();
    if (!document.is_object() || found == document.end() || !found->is_number_integer()) {
        throw Error(ErrorCode::format, {.file = name}, "is JSON but not a design",
                    "a design is an object that begins with \"weft\": 1");
    }
    const bool isHuge = found->is_number_unsigned() &&
                        found->get<std::uint64_t>() > std::uint64_t{designFormatVersion};
    const auto version = found->get<std::int64_t>();
    if (isHuge || version > designFormatVersion) {
        throw Error(ErrorCode::format, {.file = name},
                    fmt::format("is of format version {}; this program reads up to {}",
                                jsonText(*found), designFormatVersion),
                    "open it with a newer Weft");
    }
    if (version < 0) {
        throw Error(ErrorCode::format, {.file = name},
                    fmt::format("is of format version {}", version),
                    "versions are counted from 0; mend the number after \"weft\"");
    }
    for (std::int64_t step = version; step < designFormatVersion; ++step) {
        steps[static_cast<std::size_t>(step)](document);
        document["weft"] = step + 1;
    }
    return version;
}

} // namespace weft
