// SPDX-License-Identifier: Apache-2.0
#pragma once
// The user's macros: a text file each, named as the macro is. What cannot be written or read is
// thrown as Error.

#include <QString>
#include <QStringList>

namespace weft::ui {

class MacroFiles {
public:
    MacroFiles();
    explicit MacroFiles(QString folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const QString& folder() const { return folder_; }
    [[nodiscard]] QStringList names() const;
    [[nodiscard]] QString text(const QString& name) const;
    void write(const QString& name, const QString& text) const;
    void rename(const QString& name, const QString& newName) const;
    void remove(const QString& name) const;
    /// "Macro 1", or the next that is free.
    [[nodiscard]] QString freeName() const;
    /// Why no macro can be called so; empty: one can.
    [[nodiscard]] QString refusal(const QString& name) const;

private:
    [[nodiscard]] QString fileOf(const QString& name) const;

    QString folder_;
};

/// What a file holds; throws Error.
[[nodiscard]] QString readScript(const QString& file);

} // namespace weft::ui
