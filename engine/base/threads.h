// SPDX-License-Identifier: Apache-2.0
#pragma once
// Threads with names, as a debugger and `top -H` show them. A thread joins when its handle goes;
// what it runs catches its own errors.

#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace weft {

/// The system keeps the first 15 bytes.
void nameThisThread(const std::string& name);

/// Throws Error{memory}: the system gives no thread of that name.
[[noreturn]] void refuseThread(const std::string& name);

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
        refuseThread(name);
    }
}

} // namespace weft
