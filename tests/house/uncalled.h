// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds functions of `weft` that no program calls, from the symbol tables of compiler and linker: a
// function in an object file that is in none of the linked programs, because the linker drops
// functions without a call, vtable entry or pointer. Needs objects built with
// WEFT_CALLS_AS_WRITTEN. Does not find unused functions in headers, since no object contains them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft::house {

struct UncalledFunction {
    std::string name;  // as C++ writes it: "weft::Trainer::clock() const"
    std::string place; // "engine/run/train/trainer.cpp:95", under the folder that was named

    auto operator<=>(const UncalledFunction&) const = default;
};

// In the order of their names. Throws std::runtime_error, with what nm said.
[[nodiscard]] std::vector<UncalledFunction>
uncalledFunctions(const std::vector<std::filesystem::path>& objects,
                  const std::vector<std::filesystem::path>& programs,
                  const std::filesystem::path& sources);

// Returns the object files of these folders' sources, from the compile commands that CMake writes
// into the build folder.
[[nodiscard]] std::vector<std::filesystem::path> objectsOf(const std::filesystem::path& build,
                                                           const std::vector<std::string>& folders);

// A function that may stay uncalled, with the reason: one line "name  # reason" each.
struct UncalledException {
    std::string name; // name of a function, or of a file for all uncalled functions in it
    std::string reason;
};
[[nodiscard]] std::vector<UncalledException> readExceptions(std::string_view text);

// A line per function that stands in no exception, and per exception that no function needs or that
// gives no reason.
[[nodiscard]] std::vector<std::string>
judgeUncalled(const std::vector<UncalledFunction>& functions,
              const std::vector<UncalledException>& exceptions);

} // namespace weft::house
