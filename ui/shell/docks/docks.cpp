// SPDX-License-Identifier: Apache-2.0
#include "shell/docks/docks.h"

#include "shell/docks/dock_list.h"
#include "shell/docks/dock_page.h"
#include "theme/style.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QSettings>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int layoutVersion = 5;
constexpr int smallWindow = 1500;
constexpr int largeWindow = 1800;
constexpr int wideWindow = 2560;

/// Size class of a window; windows of one class share their saved layouts.
QString classOf(int width) {
    return width < smallWindow    ? QStringLiteral("small")
           : width <= largeWindow ? QStringLiteral("medium")
           : width < wideWindow   ? QStringLiteral("large")
                                  : QStringLiteral("wide");
}

/// The title bar of a dock that is not a tab.
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
    [[nodiscard]] QSize sizeHint() const override { return {0, tokens().sizes.size.dockTitle}; }
    /// A narrow panel may be narrower than its title.
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

/// An empty title bar without height; a plain QWidget would take a pixel.
class NoTitle : public QWidget {
public:
    using QWidget::QWidget;
    [[nodiscard]] QSize sizeHint() const override { return {0, 0}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 0}; }
};

} // namespace

struct Docks::Dock {
    const DockInfo* info = nullptr;
    QDockWidget* widget = nullptr;
    DockPage* page = nullptr;
    QWidget* panel = nullptr;
    QWidget* title = nullptr;
    QWidget* noTitle = nullptr;
};

Docks::Docks(WindowContext& context, QMainWindow& window)
    : QObject(&window), context_(context), window_(window) {
    window_.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    window_.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window_.installEventFilter(this);
    for (const DockInfo& info : dockInfos()) {
        auto dock = std::make_shared<Dock>();
        dock->info = &info;
        const QString title = QCoreApplication::translate("docks", info.title);
        dock->widget = new QDockWidget(title, &window_);
        dock->widget->setObjectName(QLatin1String(info.id));
        dock->widget->setAccessibleName(title);
        dock->title = new DockTitle(title, context_.look, dock->widget);
        dock->noTitle = new NoTitle(dock->widget);
        dock->page = new DockPage(dock->widget);
        dock->widget->setWidget(dock->page);
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
        context_.commands.add({.id = QLatin1String("dock.") + QLatin1String(info.id),
                               .text = title,
                               .help = tr("Shows the panel %1").arg(title),
                               .place = tr("View")},
                              [this, id = info.id](bool) { reveal(QLatin1String(id)); });
    }
}

void Docks::make(Dock& dock) {
    if (dock.panel == nullptr) {
        dock.panel = dock.info->make(context_);
        dock.page->setPanel(dock.panel);
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
    // First places docks below or beside one another, then adds tabs: Qt cannot place a dock below
    // one that is a tab.
    std::map<Qt::DockWidgetArea, QDockWidget*> last;
    std::vector<QDockWidget*> first;
    std::vector<std::pair<QDockWidget*, QDockWidget*>> tabs;
    for (const auto& dock : docks_) {
        const DockInfo& info = *dock->info;
        if (info.workspace != workspace_) {
            dock->widget->hide();
            continue;
        }
        dock->widget->setFloating(false);
        dock->widget->show();
        QDockWidget*& lead = last[info.area];
        if (lead == nullptr) {
            window_.addDockWidget(info.area, dock->widget);
        } else if (info.position == DockPosition::asTab) {
            tabs.emplace_back(lead, dock->widget);
            continue;
        } else {
            const bool isBelow = info.position == DockPosition::below ||
                                 (info.position == DockPosition::belowOrBesideWhereWide &&
                                  window_.width() < wideWindow);
            window_.splitDockWidget(lead, dock->widget, isBelow ? Qt::Vertical : Qt::Horizontal);
            if (!isBelow) {
                continue;
            }
        }
        lead = dock->widget;
        first.push_back(lead);
    }
    for (const auto& dock : docks_) {
        if (dock->info->workspace != workspace_ && last.contains(dock->info->elsewhere)) {
            dock->widget->show();
            tabs.emplace_back(last[dock->info->elsewhere], dock->widget);
        }
    }
    for (const auto& [lead, dock] : tabs) {
        window_.tabifyDockWidget(lead, dock);
    }
    for (const auto& dock : docks_) {
        const InitialVisibility visibility = dock->info->visibility;
        if (visibility == InitialVisibility::hidden ||
            (visibility == InitialVisibility::shownWhereRoom && isSmall())) {
            dock->widget->hide(); // hidden after it was placed, so that it reappears there
        }
    }
    for (QDockWidget* dock : first) {
        dock->raise();
    }
    showTitles();
    applyDefaultSizes();
}

bool Docks::isSmall() const { return window_.width() < smallWindow; }

void Docks::applyDefaultSizes() {
    const bool isLarge = window_.width() > largeWindow;
    const auto size = [&](const QStringList& ids, const QList<int>& wanted, Qt::Orientation along) {
        QList<QDockWidget*> widgets;
        for (const QString& id : ids) {
            widgets << window_.findChild<QDockWidget*>(id);
        }
        window_.resizeDocks(widgets, wanted, along);
    };
    const int title = tokens().sizes.size.dockTitle;
    const int bar = tokens().sizes.size.topBar;
    const int high = window_.height();
    const auto pick = [&](int small, int medium, int large) {
        return isSmall() ? small : isLarge ? large : medium;
    };
    if (workspace_ == Workspace::design) {
        size({"palette"}, {pick(bar, 196, 220)}, Qt::Horizontal);
        size({"inspector"}, {pick(300, 340, 420)}, Qt::Horizontal);
        size({"prediction"}, {pick(bar, 144, 200)}, Qt::Vertical);
        if (window_.width() >= wideWindow) {
            size({"inspector", "assignment"}, {420, 780}, Qt::Horizontal);
            return;
        }
        const int inspector = title + pick(246, 304, 400);
        size({"inspector", "assignment"}, {inspector, high - inspector}, Qt::Vertical);
        return;
    }
    const int wide = window_.width() - pick(240, 350, 520);
    size({"monitor"}, {wide}, Qt::Horizontal);
    if (!isSmall()) {
        const int working = isLarge ? 460 : 400;
        size({"timeline", "at-work"}, {wide - working, working}, Qt::Horizontal);
    }
    const int monitor = isSmall() ? high / 2 : title + 364;
    size({"monitor", "timeline"}, {monitor, high - monitor}, Qt::Vertical);
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_) {
        if (isRestorePending_ && event->type() == QEvent::Show) {
            restore();
            // A maximised or full screen window gets its final size later.
            isRestorePending_ =
                (window_.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)) != 0 &&
                classOf(window_.width()) != classOf(window_.screen()->availableGeometry().width());
        } else if (isRestorePending_ && event->type() == QEvent::Resize && window_.isVisible()) {
            QTimer::singleShot(0, this, &Docks::restore);
        }
    } else if (event->type() == QEvent::Resize) {
        QTimer::singleShot(0, this, &Docks::showTitles); // a narrow panel has no title
    }
    return QObject::eventFilter(watched, event);
}

