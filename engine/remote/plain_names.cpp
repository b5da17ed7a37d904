// SPDX-License-Identifier: Apache-2.0
#include "remote/plain_names.h"

#include <algorithm>

namespace weft {

namespace {

bool isLetterOrDigit(char one) {
    return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9');
}

bool isOfPlainLetters(std::string_view name, std::size_t most) {
    return !name.empty() && name.size() <= most && std::ranges::all_of(name, [](char one) {
        return isLetterOrDigit(one) || one == '.' || one == '_' || one == '-';
    });
}

} // namespace

bool isHostName(std::string_view name) {
    return isOfPlainLetters(name, 64) && isLetterOrDigit(name.front());
}

bool isRunName(std::string_view name) { return isOfPlainLetters(name, 120) && name.front() != '.'; }

} // namespace weft
