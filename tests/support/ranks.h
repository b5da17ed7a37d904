// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks whether this machine and this build can start several ranks.

#include <QString>

namespace weft::test {

/// Why no program can be started on several ranks here; empty where it can.
[[nodiscard]] QString whyNoRanks();

} // namespace weft::test
