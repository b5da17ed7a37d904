// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts an Error to a line of JSON and back, for logs and between ranks. The input is not
// trusted: text that is not valid JSON becomes the error's problem.

#include <weft/error.h>

#include <string>
#include <string_view>

namespace weft {

[[nodiscard]] std::string failureText(const Error& error); ///< one line of JSON
[[nodiscard]] Error failureFrom(std::string_view text);    ///< reverse of failureText

[[nodiscard]] Error currentError(); ///< returns the exception being handled as an Error

} // namespace weft
