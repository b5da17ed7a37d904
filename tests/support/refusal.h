// SPDX-License-Identifier: Apache-2.0
#pragma once
// Returns the error with which a call refuses.

#include <weft/error.h>

#include <optional>
#include <string>

namespace weft::test {

/// Its words; of another code they say so. "none": nothing is refused.
template <class Work>
[[nodiscard]] std::string refusalOf(const Work& work, ErrorCode code) {
    try {
        work();
    } catch (const Error& error) {
        return error.code() == code ? error.what() : "another code: " + std::string(error.what());
    }
    return "none";
}

template <class Work>
[[nodiscard]] std::optional<ErrorCode> codeOf(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.code();
    }
    return std::nullopt;
}

} // namespace weft::test
