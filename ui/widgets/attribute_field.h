// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The editor of one attribute, made from what its declaration says: its label, a field for its
// type, unit, range and help. A changed value has a bar of ink at the left; a double click on the
// label brings the default back.

#include "theme/look.h"
#include <weft/attributes.h>

#include <QWidget>
#include <functional>
#include <optional>

class QLabel;

namespace weft::ui {

/// What stands in a field: a value, as typed where that was more than a number.
struct FieldValue {
    std::optional<AttributeValue> value; ///< none: several layers differ
    QString expression;                  ///< "4*256"; empty: the value was given plainly
    bool isDefault = true;
    bool isMissing = false; ///< it must be given and is not: the value is one that Enter gives it
};

class AttributeField : public QWidget {
    Q_OBJECT

public:
    AttributeField(Look& look, const AttributeSpec& spec, QWidget* parent = nullptr);

    [[nodiscard]] const AttributeSpec& spec() const { return spec_; }
    /// Left alone while one types in it.
    void show(const FieldValue& value);
    void showProblem(const QString& text);

Q_SIGNALS:
    void chosen(const weft::AttributeValue& value);
    /// No plain value: to be evaluated.
    void typed(const QString& expression);
    void resetWanted();
    /// The next change is one of its own.
    void finished();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeEditor();
    void take(const QString& text);

    Look& look_;
    AttributeSpec spec_;
    QLabel* label_;
    QWidget* editor_;
    QLabel* after_; ///< unit, or what an expression comes to
    bool isDefault_ = true;
    bool isMissing_ = false;
};

/// "3, 3" or "[3, 3]" or "64" as a value of this type; none where it is no plain value.
[[nodiscard]] std::optional<AttributeValue> valueFrom(const QString& text, AttributeType type);
/// As one reads and types it.
[[nodiscard]] QString textOf(const AttributeValue& value);
/// "learning_rate" as people read it: "Learning rate".
[[nodiscard]] QString labelOf(const std::string& name);

} // namespace weft::ui
