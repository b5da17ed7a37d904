// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/export_picture.h"
#include "shell/files.h"
#include "shell/main_window.h"

#include <QApplication>

namespace weft::ui {

void addFileCommands(MainWindow& window) {
    CommandSet& commands = window.bench().commands;
    const QString place = MainWindow::tr("File");
    const auto add = [&](const char* id, const QString& text, const QString& help, const char* icon,
                         const QList<QKeySequence>& keys, std::function<void()> run) {
        commands.add({.id = QLatin1String(id),
                      .text = text,
                      .help = help,
                      .place = place,
                      .icon = QLatin1String(icon),
                      .keys = keys},
                     [run = std::move(run)](bool) { run(); });
    };
    Bench& bench = window.bench();
    const auto current = [&bench](const std::function<void(OpenDesign&)>& run) {
        return [&bench, run] {
            if (OpenDesign* design = bench.designs.current()) {
                run(*design);
            }
        };
    };
    add("file.new", MainWindow::tr("New design"), MainWindow::tr("An empty canvas"), "actions/new",
        {QKeySequence(Qt::CTRL | Qt::Key_N)}, [&window] { window.files().newDesign(); });
    add("file.open", MainWindow::tr("Open …"), MainWindow::tr("A design from a file"),
        "actions/open", {QKeySequence(Qt::CTRL | Qt::Key_O)}, [&window] { window.files().open(); });
    add("file.start", MainWindow::tr("Start page"),
        MainWindow::tr("Recent designs, samples and this machine"), "actions/restore",
        {QKeySequence(Qt::CTRL | Qt::Key_Home)}, [&window] { window.showStart(); });
    add("file.save", MainWindow::tr("Save"), MainWindow::tr("Writes the design into its file"),
        "actions/save", {QKeySequence(Qt::CTRL | Qt::Key_S)},
        current([&window](OpenDesign& design) { window.files().save(design); }));
    add("file.save-as", MainWindow::tr("Save as …"),
        MainWindow::tr("Writes the design into another file"), "",
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
        current([&window](OpenDesign& design) { window.files().saveAs(design); }));
    add("file.reload", MainWindow::tr("Read again from disk"),
        MainWindow::tr("Takes the file as it is now, and forgets what is not saved"),
        "actions/restore", {},
        current([&window](OpenDesign& design) { window.files().reload(design); }));
    add("file.restore", MainWindow::tr("Restore unsaved edits"),
        MainWindow::tr("What a session that ended without warning had not saved"),
        "actions/restore", {}, [&window] {
            window.files().restoreLost();
            window.bench().commands.find(QStringLiteral("file.restore"))->setEnabled(false);
        });
    window.bench().commands.find(QStringLiteral("file.restore"))->setEnabled(false);
    add("file.picture", MainWindow::tr("Save canvas as picture …"),
        MainWindow::tr("All of the canvas as SVG, PNG or PDF"), "actions/export", {},
        [&window] { savePictureOf(window); });
    add("file.close", MainWindow::tr("Close"), MainWindow::tr("Closes the design"), "actions/close",
        {QKeySequence(Qt::CTRL | Qt::Key_W)},
        current([&window](OpenDesign& design) { window.files().close(design); }));
    add("file.quit", MainWindow::tr("Quit"), MainWindow::tr("Leaves Weft; runs go on"), "",
        {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [&window] { window.close(); });
}

} // namespace weft::ui
