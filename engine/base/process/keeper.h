// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small supervisor process between this process and a program that starts others, in a session of
// its own. When either side ends in any way, it kills what is left of the program and its children,
// and removes the program's folders.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// One-byte commands from the owner; the end of the channel means that the owner is gone.
enum class KeeperCommand : char {
    mayFinish = 'f', ///< if the owner ends, the program gets time to end by itself
    end = 'e'        ///< end the program now
};

/// Messages to the owner: first the program's process id (0: it could not start), and after the end
/// of all its processes the status from wait().
struct KeeperAnswer {
    int number = 0;         ///< first the process id, later the status from wait()
    bool hasKilled = false; ///< true: the keeper killed the program
};

struct KeeperOrders {
    std::filesystem::path program;
    std::vector<std::string> arguments;   ///< starting with the program's name
    std::vector<std::string> environment; ///< "NAME=value"
    /// Folders created before the program starts.
    std::vector<std::filesystem::path> folders; ///< created first, removed at the end
    int channel = -1;                           ///< a socket; the owner has its other end
    int sideFile = -1;      ///< a file for the reason why the program could not start
    int sideFileNumber = 0; ///< descriptor under which the program finds that file
    /// Time between asking the program to end and killing it.
    std::chrono::milliseconds grace{0}; ///< time between asking the program to end and killing it
};

/// The main function of the keeper, in a child of fork().
[[noreturn]] void runKeeper(const KeeperOrders& orders) noexcept;

/// Returns the child processes of `process`, including those it adopted.
[[nodiscard]] std::vector<int> childrenOf(int process); ///< ids

} // namespace weft
