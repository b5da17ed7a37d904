// SPDX-License-Identifier: Apache-2.0
#include "shell/start/start_page.h"

#include "shell/files.h"
#include "shell/start/design_card.h"
#include "shell/templates.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/chips.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int leftWidth = 280;
constexpr int rightWidth = 330;
constexpr int cardPitch = 282 + 18;
constexpr std::size_t mostCards = 6;
constexpr qsizetype mostLiving = 4;

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(Look::sans(tokens().sizes.type.title, tokens().sizes.type.semibold));
    return label;
}

QLabel* quiet(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(Look::sans(tokens().sizes.type.small));
    setTier(*label, Tier::tertiary);
    return label;
}

/// Returns the title for a folder name such as "resnet18-cifar".
QString titleOf(std::string_view name) {
    QString title = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    title.replace('-', ' ');
    return title.left(1).toUpper() + title.mid(1);
}

/// A button that looks like a menu entry, with its shortcut on the right.
class Line : public QPushButton {
public:
    Line(Look& look, QAction* action, QString icon, QWidget* parent)
        : QPushButton(action->text(), parent),
          look_(look),
          action_(action),
          icon_(std::move(icon)) {
        setFlat(true);
        setFixedHeight(34);
        setAccessibleName(action->text());
        setToolTip(action->toolTip());
        connect(this, &QPushButton::clicked, action, &QAction::trigger);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing, true);
        const Theme& theme = look_.theme();
        const bool isInk = property("weftPrimary").toBool();
        const bool isOver = underMouse();
        if (isInk || isOver) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(isInk ? (isOver ? theme.accent.inkHover : theme.accent.ink)
                                   : theme.surface.hover);
            painter.drawRoundedRect(rect(), 5, 5);
        }
        if (hasFocus()) {
            painter.setPen(QPen(theme.accent.focus, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
        }
        const QColor ink = isInk ? theme.text.onInk : theme.text.primary;
        painter.drawPixmap(12, height() / 2 - 8, symbol(icon_, 16, ink, devicePixelRatioF()));
        painter.setPen(ink);
        painter.setFont(Look::sans(tokens().sizes.type.label, isInk ? 600 : 500));
        painter.drawText(rect().adjusted(38, 0, -8, 0), Qt::AlignVCenter, text());
        painter.setFont(Look::mono(tokens().sizes.type.small));
        painter.setPen(isInk ? theme.text.onInk : theme.text.tertiary);
        painter.drawText(rect().adjusted(0, 0, -12, 0), Qt::AlignVCenter | Qt::AlignRight,
                         action_->shortcut().toString(QKeySequence::NativeText));
    }

private:
    Look& look_;
    QAction* action_;
    QString icon_;
};

/// Adds a box with a title at the bottom left.
QWidget* note(QWidget& parent, const QString& title) {
    auto* box = new QWidget(&parent);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(12, 12, 12, 12);
    auto* label = new QLabel(title, box);
    label->setFont(Look::sans(tokens().sizes.type.body, tokens().sizes.type.semibold));
    layout->addWidget(label);
    return box;
}

void clear(QLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->deleteLater();
        }
        if (item->layout() != nullptr) {
            clear(*item->layout());
        }
        delete item;
    }
}

} // namespace

StartPage::StartPage(WindowContext& context, Files& files, QWidget* parent)
    : QWidget(parent),
      context_(context),
      files_(files),
      left_(new QWidget(this)),
      middle_(new QScrollArea(this)),
      right_(new QWidget(this)) {
    buildLeft();
    buildMiddle();
    buildRight();
    connect(&files_, &Files::recentChanged, this, [this] {
        if (isVisible()) {
            fillCards();
        }
    });
    connect(&context_, &WindowContext::machineKnown, this, &StartPage::showMachine);
    connect(&context_.living, &LivingRuns::changed, this, &StartPage::showLiving);
    connect(&context_.hub, &RunHub::grown, this, [this](const RunGrowth& growth) {
        if (growth.isNew) {
            showLiving();
        }
    });
}

void StartPage::buildLeft() {
    leftLayout_ = new QVBoxLayout(left_);
    leftLayout_->setContentsMargins(16, 24, 16, 16);
    leftLayout_->setSpacing(4);
    auto* name = new QLabel(QStringLiteral("Weft"), left_);
    name->setFont(Look::sans(tokens().sizes.type.display, tokens().sizes.type.semibold));
    name->setContentsMargins(12, 0, 0, 0);
    leftLayout_->addWidget(name);
    QLabel* what = quiet(tr("Draw a network, spread it, train it"), left_);
    what->setContentsMargins(12, 0, 0, 16);
    leftLayout_->addWidget(what);
    const std::pair<const char*, const char*> lines[] = {{"file.new", "actions/plus"},
                                                         {"file.open", "actions/open"},
                                                         {"run.attach", "actions/attach"},
                                                         {"help.palette", "actions/search"},
                                                         {"help.keys", "actions/keys"}};
    for (const auto& [id, icon] : lines) {
        if (QAction* action = context_.commands.find(QLatin1String(id))) {
            auto* line = new Line(context_.look, action, QLatin1String(icon), left_);
            if (QLatin1String(id) == QLatin1String("file.new")) {
                makePrimary(*line);
            }
            leftLayout_->addWidget(line);
        }
    }
    leftLayout_->addStretch();
}

