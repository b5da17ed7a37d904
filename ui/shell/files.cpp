// SPDX-License-Identifier: Apache-2.0
#include "shell/files.h"

#include "layout/arrange.h"
#include "runs/run_owner.h"
#include "shell/templates.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr qsizetype mostRecent = 12;
const char* const recentKey = "files/recent";

QString filter() { return Files::tr("Designs (*.weft)"); }

} // namespace

Files::Files(WindowContext& context, QWidget& window)
    : context_(context), window_(window), recovery_(Recovery::standardFolder()) {}

void Files::add(std::unique_ptr<OpenDesign> design) {
    recovery_.watch(design->document());
    context_.designs.setCurrent(&context_.designs.add(std::move(design)));
}

QString Files::lost() const {
    QStringList words;
    for (const LostDesign& one : recovery_.lost()) {
        words << tr("%1, %2").arg(one.title, QLocale().toString(one.when, QLocale::ShortFormat));
    }
    return words.join('\n');
}

void Files::restoreLost() {
    for (const LostDesign& one : recovery_.lost()) {
        runAndReport([&] {
            auto restored = std::make_unique<OpenDesign>(context_.kinds, context_.previewQueue);
            Recovery::restore(one, restored->document());
            add(std::move(restored));
            Recovery::forget(one);
        });
    }
}

void Files::forgetLost() {
    for (const LostDesign& one : recovery_.lost()) {
        Recovery::forget(one);
    }
}

bool Files::runAndReport(const std::function<void()>& work) {
    try {
        work();
        return true;
    } catch (const Error& error) {
        emit context_.notice(QString::fromStdString(error.what()), true);
    } catch (const std::exception& error) {
        emit context_.notice(QString::fromUtf8(error.what()), true);
    }
    return false;
}

void Files::newDesign() { openDesign({}, false); }

void Files::openDesign(Design design, bool isUnsaved) {
    auto opened = std::make_unique<OpenDesign>(context_.kinds, context_.previewQueue);
    opened->document().setDesign(std::move(design), isUnsaved);
    add(std::move(opened));
}

void Files::open() {
    const QStringList chosen = QFileDialog::getOpenFileNames(
        &window_, tr("Open designs"), QSettings().value("files/folder").toString(), filter());
    for (const QString& file : chosen) {
        open(file);
    }
}

bool Files::open(const QString& file) {
    if (OpenDesign* known = context_.designs.withFile(file)) {
        context_.designs.setCurrent(known);
        return true;
    }
    auto opened = std::make_unique<OpenDesign>(context_.kinds, context_.previewQueue);
    if (!runAndReport([&] { opened->document().load(file); })) {
        return false;
    }
    const std::size_t problems = opened->document().loadProblems().size();
    add(std::move(opened));
    remember(file);
    if (problems > 0) {
        emit context_.notice(tr("Parts of %1 could not be read and are kept unchanged: %n", nullptr,
                                static_cast<int>(problems))
                                 .arg(QFileInfo(file).fileName()),
                             false);
    }
    return true;
}

bool Files::openOwner() {
    const QString run = context_.hub.folder();
    const QString runs = QFileInfo(run).absolutePath();
    // A run on another host may belong to any recently opened design.
    const bool isThere = context_.hub.copy().has_value();
    QStringList files{QFileInfo(runs).absolutePath() + '/' + nameOfRun(run) + ".weft"};
    for (const QString& file : recent()) {
        const bool isNear = isThere || runsFolderOf(file) == runs;
        if (isNear && QFileInfo(file).absolutePath() != run) {
            files << file;
        }
    }
    for (const QString& file : files) {
        try {
            const Design found = loadDesign(file.toStdString(), *context_.kinds).design;
            if (hasMostLayersOfRun(context_.hub.design(), found)) {
                return open(file);
            }
        } catch (const Error&) {
            continue; // deleted or unreadable
        }
    }
    return open(run + QStringLiteral("/design.weft"));
}

