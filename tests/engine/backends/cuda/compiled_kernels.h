// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tools that look at compiled kernels, and kernels by the names that people read.

#include <QString>
#include <QStringList>

namespace weft::test {

struct Said {
    int code = -1;
    QString text;
};
/// Runs a program to its end; code -1: it could not be started, or took minutes.
[[nodiscard]] Said told(const QString& program, const QStringList& words);

/// The name of a kernel with its template arguments, without namespaces and parameters.
[[nodiscard]] QString shortName(const QString& mangled);

} // namespace weft::test
