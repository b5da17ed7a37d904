// SPDX-License-Identifier: Apache-2.0
#include "commands/command_place.h"
#include "shell/export_picture.h"
#include "shell/files.h"
#include "shell/main_window.h"

#include <QApplication>

namespace weft::ui {

void addFileCommands(MainWindow& window) {
    WindowContext& context = window.context();
    const CommandPlace add(context.commands, MainWindow::tr("File"), Needs::design, false);
    const CommandPlace always = add.needing(Needs::nothing);
    const auto current = [&context](const std::function<void(OpenDesign&)>& run) {
        return [&context, run] {
            if (OpenDesign* design = context.designs.current()) {
                run(*design);
            }
        };
    };
    always("file.new", MainWindow::tr("New design"), MainWindow::tr("Creates an empty design"),
           "actions/new", {QKeySequence(Qt::CTRL | Qt::Key_N)},
           [&window] { window.files().newDesign(); });
    always("file.open", MainWindow::tr("Open …"), MainWindow::tr("Opens a design from a file"),
           "actions/open", {QKeySequence(Qt::CTRL | Qt::Key_O)},
           [&window] { window.files().open(); });
    always.byHand()("file.import", MainWindow::tr("Import ONNX model …"),
                    MainWindow::tr("Makes a design and its weights from an ONNX model"),
                    "actions/open", {}, [&window] { window.importModel(); });
    add("file.start", MainWindow::tr("Start page"),
        MainWindow::tr("Shows recent designs, samples and the devices of this machine"),
        "actions/restore", {QKeySequence(Qt::CTRL | Qt::Key_Home)},
        [&window] { window.showStart(); });
    add("file.save", MainWindow::tr("Save"), MainWindow::tr("Writes the design into its file"),
        "actions/save", {QKeySequence(Qt::CTRL | Qt::Key_S)},
        current([&window](OpenDesign& design) { window.files().save(design); }));
    add("file.save-as", MainWindow::tr("Save as …"),
        MainWindow::tr("Writes the design into another file"), "",
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
        current([&window](OpenDesign& design) { window.files().saveAs(design); }));
    add("file.reload", MainWindow::tr("Read again from disk"),
        MainWindow::tr("Reads the file again and discards unsaved changes"), "actions/restore", {},
        current([&window](OpenDesign& design) { window.files().reload(design); }));
    add.needing(Needs::other)(
        "file.restore", MainWindow::tr("Restore unsaved edits"),
        MainWindow::tr("Restores the unsaved designs of a session that crashed"), "actions/restore",
        {}, [&window] {
            window.files().restoreLost();
            window.allowRestore(false);
        });
    add("file.picture", MainWindow::tr("Save canvas as picture …"),
        MainWindow::tr("Saves the whole canvas as SVG, PNG or PDF"), "actions/export", {},
        [&window] { savePictureOf(window); });
    add("file.close", MainWindow::tr("Close"), MainWindow::tr("Closes the design"), "actions/close",
        {QKeySequence(Qt::CTRL | Qt::Key_W)},
        current([&window](OpenDesign& design) { window.files().close(design); }));
    always("file.quit", MainWindow::tr("Quit"), MainWindow::tr("Quits Weft; runs continue"), "",
           {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [&window] { window.close(); });
}

} // namespace weft::ui
