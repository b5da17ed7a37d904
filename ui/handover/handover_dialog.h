// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hands a design on: HandoverDialog(look, design, folder) with the folder in which the design's
// files are looked for. Left the ways, right what they are asked for and the final text, which can
// be edited, copied and saved; the whole folder is saved with one button.

#include <weft/exchange.h>

#include <QDialog>
#include <functional>
#include <map>

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace weft::ui {

class Look;

class HandoverDialog : public QDialog {
    Q_OBJECT

public:
    HandoverDialog(const Look& look, Design design, const QString& folder,
                   QWidget* parent = nullptr);

    [[nodiscard]] ExportTarget target() const;
    /// As it stands in the editor.
    [[nodiscard]] QString text() const;
    [[nodiscard]] const ExportRequest& request() const { return request_; }
    /// Instead of a file dialog: where to write; empty: not.
    void setChooser(std::function<QString(const QString& suggestion, bool isFolder)> choose);
    void copyText() const;
    void copyCommand();
    void saveText();
    void saveFolder();

Q_SIGNALS:
    void saved(const QString& path);
    void failed(const QString& message);

private:
    void makeFields(QLayout& into);
    void compose();
    void tellFault(const QString& text);
    void write(const QString& suggestion, bool isFolder,
               const std::function<void(const QString& path)>& save);

    const Look& look_;
    ExportRequest request_;
    QListWidget* ways_ = nullptr;
    QSpinBox* nodes_ = nullptr;
    QSpinBox* ranks_ = nullptr;
    QSpinBox* cores_ = nullptr;
    QSpinBox* gpus_ = nullptr;
    QSpinBox* minutes_ = nullptr;
    QLineEdit* partition_ = nullptr;
    QLineEdit* account_ = nullptr;
    QLineEdit* image_ = nullptr;
    std::map<QWidget*, std::vector<ExportTarget>> fieldsOf_; ///< a field and its label, by target
    QLabel* remarks_ = nullptr;
    QPlainTextEdit* text_ = nullptr;
    QLabel* fingerprint_ = nullptr;
    QPushButton* save_ = nullptr;
    std::function<QString(const QString&, bool)> choose_;
};

} // namespace weft::ui
