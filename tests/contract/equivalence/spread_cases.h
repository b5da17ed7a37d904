// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the equivalence suites spread a layer over so many devices. Free of Qt.

#include <weft/assignment.h>

#include <cstddef>
#include <string>
#include <vector>

namespace weft::test {

struct SpreadCase {
    std::string name;
    Assignment assignment;
    std::size_t devices = 2;
};

/// Every word over all devices, and two words on a mesh of 2x2.
[[nodiscard]] std::vector<SpreadCase> spreadCases(std::size_t devices);

} // namespace weft::test
