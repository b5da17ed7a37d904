// SPDX-License-Identifier: Apache-2.0
#include "mutations.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace weft::test {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? ""
                                      : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t begin = 0;
    for (std::size_t end = line.find(" | "); end != std::string::npos;
         end = line.find(" | ", begin)) {
        cells.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 3;
    }
    cells.push_back(trimmed(line.substr(begin)));
    return cells;
}

/// Where the text stands first in what holds it.
std::size_t placeOf(const std::string& source, const Mutation& mutation) {
    const auto refuse = [&](const std::string& what) {
        throw std::runtime_error(mutation.file + ", " + mutation.holder + ": " + what);
    };
    const std::size_t begin = std::min(source.find(" " + mutation.holder + "("),
                                       source.find(" " + mutation.holder + " {"));
    if (begin == std::string::npos) {
        refuse("is not there");
    }
    const std::size_t end = source.find("\n}", begin);
    const std::size_t place = source.find(mutation.from, begin);
    if (place == std::string::npos || place > end) {
        refuse("has no " + mutation.from);
    }
    return place;
}

std::string bothWays(const Mutation& mutation) {
    const std::string condition = "simt::isMutated(" + std::to_string(mutation.number) + ")";
    if (mutation.from.ends_with(";")) {
        return "if (" + condition + ") { " + mutation.to + " } else { " + mutation.from + " }";
    }
    return "(" + condition + " ? (" + mutation.to + ") : (" + mutation.from + "))";
}

} // namespace

std::string textOf(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot read " + path);
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<Mutation> readMutations(const std::string& path) {
    std::istringstream lines(textOf(path));
    std::vector<Mutation> mutations;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with("#")) {
            continue;
        }
        line.append(" ");
        const auto cells = cellsOf(line);
        if (cells.size() != 5) {
            throw std::runtime_error(line.insert(0, path + " has a line without five cells: "));
        }
        mutations.push_back({static_cast<int>(mutations.size()) + 1, cells[0], cells[1], cells[2],
                             cells[3], cells[4]});
    }
    return mutations;
}

std::string planted(const std::string& source, const std::string& file,
                    const std::vector<Mutation>& mutations) {
    std::vector<std::pair<std::size_t, const Mutation*>> places;
    for (const Mutation& mutation : mutations) {
        if (mutation.file == file) {
            places.emplace_back(placeOf(source, mutation), &mutation);
        }
    }
    std::ranges::sort(places, std::greater<>{});
    std::string text = source;
    for (const auto& [place, mutation] : places) {
        text.replace(place, mutation->from.size(), bothWays(*mutation));
    }
    return "#include <simt/mutation.h>\n" + text;
}

} // namespace weft::test
