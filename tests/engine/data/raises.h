// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers for tests of data: the error that an action throws, and bytes as text or numbers.

#include <weft/error.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::test {

/// The weft::Error that `action` throws, or nothing; any other exception passes on and fails the
/// test.
inline std::optional<Error> errorOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

inline void writeBytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string readBytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <class T>
std::vector<std::byte> bytesOf(const std::vector<T>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    return {bytes.begin(), bytes.end()};
}

template <class T>
std::vector<T> numbersOf(std::span<const std::byte> bytes) {
    std::vector<T> numbers(bytes.size() / sizeof(T));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
    return numbers;
}

} // namespace weft::test
