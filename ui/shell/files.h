// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens, saves and closes designs, and lists recent files and the built-in templates. Reports
// failures as notices; its functions do not throw.

#include "document/recovery.h"
#include "workspace/window_context.h"

#include <QStringList>

class QWidget;

namespace weft::ui {

class Files : public QObject {
    Q_OBJECT

public:
    Files(WindowContext& context, QWidget& window);

    void newDesign();
    /// Opens a design, chosen in a dialog or given; a damaged design is opened as far as possible.
    void open();                    ///< asks for the file
    bool open(const QString& file); ///< false: it cannot be read
    /// Opens the design of the shown run: its original file if that exists, else the copy in the
    /// run's folder.
    bool openOwner();                       ///< design of the shown run
    void openTemplate(const QString& name); ///< a sample
    void openDesign(Design design, bool isUnsaved);
    bool save(OpenDesign& design);   ///< false: not saved
    bool saveAs(OpenDesign& design); ///< asks for the name
    /// Asks the user if changes would be lost; returns false if the user cancels.
    bool close(OpenDesign& design); ///< false: the user cancels
    bool closeAll();                ///< false: the user cancels
    /// Reads the file again, as one undo step.
    void reload(OpenDesign& design); ///< reads the file again, as one undo step
    /// Handles files dropped on the window.
    void openDropped(const QStringList& dropped); ///< opens dropped files

    /// Describes the designs that an earlier session lost; empty: none.
    [[nodiscard]] QString lost() const; ///< designs of a crashed session; empty: none
    void restoreLost();                 ///< opens lost designs
    void forgetLost();                  ///< deletes lost designs

    [[nodiscard]] static QStringList recent(); ///< file names, newest first

Q_SIGNALS:
    void recentChanged();
    /// An ONNX model, to be imported.
    void modelDropped(const QString& file); ///< an ONNX model
    /// Files or folders that are neither designs nor models, but may be data.
    void dataDropped(const QStringList& files); ///< perhaps data

private:
    void remember(const QString& file); ///< as a recent file
    /// Runs `work`; shows a notice if it throws.
    bool
    runAndReport(const std::function<void()>& work); ///< false: it failed, and a notice says why

    void add(std::unique_ptr<OpenDesign> design); ///< and makes it current

    WindowContext& context_;
    QWidget& window_;
    Recovery recovery_; ///< saves and restores unsaved designs
};

} // namespace weft::ui
