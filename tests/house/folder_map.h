// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of a README as rows: which folder may include which. "May include" is transitive; every
// folder may include itself and the face.

#include "source_tree.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace weft::house {

// A problem and its place.
struct Finding {
    std::string path;
    int line = 0; // 0: the file as a whole
    std::string text;

    bool operator==(const Finding&) const = default;
};
using Findings = std::vector<Finding>;

struct FolderMap {
    std::string base;                // "engine": what the folders are under
    std::string readme;              // where the table stands
    std::map<std::string, int> rows; // folder ("engine/graph") -> line of its row
    std::map<std::string, std::set<std::string>> reach; // folder -> all it may include
    Findings findings; // problems of the table itself: unknown names, cycles

    // The row that a file or folder belongs to: the longest that holds it; empty where none does.
    [[nodiscard]] std::string rowOf(const std::string& path) const;
    [[nodiscard]] bool allows(const std::string& from, const std::string& to) const;
};

// Reads `<base>/README.md`. Rows are `| `folder` | what it holds | `folder` `folder` |`.
[[nodiscard]] FolderMap readMap(const SourceTree& tree, const std::string& base);

inline const std::string face = "engine/include/weft";

} // namespace weft::house
