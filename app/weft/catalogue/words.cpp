// SPDX-License-Identifier: Apache-2.0
// weft words: explains iteration, step, update and sync as used in settings and plans.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include <weft/settings.h>

namespace weft {

std::function<int()> addWords(CommandLine& line) {
    Verb verb = line.verb("words", "explain iteration, step, update and sync");
    verb.footer("`weft settings KEY` explains the settings, such as training.sync_every.");
    return [] {
        for (const GlossaryWord& word : timeWords()) {
            say("{}: {}.\n", word.name, word.meaning);
        }
        return int{success};
    };
}

} // namespace weft
