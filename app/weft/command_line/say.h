// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prints the output of the verbs. Control characters are escaped, since names come from files; a
// failed write is an Error{file}.

#include <fmt/format.h>

#include <string>
#include <utility>

namespace weft {

/// Prints to the standard output; throws Error{file} if the write fails.
void printOut(const std::string& text); ///< to the standard output
/// Prints "weft: ..." and a newline to the standard error.
void printError(const std::string& text); ///< "weft: ..." to the standard error

template <class... Values>
void say(fmt::format_string<Values...> form, Values&&... values) {
    printOut(fmt::format(form, std::forward<Values>(values)...));
}

template <class... Values>
void warn(fmt::format_string<Values...> form, Values&&... values) {
    printError(fmt::format(form, std::forward<Values>(values)...));
}

/// Flushes the output; called before the program ends.
void flushOutput(); ///< flushes the standard output

} // namespace weft
