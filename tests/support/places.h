// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the tests find what they test. Written by CMake, so that a test can be started by hand
// from any folder.

#include <filesystem>

namespace weft::test {

[[nodiscard]] std::filesystem::path sourceFolder(); // the repository
[[nodiscard]] std::filesystem::path buildFolder();  // this build of it
[[nodiscard]] std::filesystem::path weftProgram();  // app/weft, as built

} // namespace weft::test
