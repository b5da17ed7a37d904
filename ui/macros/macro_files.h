// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stores the user's macros, one text file per macro with the macro's name. Throws Error if a file
// cannot be read or written.

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
    [[nodiscard]] QString freeName() const; ///< returns "Macro 1" or the next unused name
    /// Returns why a macro cannot have this name, or an empty text if it can.
    [[nodiscard]] QString refusal(const QString& name) const;

private:
    [[nodiscard]] QString fileOf(const QString& name) const;

    QString folder_;
};

/// Returns the content of a file; throws Error.
[[nodiscard]] QString readScript(const QString& file);

} // namespace weft::ui
