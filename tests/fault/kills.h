// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run of one process that is killed and resumed over and over: no step that was in its log and no
// checkpoint is ever lost.

#include <QString>

namespace weft::test {

/// Returns what was lost or went wrong, or an empty text. Prints the seed.
[[nodiscard]] QString killManyTimes(int kills, unsigned seed);

} // namespace weft::test
