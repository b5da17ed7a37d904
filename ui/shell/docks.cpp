// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/docks.h"

#include "shell/dock_list.h"
#include "theme/style.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QSettings>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int layoutVersion = 2;

/// The title of a dock that stands alone.
class DockTitle : public QWidget {
public:
    DockTitle(const QString& text, Look& look, QWidget* parent) : QWidget(parent), look_(look) {
        auto* label = new QLabel(text, this);
        label->setFont(Look::sans(tokens().sizes.type.body, tokens().sizes.type.semibold));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(tokens().sizes.space.l, 0, tokens().sizes.space.l, 0);
        layout->addWidget(label);
        setFixedHeight(tokens().sizes.size.dockTitle);
    }
    [[nodiscard]] QSize sizeHint() const override { return {60, tokens().sizes.size.dockTitle}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), look_.theme().surface.dock);
        painter.fillRect(0, height() - 1, width(), 1, look_.theme().line.subtle);
    }

private:
    Look& look_;
};

} // namespace

struct Docks::Dock {
    const DockInfo* info = nullptr;
    QDockWidget* widget = nullptr;
    QWidget* panel = nullptr;
    QWidget* title = nullptr;
    QWidget* noTitle = nullptr;
};

Docks::Docks(Bench& bench, QMainWindow& window) : QObject(&window), bench_(bench), window_(window) {
    window_.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    window_.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (const DockInfo& info : dockInfos()) {
        auto dock = std::make_shared<Dock>();
        dock->info = &info;
        const QString title = QCoreApplication::translate("docks", info.title);
        dock->widget = new QDockWidget(title, &window_);
        dock->widget->setObjectName(QLatin1String(info.id));
        dock->widget->setAccessibleName(title);
        dock->title = new DockTitle(title, bench_.look, dock->widget);
        dock->noTitle = new QWidget(dock->widget);
        dock->noTitle->setFixedHeight(0);
        window_.addDockWidget(info.area, dock->widget);
        dock->widget->hide();
        dock->widget->installEventFilter(this);
        connect(dock->widget, &QDockWidget::visibilityChanged, this, [this, dock](bool isVisible) {
            if (isVisible) {
                make(*dock);
            }
            QTimer::singleShot(0, this, &Docks::showTitles);
        });
        docks_.push_back(dock);
        bench_.commands.add({.id = QLatin1String("dock.") + QLatin1String(info.id),
                             .text = title,
                             .help = tr("Shows the panel %1").arg(title),
                             .place = tr("View")},
                            [this, id = info.id](bool) { reveal(QLatin1String(id)); });
    }
}

void Docks::make(Dock& dock) {
    if (dock.panel == nullptr) {
        dock.panel = dock.info->make(bench_);
        dock.widget->setWidget(dock.panel);
    }
}

QWidget* Docks::panel(const QString& id) {
    for (const auto& dock : docks_) {
        if (id == QLatin1String(dock->info->id)) {
            make(*dock);
            return dock->panel;
        }
    }
    return nullptr;
}

void Docks::arrange() {
    // First those that stand below one another, then the tabs among them: a dock cannot be put
    // below one that is a tab.
    std::map<Qt::DockWidgetArea, QDockWidget*> last;
    std::vector<QDockWidget*> first;
    std::vector<std::pair<QDockWidget*, QDockWidget*>> tabs;
    for (const auto& dock : docks_) {
        if (dock->info->workspace != workspace_) {
            dock->widget->hide();
            continue;
        }
        dock->widget->setFloating(false);
        dock->widget->show();
        QDockWidget*& lead = last[dock->info->area];
        if (lead != nullptr && !dock->info->isBelow) {
            tabs.emplace_back(lead, dock->widget);
            continue;
        }
        if (lead != nullptr) {
            window_.splitDockWidget(lead, dock->widget, Qt::Vertical);
        } else {
            window_.addDockWidget(dock->info->area, dock->widget);
        }
        lead = dock->widget;
        first.push_back(lead);
    }
    for (const auto& [lead, dock] : tabs) {
        window_.tabifyDockWidget(lead, dock);
    }
    for (const auto& dock : docks_) {
        if (!dock->info->isShownAtFirst) {
            dock->widget->hide(); // shown, it stands where it was put
        }
    }
    for (QDockWidget* dock : first) {
        dock->raise();
    }
    const bool isSmall = window_.width() < 1500;
    const bool isLarge = window_.width() > 1800;
    const auto sizeOf = [&](Qt::DockWidgetArea area, int size) {
        if (last[area] != nullptr) {
            window_.resizeDocks({last[area]}, {size},
                                area == Qt::BottomDockWidgetArea ? Qt::Vertical : Qt::Horizontal);
        }
    };
    // Tenths of the height for the upper of those on the right.
    const auto shareRight = [&](int tenths) {
        QList<QDockWidget*> right;
        QList<int> heights;
        for (QDockWidget* dock : first) {
            if (window_.dockWidgetArea(dock) == Qt::RightDockWidgetArea) {
                right << dock;
                heights << window_.height() * (right.size() == 1 ? tenths : 10 - tenths) / 10;
            }
        }
        window_.resizeDocks(right, heights, Qt::Vertical);
    };
    if (workspace_ == Workspace::design) {
        sizeOf(Qt::LeftDockWidgetArea, isSmall ? tokens().sizes.size.topBar : isLarge ? 220 : 196);
        sizeOf(Qt::RightDockWidgetArea, isSmall ? 300 : isLarge ? 420 : 340);
        sizeOf(Qt::BottomDockWidgetArea, isSmall   ? tokens().sizes.size.topBar
                                         : isLarge ? 200
                                                   : 144);
        shareRight(4);
    } else {
        sizeOf(Qt::RightDockWidgetArea, window_.width() - (isSmall ? 240 : 350));
        shareRight(5);
    }
    showTitles();
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        QTimer::singleShot(0, this, &Docks::showTitles); // a rail has none
    }
    return QObject::eventFilter(watched, event);
}

