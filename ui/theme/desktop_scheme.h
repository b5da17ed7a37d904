// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads from the desktop's settings portal whether it prefers dark or light, now and after each
// change. Without a portal, there is no preference.

#include <QDBusVariant>
#include <QObject>
#include <functional>

namespace weft::ui {

class DesktopScheme : public QObject {
    Q_OBJECT

public:
    explicit DesktopScheme(std::function<void(bool isDark)> heard, QObject* parent = nullptr);

private Q_SLOTS:
    void take(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void hear(uint scheme); ///< 1: dark, 2: light, else no preference

    std::function<void(bool)> heard_; ///< called with true if dark is preferred
};

} // namespace weft::ui
