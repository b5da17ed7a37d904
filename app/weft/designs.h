// SPDX-License-Identifier: Apache-2.0
#pragma once
// How verbs come to a design: a file, or a run's own, with settings changed from the command line.

#include <weft/design.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

class Verb;

/// --devices cpu:0,cpu:1, each but once.
void addDeviceList(Verb& verb, std::vector<std::string>& devices, const std::string& help);

/// --set KEY=VALUE, any number of times.
void addSettings(Verb& verb, std::vector<std::string>& settings);

/// Error{design} with the first thing in the file that cannot be read; Error{usage} for a setting
/// that there is not, naming those there are.
[[nodiscard]] Design readDesign(const std::filesystem::path& file,
                                const std::vector<std::string>& settings = {});

/// A design, or the one that a run was made of.
struct DesignPlace {
    std::filesystem::path file;
    std::filesystem::path run; ///< empty: it is a file of its own
};
[[nodiscard]] DesignPlace designAt(const std::filesystem::path& given);

/// The newest checkpoint in a run's folder; Error{file} when it has none.
[[nodiscard]] std::filesystem::path newestCheckpoint(const std::filesystem::path& run);

} // namespace weft
