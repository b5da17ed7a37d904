// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small network that has really learned something, in a run's folder: some steps of the digits
// sample, its first layers observed. Free of Qt.

#include <weft/design.h>

#include <filesystem>

namespace weft::test {

[[nodiscard]] Design digitsDesign(std::int64_t steps);
/// Some steps of the sample whose neurons learn a dictionary: batches of `elements`, on so many
/// devices, an element on one of them.
[[nodiscard]] Design dictionaryDesign(std::int64_t steps, std::int64_t elements, int devices = 1);
/// Makes the folder; throws where the run does not finish. The first layers are observed, those
/// that there are of `conv1` and `code`.
void trainRun(const Design& design, const std::filesystem::path& folder,
              const std::filesystem::path& data = {});

} // namespace weft::test
