// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design in projects/, opened, and what it takes to train it where its data is not: small files
// in the format its source reads.

#include <weft/design.h>
#include <weft/session.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft::test {

/// Every design.weft and bench.weft in projects/, as "tiny-gpt/bench".
[[nodiscard]] std::vector<std::string> sampleNames();
[[nodiscard]] std::filesystem::path sampleFile(const std::string& name);
[[nodiscard]] Design sampleDesign(const std::string& name);

/// Files of random pictures, labels and characters, under the names the designs use.
void writeSmallData(const std::filesystem::path& folder);

/// Without a run directory, on the devices that the design declares.
[[nodiscard]] SessionOutcome trained(const std::string& name, Design design,
                                     const std::vector<std::filesystem::path>& data);

} // namespace weft::test
