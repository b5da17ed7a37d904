// SPDX-License-Identifier: Apache-2.0
#include "base/process/waiting.h"

#include <weft/error.h>
#include <weft/types.h>

#include <fmt/format.h>

namespace weft {

void throwTimeout(std::string_view name, std::chrono::nanoseconds limit, std::string_view remedy) {
    throw Error(ErrorCode::timeout, {},
                fmt::format("timed out after {}, waiting for {}",
                            toString(Nanoseconds{limit.count()}), name),
                std::string(remedy));
}

} // namespace weft
