// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether the desktop asks for dark or light, heard from its settings portal, now and whenever it
// changes. Without a portal nothing is heard.

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
    void hear(uint scheme);

    std::function<void(bool)> heard_;
};

} // namespace weft::ui
