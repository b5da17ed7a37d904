// SPDX-License-Identifier: Apache-2.0
#include "widgets/assignment_glyph.h"

#include <algorithm>

namespace weft::ui {

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
