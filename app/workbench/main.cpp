// SPDX-License-Identifier: Apache-2.0
// The workbench: its arguments are designs to open, and a script to play on the last of them.
#include "shell/files.h"
#include "shell/macros/macros.h"
#include "shell/main_window.h"
#include "workspace/aside.h"
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

/// Answers `--help` and `--version` before there is a QApplication, which exits if there is no
/// display.
void answerWords(int argc, char** argv, QCommandLineParser& arguments) {
    QStringList words;
    for (int i = 0; i < argc; ++i) {
        words << QString::fromLocal8Bit(argv[i]);
    }
    arguments.parse(words); // Qt's own options are not known yet; their errors are ignored here
    const bool wantsHelp =
        arguments.isSet(QStringLiteral("help")) || arguments.isSet(QStringLiteral("help-all"));
    if (wantsHelp || arguments.isSet(QStringLiteral("version"))) {
        const QCoreApplication application(argc, argv);
        arguments.process(application);
    }
}

/// Performs the lines of a script on the open design or a new one. Reports what stopped the script.
bool play(weft::ui::MainWindow& window, const QString& script) {
    QString problem;
    try {
        const QString text = weft::ui::readScript(script);
        if (window.page() == nullptr) {
            window.files().newDesign();
        }
        const weft::ui::PlayedMacro played =
            window.macros().player().play(QFileInfo(script).fileName(), text);
        problem = played.succeeded() ? QString() : script + ": " + played.message();
    } catch (const weft::Error& error) {
        problem = QString::fromUtf8(error.what());
    }
    if (!problem.isEmpty()) {
        std::cerr << problem.toStdString() << '\n';
        emit window.context().notice(problem, true);
    }
    return problem.isEmpty();
}

} // namespace

int main(int argc, char** argv) {
    nameProgram();
    QCommandLineParser arguments;
    arguments.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    arguments.setApplicationDescription(
        QCoreApplication::translate("main", "Design a network, assign it to devices, train it."));
    arguments.addHelpOption();
    arguments.addVersionOption();
    arguments.addPositionalArgument(QStringLiteral("designs"),
                                    QCoreApplication::translate("main", "designs to open"),
                                    QStringLiteral("[FILE.weft ...]"));
    arguments.addOptions(
        {{QStringLiteral("play"),
          QCoreApplication::translate("main", "perform the commands in FILE, one per line"),
          QStringLiteral("FILE")},
         {QStringLiteral("quit"),
          QCoreApplication::translate("main",
                                      "exit when they are done, with an error if one failed")}});
    answerWords(argc, argv, arguments);

    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("weft-workbench"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Weft"));
    arguments.process(application);

    weft::ui::Look look;
    look.applyLook(application);
    weft::ui::MainWindow window(look);
    for (const QString& file : arguments.positionalArguments()) {
        window.files().open(file);
    }
    window.show();
    if (const QString script = arguments.value(QStringLiteral("play")); !script.isEmpty()) {
        const bool isWhole = play(window, script);
        if (arguments.isSet(QStringLiteral("quit"))) {
            weft::ui::finishBackgroundWork();
            return isWhole ? 0 : 1;
        }
    }
    const int code = QApplication::exec();
    weft::ui::finishBackgroundWork();
    return code;
}
