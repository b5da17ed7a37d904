// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each of a list is called.

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
