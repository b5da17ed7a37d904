// SPDX-License-Identifier: Apache-2.0
#include "source_tree.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace weft::house {
namespace {

namespace fs = std::filesystem;

bool isText(const fs::path& path) {
    static const std::vector<std::string> extensions = {".cpp", ".h",    ".cu",  ".cuh", ".cmake",
                                                        ".txt", ".py",   ".in",  ".sh",  ".weft",
                                                        ".md",  ".json", ".yml", ""};
    return std::ranges::find(extensions, path.extension().string()) != extensions.end();
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::vector<Include> includesOf(const SourceFile& file) {
    static const std::regex form(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
    std::vector<Include> includes;
    for (std::size_t i = 0; i < file.code.size(); ++i) {
        const bool inText = file.withoutTexts[i].find('#') == std::string::npos;
        std::smatch match;
        if (!inText && std::regex_search(file.code[i], match, form)) {
            includes.push_back({static_cast<int>(i) + 1, match[2], match[1] == "<"});
        }
    }
    return includes;
}

SourceFile read(const fs::path& root, const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    SourceFile file;
    file.path = fs::relative(path, root).generic_string();
    file.lines = split(text);
    if (file.isCpp()) {
        file.code = split(withoutComments(text, true));
        file.withoutTexts = split(withoutComments(text, false));
        file.includes = includesOf(file);
    }
    return file;
}

// Where a raw string beginning at `begin` (its R) ends: one past the closing quote.
std::size_t endOfRaw(std::string_view text, std::size_t begin) {
    const std::size_t open = text.find('(', begin);
    if (open == std::string_view::npos) {
        return text.size();
    }
    const std::string close = ")" + std::string(text.substr(begin + 2, open - begin - 2)) + "\"";
    const std::size_t at = text.find(close, open);
    return at == std::string_view::npos ? text.size() : at + close.size();
}

std::size_t endOfQuoted(std::string_view text, std::size_t begin) {
    std::size_t at = begin + 1;
    while (at < text.size() && text[at] != text[begin] && text[at] != '\n') {
        at += text[at] == '\\' ? 2 : 1;
    }
    return std::min(at + 1, text.size());
}

std::size_t endOfComment(std::string_view text, std::size_t begin) {
    const bool line = text[begin + 1] == '/';
    const std::size_t at = text.find(line ? "\n" : "*/", begin + 2);
    return at == std::string_view::npos ? text.size() : at + (line ? 0 : 2);
}

void appendBlank(std::string& result, std::string_view part) {
    for (const char c : part) {
        result += c == '\n' ? '\n' : ' ';
    }
}

} // namespace

bool SourceFile::isCpp() const {
    return isHeader() || path.ends_with(".cpp") || path.ends_with(".cu");
}

bool SourceFile::isUnder(std::string_view folder) const {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string SourceFile::folder() const { return fs::path(path).parent_path().generic_string(); }

std::string SourceFile::stem() const { return fs::path(path).stem().string(); }

const SourceFile* SourceTree::find(std::string_view path) const {
    const auto at = std::ranges::find(files, path, &SourceFile::path);
    return at == files.end() ? nullptr : &*at;
}

SourceTree readTree(const fs::path& root) {
    SourceTree tree{root, {}};
    for (const char* top : {"app", "engine", "ui", "tests", "packaging", "projects", ".ci"}) {
        if (!fs::is_directory(root / top)) {
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const bool corpus = entry.path().string().find("/corpus/") != std::string::npos;
            if (entry.is_regular_file() && isText(entry.path()) && !corpus) {
                tree.files.push_back(read(root, entry.path()));
            }
        }
    }
    for (const auto& entry : fs::directory_iterator(root)) {
        if (entry.is_regular_file() && isText(entry.path()) && entry.path().filename() != ".git") {
            tree.files.push_back(read(root, entry.path()));
        }
    }
    std::ranges::sort(tree.files, {}, &SourceFile::path);
    return tree;
}

std::string withoutComments(std::string_view text, bool keepTexts) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        const char before = at > 0 ? text[at - 1] : ' ';
        if (c == '/' && (next == '/' || next == '*')) {
            const std::size_t end = endOfComment(text, at);
            appendBlank(result, text.substr(at, end - at));
            at = end;
            continue;
        }
        const bool digitMark = c == '\'' && std::isxdigit(static_cast<unsigned char>(before)) != 0;
        const bool raw =
            c == 'R' && next == '"' && std::isalnum(static_cast<unsigned char>(before)) == 0;
        if (!raw && ((c != '"' && c != '\'') || digitMark)) {
            result += c;
            ++at;
            continue;
        }
        const std::size_t end = raw ? endOfRaw(text, at) : endOfQuoted(text, at);
        if (keepTexts) {
            result += text.substr(at, end - at);
        } else {
            appendBlank(result, text.substr(at, end - at));
        }
        at = end;
    }
    return result;
}

} // namespace weft::house
