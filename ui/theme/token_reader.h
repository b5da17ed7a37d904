// SPDX-License-Identifier: Apache-2.0
#pragma once
// Walks a JSON object of tokens and keeps account: what was asked for and is not there, and what is
// there and was not asked for.

#include <QByteArray>
#include <QColor>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <initializer_list>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace weft::ui {

class TokenReader {
public:
    explicit TokenReader(const QByteArray& json);

    void enter(const QString& key, const std::function<void()>& inside);
    /// Every object of a list.
    void each(const QString& key, const std::function<void()>& inside);
    [[nodiscard]] QStringList keys() const { return at_.keys(); }

    void colours(std::initializer_list<std::pair<QString, QColor*>> fields);
    void colourList(const QString& key, std::span<QColor> colours);
    void numbers(std::initializer_list<std::pair<const char*, int*>> fields);
    void number(const QString& key, double& value);
    void numberOrNull(const QString& key, double& value);
    void numberList(const QString& key, std::vector<double>& values);
    void texts(const QString& key, QStringList& texts);
    /// Known, and for people.
    void skip(const QString& key);

    [[nodiscard]] const QStringList& faults() const { return faults_; }
    [[nodiscard]] QStringList unread() const;

private:
    [[nodiscard]] QJsonValue take(const QString& key);
    void fault(const QString& key, const QString& text);
    [[nodiscard]] QString path(const QString& key) const;

    QJsonObject root_;
    QJsonObject at_;
    QStringList path_;
    std::set<QString> taken_;
    QStringList skipped_;
    QStringList faults_;
};

} // namespace weft::ui
