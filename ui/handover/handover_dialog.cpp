// SPDX-License-Identifier: Apache-2.0
#include "handover/handover_dialog.h"

#include "theme/look.h"
#include "theme/style.h"
#include "widgets/padded_delegate.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/output_file.h>

#include <QClipboard>
#include <QFileDialog>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace weft::ui {

namespace {

constexpr int dialogWidth = 760;
constexpr int dialogHeight = 560;
constexpr int waysWidth = 168;
constexpr std::array targets{ExportTarget::machine, ExportTarget::mpirun, ExportTarget::slurm,
                             ExportTarget::kubernetes};

QString titleOf(ExportTarget target) {
    switch (target) {
    case ExportTarget::machine: return HandoverDialog::tr("This machine");
    case ExportTarget::mpirun: return HandoverDialog::tr("mpirun");
    case ExportTarget::slurm: return HandoverDialog::tr("Slurm");
    case ExportTarget::kubernetes: return HandoverDialog::tr("Kubernetes");
    }
    return {};
}

} // namespace

HandoverDialog::HandoverDialog(const Look& look, Design design, const QString& folder,
                               QWidget* parent)
    : QDialog(parent), look_(look) {
    const Sizes& sizes = Look::sizes();
    request_.design = std::move(design);
    request_.folder = folder.toStdString();
    setWindowTitle(tr("Export %1").arg(QString::fromStdString(request_.design.name)));
    resize(dialogWidth, dialogHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    targetList_ = new QListWidget;
    targetList_->setFrameShape(QFrame::NoFrame);
    targetList_->setFixedWidth(waysWidth);
    targetList_->setItemDelegate(new PaddedDelegate(targetList_));
    targetList_->setAccessibleName(tr("Where it runs"));
    for (const ExportTarget target : targets) {
        targetList_->addItem(titleOf(target));
    }
    row->addWidget(targetList_);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(sizes.space.l, sizes.space.l, sizes.space.l, sizes.space.l);
    right->setSpacing(sizes.space.m);
    makeFields(*right);
    remarks_ = new QLabel;
    remarks_->setWordWrap(true);
    setTier(*remarks_, Tier::secondary);
    right->addWidget(remarks_);
    editor_ = new QPlainTextEdit;
    editor_->setFont(Look::mono(sizes.type.body));
    editor_->setLineWrapMode(QPlainTextEdit::NoWrap);
    editor_->setAccessibleName(tr("The final text"));
    right->addWidget(editor_, 1);
    auto* foot = new QHBoxLayout;
    fingerprintLabel_ =
        new QLabel(tr("Fingerprint of the design: %1")
                       .arg(fingerprint(request_.design), 16, 16, QLatin1Char('0')));
    setTier(*fingerprintLabel_, Tier::tertiary);
    foot->addWidget(fingerprintLabel_, 1);
    const auto add = [&](const QString& text, auto run) {
        auto* button = new QPushButton(text);
        foot->addWidget(button);
        connect(button, &QPushButton::clicked, this, run);
        return button;
    };
    add(tr("Copy command"), [this] { copyCommand(); });
    add(tr("Copy"), [this] { copyText(); });
    saveText_ = add(tr("Save"), [this] { saveText(); });
    makePrimary(*add(tr("Save folder"), [this] { saveFolder(); }));
    right->addLayout(foot);
    row->addLayout(right, 1);
    connect(targetList_, &QListWidget::currentRowChanged, this, &HandoverDialog::showText);
    targetList_->setCurrentRow(0);
}

void HandoverDialog::makeFields(QLayout& layout) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Look::sizes().space.m);
    grid->setVerticalSpacing(Look::sizes().space.s);
    int place = 0;
    const auto add = [&](const QString& name, QWidget* field, std::vector<ExportTarget> of) {
        auto* label = new QLabel(name);
        label->setBuddy(field);
        setTier(*label, Tier::secondary);
        field->setAccessibleName(name);
        grid->addWidget(label, place / 2, 2 * (place % 2));
        grid->addWidget(field, place / 2, 2 * (place % 2) + 1);
        targetsOfField_[label] = of;
        targetsOfField_[field] = std::move(of);
        ++place;
    };
    const auto number = [&](const QString& name, int least, int most, int value,
                            std::vector<ExportTarget> of) {
        auto* field = new QSpinBox;
        field->setRange(least, most);
        field->setValue(value);
        connect(field, &QSpinBox::valueChanged, this, &HandoverDialog::showText);
        add(name, field, std::move(of));
        return field;
    };
    const auto word = [&](const QString& name, const std::string& value,
                          std::vector<ExportTarget> of) {
        auto* field = new QLineEdit(QString::fromStdString(value));
        connect(field, &QLineEdit::textChanged, this, &HandoverDialog::showText);
        add(name, field, std::move(of));
        return field;
    };
    using enum ExportTarget;
    nodeCount_ = number(tr("Nodes"), 1, 65536, 1, {slurm, kubernetes});
    gpusPerNode_ = number(tr("GPUs per node"), 0, 64, 0, {slurm, kubernetes});
    gpusPerNode_->setSpecialValueText(tr("as needed"));
    ranksPerNode_ = number(tr("Ranks per node"), 1, 4096, 1, {mpirun, slurm, kubernetes});
    coresPerRank_ = number(tr("Cores per rank"), 1, 1024, 1, {slurm, kubernetes});
    minuteLimit_ =
        number(tr("Time limit, min"), 1, 60 * 24 * 30, request_.minutes, {slurm, kubernetes});
    partition_ = word(tr("Partition"), {}, {slurm});
    account_ = word(tr("Account"), {}, {slurm});
    containerImage_ = word(tr("Image"), request_.image, {kubernetes});
    auto* box = new QWidget;
    box->setLayout(grid);
    grid->setContentsMargins(0, 0, 0, 0);
    layout.addWidget(box);
}

