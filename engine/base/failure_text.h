// SPDX-License-Identifier: Apache-2.0
#pragma once
// An Error as a line of JSON and back: what a log keeps and what ranks tell each other. It is read
// without trust: of what cannot be understood the text itself is the problem.

#include <weft/error.h>

#include <string>
#include <string_view>

namespace weft {

[[nodiscard]] std::string failureText(const Error& error);
[[nodiscard]] Error failureFrom(std::string_view text);

/// What a handler has caught, as a failure.
[[nodiscard]] Error currentError();

} // namespace weft
