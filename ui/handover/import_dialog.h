// SPDX-License-Identifier: Apache-2.0
#pragma once
// Imports an ONNX model: ImportDialog(look, file). Reads the model on another thread, lists what
// became of every node, and writes design and weights into a folder. A model with nodes that have
// no layer can be imported up to a chosen node.

#include <weft/import.h>

#include <QDialog>
#include <memory>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace weft::ui {

class Look;

class ImportDialog : public QDialog {
    Q_OBJECT

public:
    ImportDialog(const Look& look, const QString& file, QWidget* parent = nullptr);

    [[nodiscard]] bool isBusy() const { return isBusy_; }
    [[nodiscard]] QString folder() const;
    void setFolder(const QString& folder);

Q_SIGNALS:
    void imported(const QString& design); ///< the design was written to that file

private:
    /// What reading or writing gave: a result, or why there is none.
    template <class Value>
    struct Outcome {
        Value value = {};
        QString failure = {};
    };
    using ReadModel = Outcome<std::shared_ptr<const Import>>;

    void makeNodeList(QLayout& layout);
    void makeButtons(QLayout& layout);
    void readModel(const std::string& lastNode); ///< empty: up to the end
    void showModel(const ReadModel& model);
    void fillNodeList();
    void writeDesign();
    void setBusy(bool isBusy, const QString& text);
    void enableButtons();
    [[nodiscard]] std::string selectedEnd() const;

    const Look& look_;
    QString file_;                         ///< path of the ONNX model
    std::shared_ptr<const Import> import_; ///< the model as read; nullptr: not yet
    bool isBusy_ = false;
    QLabel* status_;
    QProgressBar* progress_;
    QTreeWidget* nodeList_ = nullptr;
    QLineEdit* folder_ = nullptr;
    QPushButton* endHere_ = nullptr; ///< ends the import at the selected node
    QPushButton* importButton_ = nullptr;
};

} // namespace weft::ui
