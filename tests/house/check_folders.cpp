// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <algorithm>
#include <functional>
#include <regex>

namespace weft::house {
namespace {

namespace fs = std::filesystem;

// The file an #include means: beside the one that asks, under engine, ui or app/weft, or of the
// face.
const SourceFile* resolve(const SourceTree& tree, const SourceFile& from, const Include& include) {
    const std::string beside =
        (fs::path(from.folder()) / include.path).lexically_normal().generic_string();
    for (const std::string& candidate :
         {include.angled ? "" : beside,
          include.angled || !from.isUnder("app") ? "" : "app/weft/" + include.path,
          "engine/include/" + include.path, include.angled ? "" : "engine/" + include.path,
          include.angled ? "" : "ui/" + include.path,
          include.angled ? "" : "tests/" + include.path}) {
        if (const SourceFile* file = candidate.empty() ? nullptr : tree.find(candidate)) {
            return file;
        }
    }
    return nullptr;
}

bool isStandard(const std::string& path) {
    static const std::regex form("[a-z_0-9]+");
    return std::regex_match(path, form);
}

bool isFace(const std::string& path) { return path.starts_with("weft/"); }

} // namespace

Findings checkTable(const SourceTree& tree, const FolderMap& map) {
    Findings findings = map.findings;
    std::set<std::string> told;
    for (const SourceFile& file : tree.files) {
        if (file.isCpp() && file.isUnder(map.base) && map.rowOf(file.folder()).empty() &&
            told.insert(file.folder()).second) {
            findings.push_back({file.path, 0, file.folder() + " has no row in " + map.readme});
        }
    }
    return findings;
}

Findings checkRows(const SourceTree& tree, const FolderMap& map) {
    Findings findings;
    for (const auto& [folder, line] : map.rows) {
        const bool exists = std::ranges::any_of(tree.files, [&](const SourceFile& file) {
            return file.isCpp() && file.isUnder(folder);
        });
        if (!exists) {
            findings.push_back({map.readme, line, folder + " is in the table and holds no source"});
        }
    }
    return findings;
}

Findings checkIncludes(const SourceTree& tree, const FolderMap& map) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        const bool mapped = file.isUnder(map.base);
        if (!mapped && !file.isUnder("app")) {
            continue;
        }
        const std::string from = mapped ? map.rowOf(file.folder()) : file.folder();
        for (const Include& include : file.includes) {
            const SourceFile* target = resolve(tree, file, include);
            const bool own = !include.angled || isFace(include.path);
            if (target == nullptr) {
                if (own && !include.path.ends_with(".moc")) {
                    findings.push_back({file.path, include.line, "no file " + include.path});
                }
                continue;
            }
            const std::string to = mapped ? map.rowOf(target->folder()) : target->folder();
            const bool seesFace = to == face || target->isUnder(face);
            const bool allowed = mapped
                                     ? !to.empty() && map.allows(from, to)
                                     : seesFace || target->isUnder("app") || target->isUnder("ui");
            if (!allowed && !seesFace) {
                findings.push_back(
                    {file.path, include.line, from + " may not include " + include.path});
            }
        }
    }
    return findings;
}

Findings checkCircles(const SourceTree& tree) {
    enum class State { fresh, open, done };
    std::map<const SourceFile*, State> states;
    Findings findings;
    const std::function<void(const SourceFile&)> visit = [&](const SourceFile& file) {
        states[&file] = State::open;
        for (const Include& include : file.includes) {
            const SourceFile* next = resolve(tree, file, include);
            if (next == nullptr) {
                continue;
            }
            if (states[next] == State::open) {
                findings.push_back(
                    {file.path, include.line, "a circle: " + next->path + " leads here"});
            } else if (states[next] == State::fresh) {
                visit(*next);
            }
        }
        states[&file] = State::done;
    };
    for (const SourceFile& file : tree.files) {
        if (states[&file] == State::fresh) {
            visit(file);
        }
    }
    return findings;
}

Findings checkFace(const SourceTree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (const Include& include : file.includes) {
            if (file.isUnder(face) && !isFace(include.path) && !isStandard(include.path)) {
                findings.push_back({file.path, include.line,
                                    include.path + " is not std: the face takes no other"});
            }
        }
    }
    return findings;
}

Findings checkThirdPartyInHeaders(const SourceTree& tree) {
    const FolderMap map = readMap(tree, "engine");
    const auto rowOf = [&](const SourceFile& file) {
        const std::string row = map.rowOf(file.folder());
        return row.empty() ? file.folder() : row;
    };
    std::set<const SourceFile*> shared; // headers that another folder includes
    for (const SourceFile& file : tree.files) {
        for (const Include& include : file.includes) {
            const SourceFile* target = resolve(tree, file, include);
            if (target != nullptr && rowOf(*target) != rowOf(file) && !file.isUnder("tests")) {
                shared.insert(target);
            }
        }
    }
    Findings findings;
    for (const SourceFile* file : shared) {
        for (const Include& include : file->includes) {
            const bool allowed = !file->isUnder("engine") || !include.angled ||
                                 isFace(include.path) || isStandard(include.path) ||
                                 include.path == "tl/expected.hpp" ||
                                 include.path == "nlohmann/json_fwd.hpp";
            if (!allowed) {
                findings.push_back(
                    {file->path, include.line,
                     include.path + " belongs in a source: other folders include this header"});
            }
        }
    }
    return findings;
}

Findings checkFolderSizes(const SourceTree& tree) {
    constexpr int most = 25;
    std::map<std::string, int> sizes;
    for (const SourceFile& file : tree.files) {
        const bool isProduct = file.isUnder("engine") || file.isUnder("ui") || file.isUnder("app");
        sizes[file.folder()] += isProduct && file.isCpp() && !file.isHeader() ? 1 : 0;
    }
    Findings findings;
    for (const auto& [folder, size] : sizes) {
        if (size > most) {
            findings.push_back({folder, 0,
                                "holds " + std::to_string(size) + " sources; the limit is " +
                                    std::to_string(most) + ": make subfolders"});
        }
    }
    return findings;
}

Findings checkTopLevel(const SourceTree& tree) {
    // The last two are what building and running leave behind.
    static const std::set<std::string> known = {"CMakeLists.txt",  "CMakePresets.json",
                                                "README.md",       "CHANGELOG.md",
                                                "CONTRIBUTING.md", "SECURITY.md",
                                                "LICENSES",        "app",
                                                "engine",          "ui",
                                                "resources",       "projects",
                                                "tests",           "packaging",
                                                "build",           "runs"};
    Findings findings;
    for (const auto& entry : fs::directory_iterator(tree.root)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with('.') && !known.contains(name)) {
            findings.push_back({name, 0, "the top level is fixed, and has no such entry"});
        }
    }
    return findings;
}

} // namespace weft::house
