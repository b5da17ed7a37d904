// SPDX-License-Identifier: Apache-2.0
#include "panels/data/shown_samples.h"

#include "panels/data/feed_lines.h"
#include "theme/quantity.h"
#include "widgets/picture_image.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace weft::ui {

namespace {

enum class Sort : std::uint8_t { picture, sequence, label, numbers };

Sort sortOf(const SampleField& field) {
    if (field.shape.empty()) {
        return Sort::label;
    }
    if (field.classes > 0) {
        return Sort::sequence;
    }
    return field.shape.size() == 3 || field.shape.size() == 2 ? Sort::picture : Sort::numbers;
}

const SampleField* firstThat(const SampleSource& source, auto&& fits) {
    const auto found = std::ranges::find_if(source.fields, fits);
    return found == source.fields.end() ? nullptr : &*found;
}

/// All pictures share one range, so that dark pictures stay dark.
struct Range {
    float least = std::numeric_limits<float>::max();
    float most = std::numeric_limits<float>::lowest();
};

Range rangeOf(const std::vector<float>& numbers) {
    Range range;
    for (const float number : numbers) {
        if (std::isfinite(number)) {
            range.least = std::min(range.least, number);
            range.most = std::max(range.most, number);
        }
    }
    return range;
}

/// Draws one channel in grey, three or four as RGB, otherwise the first channel.
QImage pictureOf(const Shape& shape, std::span<const float> numbers, const Range& range,
                 std::int64_t frames) {
    const std::int64_t channels = shape.size() == 3 ? shape[0] / frames : 1;
    Picture picture{.channels = channels == 3 || channels == 4 ? 3 : 1,
                    .rows = shape[shape.size() - 2],
                    .columns = shape.back(),
                    .pixels = {}};
    numbers =
        numbers.first(static_cast<std::size_t>(picture.channels * picture.rows * picture.columns));
    picture.pixels.reserve(numbers.size());
    const float span = std::max(range.most - range.least, std::numeric_limits<float>::min());
    constexpr float white = 255;
    for (const float number : numbers) {
        const float share = std::isfinite(number) ? (number - range.least) / span : 0.5F;
        picture.pixels.push_back(static_cast<std::uint8_t>(std::lround(share * white)));
    }
    constexpr int largest = 256; // larger pictures are scaled down
    const QImage image = imageOf(picture);
    return std::max(image.width(), image.height()) <= largest
               ? image
               : image.scaled(largest, largest, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

QString nameOfClass(const std::vector<std::string>& names, float id) {
    const auto number = static_cast<std::size_t>(std::max(id, 0.0F));
    return number < names.size() ? QString::fromStdString(names[number]) : QString::number(number);
}

/// Joins characters; escapes those that would break the line.
QString sequenceOf(const std::vector<std::string>& names, std::span<const float> ids) {
    // Non-printable characters are escaped as in C: "\\n", "\\xe4".
    const bool areCharacters =
        !names.empty() && std::ranges::all_of(names, [](const std::string& name) {
            return name.size() == 1 || name.starts_with('\\');
        });
    QStringList words;
    for (const float id : ids) {
        words << nameOfClass(names, id);
    }
    return words.join(areCharacters ? QString() : QStringLiteral(" "))
        .replace(QStringLiteral("\\n"), QStringLiteral("↵"))
        .replace(QStringLiteral("\\t"), QStringLiteral("→"));
}

QString numbersOf(std::span<const float> numbers) {
    constexpr std::size_t most = 16;
    QStringList words;
    for (const float number : numbers.first(std::min(most, numbers.size()))) {
        words << quantity::number(number);
    }
    return words.join(QStringLiteral("  ")) + (numbers.size() > most ? QStringLiteral(" …") : "");
}

} // namespace

std::vector<ShownSample> shownSamples(const SampleSource& source, const Samples& samples,
                                      std::int64_t frames) {
    const SampleField* shown =
        firstThat(source, [](const SampleField& field) { return sortOf(field) == Sort::picture; });
    if (shown == nullptr) {
        shown = firstThat(source,
                          [](const SampleField& field) { return sortOf(field) != Sort::label; });
    }
    const SampleField* label =
        firstThat(source, [](const SampleField& field) { return sortOf(field) == Sort::label; });
    const auto numbersNamed = [&](const SampleField* field) -> const TensorNumbers* {
        const auto found =
            field == nullptr ? samples.fields.end()
                             : std::ranges::find(samples.fields, field->name, &TensorNumbers::name);
        return found == samples.fields.end() ? nullptr : &*found;
    };
    const TensorNumbers* values = numbersNamed(shown);
    const TensorNumbers* labels = numbersNamed(label);
    std::vector<ShownSample> made;
    if (values == nullptr || values->shape.empty()) {
        return made;
    }
    const auto each = static_cast<std::size_t>(elementsOf(shown->shape));
    const Range range = rangeOf(values->numbers);
    for (std::size_t i = 0; each > 0 && (i + 1) * each <= values->numbers.size(); ++i) {
        const auto numbers = std::span(values->numbers).subspan(i * each, each);
        ShownSample sample;
        switch (sortOf(*shown)) {
        case Sort::picture: sample.picture = pictureOf(shown->shape, numbers, range, frames); break;
        case Sort::sequence: sample.text = sequenceOf(samples.classNames, numbers); break;
        default: sample.text = numbersOf(numbers);
        }
        if (labels != nullptr && i < labels->numbers.size()) {
            sample.label = label->classes > 0 || !samples.classNames.empty()
                               ? nameOfClass(samples.classNames, labels->numbers[i]).simplified()
                               : numbersOf(std::span(labels->numbers).subspan(i, 1));
        }
        made.push_back(std::move(sample));
    }
    return made;
}

QString fieldsText(const SampleSource& source) {
    QStringList words;
    for (const SampleField& field : source.fields) {
        words << QString::fromStdString(field.name) + ' ' + exampleText(field);
    }
    return words.join(QStringLiteral(" · "));
}

} // namespace weft::ui
