// SPDX-License-Identifier: Apache-2.0
#include "panels/data/feed_lines.h"

#include "theme/quantity.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

QString say(const char* text) { return QCoreApplication::translate("data", text); }

QString numbersText(const Shape& shape, const std::string& dtype) {
    const QString type = QString::fromStdString(dtype);
    return shape.empty() ? type : quantity::shape(shape) + ' ' + type;
}

void describeFit(FeedLine& line, const InputFeed& feed, const SampleField* field,
                 const SampleField* meant) {
    switch (feed.fit) {
    case FeedFit::fits: return;
    case FeedFit::converts: line.problem = say("Read as %1").arg(line.inputShape); break;
    case FeedFit::wrong:
        line.problem = say("%1 takes %2, but %3 has %4")
                           .arg(line.input, line.inputShape, line.field, line.fieldShape);
        break;
    case FeedFit::missing:
        line.problem = feed.field.empty() ? say("Nothing feeds it")
                                          : say("The data has no field %1").arg(line.field);
        break;
    }
    if (field != nullptr) {
        line.fixText =
            say("Take %1").arg(numbersText(field->shape, std::string(nameOf(field->dtype))));
        line.fixField = line.field;
    } else if (meant != nullptr) {
        line.fixField = QString::fromStdString(meant->name);
        line.fixText = say("Feed it %1").arg(line.fixField);
    }
}

const SampleField* find(const SampleSource* source, const std::string& name) {
    if (source == nullptr) {
        return nullptr;
    }
    const auto found = std::ranges::find(source->fields, name, &SampleField::name);
    return found == source->fields.end() ? nullptr : &*found;
}

} // namespace

QString exampleText(const SampleField& field) {
    const QString numbers = numbersText(field.shape, std::string(nameOf(field.dtype)));
    return field.classes == 0
               ? numbers
               : say("%1, %2 classes")
                     .arg(numbers, quantity::count(static_cast<double>(field.classes)));
}

std::vector<FeedLine> feedLines(const std::vector<InputFeed>& feeds, const SampleSource* source) {
    std::vector<FeedLine> lines;
    std::vector<bool> isTaken(source == nullptr ? 0 : source->fields.size(), false);
    for (const InputFeed& feed : feeds) {
        const SampleField* field = find(source, feed.field);
        FeedLine line{.field = QString::fromStdString(feed.field),
                      .layer = feed.layer,
                      .input = QString::fromStdString(feed.input),
                      .fieldShape = field == nullptr ? QString() : exampleText(*field),
                      .inputShape = numbersText(feed.shape, feed.dtype)};
        if (source != nullptr) {
            line.fit = feed.fit;
            describeFit(line, feed, field, find(source, feed.meant));
        }
        if (field != nullptr) {
            isTaken[static_cast<std::size_t>(field - source->fields.data())] = true;
        }
        lines.push_back(std::move(line));
    }
    for (std::size_t i = 0; i < isTaken.size(); ++i) {
        if (!isTaken[i]) {
            lines.push_back({.field = QString::fromStdString(source->fields[i].name),
                             .fieldShape = exampleText(source->fields[i])});
        }
    }
    return lines;
}

} // namespace weft::ui
