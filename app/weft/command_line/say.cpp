// SPDX-License-Identifier: Apache-2.0
#include "command_line/say.h"

#include <weft/error.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace weft {

namespace {

[[noreturn]] void refuse() {
    throw Error(ErrorCode::file, Where{.file = "standard output"}, std::strerror(errno),
                "free some space there, or write somewhere else");
}

} // namespace

void printOut(const std::string& text) {
    const std::string shown = printable(text, true);
    if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()) {
        refuse();
    }
}

void printError(const std::string& text) {
    fmt::print(stderr, "weft: {}\n", printable(text, true));
}

void flushOutput() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        refuse();
    }
}

} // namespace weft
