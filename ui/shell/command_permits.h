// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which commands can act on what is open, selected and looked at; of the others, why not. Those of
// runs have permits of their own.

#include "shell/docks.h"

namespace weft::ui {

class CommandSet;
class OpenDesign;

/// `design`: nullptr where none is open.
void permitCommands(CommandSet& commands, OpenDesign* design, Workspace workspace);

} // namespace weft::ui
