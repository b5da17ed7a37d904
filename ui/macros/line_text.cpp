// SPDX-License-Identifier: Apache-2.0
#include "macros/line_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <cmath>

namespace weft::ui {

namespace {

QString quoted(const QString& word) {
    const bool isPlain =
        !word.isEmpty() && !word.startsWith('#') && std::ranges::none_of(word, [](QChar sign) {
            return sign.isSpace() || sign == '"' || sign == '\\';
        });
    if (isPlain) {
        return word;
    }
    QString text = word;
    text.replace('\\', QLatin1String("\\\\"));
    text.replace('"', QLatin1String("\\\""));
    text.replace('\n', QLatin1String("\\n"));
    return '"' + text + '"';
}

std::optional<AttributeValue> listOf(const QString& word) {
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(word.toUtf8(), &error);
    if (error.error != QJsonParseError::NoError || !document.isArray()) {
        return std::nullopt;
    }
    std::vector<double> reals;
    for (const auto& one : document.array()) {
        if (!one.isDouble()) {
            return std::nullopt;
        }
        reals.push_back(one.toDouble());
    }
    const bool isReal = std::ranges::any_of(
        word, [](QChar sign) { return sign == '.' || sign == 'e' || sign == 'E'; });
    if (isReal) {
        return reals;
    }
    return std::vector<std::int64_t>(reals.begin(), reals.end());
}

} // namespace

std::optional<QStringList> splitLine(const QString& line) {
    QStringList words;
    QString word;
    bool isQuoted = false;
    bool isWord = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar sign = line[i];
        if (isQuoted && sign == '\\' && i + 1 < line.size()) {
            const QChar next = line[++i];
            word += next == 'n' ? QChar('\n') : next;
        } else if (sign == '"') {
            isQuoted = !isQuoted;
            isWord = true;
        } else if (isQuoted || !sign.isSpace()) {
            if (!isWord && words.isEmpty() && sign == '#') {
                return QStringList();
            }
            word += sign;
            isWord = true;
        } else if (std::exchange(isWord, false)) {
            words << std::exchange(word, {});
        }
    }
    if (isWord) {
        words << word;
    }
    return isQuoted ? std::nullopt : std::optional(words);
}

QString joinWords(const QStringList& words) {
    QStringList texts;
    for (const QString& word : words) {
        texts << quoted(word);
    }
    return texts.join(' ');
}

AttributeValue parseValue(const QString& word) {
    if (word == QLatin1String("true") || word == QLatin1String("false")) {
        return word == QLatin1String("true");
    }
    bool isNumber = false;
    if (const qlonglong integer = word.toLongLong(&isNumber); isNumber) {
        return static_cast<std::int64_t>(integer);
    }
    if (const double real = word.toDouble(&isNumber); isNumber && std::isfinite(real)) {
        return real;
    }
    if (word.startsWith('[')) {
        if (const auto list = listOf(word)) {
            return *list;
        }
    }
    if (word.startsWith('"')) {
        const QJsonDocument text = QJsonDocument::fromJson(("[" + word + "]").toUtf8());
        if (text.array().size() == 1 && text[0].isString()) {
            return text[0].toString().toStdString();
        }
    }
    return word.toStdString();
}

QString valueText(const AttributeValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        QString plain = QString::fromStdString(*text);
        if (!plain.isEmpty() && !plain.startsWith('=') && parseValue(plain) == value) {
            return plain;
        }
    }
    QString word = QString::fromStdString(toString(value));
    if (word.startsWith('[')) {
        word.remove(' ');
    }
    return word;
}

std::optional<Assignment> parseAssignment(const QStringList& words) {
    Assignment made;
    LineWords left(words);
    while (!left.isEnd()) {
        if (left.takeIf(QLatin1String("on"))) {
            for (const QString& device : left.takeUntil(QLatin1String("as"))) {
                made.devices.push_back(device.toStdString());
            }
            if (left.takeIf(QLatin1String("as"))) {
                for (const QString& extent : left.next().split('x')) {
                    made.mesh.push_back(extent.toLongLong());
                }
            }
            return left.isEnd() && !made.devices.empty() ? std::optional(made) : std::nullopt;
        }
        const auto word = axisWordNamed(left.next().toStdString());
        if (!word) {
            return std::nullopt;
        }
        made.words.push_back(*word);
    }
    return made.words.empty() ? std::nullopt : std::optional(made);
}

QStringList assignmentWords(const Assignment& assignment) {
    QStringList words;
    const auto add = [&](std::string_view word) {
        words << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    };
    for (const AxisWord word : assignment.words) {
        add(nameOf(word));
    }
    if (!assignment.devices.empty()) {
        words << QStringLiteral("on");
        for (const std::string& device : assignment.devices) {
            add(device);
        }
    }
    if (!assignment.mesh.empty()) {
        QStringList extents;
        for (const std::int64_t extent : assignment.mesh) {
            extents << QString::number(extent);
        }
        words << QStringLiteral("as") << extents.join('x');
    }
    return words;
}

bool LineWords::takeIf(QLatin1String word) {
    if (words_.isEmpty() || words_.front() != word) {
        return false;
    }
    words_.removeFirst();
    return true;
}

QStringList LineWords::takeUntil(QLatin1String word) {
    QStringList taken;
    while (!words_.isEmpty() && words_.front() != word) {
        taken << words_.takeFirst();
    }
    return taken;
}

std::optional<double> LineWords::takeNumber() {
    bool isNumber = false;
    const double value = words_.value(0).toDouble(&isNumber);
    if (!isNumber || !std::isfinite(value)) {
        return std::nullopt;
    }
    words_.removeFirst();
    return value;
}

std::optional<std::int64_t> LineWords::takeInteger() {
    bool isNumber = false;
    const qlonglong value = words_.value(0).toLongLong(&isNumber);
    if (!isNumber) {
        return std::nullopt;
    }
    words_.removeFirst();
    return value;
}

} // namespace weft::ui
