// SPDX-License-Identifier: Apache-2.0
#include "cutting_line.h"

#include "../cli/weft_process.h"

#include <QFile>

namespace weft::test {

CuttingLine::CuttingLine(const QString& folder, int bytes)
    : script_(QString("%1/cut-%2").arg(folder).arg(bytes)), counter_(script_ + ".lines") {
    // What carries the bytes is the process that was started, so that with the last of them the
    // line has ended.
    writeBytes(script_, QString("#!/usr/bin/env bash\n"
                                "echo >> '%1'\n"
                                "exec 3<&0\n"
                                "exec dd bs=4096 iflag=count_bytes count=%2 status=none"
                                " < <(exec sh -c \"$1\" <&3 3<&-) 3<&-\n")
                            .arg(counter_)
                            .arg(bytes)
                            .toUtf8());
    QFile::setPermissions(script_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QString CuttingLine::via() const { return "'" + script_ + "'"; }

int CuttingLine::lines() const { return static_cast<int>(bytesOf(counter_).count('\n')); }

} // namespace weft::test
