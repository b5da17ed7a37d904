// SPDX-License-Identifier: Apache-2.0
#pragma once
// The process that stands between us and a program that starts others: small, alone in its session,
// deaf to the terminal. It outlives both sides: whichever of them ends first, and however, it ends
// what is left of the program and all that the program started, and removes the program's folders.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// What its owner tells it, a byte each; that the owner is gone, the channel's end tells.
enum class KeeperWord : char {
    mayFinish = 'f', ///< should the owner go, the program gets the time to end by itself
    end = 'e'        ///< end the program now
};

/// What it tells its owner: the program's process as it begins (0: it cannot), and after its end,
/// when nothing of it is left, the status that wait() gave.
struct KeeperAnswer {
    int number = 0;
    bool hasKilled = false; ///< it is the keeper that ended the program
};

struct KeeperOrders {
    std::filesystem::path program;
    std::vector<std::string> arguments;   ///< the first is the program's name
    std::vector<std::string> environment; ///< "NAME=value"
    /// Made before the program begins.
    std::vector<std::filesystem::path> folders;
    int channel = -1;    ///< a socket; its other end is the owner's
    int aside = -1;      ///< a file; what keeps the program from beginning is said there
    int asideNumber = 0; ///< by which the program finds that file
    /// From asking the program to end until it is killed.
    std::chrono::milliseconds grace{0};
};

/// In a child of fork(): all of its life.
[[noreturn]] void keepProgram(const KeeperOrders& orders) noexcept;

/// The processes that this one has started, or was given when their own parent ended.
[[nodiscard]] std::vector<int> childrenOf(int process);

} // namespace weft
