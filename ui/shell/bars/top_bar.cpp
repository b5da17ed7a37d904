// SPDX-License-Identifier: Apache-2.0
#include "shell/bars/top_bar.h"

#include "document/device_slot.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/chips.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>

namespace weft::ui {

namespace {

constexpr int leastMenus = 120;

/// The program's logo: threads in twelve colours.
class Mark : public QWidget {
public:
    explicit Mark(Look& look, QWidget* parent) : QWidget(parent), look_(look) {
        setFixedSize(32, tokens().sizes.size.topBar);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        drawMark(painter, QRect(11, height() / 2 - 8, 16, 16), look_.theme());
    }

private:
    static void drawMark(QPainter& painter, const QRect& box, const Theme& theme) {
        constexpr int rows = 4;
        const int pitch = box.width() / rows;
        for (int i = 0; i < rows * rows; ++i) {
            painter.fillRect(box.left() + (i % rows) * pitch, box.top() + (i / rows) * pitch,
                             pitch - 1, pitch - 1, theme.ofDevice(i % rows));
        }
    }
    Look& look_;
};

/// A group of exclusive buttons in a frame.
class Switch : public QWidget {
public:
    explicit Switch(Look& look, QWidget* parent) : QWidget(parent), look_(look) {
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(inset, inset, inset, inset);
        row->setSpacing(0);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(look_.theme().line.normal);
        const int radius = tokens().sizes.radius.control + inset;
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    }

private:
    static constexpr int inset = 2;
    Look& look_;
};

QHBoxLayout* half(QHBoxLayout& bar) {
    auto* row = new QHBoxLayout;
    row->setSpacing(tokens().sizes.space.m);
    bar.addLayout(row, 1);
    return row;
}

} // namespace

TopBar::TopBar(WindowContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      menus_(new QMenuBar(this)),
      chips_(new ChipRow([this]() -> const Theme& { return context_.look.theme(); }, this)),
      workspaceRow_(new Switch(context.look, this)) {
    setFixedHeight(tokens().sizes.size.topBar);
    auto* bar = new QHBoxLayout(this);
    bar->setContentsMargins(0, 0, 0, 0);
    bar->setSpacing(tokens().sizes.space.m);
    // Both sides have equal width if possible, so that the middle part doesn't move.
    QHBoxLayout* left = half(*bar);
    bar->addWidget(workspaceRow_);
    right_ = half(*bar);
    right_->setContentsMargins(0, 0, tokens().sizes.space.m, 0);
    left->addWidget(new Mark(context.look, this));
    menus_->setNativeMenuBar(false);
    menus_->setFixedHeight(tokens().sizes.size.topBar - 12);
    menus_->setMinimumWidth(leastMenus); // menus that do not fit are behind a chevron
    left->addWidget(menus_, 1);
    connect(&context_.designs, &OpenDesigns::currentChanged, this, &TopBar::showDevices);
    connect(&context_.look, &Look::changed, this, &TopBar::applyLook);
}

void TopBar::addMenu(const QString& title, const QStringList& commands) {
    QMenu* there = this->menu(title);
    QMenu* menu = there != nullptr ? there : menus_->addMenu(title);
    menu->clear();
    menu->setToolTipsVisible(true);
    for (const QString& id : commands) {
        if (id == QLatin1String("-")) {
            menu->addSeparator();
        } else if (QAction* action = context_.commands.find(id)) {
            menu->addAction(action);
        }
    }
}

QMenu* TopBar::menu(const QString& title) const {
    for (QAction* action : menus_->actions()) {
        if (action->text() == title) {
            return action->menu();
        }
    }
    return nullptr;
}

void TopBar::finish(const QStringList& workspaces, const QStringList& buttons) {
    workspaces_ = new QButtonGroup(this);
    for (int i = 0; i < workspaces.size(); ++i) {
        auto* button = new QPushButton(workspaces[i], workspaceRow_);
        button->setCheckable(true);
        button->setChecked(i == 0);
        button->setFlat(true);
        button->setMinimumWidth(68);
        button->setFocusPolicy(Qt::TabFocus);
        workspaces_->addButton(button, i);
        workspaceRow_->layout()->addWidget(button);
    }
    connect(workspaces_, &QButtonGroup::idClicked, this, &TopBar::workspaceChosen);
    showDevices();
    right_->addStretch(1);
    right_->addWidget(chips_);
    waiting_ = new QPushButton(this);
    waiting_->setObjectName(QStringLiteral("waiting"));
    waiting_->setFlat(true);
    waiting_->setFocusPolicy(Qt::TabFocus);
    waiting_->setToolTip(tr("Runs that wait for their turn: click to see them"));
    waiting_->hide();
    connect(waiting_, &QPushButton::clicked, this, &TopBar::waitingWanted);
    right_->addWidget(waiting_);
    for (qsizetype i = 0; i < buttons.size(); ++i) {
        QAction* action = context_.commands.find(buttons[i]);
        if (action == nullptr) {
            continue;
        }
        auto* button = new QPushButton(action->text(), this);
        button->setProperty("command", buttons[i]);
        button->setToolTip(action->toolTip());
        button->setEnabled(action->isEnabled());
        button->setFocusPolicy(Qt::TabFocus);
        if (i + 1 == buttons.size()) {
            makePrimary(*button);
        }
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::changed, button, [button, action] {
            button->setEnabled(action->isEnabled());
            button->setText(action->text());
            button->setToolTip(action->toolTip());
        });
        buttons_ << button;
        right_->addWidget(button);
    }
    applyLook();
}

void TopBar::showWorkspace(int number) {
    if (workspaces_ != nullptr) {
        workspaces_->button(number)->setChecked(true);
    }
}

void TopBar::showButtons(const QStringList& commands) {
    for (QPushButton* button : buttons_) {
        button->setVisible(commands.contains(button->property("command").toString()));
    }
}

void TopBar::showWaiting(int runs) {
    waiting_->setVisible(runs > 0);
    waiting_->setText(runs == 1 ? tr("1 run waits") : tr("%1 runs wait").arg(runs));
}

void TopBar::showDevices() {
    chips_->disconnect(this);
    OpenDesign* design = context_.designs.current();
    workspaceRow_->setVisible(design != nullptr); // there are no workspaces without a design
    const auto show = [this] {
        std::vector<int> hues;
        QStringList names;
        if (OpenDesign* shown = context_.designs.current()) {
            const Design& value = shown->document().design();
            for (const DeviceDeclaration& device : value.devices) {
                hues.push_back(paletteIndexOf(value, device.name));
                names << QString::fromStdString(device.name);
            }
        }
        chips_->setDevices(hues, names);
    };
    if (design != nullptr) {
        connect(&design->document(), &DesignDocument::changed, chips_, show);
    }
    show();
}

void TopBar::applyLook() {
    const Theme& theme = context_.look.theme();
    waiting_->setIcon(
        symbolIcon(QStringLiteral("states/waiting"), theme.text.secondary, theme.text.disabled));
    for (QPushButton* button : buttons_) {
        const QString id = button->property("command").toString();
        for (const CommandInfo& info : context_.commands.all()) {
            if (info.id == id && !info.icon.isEmpty()) {
                const bool isPrimary = button->property("weftPrimary").toBool();
                button->setIcon(symbolIcon(info.icon,
                                           isPrimary ? theme.text.onInk : theme.text.primary,
                                           theme.text.disabled));
            }
        }
    }
    update();
}

void TopBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), context_.look.theme().surface.window);
}

} // namespace weft::ui
