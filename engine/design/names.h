// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names of layers, groups and ports: which may be, how a new one is made by counting.

#include <weft/design.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

inline constexpr std::size_t longestName = 200; ///< bytes

/// Text without control characters, "/", "[", "]", "->" and blanks at its ends, at most so many
/// bytes. Port names have no dots either.
[[nodiscard]] bool isLayerName(std::string_view name);
[[nodiscard]] bool isPortName(std::string_view name);
/// A word usable in an expression: letters, digits and _, not starting with a digit.
[[nodiscard]] bool isParameterName(std::string_view name);

/// Hands out names that are not taken: "conv" while it is free, then "conv2", "conv3"; what ends in
/// a number counts on from there.
class NameMaker {
public:
    NameMaker() = default;
    explicit NameMaker(const Network& network);

    [[nodiscard]] bool isTaken(std::string_view name) const { return taken_.contains(name); }
    /// False when it was taken already.
    bool take(std::string_view name) { return taken_.emplace(name).second; }
    std::string unique(std::string_view wanted);
    /// "conv1", "conv2": the first has a number too.
    std::string counted(std::string_view stem);

private:
    std::set<std::string, std::less<>> taken_;
    std::map<std::string, std::int64_t, std::less<>> reached_; ///< stem -> number last handed out
};

[[nodiscard]] NameMaker groupNames(const Design& design);

/// One more than the largest id in use, or the first free one where that is taken.
[[nodiscard]] LayerId freeLayerId(const Network& network);

} // namespace weft