void StartPage::buildMiddle() {
    auto* content = new QWidget(middle_);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(32, 28, 16, 24);
    layout->setSpacing(12);
    recentTitle_ = heading(tr("Recent"), content);
    layout->addWidget(recentTitle_);
    recent_ = new QGridLayout;
    samples_ = new QGridLayout;
    for (QGridLayout* grid : {recent_, samples_}) {
        grid->setSpacing(18);
        grid->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    layout->addLayout(recent_);
    layout->addSpacing(12);
    layout->addWidget(heading(tr("Start from a sample"), content));
    layout->addLayout(samples_);
    layout->addStretch();
    middle_->setWidget(content);
    middle_->setWidgetResizable(true);
    middle_->setFrameShape(QFrame::NoFrame);
    middle_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    middle_->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
}

void StartPage::buildRight() {
    auto* layout = new QVBoxLayout(right_);
    layout->setContentsMargins(20, 28, 20, 16);
    layout->setSpacing(4);
    layout->addWidget(heading(tr("This machine"), right_));
    machine_ = new QVBoxLayout;
    machine_->setSpacing(6);
    layout->addLayout(machine_);
    layout->addStretch();
    showMachine();
}

void StartPage::showMachine() {
    clear(*machine_);
    const std::shared_ptr<const MachineReport> report = context_.machine();
    if (report == nullptr) {
        machine_->addWidget(quiet(tr("Looking …"), right_));
        return;
    }
    machine_->addWidget(
        quiet(QString::fromStdString(report->machine.host) + " · " +
                  quantity::counted(static_cast<double>(report->cores), tr("core"), tr("cores")) +
                  " · " + quantity::bytes(static_cast<double>(report->memory.count)),
              right_));
    machine_->addSpacing(8);
    showDevices(*report);
    machine_->addSpacing(12);
    machine_->addWidget(quiet(tr("Can run"), right_));
    showFeatures(*report);
}

void StartPage::showDevices(const MachineReport& report) {
    int slot = 0;
    for (const DeviceSheet& device : report.machine.devices) {
        // The reference device serves tests only and is not offered.
        if (device.name.starts_with("reference:")) {
            continue;
        }
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        auto* chip =
            new ChipRow([this]() -> const Theme& { return context_.look.theme(); }, right_);
        const QString name = QString::fromStdString(device.name);
        chip->setDevices({slot++}, {name});
        row->addWidget(chip, 0, Qt::AlignTop);
        auto* texts = new QVBoxLayout;
        texts->setSpacing(0);
        texts->addWidget(new QLabel(name, right_));
        QLabel* model = quiet(QString::fromStdString(device.model), right_);
        model->setWordWrap(true);
        texts->addWidget(model);
        row->addLayout(texts, 1);
        auto* speed =
            new QLabel(device.flopsPerSecond > 0 ? quantity::flops(device.flopsPerSecond) + "/s"
                                                 : quantity::none(),
                       right_);
        speed->setFont(Look::mono(tokens().sizes.type.small));
        row->addWidget(speed, 0, Qt::AlignTop);
        machine_->addLayout(row);
    }
}

void StartPage::showFeatures(const MachineReport& report) {
    const Theme& theme = context_.look.theme();
    for (const Feature& feature : report.features) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        auto* mark = new QLabel(right_);
        mark->setPixmap(symbol(
            feature.isFound ? QStringLiteral("states/good") : QStringLiteral("actions/close"), 16,
            feature.isFound ? theme.semantic.ok : theme.text.tertiary, devicePixelRatioF()));
        row->addWidget(mark, 0, Qt::AlignTop);
        QString text = QString::fromStdString(feature.name + ": " + feature.detail);
        if (!feature.isFound && !feature.remedy.empty()) {
            text += "\n" + QString::fromStdString(feature.remedy);
        }
        auto* label = new QLabel(text, right_);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        setTier(*label, feature.isFound ? Tier::primary : Tier::tertiary);
        row->addWidget(label, 1);
        machine_->addLayout(row);
    }
}

