// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench: arguments are designs to open.
#include "shell/files.h"
#include "shell/main_window.h"

#include <QApplication>
#include <QCommandLineParser>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("weft"));
    QApplication::setOrganizationName(QStringLiteral("weft"));
    QApplication::setApplicationVersion(QStringLiteral(WEFT_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("weft-workbench"));

    QCommandLineParser arguments;
    arguments.setApplicationDescription(
        QCoreApplication::translate("main", "Draw a network, say how it is spread, train it."));
    arguments.addHelpOption();
    arguments.addVersionOption();
    arguments.addPositionalArgument(QStringLiteral("designs"),
                                    QCoreApplication::translate("main", "designs to open"),
                                    QStringLiteral("[FILE.weft ...]"));
    arguments.process(application);

    weft::ui::Look look;
    look.dress(application);
    weft::ui::MainWindow window(look);
    for (const QString& file : arguments.positionalArguments()) {
        window.files().open(file);
    }
    window.show();
    return QApplication::exec();
}
