// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers to start a server for one test: a port, the program, its user.

#include <QString>

namespace weft::test {

/// Returns a port of this machine that is not in use; 0: there is none.
[[nodiscard]] int freePort();
/// Returns true if a process listens on this port, on this machine unless an address is given.
[[nodiscard]] bool isListenedOn(int port, const QString& address = QStringLiteral("127.0.0.1"));

/// Where a program is that may lie outside a user's PATH; empty: it is not installed.
[[nodiscard]] QString serverNamed(const QString& name);

/// Who this process is.
[[nodiscard]] QString userName();

} // namespace weft::test
