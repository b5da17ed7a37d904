// SPDX-License-Identifier: Apache-2.0
#include "theme/token_reader.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

namespace weft::ui {

namespace {

void list(const QJsonObject& object, const QString& prefix, QStringList& paths) {
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QString path = prefix.isEmpty() ? it.key() : prefix + '.' + it.key();
        paths << path;
        if (it.value().isObject()) {
            list(it.value().toObject(), path, paths);
        }
    }
}

} // namespace

TokenReader::TokenReader(const QByteArray& json)
    : root_(QJsonDocument::fromJson(json).object()), object_(root_) {
    if (root_.isEmpty()) {
        faults_ << QStringLiteral("the tokens are not a JSON object");
    }
}

void TokenReader::enter(const QString& key, const std::function<void()>& inside) {
    const QJsonObject outside = object_;
    object_ = take(key).toObject();
    if (object_.isEmpty()) {
        fault(key, QStringLiteral("is not an object"));
    }
    path_ << key;
    inside();
    path_.removeLast();
    object_ = outside;
}

void TokenReader::each(const QString& key, const std::function<void()>& inside) {
    const QJsonArray items = take(key).toArray();
    if (items.isEmpty()) {
        fault(key, QStringLiteral("is not a list"));
    }
    const QJsonObject outside = object_;
    path_ << key;
    for (const auto& item : items) {
        object_ = item.toObject();
        inside();
    }
    path_.removeLast();
    object_ = outside;
}

void TokenReader::colours(std::initializer_list<std::pair<QString, QColor*>> fields) {
    for (const auto& [key, colour] : fields) {
        *colour = QColor(take(key).toString());
        if (!colour->isValid()) {
            fault(key, QStringLiteral("is not a colour"));
        }
    }
}

void TokenReader::colourList(const QString& key, std::span<QColor> colours) {
    const QJsonArray items = take(key).toArray();
    for (std::size_t i = 0; i < colours.size(); ++i) {
        colours[i] = QColor(items.at(static_cast<qsizetype>(i)).toString());
    }
    if (items.size() != static_cast<qsizetype>(colours.size()) || !colours.back().isValid()) {
        fault(key, QStringLiteral("is not a list of %1 colours").arg(colours.size()));
    }
}

void TokenReader::numbers(std::initializer_list<std::pair<const char*, int*>> fields) {
    for (const auto& [key, value] : fields) {
        const QJsonValue found = take(QLatin1String(key));
        *value = found.toInt();
        if (!found.isDouble()) {
            fault(QLatin1String(key), QStringLiteral("is not a number"));
        }
    }
}

void TokenReader::number(const QString& key, double& value) {
    const QJsonValue found = take(key);
    value = found.toDouble();
    if (!found.isDouble()) {
        fault(key, QStringLiteral("is not a number"));
    }
}

void TokenReader::numberOrNull(const QString& key, double& value) {
    if (object_.value(key).isNull()) {
        skip(key);
    } else {
        number(key, value);
    }
}

void TokenReader::numberList(const QString& key, std::vector<double>& values) {
    for (const auto& item : take(key).toArray()) {
        values.push_back(item.toDouble());
    }
    if (values.empty()) {
        fault(key, QStringLiteral("is not a list of numbers"));
    }
}

void TokenReader::texts(const QString& key, QStringList& texts) {
    for (const auto& item : take(key).toArray()) {
        texts << item.toString();
    }
    if (texts.isEmpty()) {
        fault(key, QStringLiteral("is not a list of texts"));
    }
}

void TokenReader::skip(const QString& key) {
    taken_.insert(path(key));
    skipped_ << path(key);
}

QStringList TokenReader::unread() const {
    QStringList all;
    list(root_, {}, all);
    all.removeIf([this](const QString& one) {
        return taken_.contains(one) || std::ranges::any_of(skipped_, [&](const QString& whole) {
                   return one.startsWith(whole + '.');
               });
    });
    return all;
}

QJsonValue TokenReader::take(const QString& key) {
    taken_.insert(path(key));
    return object_.value(key);
}

void TokenReader::fault(const QString& key, const QString& text) {
    faults_ << path(key) + ' ' + text;
}

QString TokenReader::path(const QString& key) const { return (path_ + QStringList{key}).join('.'); }

} // namespace weft::ui
