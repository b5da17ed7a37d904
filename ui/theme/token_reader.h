// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads tokens from a JSON object, and records which are missing and which are unused.

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
    /// Calls `inside` for each object of a list.
    void each(const QString& key, const std::function<void()>& inside);
    [[nodiscard]] QStringList keys() const { return object_.keys(); } ///< the present object's

    void colours(std::initializer_list<std::pair<QString, QColor*>> fields);
    void colourList(const QString& key, std::span<QColor> colours);
    void numbers(std::initializer_list<std::pair<const char*, int*>> fields);
    void number(const QString& key, double& value);
    void numberOrNull(const QString& key, double& value); ///< null: keeps the value
    void numberList(const QString& key, std::vector<double>& values);
    void texts(const QString& key, QStringList& texts);
    /// Marks an entry as known; it is for human readers only.
    void skip(const QString& key); ///< for human readers only

    [[nodiscard]] const QStringList& faults() const { return faults_; }
    [[nodiscard]] QStringList unread() const; ///< paths of unused tokens

private:
    [[nodiscard]] QJsonValue take(const QString& key);    ///< removes it from the unused ones
    void fault(const QString& key, const QString& text);  ///< records it
    [[nodiscard]] QString path(const QString& key) const; ///< "size.icon"

    QJsonObject root_;        ///< the whole file
    QJsonObject object_;      ///< the present object
    QStringList path_;        ///< keys from `root_` to `object_`
    std::set<QString> taken_; ///< paths of used tokens
    QStringList skipped_;     ///< paths of tokens for human readers
    QStringList faults_;      ///< missing or of the wrong type
};

} // namespace weft::ui
