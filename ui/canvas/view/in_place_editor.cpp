// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/in_place_editor.h"

#include <QKeyEvent>
#include <utility>

namespace weft::ui {

InPlaceEditor::InPlaceEditor(QWidget& over, const QRect& where, const QString& text, bool hasLines,
                             std::function<void(const QString&)> take)
    : QPlainTextEdit(text, &over),
      originalText_(text),
      hasLines_(hasLines),
      acceptText_(std::move(take)) {
    setAccessibleName(tr("Text"));
    setTabChangesFocus(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setLineWrapMode(NoWrap);
    document()->setDocumentMargin(2);
    const int line = fontMetrics().lineSpacing() + 10;
    setGeometry(QRect(where.topLeft(), where.size().expandedTo({120, line})));
    selectAll();
    show();
    setFocus();
}

void InPlaceEditor::finish() {
    const auto take = std::exchange(acceptText_, {});
    if (take && toPlainText() != originalText_) {
        take(toPlainText());
    }
    closeEditor();
}

void InPlaceEditor::closeEditor() {
    acceptText_ = {};
    if (isVisible()) {
        hide();
        parentWidget()->setFocus();
        deleteLater();
    }
}

void InPlaceEditor::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape) {
        closeEditor();
    } else if (isEnter && (!hasLines_ || (event->modifiers() & Qt::ShiftModifier) == 0)) {
        finish();
    } else {
        QPlainTextEdit::keyPressEvent(event);
    }
}

void InPlaceEditor::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) {
        finish();
    }
}

} // namespace weft::ui
