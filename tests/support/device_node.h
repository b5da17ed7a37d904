// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device of the test's own, so that what a faulty program does to it does no harm.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <QFile>
#include <QString>

namespace weft::test {

constexpr unsigned nullDevice = 3; ///< takes everything
constexpr unsigned fullDevice = 7; ///< is always full

/// Makes a memory device with that minor number; false where the system refuses (only root may) or
/// the disk's devices do not work.
[[nodiscard]] inline bool makeDevice(const QString& path, unsigned minor) {
    const QByteArray name = QFile::encodeName(path);
    if (::mknod(name.constData(), S_IFCHR | 0666U, makedev(1, minor)) != 0) {
        return false;
    }
    const int opened = ::open(name.constData(), O_WRONLY | O_CLOEXEC);
    if (opened >= 0) {
        ::close(opened);
    }
    return opened >= 0;
}

[[nodiscard]] inline bool isDevice(const QString& path) {
    struct stat facts {};
    return ::lstat(QFile::encodeName(path).constData(), &facts) == 0 && S_ISCHR(facts.st_mode);
}

} // namespace weft::test
