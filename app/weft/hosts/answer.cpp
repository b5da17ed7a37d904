// SPDX-License-Identifier: Apache-2.0
// weft answer: the remote end of a connection, started by another Weft over ssh.
#include "command_line/command.h"
#include "command_line/verb.h"
#include <weft/error.h>
#include <weft/remote.h>

#include <unistd.h>

namespace weft {

std::function<int()> addAnswer(CommandLine& line) {
    Verb verb = line.verb("answer",
                          "host agent: started by another Weft over ssh; not for interactive use");
    verb.footer("Serves the Weft that started it over standard input and output: lists, follows, "
                "controls and starts runs in the given folder. Ends when its input ends. `weft "
                "host` configures how a host is reached.");
    return [] {
        if (::isatty(STDIN_FILENO) == 1) {
            throw Error(ErrorCode::usage, {}, "only another Weft can start this command",
                        "use weft host add on your own machine");
        }
        serveLine();
        return static_cast<int>(success);
    };
}

} // namespace weft
