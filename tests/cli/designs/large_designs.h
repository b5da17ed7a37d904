// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small texts of large designs: an input, what is large, a dense layer "fc" and a loss.

#include <QByteArray>

namespace weft::test {

/// `entry` so many times, with its number for each #.
[[nodiscard]] QByteArray numbered(int count, const QByteArray& entry,
                                  const QByteArray& between = ",\n");

/// A group of one dense layer, whose units are given or an expression.
[[nodiscard]] QByteArray repeatedDesign(qint64 times, const QByteArray& units = "8");
/// 1 + 1 + ...
[[nodiscard]] QByteArray longExpression(int terms);
/// Groups in groups, each of which holds the one before so many times.
[[nodiscard]] QByteArray nestedDesign(int depth, qint64 times);
[[nodiscard]] QByteArray designOnDevices(int count);
/// Two devices are declared, and so many named.
[[nodiscard]] QByteArray designAssignedTo(int count);
/// One layer adds so many inputs.
[[nodiscard]] QByteArray addingDesign(int wires);
/// Layers of a kind that isn't there.
[[nodiscard]] QByteArray designOfUnknownKinds(int layers);

} // namespace weft::test
