// SPDX-License-Identifier: Apache-2.0
#include "data/generators/skeleton.h"

#include "data/generators/digit_strokes.h"
#include <weft/error.h>

#include <charconv>

namespace weft::generators {

namespace {

/// Removes a number in hundredths from the front of the text.
float takeNumber(std::string_view& text) {
    int hundredths = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), hundredths);
    ensure(problem == std::errc(), "a form of a digit is made of numbers");
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return static_cast<float>(hundredths) / 100;
}

bool takeSign(std::string_view& text, char sign) {
    const bool isThere = text.starts_with(sign);
    text.remove_prefix(isThere ? 1 : 0);
    return isThere;
}

} // namespace

std::vector<Stroke> parseStrokes(std::string_view text) {
    std::vector<Stroke> strokes(1);
    while (!text.empty()) {
        if (takeSign(text, ' ')) {
            continue;
        }
        if (takeSign(text, '/')) {
            strokes.emplace_back();
            continue;
        }
        StrokePoint point;
        point.at.x = takeNumber(text);
        ensure(takeSign(text, ','), "a point of a form has two numbers");
        point.at.y = takeNumber(text);
        point.isCorner = takeSign(text, '!');
        strokes.back().push_back(point);
        ensure(strokes.size() <= mostStrokes && strokes.back().size() <= mostPointsOfStroke,
               "a form has no more strokes and points than a pen can follow");
    }
    return strokes;
}

std::array<std::vector<Skeleton>, 10> digitSkeletons() {
    std::array<std::vector<Skeleton>, 10> skeletons;
    for (const DigitForm& form : digitForms()) {
        skeletons.at(static_cast<std::size_t>(form.digit))
            .push_back({form.weight, parseStrokes(form.strokes)});
    }
    return skeletons;
}

} // namespace weft::generators
