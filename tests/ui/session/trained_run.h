// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small network that has really learned something, in a run's folder: some steps of the digits
// sample, its first layers observed. Free of Qt.

#include <weft/design.h>

#include <filesystem>

namespace weft::test {

[[nodiscard]] Design digitsDesign(std::int64_t steps);
/// Makes the folder; throws where the run does not finish.
void trainRun(const Design& design, const std::filesystem::path& folder,
              const std::filesystem::path& data = {});

} // namespace weft::test
