// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench: arguments are designs to open.
#include "shell/files.h"
#include "shell/main_window.h"

#include <QApplication>
#include <QCommandLineParser>

namespace {

void nameProgram() {
    QCoreApplication::setApplicationName(QStringLiteral("weft"));
    QCoreApplication::setOrganizationName(QStringLiteral("weft"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WEFT_VERSION));
}

/// `--help` and `--version` are answered before there is a QApplication, which ends a program that
/// has no display.
void answerWords(int argc, char** argv, QCommandLineParser& arguments) {
    QStringList words;
    for (int i = 0; i < argc; ++i) {
        words << QString::fromLocal8Bit(argv[i]);
    }
    arguments.parse(words); // the options of Qt's own are not known yet, and no matter
    const bool wantsHelp =
        arguments.isSet(QStringLiteral("help")) || arguments.isSet(QStringLiteral("help-all"));
    if (wantsHelp || arguments.isSet(QStringLiteral("version"))) {
        const QCoreApplication application(argc, argv);
        arguments.process(application);
    }
}

} // namespace

int main(int argc, char** argv) {
    nameProgram();
    QCommandLineParser arguments;
    arguments.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    arguments.setApplicationDescription(
        QCoreApplication::translate("main", "Draw a network, say how it is spread, train it."));
    arguments.addHelpOption();
    arguments.addVersionOption();
    arguments.addPositionalArgument(QStringLiteral("designs"),
                                    QCoreApplication::translate("main", "designs to open"),
                                    QStringLiteral("[FILE.weft ...]"));
    answerWords(argc, argv, arguments);

    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("weft-workbench"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Weft"));
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
