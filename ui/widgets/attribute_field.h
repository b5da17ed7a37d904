// SPDX-License-Identifier: Apache-2.0
#pragma once
// The editor of one attribute, made from what its declaration says: its label, a field for its
// type, unit, range and help. A changed value has a bar of ink at the left; a double click on the
// label brings the default back. What names files has a button that picks them, and takes those
// that are dropped on it.

#include "theme/look.h"
#include <weft/attributes.h>

#include <QWidget>
#include <functional>
#include <optional>

class QLabel;
class QMimeData;
class QToolButton;

namespace weft::ui {

/// What stands in a field: a value, as typed where that was more than a number.
struct FieldValue {
    std::optional<AttributeValue> value; ///< none: several layers differ
    QString expression;                  ///< "4*256"; empty: the value was given plainly
    bool isDefault = true;
    bool isMissing = false; ///< it must be given and is not: the value is one that Enter gives it
};

/// How people read one of the words that a field chooses among.
struct ChoiceText {
    QString title;
    QString help = {};
};

class AttributeField : public QWidget {
    Q_OBJECT

public:
    AttributeField(Look& look, const AttributeSpec& spec, QWidget* parent = nullptr);

    [[nodiscard]] const AttributeSpec& spec() const { return spec_; }
    /// For each choice of the declaration, in its order.
    void nameChoices(const std::vector<ChoiceText>& texts);
    /// Left alone while one types in it.
    void show(const FieldValue& value);
    /// In place of its help, with a mark at the left; empty: there is none.
    void showProblem(const QString& text);

Q_SIGNALS:
    void chosen(const weft::AttributeValue& value);
    /// No plain value: to be evaluated.
    void typed(const QString& expression);
    void resetWanted();
    void pickWanted();
    /// Local files and folders that were dropped on it.
    void dropped(const QStringList& paths);
    /// The next change is one of its own.
    void finished();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeEditor();
    QWidget* makeChoice();
    QToolButton* makePicker();
    [[nodiscard]] QString placeholder(const FieldValue& value, const QString& shown) const;
    void take(const QString& text);

    Look& look_;
    AttributeSpec spec_;
    QLabel* label_;
    QWidget* editor_;
    QLabel* after_; ///< unit, or what an expression comes to
    bool isDefault_ = true;
    bool isMissing_ = false;
    bool isDraggedOver_ = false;
    bool hasProblem_ = false;
};

/// Those of what is dragged that lie on this machine.
[[nodiscard]] QStringList pathsOf(const QMimeData& dragged);
/// "3, 3" or "[3, 3]" or "64" as a value of this type; none where it is no plain value.
[[nodiscard]] std::optional<AttributeValue> valueFrom(const QString& text, AttributeType type);
/// As one reads and types it.
[[nodiscard]] QString textOf(const AttributeValue& value);
/// "learning_rate" as people read it: "Learning rate".
[[nodiscard]] QString labelOf(const std::string& name);

} // namespace weft::ui
