// SPDX-License-Identifier: Apache-2.0
#include "shell/macros/macros.h"

#include "commands/command_place.h"
#include "shell/macros/macro_list.h"
#include "shell/main_window.h"
#include <weft/error.h>

namespace weft::ui {

Macros::Macros(WindowContext& context, MainWindow& window)
    : context_(context), window_(window), player_(context), recorder_(context) {
    context.commands.addLine(
        {.id = QStringLiteral("file.save"),
         .arguments = QStringLiteral("[FILE]"),
         .help = tr("Writes the design into its file, or another")},
        [this](const QStringList& words) {
            OpenDesign* design = context_.designs.current();
            const QString file =
                words.value(0, design == nullptr ? QString() : design->document().file());
            if (design == nullptr || file.isEmpty()) {
                return design == nullptr ? tr("no design is open") : tr("it has no file yet");
            }
            try {
                design->document().saveAs(file);
            } catch (const Error& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        });
    connect(&recorder_, &MacroRecorder::changed, this, [this] {
        if (QAction* action = context_.commands.find(QStringLiteral("macros.record"))) {
            action->setChecked(recorder_.isRecording());
            action->setText(recorder_.isRecording() ? tr("End recording") : tr("Record macro"));
        }
    });
    connect(&recorder_, &MacroRecorder::designLeft, this, [this] {
        if (keep()) {
            emit context_.notice(
                tr("The recording ended with its design and is saved as %1").arg(last_), false);
        }
    });
    connect(&recorder_, &MacroRecorder::editNotRecorded, this, [this](const QString& name) {
        emit context_.notice(tr("\"%1\" cannot be recorded: the macro will stop there").arg(name),
                             false);
    });
}

void Macros::addCommands() {
    const QString place = tr("Macros");
    context_.commands.add({.id = QStringLiteral("macros.record"),
                           .text = tr("Record macro"),
                           .help = tr("Records edits, so that they can be repeated elsewhere"),
                           .place = place,
                           .icon = QStringLiteral("actions/record"),
                           .keys = {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R)},
                           .isCheckable = true,
                           .isReplayed = false},
                          [this](bool isWanted) { record(isWanted); });
    const CommandPlace add(context_.commands, place, Needs::design, false);
    add("macros.again", tr("Play last macro"),
        tr("Plays the macro that was recorded or played last"), "",
        {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P)}, [this] {
            if (last_.isEmpty()) {
                emit context_.notice(tr("No macro was recorded or played yet"), false);
            } else {
                play(last_);
            }
        });
    add.needing(Needs::nothing)("macros.edit", tr("Edit macros …"),
                                tr("Edits the names and lines of all macros"), "", {},
                                [this] { showList(); });
    add("macros.lines", tr("Lines of macros"), tr("Help on the lines of macros and scripts"),
        "actions/help", {}, [this] { showLines(); });
    for (const QString& name : files_.names()) {
        addCommand(name);
    }
}

QString Macros::commandOf(const QString& name) { return QStringLiteral("macro.") + name; }

void Macros::addCommand(const QString& name) {
    context_.commands.add({.id = commandOf(name),
                           .text = name,
                           .help = tr("Plays the macro %1").arg(name),
                           .place = tr("Macros")},
                          [this, name](bool) { play(name); });
}

void Macros::record(bool isWanted) {
    if (isWanted) {
        recorder_.start();
    } else if (recorder_.isRecording() && keep()) {
        showList(last_);
    }
}

bool Macros::keep() {
    const QString text = recorder_.stop();
    if (text.isEmpty()) {
        emit context_.notice(tr("Nothing was done, so there is no macro"), false);
        return false;
    }
    const QString name = files_.freeName();
    if (!write(name, text)) {
        return false;
    }
    last_ = name;
    return true;
}

bool Macros::play(const QString& name) {
    return runAndReport([&] {
        last_ = name;
        const PlayedMacro played = player_.play(name, files_.text(name));
        if (!played.succeeded()) {
            emit context_.notice(tr("%1 stopped at %2").arg(name, played.message()), true);
        }
    });
}

void Macros::playLine(const QString& line) {
    const PlayedMacro played = player_.playLine(line);
    if (!played.succeeded()) {
        emit context_.notice(played.text + ": " + played.reason, true);
    }
}

bool Macros::write(const QString& name, const QString& text) {
    return runAndReport([&] {
        files_.write(name, text);
        if (context_.commands.find(commandOf(name)) == nullptr) {
            addCommand(name);
        }
    });
}

bool Macros::rename(const QString& name, const QString& newName) {
    return runAndReport([&] {
        files_.rename(name, newName);
        const QList<QKeySequence> keys = context_.commands.find(commandOf(name))->shortcuts();
        context_.commands.setKeys(commandOf(name), {});
        context_.commands.remove(commandOf(name));
        addCommand(newName);
        context_.commands.setKeys(commandOf(newName), keys);
        last_ = last_ == name ? newName : last_;
    });
}

bool Macros::remove(const QString& name) {
    return runAndReport([&] {
        files_.remove(name);
        context_.commands.resetKeys(commandOf(name));
        context_.commands.remove(commandOf(name));
        last_ = last_ == name ? QString() : last_;
    });
}

void Macros::showLines() const { emit context_.helpWanted(QStringLiteral("page:lines")); }

void Macros::showList(const QString& name) {
    (new MacroList(context_, *this, window_, name))->open();
}

bool Macros::runAndReport(const std::function<void()>& work) {
    try {
        work();
        return true;
    } catch (const Error& error) {
        emit context_.notice(QString::fromUtf8(error.what()), true);
    }
    return false;
}

} // namespace weft::ui
