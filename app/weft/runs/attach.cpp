// SPDX-License-Identifier: Apache-2.0
// weft attach: follows a run from its first step, live or finished, on this machine or on another
// host.
#include "command_line/command.h"
#include "command_line/verb.h"
#include "runs/follow_run.h"
#include "runs/run_place.h"
#include <weft/error.h>

#include <memory>

namespace weft {

std::function<int()> addAttach(CommandLine& line) {
    Verb verb = line.verb("attach", "follow a running run, or print a finished one");
    verb.footer("Reads the run from its first step and follows it until it ends. Ctrl-C detaches; "
                "the run continues. A run on another host is copied to this machine while it is "
                "followed. If the connection is lost, the run continues and the copy resumes when "
                "the connection is back.\nExamples: weft attach runs/2026-01-01_120000_lenet\n  "
                "weft attach cluster:2026-01-01_120000_lenet");
    auto folder = std::make_shared<std::string>();
    auto asJson = std::make_shared<bool>(false);
    verb.option("RUN", *folder, "the run directory, or HOST:RUN").required();
    verb.flag("--json", *asJson, "a line of JSON per step, message, checkpoint and end");
    return [folder, asJson] {
        RunPlace place(*folder, true);
        place.updateCopy(true);
        std::error_code none;
        if (place.line() == nullptr &&
            !std::filesystem::exists(place.folder() / "design.weft", none)) {
            throw Error(ErrorCode::file, Where{.file = *folder}, "is not a run directory",
                        "name a run that weft runs lists");
        }
        return followOnTerminal(place.folder(), *asJson);
    };
}

} // namespace weft
