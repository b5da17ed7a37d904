// SPDX-License-Identifier: Apache-2.0
#pragma once
// A way to this machine that breaks after so many bytes from there, whatever it carries then.

#include <QString>

namespace weft::test {

class CuttingLine {
public:
    /// Its files lie in the folder.
    CuttingLine(const QString& folder, int bytes);

    /// The command that reaches this machine: what `weft host add --via` takes.
    [[nodiscard]] QString via() const;
    /// Lines that were begun.
    [[nodiscard]] int lines() const;

private:
    QString script_;
    QString counter_;
};

} // namespace weft::test
