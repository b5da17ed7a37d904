// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opening, saving and closing designs, those used last, and the templates that came with the
// program. What fails is a notice; nothing is thrown from here.

#include "document/recovery.h"
#include "session/bench.h"

#include <QStringList>

class QWidget;

namespace weft::ui {

class Files : public QObject {
    Q_OBJECT

public:
    Files(Bench& bench, QWidget& window);

    void newDesign();
    /// With a dialog, and the file itself; a broken design opens as far as it can.
    void open();
    bool open(const QString& file);
    /// The design that the run is one of which is looked at: the file that it began from where that
    /// is still there, else the one that the run keeps.
    bool openOwner();
    void openTemplate(const QString& name);
    void openDesign(Design design, bool isUnsaved);
    bool save(OpenDesign& design);
    bool saveAs(OpenDesign& design);
    /// Asks where something would be lost; false where the answer was to stay.
    bool close(OpenDesign& design);
    bool closeAll();
    /// Reads the file again, as one step of the history.
    void reload(OpenDesign& design);
    /// Handles files dropped on the window.
    void take(const QStringList& dropped);

    /// What an earlier session lost, as people read it; empty: nothing.
    [[nodiscard]] QString lost() const;
    void restoreLost();
    void forgetLost();

    [[nodiscard]] static QStringList recent();

Q_SIGNALS:
    void recentChanged();
    /// Files or folders that are no designs: data, perhaps.
    void dataDropped(const QStringList& files);

private:
    void remember(const QString& file);
    /// Runs what may throw; tells what failed.
    bool tell(const std::function<void()>& work);

    void add(std::unique_ptr<OpenDesign> design);

    Bench& bench_;
    QWidget& window_;
    Recovery recovery_;
};

} // namespace weft::ui
