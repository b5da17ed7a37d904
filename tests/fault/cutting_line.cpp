// SPDX-License-Identifier: Apache-2.0
#include "cutting_line.h"

#include "../cli/weft_process.h"

#include <QFile>

namespace weft::test {

CuttingLine::CuttingLine(const QString& folder, int bytes)
    : script_(QString("%1/cut-%2").arg(folder).arg(bytes)), counter_(script_ + ".lines") {
    // The process that carries the bytes is the one that was started, so that the line ends with
    // the last of them. It takes one at a time: a read that brings fewer than asked counts as one.
    writeBytes(script_, QString("#!/usr/bin/env bash\n"
                                "echo >> '%1'\n"
                                "exec 3<&0\n"
                                "exec dd bs=1 count=%2 status=none"
                                " < <(exec sh -c \"$1\" <&3 3<&-) 3<&-\n")
                            .arg(counter_)
                            .arg(bytes)
                            .toUtf8());
    QFile::setPermissions(script_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QString CuttingLine::via() const { return "'" + script_ + "'"; }

int CuttingLine::lines() const { return static_cast<int>(bytesOf(counter_).count('\n')); }

} // namespace weft::test
