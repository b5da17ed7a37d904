// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exports a design as a job for this machine, mpirun, Slurm or Kubernetes: HandoverDialog(look,
// design, folder), where `folder` holds the design's data files. These targets are on the left; the
// options of the job and its script, which can be edited, copied and saved, are on the right. One
// button saves the whole folder.

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
    [[nodiscard]] QString text() const; ///< the text in the editor
    [[nodiscard]] const ExportRequest& request() const { return request_; }
    /// Replaces the file dialog in tests; returns the path, or an empty text to cancel.
    void setPathChooser(std::function<QString(const QString& suggestion, bool isFolder)> choose);
    void copyText() const; ///< copies the edited text to the clipboard
    void copyCommand();    ///< copies the command line that starts the export
    void saveText();
    void saveFolder();

Q_SIGNALS:
    void saved(const QString& path);
    void failed(const QString& message);

private:
    void makeFields(QLayout& layout);
    void showText();
    void showFault(const QString& text);
    void chooseAndSave(const QString& suggestion, bool isFolder,
                       const std::function<void(const QString& path)>& save);

    const Look& look_;
    ExportRequest request_;
    QListWidget* targetList_ = nullptr;
    QSpinBox* nodeCount_ = nullptr;
    QSpinBox* ranksPerNode_ = nullptr;
    QSpinBox* coresPerRank_ = nullptr;
    QSpinBox* gpusPerNode_ = nullptr;
    QSpinBox* minuteLimit_ = nullptr;
    QLineEdit* partition_ = nullptr;
    QLineEdit* account_ = nullptr;
    QLineEdit* containerImage_ = nullptr; ///< for Kubernetes
    /// Each field or label with the targets that use it.
    std::map<QWidget*, std::vector<ExportTarget>> targetsOfField_;
    QLabel* remarks_ = nullptr; ///< warnings about the export, or its error
    QPlainTextEdit* editor_ = nullptr;
    QLabel* fingerprintLabel_ = nullptr; ///< identifies the design
    QPushButton* saveText_ = nullptr;
    std::function<QString(const QString&, bool)> choosePath_;
};

} // namespace weft::ui