void Docks::showTitles() {
    for (const auto& dock : docks_) {
        if (dock->widget->isHidden()) {
            continue;
        }
        const bool isTab = !window_.tabifiedDockWidgets(dock->widget).isEmpty();
        const int narrow = 2 * tokens().sizes.size.topBar;
        const bool isRail = dock->panel != nullptr && dock->panel->width() < narrow;
        const bool isLine = dock->widget->height() < narrow &&
                            window_.dockWidgetArea(dock->widget) == Qt::BottomDockWidgetArea;
        QWidget* wanted = isTab || isRail || isLine ? dock->noTitle : dock->title;
        if (dock->widget->titleBarWidget() != wanted) {
            (wanted == dock->noTitle ? dock->title : dock->noTitle)->hide();
            dock->widget->setTitleBarWidget(wanted);
            wanted->show();
        }
    }
    for (auto* bar : window_.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (bar->count() < 2) {
            bar->hide(); // an empty tab bar left by moved docks would cover the border
        }
        bar->setDrawBase(false);
        bar->setExpanding(false);
        bar->setElideMode(Qt::ElideRight);
        bar->setAutoFillBackground(true);
    }
}

QString Docks::key() const {
    return QStringLiteral("layout/%1/%2")
        .arg(classOf(window_.width()),
             workspace_ == Workspace::design ? QStringLiteral("design") : QStringLiteral("run"));
}

void Docks::save() {
    if (areShown_ && !isRestorePending_) {
        QSettings().setValue(key(), window_.saveState(layoutVersion));
    }
}

/// During a drag, QMainWindow also keeps items of the layout from before it. Restoring a state or
/// destroying the panels would delete items that are used afterwards.
void Docks::endDrags() {
    for (const auto& dock : docks_) {
        if (dock->widget->isFloating()) {
            dock->widget->setFloating(true);
        }
    }
}

void Docks::restore() {
    isRestorePending_ = !window_.isVisible();
    if (isRestorePending_) {
        return; // the window has no size to divide yet
    }
    endDrags();
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
            QTimer::singleShot(0, this, [this, dock] { ensureHeight(*dock); });
        }
    }
}

/// Enlarges a dock at the bottom that is too low; in a small window the bottom area is one line
/// high.
void Docks::ensureHeight(const Dock& dock) {
    // A tab keeps its height from when it was last visible, so updates the layout first.
    window_.layout()->activate();
    dock.widget->layout()->activate();
    int least = dock.panel->minimumSizeHint().height();
    if (window_.dockWidgetArea(dock.widget) != Qt::BottomDockWidgetArea ||
        dock.widget->isFloating() || dock.page->height() >= least) {
        return;
    }
    least += tokens().sizes.size.dockTitle; // or the height of the tab bar
    window_.resizeDocks({dock.widget}, {least}, Qt::Vertical);
}

void Docks::focusNextPanel(bool isForward) {
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
        // Gives the focus to the first child that accepts it.
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
