// SPDX-License-Identifier: Apache-2.0
#pragma once
// Named threads, as shown by debuggers and `top -H`. A thread joins when its handle is destroyed;
// its function must catch its own errors.

#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace weft {

/// The system keeps the first 15 bytes of the name.
void nameThisThread(const std::string& name); ///< for debuggers and top

/// Throws Error{memory}: the system cannot start the thread.
[[noreturn]] void throwThreadError(const std::string& name); ///< for a thread that cannot start

/// `run` may take a std::stop_token.
template <class Run>
[[nodiscard]] std::jthread startThread(const std::string& name, Run&& run) {
    try {
        return std::jthread([name, run = std::forward<Run>(run)](std::stop_token stop) mutable {
            nameThisThread(name);
            if constexpr (std::is_invocable_v<Run&, std::stop_token>) {
                run(std::move(stop));
            } else {
                run();
            }
        });
    } catch (const std::system_error&) {
        throwThreadError(name);
    }
}

} // namespace weft