void Files::openTemplate(const QString& name) {
    for (const DesignTemplate& one : designTemplates()) {
        if (name == QLatin1String(one.name.data(), static_cast<qsizetype>(one.name.size()))) {
            runAndReport([&] {
                Design design =
                    parseDesign(one.text, *context_.kinds, std::string(one.name)).design;
                if (design.name.empty()) {
                    design.name = one.name;
                }
                constexpr double aspect = 1.5; // width / height of the canvas between its docks
                openDesign(arranged(std::move(design), *context_.kinds, aspect), false);
            });
        }
    }
}

bool Files::save(OpenDesign& design) {
    if (design.document().file().isEmpty()) {
        return saveAs(design);
    }
    if (design.document().hasChangedOnDisk()) {
        QMessageBox question(QMessageBox::NoIcon, tr("The file has changed"),
                             tr("%1 was written by another program since it was opened here.")
                                 .arg(design.document().title()),
                             QMessageBox::Cancel, &window_);
        QPushButton* over = question.addButton(tr("Overwrite it"), QMessageBox::AcceptRole);
        QPushButton* read = question.addButton(tr("Read it again"), QMessageBox::ActionRole);
        question.exec();
        if (question.clickedButton() == read) {
            reload(design);
        }
        if (question.clickedButton() != over) {
            return false;
        }
    }
    return runAndReport([&] { design.document().save(); });
}

bool Files::saveAs(OpenDesign& design) {
    QSettings settings;
    QString name = design.document().file();
    if (name.isEmpty()) {
        name = settings.value("files/folder").toString() + "/" + design.document().title();
        name += name.endsWith(QLatin1String(".weft")) ? "" : ".weft";
    }
    QString file = QFileDialog::getSaveFileName(&window_, tr("Save design"), name, filter());
    if (file.isEmpty()) {
        return false;
    }
    if (!file.endsWith(QLatin1String(".weft"))) {
        file += ".weft";
    }
    if (!runAndReport([&] { design.document().saveAs(file); })) {
        return false;
    }
    remember(file);
    return true;
}

bool Files::close(OpenDesign& design) {
    if (design.document().isModified()) {
        context_.designs.setCurrent(&design);
        QMessageBox question(
            QMessageBox::NoIcon, tr("Save changes?"),
            tr("%1 has changes that are not saved.").arg(design.document().title()),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
        question.setDefaultButton(QMessageBox::Save);
        const int answer = question.exec();
        if (answer == QMessageBox::Cancel || (answer == QMessageBox::Save && !save(design))) {
            return false;
        }
    }
    context_.designs.close(design);
    return true;
}

bool Files::closeAll() {
    while (!context_.designs.all().empty()) {
        if (!close(*context_.designs.all().back())) {
            return false;
        }
    }
    return true;
}

void Files::reload(OpenDesign& design) {
    const QString file = design.document().file();
    runAndReport([&] {
        if (!file.isEmpty()) {
            design.document().load(file);
        }
    });
}

void Files::openDropped(const QStringList& dropped) {
    QStringList others;
    for (const QString& file : dropped) {
        if (file.endsWith(QLatin1String(".weft"), Qt::CaseInsensitive)) {
            open(file);
        } else if (file.endsWith(QLatin1String(".onnx"), Qt::CaseInsensitive)) {
            emit modelDropped(file);
        } else {
            others << file;
        }
    }
    if (!others.isEmpty()) {
        emit dataDropped(others);
    }
}

QStringList Files::recent() {
    QStringList there = QSettings().value(recentKey).toStringList();
    there.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
    return there;
}

void Files::remember(const QString& file) {
    const QString path = QFileInfo(file).absoluteFilePath();
    QStringList files = recent();
    files.removeAll(path);
    files.prepend(path);
    QSettings settings;
    settings.setValue(recentKey, files.mid(0, mostRecent));
    settings.setValue("files/folder", QFileInfo(path).absolutePath());
    emit recentChanged();
}

} // namespace weft::ui
