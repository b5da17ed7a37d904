// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names of layers, groups and ports: which are valid, and how unique names are made by counting.

#include <weft/design.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

inline constexpr std::size_t longestName = 200; ///< bytes

/// True for text of limited length without control characters, "/", "[", "]", "->" and blanks at
/// its ends. Port names may not contain dots either.
[[nodiscard]] bool isLayerName(std::string_view name);
[[nodiscard]] bool isPortName(std::string_view name);
/// True for a word that expressions can use: letters, digits and _, not starting with a digit.
[[nodiscard]] bool isParameterName(std::string_view name);

/// Makes unique names: "conv" if it is free, then "conv2", "conv3"; a name that ends in a number
/// continues from that number.
class NameMaker {
public:
    NameMaker() = default;
    explicit NameMaker(const Network& network);

    [[nodiscard]] bool isTaken(std::string_view name) const { return taken_.contains(name); }
    /// Returns false if the name is taken already.
    bool take(std::string_view name) { return taken_.emplace(name).second; }
    std::string unique(std::string_view wanted); ///< takes it or a numbered variant
    /// Returns "conv1", "conv2", ...: the first name has a number, too.
    std::string counted(std::string_view stem);

private:
    std::set<std::string, std::less<>> taken_;                 ///< names in use
    std::map<std::string, std::int64_t, std::less<>> reached_; ///< stem -> last number used
};

[[nodiscard]] NameMaker groupNames(const Design& design);

/// Returns the largest id in use plus one, or the first free id if that is out of range.
[[nodiscard]] LayerId freeLayerId(const Network& network);

} // namespace weft
