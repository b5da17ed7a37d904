// SPDX-License-Identifier: Apache-2.0
#pragma once
// A user of a test's own: settings, data and sockets lie in a folder that goes with it, and nothing
// of whoever runs the test is read or changed.

#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>
#include <utility>

namespace weft::test {

class OwnUser {
public:
    OwnUser() {
        for (const auto& [name, place] : {std::pair{"XDG_CONFIG_HOME", "config"},
                                          {"XDG_DATA_HOME", "data"},
                                          {"XDG_RUNTIME_DIR", "runtime"}}) {
            QDir(folder_.path()).mkdir(QLatin1String(place));
            qputenv(name, filePath(QLatin1String(place)).toUtf8());
        }
        // Where others may look no socket is made.
        QFile::setPermissions(filePath(QStringLiteral("runtime")),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    [[nodiscard]] QString path() const { return folder_.path(); }
    [[nodiscard]] QString filePath(const QString& name) const { return folder_.filePath(name); }

private:
    QTemporaryDir folder_;
};

} // namespace weft::test
