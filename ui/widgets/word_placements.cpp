// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/word_placements.h"

#include <algorithm>

namespace weft::ui {

WordPlacements placementsOf(const std::vector<AxisWord>& words, const std::string& made) {
    WordPlacements all;
    std::string_view left = made;
    for (const AxisWord word : words) {
        const std::size_t end = std::min(left.find(' '), left.size());
        const std::string here(left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
        const auto add = [&all](const std::string& x, const char* weight, const std::string& y) {
            for (auto [list, one] :
                 {std::pair{&all.x, x}, {&all.weight, std::string(weight)}, {&all.y, y}}) {
                *list += (list->empty() ? "" : " ") + one;
            }
        };
        switch (word) {
        case AxisWord::data:
        case AxisWord::batch: add("S(0)", "R", "S(0)"); break;
        case AxisWord::modelStack: add("R", "S(0)", here.empty() ? "S(1)" : here); break;
        case AxisWord::modelAdd: add("S(1)", "S(1)", "P"); break;
        case AxisWord::spaceRows: add("S(2)", "R", "S(2)"); break;
        case AxisWord::spaceColumns: add("S(3)", "R", "S(3)"); break;
        case AxisWord::replicate: add("R", "R", "R"); break;
        case AxisWord::follow:
            add(here.empty() ? "R" : here, "R", here.empty() ? "R" : here);
            break;
        }
    }
    return all;
}

QString glyphOf(const std::vector<AxisWord>& words, std::size_t devices) {
    if (devices <= 1) {
        return QStringLiteral("glyphs/single");
    }
    std::vector<AxisWord> said;
    std::ranges::copy_if(words, std::back_inserter(said),
                         [](AxisWord word) { return word != AxisWord::follow; });
    if (said.empty()) {
        return {};
    }
    return said.size() > 1
               ? QStringLiteral("glyphs/mesh")
               : "glyphs/" + QString::fromStdString(std::string(nameOf(said[0]))).replace('.', '-');
}

} // namespace weft::ui
