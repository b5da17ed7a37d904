// SPDX-License-Identifier: Apache-2.0
#pragma once
// A text edited in place on the canvas: Enter and losing the focus accept the text, Escape discards
// it.

#include <QPlainTextEdit>
#include <functional>

namespace weft::ui {

class InPlaceEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    /// `hasLines`: Shift+Enter inserts a newline. The editor deletes itself when it is finished.
    InPlaceEditor(QWidget& over, const QRect& where, const QString& text, bool hasLines,
                  std::function<void(const QString&)> take);
    void finish(); ///< accepts the text if it has changed

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void closeEditor(); ///< hides and deletes the editor

    QString originalText_;                           ///< to detect a change
    bool hasLines_;                                  ///< Shift+Enter inserts a newline
    std::function<void(const QString&)> acceptText_; ///< called once with the accepted text
};

} // namespace weft::ui