ExportTarget HandoverDialog::target() const {
    return targets[static_cast<std::size_t>(std::max(0, targetList_->currentRow()))];
}

QString HandoverDialog::text() const { return editor_->toPlainText(); }

void HandoverDialog::showText() {
    if (editor_ == nullptr || saveText_ == nullptr) {
        return; // the constructor has not created all widgets yet
    }
    for (const auto& [field, of] : targetsOfField_) {
        field->setVisible(std::ranges::find(of, target()) != of.end());
    }
    const bool isBatch = target() == ExportTarget::slurm || target() == ExportTarget::kubernetes;
    request_.nodes = isBatch ? nodeCount_->value() : 1;
    request_.gpusPerNode = isBatch ? gpusPerNode_->value() : 0;
    request_.ranksPerNode = target() == ExportTarget::machine ? 1 : ranksPerNode_->value();
    request_.coresPerRank = coresPerRank_->value();
    request_.minutes = minuteLimit_->value();
    request_.partition = partition_->text().toStdString();
    request_.account = account_->text().toStdString();
    request_.image = containerImage_->text().toStdString();
    try {
        const ExportedFile script = exportedScript(request_, target());
        editor_->setPlainText(QString::fromStdString(script.text));
        saveText_->setText(tr("Save %1").arg(QString::fromStdString(script.name)));
        saveText_->setEnabled(true);
        QStringList remarks;
        for (const std::string& remark : exportRemarks(request_)) {
            remarks << QString::fromStdString(remark);
        }
        remarks_->setText(remarks.join('\n'));
        remarks_->setVisible(!remarks.isEmpty());
    } catch (const Error& error) {
        showFault(QString::fromUtf8(error.what()));
    }
}

void HandoverDialog::showFault(const QString& text) {
    editor_->clear();
    remarks_->setText(text);
    remarks_->show();
    saveText_->setEnabled(false);
}

void HandoverDialog::setPathChooser(std::function<QString(const QString&, bool)> choose) {
    choosePath_ = std::move(choose);
}

void HandoverDialog::copyText() const { QGuiApplication::clipboard()->setText(text()); }

void HandoverDialog::copyCommand() {
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(exportedCommand(request_, target())));
}

void HandoverDialog::chooseAndSave(const QString& suggestion, bool isFolder,
                                   const std::function<void(const QString&)>& save) {
    const QString path =
        choosePath_ ? choosePath_(suggestion, isFolder)
        : isFolder  ? QFileDialog::getSaveFileName(this, tr("Folder of the export"), suggestion)
                    : QFileDialog::getSaveFileName(this, tr("Save"), suggestion);
    if (path.isEmpty()) {
        return;
    }
    try {
        save(path);
        Q_EMIT saved(path);
    } catch (const Error& error) {
        remarks_->setText(QString::fromUtf8(error.what()));
        remarks_->show();
        Q_EMIT failed(remarks_->text());
    }
}

void HandoverDialog::saveText() {
    const std::string name = exportedScript(request_, target()).name;
    chooseAndSave(QString::fromStdString(name), false, [this](const QString& path) {
        writeOutput(path.toStdString(), text().toStdString());
    });
}

void HandoverDialog::saveFolder() {
    const QString name = QString::fromStdString(request_.design.name);
    chooseAndSave(name.isEmpty() ? tr("handed-over") : name, true, [this](const QString& path) {
        std::vector<ExportedFile> files = exportedFiles(request_);
        // Saves the text as edited in the dialog.
        const ExportedFile shown = exportedScript(request_, target());
        for (ExportedFile& file : files) {
            if (file.name == shown.name) {
                file.text = text().toStdString();
            }
        }
        writeExport(files, path.toStdString());
    });
}

} // namespace weft::ui
