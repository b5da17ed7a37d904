// SPDX-License-Identifier: Apache-2.0
#pragma once
// A trace as another program reads it, which knows the format and nothing of Weft.

#include <QByteArray>
#include <QString>
#include <set>

namespace weft::test {

/// Returns why a trace is invalid, or an empty text. Every stream and process must have a name,
/// spans of a stream must nest or follow each other, and each of `steps` must have one span, in
/// order.
[[nodiscard]] QString faultOfTrace(const QByteArray& trace, const std::set<qint64>& steps);

} // namespace weft::test
