// SPDX-License-Identifier: Apache-2.0
#pragma once
// What it takes to start a server for a test alone: a port, the program, whose it is.

#include <QString>

namespace weft::test {

/// Of this machine alone, one that nobody listens on now; 0: there is none.
[[nodiscard]] int freePort();
/// Whether somebody listens there, on this machine unless an address says otherwise.
[[nodiscard]] bool isListenedOn(int port, const QString& address = QStringLiteral("127.0.0.1"));

/// Where a program is that may lie outside a user's PATH; empty: it is not installed.
[[nodiscard]] QString serverNamed(const QString& name);

/// Who this process is.
[[nodiscard]] QString userName();

} // namespace weft::test
