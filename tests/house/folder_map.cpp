// SPDX-License-Identifier: Apache-2.0
#include "folder_map.h"

#include <regex>

namespace weft::house {
namespace {

std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t begin = 1;
    for (std::size_t at = line.find('|', begin); at != std::string::npos;
         at = line.find('|', begin)) {
        cells.push_back(line.substr(begin, at - begin));
        begin = at + 1;
    }
    return cells;
}

std::vector<std::string> namesIn(const std::string& cell) {
    static const std::regex quoted("`([a-z_/]+)`");
    std::vector<std::string> names;
    for (auto it = std::sregex_iterator(cell.begin(), cell.end(), quoted);
         it != std::sregex_iterator(); ++it) {
        names.push_back((*it)[1]);
    }
    return names;
}

using Edges = std::map<std::string, std::set<std::string>>;

// Adds all that `folder` leads to; false where it leads back to `start`.
bool follow(const Edges& edges, const std::string& folder, const std::string& start,
            std::set<std::string>& reached) {
    const auto at = edges.find(folder);
    if (at == edges.end()) {
        return true;
    }
    for (const std::string& next : at->second) {
        if (next == start) {
            return false;
        }
        if (reached.insert(next).second && !follow(edges, next, start, reached)) {
            return false;
        }
    }
    return true;
}

} // namespace

std::string FolderMap::rowOf(const std::string& path) const {
    for (std::string folder = path; !folder.empty();) {
        if (rows.contains(folder)) {
            return folder;
        }
        const std::size_t slash = folder.rfind('/');
        folder = slash == std::string::npos ? "" : folder.substr(0, slash);
    }
    return "";
}

bool FolderMap::allows(const std::string& from, const std::string& to) const {
    return from == to || to == face || (reach.contains(from) && reach.at(from).contains(to));
}

FolderMap readMap(const SourceTree& tree, const std::string& base) {
    const std::string inside = base + "/";
    FolderMap map{base, inside + "README.md", {}, {}, {}};
    const SourceFile* readme = tree.find(map.readme);
    if (readme == nullptr) {
        map.findings.push_back({map.readme, 0, "is missing: it holds the table of the folders"});
        return map;
    }
    Edges edges;
    for (std::size_t i = 0; i < readme->lines.size(); ++i) {
        const std::string& line = readme->lines[i];
        const std::vector<std::string> cells =
            line.starts_with("| `") ? cellsOf(line) : std::vector<std::string>{};
        if (cells.size() != 3 || namesIn(cells[0]).size() != 1) {
            continue;
        }
        const std::string folder = inside + namesIn(cells[0])[0];
        map.rows[folder] = static_cast<int>(i) + 1;
        for (const std::string& name : namesIn(cells[2])) {
            edges[folder].insert(inside + name);
        }
    }
    for (const auto& [folder, line] : map.rows) {
        for (const std::string& to : edges[folder]) {
            if (!map.rows.contains(to)) {
                map.findings.push_back({map.readme, line, to + " has no row of its own"});
            }
        }
        if (!follow(edges, folder, folder, map.reach[folder])) {
            map.findings.push_back({map.readme, line, folder + " leads back to itself"});
        }
    }
    return map;
}

} // namespace weft::house
