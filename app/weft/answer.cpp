// SPDX-License-Identifier: Apache-2.0
// weft answer: the other end of a line from a Weft elsewhere.
#include "command.h"
#include "verb.h"
#include <weft/error.h>
#include <weft/remote.h>

#include <unistd.h>

namespace weft {

std::function<int()> addAnswer(CommandLine& line) {
    Verb verb = line.verb("answer", "what a Weft elsewhere calls on this host: not for typing");
    verb.footer("It speaks on its standard input and output with the Weft that called it, lists, "
                "follows, tells and starts runs in the folder that it was told, and ends with its "
                "input. weft host says how a host is called.");
    return [] {
        if (::isatty(STDIN_FILENO) == 1) {
            throw Error(ErrorCode::usage, {}, "this end of a line is called by another Weft",
                        "weft host add, on the machine at which you sit");
        }
        serveLine();
        return static_cast<int>(fine);
    };
}

} // namespace weft
