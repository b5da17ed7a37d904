// SPDX-License-Identifier: Apache-2.0
#pragma once
// Faults planted into copies of the sources of backends/cuda. A line of the table is
//
//   file | what holds it | op whose samples find it | text there | text instead
//
// A text that ends with ; is statements, any other an expression. What holds it is a kernel, or
// what kernels call: from its name to the end of the definition.

#include <string>
#include <vector>

namespace weft::test {

struct Mutation {
    int number = 0;
    std::string file, holder, op, from, to;
};

/// Throws std::runtime_error that names the line.
[[nodiscard]] std::vector<Mutation> readMutations(const std::string& path);
/// The source with the mutations of that file planted. Throws std::runtime_error where a text does
/// not stand in what holds it; the first place counts.
[[nodiscard]] std::string planted(const std::string& source, const std::string& file,
                                  const std::vector<Mutation>& mutations);
[[nodiscard]] std::string textOf(const std::string& path);

} // namespace weft::test
