// SPDX-License-Identifier: Apache-2.0
#include "theme/desktop_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace weft::ui {

namespace {

const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
const QString interface = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString colourScheme = QStringLiteral("color-scheme");

} // namespace

DesktopScheme::DesktopScheme(std::function<void(bool isDark)> heard, QObject* parent)
    : QObject(parent), heard_(std::move(heard)) {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return;
    }
    bus.connect(service, path, interface, QStringLiteral("SettingChanged"), this,
                SLOT(take(QString, QString, QDBusVariant)));
    QDBusMessage question =
        QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
    question << appearance << colourScheme;
    auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
        const QDBusPendingReply<QDBusVariant> reply = *answer;
        if (!reply.isError()) {
            // The portal wraps the value in two variants.
            const QVariant value = reply.value().variant();
            hear(value.canConvert<QDBusVariant>() ? value.value<QDBusVariant>().variant().toUInt()
                                                  : value.toUInt());
        }
        answer->deleteLater();
    });
}

void DesktopScheme::take(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == appearance && key == colourScheme) {
        hear(value.variant().toUInt());
    }
}

void DesktopScheme::hear(uint scheme) {
    // 1: dark, 2: light, else no preference.
    if (scheme == 1 || scheme == 2) {
        heard_(scheme == 1);
    }
}

} // namespace weft::ui
