// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens, saves and closes designs, and lists recent files and the built-in templates. Reports
// failures as notices; its functions do not throw.

#include "document/recovery.h"
#include "workspace/bench.h"

#include <QStringList>

class QWidget;

namespace weft::ui {

class Files : public QObject {
    Q_OBJECT

public:
    Files(Bench& bench, QWidget& window);

    void newDesign();
    /// Opens a design, chosen in a dialog or given; a damaged design is opened as far as possible.
    void open();
    bool open(const QString& file);
    /// Opens the design of the shown run: its original file if that exists, else the copy in the
    /// run's folder.
    bool openOwner();
    void openTemplate(const QString& name);
    void openDesign(Design design, bool isUnsaved);
    bool save(OpenDesign& design);
    bool saveAs(OpenDesign& design);
    /// Asks the user if changes would be lost; returns false if the user cancels.
    bool close(OpenDesign& design);
    bool closeAll();
    /// Reads the file again, as one undo step.
    void reload(OpenDesign& design);
    /// Handles files dropped on the window.
    void take(const QStringList& dropped);

    /// Describes the designs that an earlier session lost; empty: none.
    [[nodiscard]] QString lost() const;
    void restoreLost();
    void forgetLost();

    [[nodiscard]] static QStringList recent();

Q_SIGNALS:
    void recentChanged();
    /// An ONNX model, to be imported.
    void modelDropped(const QString& file);
    /// Files or folders that are neither designs nor models, but may be data.
    void dataDropped(const QStringList& files);

private:
    void remember(const QString& file);
    /// Runs `work`; shows a notice if it throws.
    bool tell(const std::function<void()>& work);

    void add(std::unique_ptr<OpenDesign> design);

    Bench& bench_;
    QWidget& window_;
    Recovery recovery_;
};

} // namespace weft::ui
