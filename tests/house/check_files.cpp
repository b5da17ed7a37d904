// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <algorithm>
#include <map>
#include <regex>

namespace weft::house {
namespace {

bool wantsLicence(const SourceFile& file) {
    const std::string& path = file.path;
    return file.isCpp() || path.ends_with(".cmake") || path.ends_with("CMakeLists.txt") ||
           path.ends_with(".py") || path.ends_with(".sh") || path.ends_with(".in") ||
           (!file.lines.empty() && file.lines[0].starts_with("#!"));
}

// A table of data may be long, and then holds nothing else; its first comment says so.
bool isTable(const SourceFile& file) {
    return file.lines.size() > 1 && file.lines[1].starts_with("// Table: ");
}

std::size_t limitOf(const SourceFile& file) {
    if (file.isUnder(face)) {
        return 250;
    }
    return file.isHeader() ? 400 : 900;
}

} // namespace

Findings checkQuotes(const SourceTree& tree) {
    static const std::regex name("`([a-z_/-]+/[A-Za-z_.]+)`:$");
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (std::size_t i = 0; file.path.ends_with(".md") && i + 2 < file.lines.size(); ++i) {
            std::smatch match;
            if (!std::regex_search(file.lines[i], match, name) || !file.lines[i + 1].empty() ||
                !file.lines[i + 2].starts_with("```")) {
                continue;
            }
            const SourceFile* quoted = tree.find(match[1].str());
            const auto begin = file.lines.begin() + static_cast<std::ptrdiff_t>(i) + 3;
            const auto end = std::find(begin, file.lines.end(), "```");
            if (quoted == nullptr ||
                !std::equal(begin, end, quoted->lines.begin(), quoted->lines.end())) {
                findings.push_back({file.path, static_cast<int>(i) + 3,
                                    "quotes " + match[1].str() + ", which is not so"});
            }
        }
    }
    return findings;
}

Findings checkLicences(const SourceTree& tree) {
    const std::string wanted = "SPDX-License-Identifier: Apache-2.0";
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!wantsLicence(file)) {
            continue;
        }
        bool found = false;
        for (std::size_t i = 0; i < 2 && i < file.lines.size(); ++i) {
            found = found || file.lines[i].ends_with(wanted);
        }
        if (!found) {
            findings.push_back({file.path, 1, "does not begin with " + wanted});
        }
    }
    return findings;
}

Findings checkHeaders(const SourceTree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!file.isHeader()) {
            continue;
        }
        std::size_t at = 1;
        while (at < file.lines.size() && file.lines[at].empty()) {
            ++at;
        }
        if (at >= file.lines.size() || file.lines[at] != "#pragma once") {
            findings.push_back({file.path, 2, "#pragma once follows the licence"});
            continue;
        }
        ++at;
        while (at < file.lines.size() && file.lines[at].empty()) {
            ++at;
        }
        if (at >= file.lines.size() || !file.lines[at].starts_with("//")) {
            findings.push_back(
                {file.path, static_cast<int>(at) + 1,
                 "a first comment says what this is, what holds, who owns, which thread"});
        }
    }
    return findings;
}

Findings checkLengths(const SourceTree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (file.isCpp() && !isTable(file) && file.lines.size() > limitOf(file)) {
            findings.push_back({file.path, static_cast<int>(limitOf(file)) + 1,
                                std::to_string(file.lines.size()) + " lines; the limit is " +
                                    std::to_string(limitOf(file)) + ": make two"});
        }
    }
    return findings;
}

Findings checkNames(const SourceTree& tree) {
    static const std::regex fileForm("[a-z0-9_]+");
    static const std::regex emptyWord("(^|_)(utils?|helpers?|common|misc|manager|impl)(_|$)");
    static const std::regex type(
        R"(\b(?:class|struct)\s+(\w*(?:Utils?|Helpers?|Common|Misc|Manager|Impl|Base))\b)");
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!file.isCpp()) {
            continue;
        }
        if (!std::regex_match(file.stem(), fileForm)) {
            findings.push_back({file.path, 0, "files are named in snake_case"});
        }
        if (std::regex_search(file.stem(), emptyWord)) {
            findings.push_back(
                {file.path, 0, file.stem() + " says nothing: name what the file holds"});
        }
        for (std::size_t i = 0; i < file.withoutTexts.size(); ++i) {
            std::smatch match;
            if (std::regex_search(file.withoutTexts[i], match, type)) {
                findings.push_back({file.path, static_cast<int>(i) + 1,
                                    match[1].str() + " says nothing: name what it is"});
            }
        }
    }
    return findings;
}

Findings checkTypesAreOne(const SourceTree& tree) {
    static const std::regex space(R"(^namespace ([\w:]+) \{)");
    static const std::regex type(R"(^(?:class|struct|enum class) (\w+)(?: final)?(?: :| \{|$))");
    std::map<std::string, std::string> places;
    Findings findings;
    for (const SourceFile& file : tree.files) {
        std::string in;
        for (std::size_t i = 0; file.isHeader() && i < file.code.size(); ++i) {
            std::smatch match;
            if (std::regex_search(file.code[i], match, space)) {
                in = match[1].str() + "::";
            } else if (std::regex_search(file.code[i], match, type)) {
                const auto [known, isNew] = places.try_emplace(in + match[1].str(), file.path);
                if (!isNew) {
                    findings.push_back({file.path, static_cast<int>(i) + 1,
                                        known->first + " is in " + known->second + " too"});
                }
            }
        }
    }
    return findings;
}

Findings checkMarks(const SourceTree& tree) {
    // Written in halves, so that this file is not among what it finds.
    static const std::regex marks("\\b(TO"
                                  "DO|FIX"
                                  "ME|XX"
                                  "X|HA"
                                  "CK)\\b|not imple"
                                  "mented|^\\s*#\\s*if 0");
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            std::smatch match;
            if (std::regex_search(file.lines[i], match, marks)) {
                findings.push_back(
                    {file.path, static_cast<int>(i) + 1, "unfinished: " + match[0].str()});
            }
        }
    }
    return findings;
}

} // namespace weft::house
