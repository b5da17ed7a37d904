// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench: arguments are designs to open, and a script to play on the last of them.
#include "session/aside.h"
#include "shell/files.h"
#include "shell/macros.h"
#include "shell/main_window.h"
#include <weft/error.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <iostream>

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

/// Lines of a file, on the design that is looked at or a new one; what stopped them is told.
bool play(weft::ui::MainWindow& window, const QString& script) {
    QString problem;
    try {
        const QString text = weft::ui::readScript(script);
        if (window.page() == nullptr) {
            window.files().newDesign();
        }
        const weft::ui::PlayedMacro played =
            window.macros().player().play(QFileInfo(script).fileName(), text);
        problem = played.isWhole() ? QString() : script + ": " + played.message();
    } catch (const weft::Error& error) {
        problem = QString::fromUtf8(error.what());
    }
    if (!problem.isEmpty()) {
        std::cerr << problem.toStdString() << '\n';
        emit window.bench().notice(problem, true);
    }
    return problem.isEmpty();
}

} // namespace

int main(int argc, char** argv) {
    nameProgram();
    QCommandLineParser arguments;
    arguments.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    arguments.setApplicationDescription(QCoreApplication::translate(
        "main", "Draw a network, assign its layers to devices, train it."));
    arguments.addHelpOption();
    arguments.addVersionOption();
    arguments.addPositionalArgument(QStringLiteral("designs"),
                                    QCoreApplication::translate("main", "designs to open"),
                                    QStringLiteral("[FILE.weft ...]"));
    arguments.addOptions(
        {{QStringLiteral("play"),
          QCoreApplication::translate("main", "run the commands in FILE, one per line"),
          QStringLiteral("FILE")},
         {QStringLiteral("quit"),
          QCoreApplication::translate(
              "main", "quit after the commands; the exit code is 1 if one failed")}});
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
    if (const QString script = arguments.value(QStringLiteral("play")); !script.isEmpty()) {
        const bool isWhole = play(window, script);
        if (arguments.isSet(QStringLiteral("quit"))) {
            weft::ui::endAside();
            return isWhole ? 0 : 1;
        }
    }
    const int code = QApplication::exec();
    weft::ui::endAside();
    return code;
}
