// SPDX-License-Identifier: Apache-2.0
#include "window_story.h"

#include "panels/assignment/choice_row.h"
#include "panels/data/sample_strip.h"
#include "shell/files.h"
#include "support/heard.h"
#include "support/places.h"
#include "support/view_pictures.h"

#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QMimeData>
#include <QSettings>
#include <QThreadPool>
#include <QWheelEvent>
#include <QWindow>
#include <algorithm>

namespace weft::test {

namespace {

/// Starts the program that was built with these tests, such that it dies with whom WEFT_STORY
/// names: a story that is killed leaves nothing behind. Of others who start it, a rank's launcher
/// among them, it asks nothing.
QString placeProgram(const QString& folder) {
    QDir(folder).mkdir(QStringLiteral("bin"));
    QFile file(folder + QStringLiteral("/bin/weft"));
    const QString text =
        QStringLiteral("#!/bin/sh\n"
                       "if [ \"$PPID\" = \"$WEFT_STORY\" ] && command -v setpriv >/dev/null; then\n"
                       "    exec setpriv --pdeathsig TERM '%1' \"$@\"\n"
                       "fi\n"
                       "exec '%1' \"$@\"\n")
            .arg(QString::fromStdString(weftProgram().string()));
    QTest::qVerify(file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0 &&
                       file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner),
                   "written", qPrintable(file.fileName()), __FILE__, __LINE__);
    return QFileInfo(file).path();
}

} // namespace

WindowStory::WindowStory(QSize size) {
    QCoreApplication::setOrganizationName(QStringLiteral("weft-test"));
    QCoreApplication::setApplicationName(QStringLiteral("stories"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
    QSettings().clear();
    const QString programs = placeProgram(folder_.path());
    qputenv("WEFT_STORY", QByteArray::number(QCoreApplication::applicationPid()));
    qputenv("PATH", (programs + ":" + qEnvironmentVariable("PATH")).toLocal8Bit());
    look_.applyLook(*qApp);
    window_ = std::make_unique<ui::MainWindow>(look_);
    window_->resize(size);
    window_->show();
    (void)QTest::qWaitForWindowActive(window_.get());
}

WindowStory::~WindowStory() {
    // Unsaved changes of a story are discarded.
    while (!window_->context().designs.all().empty()) {
        window_->context().designs.close(*window_->context().designs.all().back());
    }
}

const Design& WindowStory::design() { return page().design().document().design(); }

void WindowStory::openSample(const QString& name) {
    const QString sample = QString::fromStdString((sourceFolder() / "projects").string()) + "/" +
                           name + "/design.weft";
    const QString own = folder_.filePath(name + ".weft");
    QFile::copy(sample, own);
    window_->files().open(own);
    QCoreApplication::processEvents();
    waitForCheck();
}

bool WindowStory::waitForCheck() {
    return QTest::qWaitFor([this] { return page().design().check().isWhole(); }, 60'000);
}

void WindowStory::command(const char* id) {
    QAction* action = window_->context().commands.find(QLatin1String(id));
    if (action == nullptr || !action->isEnabled()) {
        qWarning("the command %s is not to be had", id);
        return;
    }
    action->trigger();
    QCoreApplication::processEvents();
}

bool WindowStory::waitForAnswers() {
    const auto are = [](auto isThere, const auto& parts) {
        return std::ranges::all_of(
            parts, [&](const auto* part) { return !part->isVisible() || isThere(*part); });
    };
    waitUntilHeard();
    const bool isAll = QTest::qWaitFor(
        [&] {
            return window_->context().machine() != nullptr &&
                   (window_->page() == nullptr || page().design().check().isWhole()) &&
                   are([](const ui::ChoiceRow& row) { return row.price().step > 0; },
                       window_->findChildren<ui::ChoiceRow*>()) &&
                   are([](const ui::SampleStrip& strip) { return !strip.isReading(); },
                       window_->findChildren<ui::SampleStrip*>());
        },
        120'000);
    QThreadPool::globalInstance()->waitForDone();
    return isAll;
}

QPoint WindowStory::centre(LayerId layer) {
    return page()
        .view()
        .viewport()
        .toLogical(page().view().list().node(layer)->box.center())
        .toPoint();
}

QPoint WindowStory::port(LayerId layer, bool isInput) {
    for (const ui::PortView& port : page().view().list().node(layer)->ports) {
        if (port.isInput == isInput) {
            return page().view().viewport().toLogical(port.at).toPoint();
        }
    }
    return {};
}

QStringList WindowStory::keysGivenTwice() {
    const ui::CommandSet& commands = window_->context().commands;
    QHash<QString, QString> owners;
    QStringList found;
    for (const ui::CommandInfo& info : commands.all()) {
        for (const QKeySequence& key : commands.find(info.id)->shortcuts()) {
            const QString text = key.toString();
            if (owners.contains(text)) {
                found << QStringLiteral("%1: %2, %3").arg(text, owners[text], info.id);
            }
            owners.insert(text, info.id);
        }
    }
    return found;
}

void WindowStory::click(LayerId layer, Qt::KeyboardModifiers modifiers) {
    QTest::mouseClick(&page().view(), Qt::LeftButton, modifiers, centre(layer));
}

void WindowStory::drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers) {
    QWidget* view = &page().view();
    constexpr int stops = 8;
    QTest::mousePress(view, Qt::LeftButton, modifiers, from);
    for (int i = 1; i <= stops; ++i) {
        QTest::mouseMove(view, from + (to - from) * i / stops);
    }
    QTest::mouseRelease(view, Qt::LeftButton, modifiers, to);
}

void WindowStory::wheel(QWidget& over, QPoint at, int clicks, Qt::KeyboardModifiers modifiers) {
    const QWidget* window = over.window();
    QWheelEvent event(over.mapTo(window, at), over.mapToGlobal(at), {}, {0, 120 * clicks},
                      Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(window->windowHandle(), &event);
}

void WindowStory::drop(const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) {
        urls << QUrl::fromLocalFile(file);
    }
    data.setUrls(urls);
    const QPoint at = window_->rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_.get(), &enter);
    if (enter.isAccepted()) {
        QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(window_.get(), &drop);
    }
}

LayerId WindowStory::layerNamed(const char* name) {
    const Layer* layer = findLayer(page().design().selection().network(), std::string_view(name));
    return layer != nullptr ? layer->id : LayerId{};
}

void WindowStory::type(const QString& text) { QTest::keyClicks(QApplication::focusWidget(), text); }

void WindowStory::key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : window_.get(), key, modifiers);
}

void WindowStory::picture(const QString& name) {
    for (int i = 0; i < 3; ++i) {
        QCoreApplication::processEvents();
    }
    (void)savePicture(*window_, name);
}

} // namespace weft::test
