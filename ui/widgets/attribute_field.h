// SPDX-License-Identifier: Apache-2.0
#pragma once
// Editor of one attribute, generated from its declaration: label, field, unit, range and help. A
// bar of ink marks a changed value; a double click on the label restores the default. A file
// attribute has a button for a file dialog and accepts dropped files.

#include "theme/look.h"
#include <weft/attributes.h>

#include <QWidget>
#include <functional>
#include <optional>

class QLabel;
class QMimeData;
class QToolButton;

namespace weft::ui {

/// Content of a field: a value, and the expression if it was typed as one.
struct FieldValue {
    std::optional<AttributeValue> value; ///< std::nullopt: several layers differ
    QString expression;                  ///< such as "4*256"; empty: a plain value
    bool isDefault = true;               ///< not changed by the user
    bool isMissing = false; ///< required but not set: `value` is the one that Enter would set
};

/// Readable name of a choice.
struct ChoiceText {
    QString title;     ///< shown instead of the value
    QString help = {}; ///< empty: none
};

class AttributeField : public QWidget {
    Q_OBJECT

public:
    AttributeField(Look& look, const AttributeSpec& spec, QWidget* parent = nullptr);

    [[nodiscard]] const AttributeSpec& spec() const { return spec_; }
    /// Sets the texts of the choices, in the order of the declaration.
    void nameChoices(const std::vector<ChoiceText>& texts); ///< readable names
    /// Shows a value, unless the user is typing.
    void show(const FieldValue& value); ///< unless the user is typing
    /// Shows a problem in place of the help; empty: none.
    void showProblem(const QString& text); ///< empty: none

Q_SIGNALS:
    void chosen(const weft::AttributeValue& value); ///< by the user
    /// The user typed an expression, which must be evaluated.
    void typed(const QString& expression); ///< to be evaluated
    void resetWanted();                    ///< to the default
    void pickWanted();                     ///< with a file dialog
    /// Local files or folders were dropped.
    void dropped(const QStringList& paths); ///< local files or folders
    /// The next change starts a new undo step.
    void finished(); ///< the next change is a new undo step

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeEditor();     ///< by type
    QWidget* makeChoice();     ///< a combo box
    QToolButton* makePicker(); ///< opens a file dialog
    [[nodiscard]] QString placeholder(const FieldValue& value, const QString& shown) const;
    void take(const QString& text); ///< parses what was typed

    Look& look_;
    AttributeSpec spec_;
    QLabel* label_;              ///< name of the attribute
    QWidget* editor_;            ///< depends on the type
    QLabel* unitLabel_;          ///< unit, or the value of an expression
    bool isDefault_ = true;      ///< the value
    bool isMissing_ = false;     ///< required but not set
    bool isDraggedOver_ = false; ///< files
    bool hasProblem_ = false;    ///< a problem is shown
};

/// Returns the local paths of a drag.
[[nodiscard]] QStringList pathsOf(const QMimeData& dragged); ///< local files
/// Parses "3, 3", "[3, 3]" or "64" as this type; std::nullopt if it is not a plain value.
[[nodiscard]] std::optional<AttributeValue> valueFrom(const QString& text, AttributeType type);
[[nodiscard]] QString textOf(const AttributeValue& value); ///< formats a value as it can be typed
/// Returns a readable label: "learning_rate" becomes "Learning rate".
[[nodiscard]] QString labelOf(const std::string& name); ///< "Learning rate"

} // namespace weft::ui