void StartPage::fillCards() {
    for (auto* cards : {&recentCards_, &sampleCards_}) {
        for (QWidget* card : *cards) {
            card->deleteLater();
        }
        cards->clear();
    }
    QWidget* content = middle_->widget();
    for (const QString& file : Files::recent()) {
        if (recentCards_.size() == mostCards) {
            break;
        }
        try {
            LoadedDesign loaded = loadDesign(file.toStdString(), *context_.kinds);
            const QFileInfo info(file);
            const QString line = QLocale().toString(info.lastModified(), QLocale::ShortFormat) +
                                 " · " + sizeOf(loaded.design);
            auto* card = new DesignCard(context_.look, context_.kinds, std::move(loaded.design),
                                        info.fileName(), line, content);
            card->setToolTip(file);
            connect(card, &QAbstractButton::clicked, this, [this, file] { files_.open(file); });
            recentCards_.push_back(card);
        } catch (const Error&) {
            continue; // skips unreadable designs
        }
    }
    // Designs for beginners come first.
    std::vector<DesignTemplate> samples(designTemplates().begin(), designTemplates().end());
    std::ranges::stable_partition(
        samples, [](const DesignTemplate& one) { return one.name.starts_with("quickstart"); });
    for (const DesignTemplate& one : samples) {
        const auto name =
            QString::fromUtf8(one.name.data(), static_cast<qsizetype>(one.name.size()));
        Design design = parseDesign(one.text, *context_.kinds, std::string(one.name)).design;
        const QString line = sizeOf(design);
        auto* card = new DesignCard(context_.look, context_.kinds, std::move(design),
                                    titleOf(one.name), line, content);
        card->setObjectName("sample/" + name);
        connect(card, &QAbstractButton::clicked, this, [this, name] { files_.openTemplate(name); });
        sampleCards_.push_back(card);
    }
    recentTitle_->setVisible(!recentCards_.empty());
    columns_ = 0;
    layCards();
}

void StartPage::layCards() {
    const int columns = std::max(1, (middle_->width() - 44) / cardPitch);
    if (columns == columns_) {
        return;
    }
    columns_ = columns;
    const auto lay = [columns](QGridLayout& grid, const std::vector<QWidget*>& cards) {
        while (QLayoutItem* item = grid.takeAt(0)) {
            delete item;
        }
        for (std::size_t i = 0; i < cards.size(); ++i) {
            grid.addWidget(cards[i], static_cast<int>(i) / columns, static_cast<int>(i) % columns);
            cards[i]->show();
        }
    };
    lay(*recent_, recentCards_);
    lay(*samples_, sampleCards_);
}

void StartPage::showLiving() {
    delete std::exchange(living_, nullptr);
    const QStringList runs = context_.unseenRuns();
    if (runs.isEmpty()) {
        return;
    }
    living_ = note(*left_, runs.size() == 1 ? tr("1 run is live")
                                            : tr("%1 runs are live").arg(runs.size()));
    living_->setObjectName(QStringLiteral("living"));
    for (const QString& run : runs.mid(0, mostLiving)) {
        auto* row = new QHBoxLayout;
        auto* name = new QLabel(titleOfRun(run), living_);
        name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        name->setToolTip(run);
        setTier(*name, Tier::secondary);
        row->addWidget(name, 1);
        auto* attach = new QPushButton(tr("Attach"), living_);
        attach->setToolTip(tr("Opens the run and shows it from its first step on"));
        connect(
            attach, &QPushButton::clicked, &context_,
            [this, run] { Q_EMIT context_.attachWanted(run); }, Qt::QueuedConnection);
        row->addWidget(attach);
        static_cast<QVBoxLayout*>(living_->layout())->addLayout(row);
    }
    leftLayout_->addWidget(living_);
}

void StartPage::offerRecovery(const QString& text, QAction& restore, std::function<void()> forget) {
    QWidget* box = note(*left_, tr("Edits were not saved"));
    auto* layout = static_cast<QVBoxLayout*>(box->layout());
    auto* words = new QLabel(text, box);
    words->setWordWrap(true);
    setTier(*words, Tier::secondary);
    layout->addWidget(words);
    auto* row = new QHBoxLayout;
    auto* no = new QPushButton(tr("Forget them"), box);
    auto* yes = new QPushButton(tr("Restore"), box);
    yes->setObjectName(QStringLiteral("restore"));
    row->addStretch();
    row->addWidget(no);
    row->addWidget(yes);
    layout->addLayout(row);
    connect(no, &QPushButton::clicked, this, std::move(forget));
    connect(yes, &QPushButton::clicked, &restore, &QAction::trigger);
    connect(&restore, &QAction::changed, box, [box, &restore] {
        if (!restore.isEnabled()) {
            box->deleteLater(); // nothing is left to restore
        }
    });
    leftLayout_->addWidget(box);
}

void StartPage::showEvent(QShowEvent*) { fillCards(); }

void StartPage::resizeEvent(QResizeEvent*) {
    const bool isNarrow = width() < 1200;
    const int right = isNarrow ? 0 : rightWidth;
    right_->setVisible(!isNarrow);
    left_->setGeometry(0, 0, leftWidth, height());
    right_->setGeometry(width() - right, 0, right, height());
    middle_->setGeometry(leftWidth, 0, width() - leftWidth - right, height());
    layCards();
}

void StartPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = context_.look.theme();
    painter.fillRect(rect(), theme.surface.canvas);
    for (QWidget* side : {left_, right_}) {
        if (side->isVisible()) {
            painter.fillRect(side->geometry(), theme.surface.dock);
        }
    }
    painter.fillRect(left_->width(), 0, 1, height(), theme.line.subtle);
    if (right_->isVisible()) {
        painter.fillRect(right_->x(), 0, 1, height(), theme.line.subtle);
    }
}

} // namespace weft::ui
