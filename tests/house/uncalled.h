// SPDX-License-Identifier: Apache-2.0
#pragma once
// What nothing in the programs calls, by the tables of symbols that compiler and linker leave: a
// function of `weft` that an object has and none of the programs linked from the objects has, where
// the linker dropped what no call, no table of virtual functions and no pointer leads to. That
// wants objects built with WEFT_CALLS_AS_WRITTEN. Not seen: functions that headers define, which no
// object has before somebody calls them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft::house {

struct UncalledFunction {
    std::string name;  // as C++ writes it: "weft::Trainer::clock() const"
    std::string place; // "engine/run/trainer.cpp:95", under the folder that was named

    auto operator<=>(const UncalledFunction&) const = default;
};

// In the order of their names. Throws std::runtime_error, with what nm said.
[[nodiscard]] std::vector<UncalledFunction>
uncalledFunctions(const std::vector<std::filesystem::path>& objects,
                  const std::vector<std::filesystem::path>& programs,
                  const std::filesystem::path& sources);

// What the compiler made, by the list of commands that CMake writes into the folder of a build: the
// objects of sources in or for these folders of the repository.
[[nodiscard]] std::vector<std::filesystem::path> objectsOf(const std::filesystem::path& build,
                                                           const std::vector<std::string>& folders);

// What may stay uncalled, and why: a line "name  # reason" each.
struct UncalledException {
    std::string name; // of a function, or of a file for all that is uncalled in it
    std::string reason;
};
[[nodiscard]] std::vector<UncalledException> readExceptions(std::string_view text);

// A line per function that stands in no exception, and per exception that no function needs or that
// gives no reason.
[[nodiscard]] std::vector<std::string>
judgeUncalled(const std::vector<UncalledFunction>& functions,
              const std::vector<UncalledException>& exceptions);

} // namespace weft::house