void Docks::showTitles() {
    for (const auto& dock : docks_) {
        if (dock->widget->isHidden()) {
            continue;
        }
        const bool isTab = !window_.tabifiedDockWidgets(dock->widget).isEmpty();
        const bool isRail =
            dock->panel != nullptr && dock->panel->width() < 2 * tokens().sizes.size.topBar;
        QWidget* wanted = isTab || isRail ? dock->noTitle : dock->title;
        if (dock->widget->titleBarWidget() != wanted) {
            (wanted == dock->noTitle ? dock->title : dock->noTitle)->hide();
            dock->widget->setTitleBarWidget(wanted);
            wanted->show();
        }
    }
    for (auto* bar : window_.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->setDrawBase(false);
        bar->setExpanding(false);
        bar->setElideMode(Qt::ElideRight);
        bar->setAutoFillBackground(true);
    }
}

QString Docks::key() const {
    return workspace_ == Workspace::design ? QStringLiteral("layout/design")
                                           : QStringLiteral("layout/run");
}

void Docks::save() {
    if (areShown_) {
        QSettings().setValue(key(), window_.saveState(layoutVersion));
    }
}

void Docks::restore() {
    const QByteArray state = QSettings().value(key()).toByteArray();
    if (state.isEmpty() || !window_.restoreState(state, layoutVersion)) {
        arrange();
    }
    QTimer::singleShot(0, this, &Docks::showTitles);
}

void Docks::reset() {
    QSettings().remove(key());
    arrange();
}

void Docks::showAll(bool areShown) {
    if (areShown == areShown_) {
        return;
    }
    if (areShown_) {
        save();
    }
    areShown_ = areShown;
    if (areShown) {
        restore();
        return;
    }
    for (const auto& dock : docks_) {
        dock->widget->hide();
    }
}

void Docks::setWorkspace(Workspace workspace) {
    if (workspace == workspace_) {
        return;
    }
    save();
    workspace_ = workspace;
    if (areShown_) {
        restore();
    }
    emit workspaceChanged(workspace_);
}

void Docks::reveal(const QString& id) {
    for (const auto& dock : docks_) {
        if (id == QLatin1String(dock->info->id)) {
            if (!areShown_) {
                return;
            }
            dock->widget->show();
            dock->widget->raise();
            make(*dock);
            dock->panel->setFocus(Qt::ShortcutFocusReason);
        }
    }
}

void Docks::walk(bool isForward) {
    std::vector<QWidget*> stops{window_.centralWidget()};
    for (const auto& dock : docks_) {
        if (dock->widget->isVisible() && !dock->widget->visibleRegion().isEmpty()) {
            stops.push_back(dock->panel);
        }
    }
    QWidget* focus = QApplication::focusWidget();
    const auto at = std::ranges::find_if(stops, [focus](QWidget* stop) {
        return stop != nullptr && (stop == focus || stop->isAncestorOf(focus));
    });
    const auto count = static_cast<std::ptrdiff_t>(stops.size());
    std::ptrdiff_t next = at == stops.end() ? 0 : at - stops.begin() + (isForward ? 1 : -1);
    next = (next + count) % count;
    QWidget* stop = stops[static_cast<std::size_t>(next)];
    stop->setFocus(Qt::TabFocusReason);
    if (!stop->hasFocus() && stop->focusProxy() == nullptr) {
        // Whatever in it can have it.
        for (auto* child : stop->findChildren<QWidget*>()) {
            if (child->isVisible() && (child->focusPolicy() & Qt::TabFocus) != 0 &&
                child->focusProxy() == nullptr) {
                child->setFocus(Qt::TabFocusReason);
                break;
            }
        }
    }
}

} // namespace weft::ui
