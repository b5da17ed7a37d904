// SPDX-License-Identifier: Apache-2.0
#pragma once
// A trace as another program reads it, which knows the format and nothing of Weft.

#include <QByteArray>
#include <QString>
#include <set>

namespace weft::test {

/// What is wrong with it; empty where nothing is. Every stream and process has a name, spans of one
/// stream nest or follow each other, and of `steps` each has one span, in their order.
[[nodiscard]] QString faultOfTrace(const QByteArray& trace, const std::set<qint64>& steps);

} // namespace weft::test
