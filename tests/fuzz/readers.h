// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every reader of files that may come from anywhere, under one roof for the contract suite and the
// fuzzers: small valid files, and an attempt to read all of what some bytes hold. An attempt ends
// well or throws weft::Error.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::test {

struct Reader {
    std::string_view name;
    std::string_view source; ///< the source kind that it tries; empty: none
    std::vector<std::string> (*samples)();
    /// Writes what it needs into the folder, which is its own.
    void (*attempt)(const std::filesystem::path& folder, std::string_view content);
};

[[nodiscard]] std::span<const Reader> readers();
[[nodiscard]] const Reader* findReader(std::string_view name);

} // namespace weft::test
