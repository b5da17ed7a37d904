// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether this machine and this build can start programs on several ranks.

#include <QString>

namespace weft::test {

/// Why no program can be started on several ranks here; empty where it can.
[[nodiscard]] QString whyNoRanks();

} // namespace weft::test
