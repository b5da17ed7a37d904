// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/top_bar.h"

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

/// The mark of the program: threads of twelve colours.
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

} // namespace

TopBar::TopBar(Bench& bench, QWidget* parent)
    : QWidget(parent),
      bench_(bench),
      layout_(new QHBoxLayout(this)),
      menus_(new QMenuBar(this)),
      chips_(new ChipRow([this]() -> const Theme& { return bench_.look.theme(); }, this)) {
    setFixedHeight(tokens().sizes.size.topBar);
    layout_->setContentsMargins(0, 0, tokens().sizes.space.m, 0);
    layout_->setSpacing(tokens().sizes.space.m);
    layout_->addWidget(new Mark(bench.look, this));
    menus_->setNativeMenuBar(false);
    menus_->setFixedHeight(tokens().sizes.size.topBar - 12);
    menus_->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    layout_->addWidget(menus_);
    connect(&bench_.designs, &OpenDesigns::currentChanged, this, &TopBar::showDevices);
    connect(&bench_.look, &Look::changed, this, &TopBar::dress);
}

void TopBar::addMenu(const QString& title, const QStringList& commands) {
    QMenu* there = this->menu(title);
    QMenu* menu = there != nullptr ? there : menus_->addMenu(title);
    menu->clear();
    menu->setToolTipsVisible(true);
    for (const QString& id : commands) {
        if (id == QLatin1String("-")) {
            menu->addSeparator();
        } else if (QAction* action = bench_.commands.find(id)) {
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
    layout_->addStretch(1);
    auto* frame = new QWidget(this);
    workspaceRow_ = frame;
    frame->setFixedHeight(tokens().sizes.size.control);
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    workspaces_ = new QButtonGroup(this);
    for (int i = 0; i < workspaces.size(); ++i) {
        auto* button = new QPushButton(workspaces[i], frame);
        button->setCheckable(true);
        button->setChecked(i == 0);
        button->setFlat(true);
        button->setMinimumWidth(68);
        button->setFocusPolicy(Qt::TabFocus);
        workspaces_->addButton(button, i);
        row->addWidget(button);
    }
    connect(workspaces_, &QButtonGroup::idClicked, this, &TopBar::workspaceChosen);
    layout_->addWidget(frame);
    showDevices();
    layout_->addStretch(1);
    layout_->addWidget(chips_);
    waiting_ = new QPushButton(this);
    waiting_->setObjectName(QStringLiteral("waiting"));
    waiting_->setFlat(true);
    waiting_->setFocusPolicy(Qt::TabFocus);
    waiting_->setToolTip(tr("Runs that wait for their turn: click to see them"));
    waiting_->hide();
    connect(waiting_, &QPushButton::clicked, this, &TopBar::waitingWanted);
    layout_->addWidget(waiting_);
    for (qsizetype i = 0; i < buttons.size(); ++i) {
        QAction* action = bench_.commands.find(buttons[i]);
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
        layout_->addWidget(button);
    }
    dress();
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
    OpenDesign* design = bench_.designs.current();
    if (workspaceRow_ != nullptr) {
        workspaceRow_->setVisible(design != nullptr); // nothing to look at in either
    }
    const auto show = [this] {
        std::vector<int> hues;
        QStringList names;
        if (OpenDesign* shown = bench_.designs.current()) {
            const Design& value = shown->document().design();
            for (const DeviceDeclaration& device : value.devices) {
                hues.push_back(slotOf(value, device.name));
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

void TopBar::dress() {
    const Theme& theme = bench_.look.theme();
    waiting_->setIcon(
        symbolIcon(QStringLiteral("states/waiting"), theme.text.secondary, theme.text.disabled));
    for (QPushButton* button : buttons_) {
        const QString id = button->property("command").toString();
        for (const CommandInfo& info : bench_.commands.all()) {
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
    painter.fillRect(rect(), bench_.look.theme().surface.window);
    if (workspaceRow_ != nullptr && workspaceRow_->isVisible()) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(bench_.look.theme().line.normal);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(workspaceRow_->geometry()).adjusted(-1.5, -1.5, 1.5, 1.5), 5,
                                5);
    }
}

} // namespace weft::ui
