// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the verbs print. Names come from files, so that whatever would steer a terminal is spelled
// out; what cannot be written is a failure of the world.

#include <fmt/format.h>

#include <string>
#include <utility>

namespace weft {

/// Throws Error{file} where the standard output takes no more.
void putOut(const std::string& text);
/// "weft: ..." and a line's end, on the standard error.
void putError(const std::string& text);

template <class... Values>
void say(fmt::format_string<Values...> form, Values&&... values) {
    putOut(fmt::format(form, std::forward<Values>(values)...));
}

template <class... Values>
void warn(fmt::format_string<Values...> form, Values&&... values) {
    putError(fmt::format(form, std::forward<Values>(values)...));
}

/// What was said is where it should be: before the program ends.
void finishSaying();

} // namespace weft
