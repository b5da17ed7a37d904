// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run on another host that is followed over a line which breaks again and again.

#include <QString>

namespace weft::test {

/// Begins a run of so many steps and, when it has ended, brings all of it over lines that break
/// after so many bytes from there. What was wrong; empty where all is well. Belongs to a user of
/// the test's own.
[[nodiscard]] QString followOverCuts(int bytes, int steps);

} // namespace weft::test
