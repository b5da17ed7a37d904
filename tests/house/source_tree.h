// SPDX-License-Identifier: Apache-2.0
#pragma once
// The repository's own files as the house checks read them: text by line, comments told from code.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft::house {

struct Include {
    int line = 0;
    std::string path; // as written, without its marks
    bool angled = false;
};

struct SourceFile {
    std::string path; // from the root: "engine/graph/graph.h"
    std::vector<std::string> lines;
    std::vector<std::string> code;         // the same lines without comments
    std::vector<std::string> withoutTexts; // and without what stands in quotes
    std::vector<Include> includes;

    [[nodiscard]] bool isHeader() const { return path.ends_with(".h") || path.ends_with(".cuh"); }
    [[nodiscard]] bool isCpp() const;
    [[nodiscard]] bool isUnder(std::string_view folder) const;
    [[nodiscard]] std::string folder() const; // "engine/graph"
    [[nodiscard]] std::string stem() const;   // "graph"
};

struct SourceTree {
    std::filesystem::path root;
    std::vector<SourceFile> files; // in the order of their paths

    [[nodiscard]] const SourceFile* find(std::string_view path) const;
};

// Reads app, engine, ui, tests, packaging, projects, .ci and what lies at the root; no build, no
// data.
[[nodiscard]] SourceTree readTree(const std::filesystem::path& root);

// Returns `text` (one file) without comments and, unless `keepTexts`, without the insides of string
// literals; line numbers are kept.
[[nodiscard]] std::string withoutComments(std::string_view text, bool keepTexts);

} // namespace weft::house
