// SPDX-License-Identifier: Apache-2.0
#include "base/process/this_program.h"

#include <weft/launch.h>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// Returns the executable of this process; empty if unknown.
fs::path executed() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown);
}

} // namespace

bool isCarried() { return executed().filename() == carriedLoader; }

fs::path thisProgram() {
    fs::path program = executed();
    return isCarried() ? program.replace_filename(startScript) : program;
}

} // namespace weft
