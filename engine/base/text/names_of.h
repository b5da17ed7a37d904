// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collects the names of a list's elements.

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace weft {

std::vector<std::string> namesOf(const auto& list) {
    std::vector<std::string> names;
    names.reserve(list.size());
    std::ranges::transform(list, std::back_inserter(names),
                           [](const auto& each) { return std::string(each.name); });
    return names;
}

} // namespace weft
