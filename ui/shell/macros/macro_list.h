// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dialog with the user's macros, their names and lines. Changes are saved immediately; a line with
// an unknown command is reported while typing.

#include "workspace/window_context.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace weft::ui {

class Macros;

class MacroList : public QDialog {
    Q_OBJECT

public:
    /// `name`: the selected macro, with its name ready for editing.
    MacroList(WindowContext& context, Macros& macros, QWidget& window, const QString& name);

private:
    [[nodiscard]] QLayout* makeRight(); ///< name, shortcut and lines
    [[nodiscard]] QLayout* makeFoot();  ///< message and buttons
    void fill(const QString& name);     ///< names_; selects this one
    void showChosen();                  ///< macro
    void keepName();                    ///< renames the macro
    void keepText();                    ///< saves the lines
    void check();                       ///< shows the first faulty line
    void showMessage(const QString& text);
    [[nodiscard]] QString chosen() const; ///< name of the selected macro

    WindowContext& context_;
    Macros& macros_;
    QListWidget* names_;   ///< names of all macros
    QLineEdit* name_;      ///< name of the selected macro
    QLabel* keys_;         ///< shortcut
    QPlainTextEdit* text_; ///< lines
    QLabel* message_;
    QPushButton* play_ = nullptr;   ///< plays the selected macro
    QPushButton* remove_ = nullptr; ///< removes the selected macro
};

} // namespace weft::ui
