// SPDX-License-Identifier: Apache-2.0
#pragma once
// Decides which commands can act on the present design, selection and workspace, and gives the
// reason for the others. Commands of runs are handled by run_permits.h.

#include "shell/docks/docks.h"

namespace weft::ui {

class CommandSet;
class OpenDesign;

/// Allows the commands that can act now and gives the reason for the others. `design`: nullptr if
/// none is open.
void permitCommands(CommandSet& commands, OpenDesign* design, Workspace workspace);

} // namespace weft::ui
