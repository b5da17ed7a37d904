// SPDX-License-Identifier: Apache-2.0
#include "support/ranks.h"

#include "comm/world.h"

#include <QStandardPaths>

namespace weft::test {

QString whyNoRanks() {
    if (!isMpiBuilt()) {
        return "this build has no MPI";
    }
    return QStandardPaths::findExecutable("mpirun").isEmpty() ? "mpirun is not installed"
                                                              : QString();
}

} // namespace weft::test
