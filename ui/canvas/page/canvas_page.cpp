// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/canvas_page.h"

#include "canvas/page/empty_hint.h"
#include "canvas/page/live_feed.h"
#include "canvas/page/minimap.h"
#include "canvas/page/strips.h"
#include "canvas/scene/find_layers.h"
#include "canvas/scene/known_layers.h"
#include "canvas/scene/on_grid.h"
#include "catalogue/fitting_kinds.h"
#include "catalogue/kind_search.h"
#include "theme/symbols.h"
#include "widgets/fuzzy.h"
#include "widgets/search_popup.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int margin = 10;

/// Returns the box of a new layer; `at` is the middle of its upper edge.
QRectF boxBelow(QPointF at) {
    const Sizes::Size& size = tokens().sizes.size;
    return {at.x() - size.nodeWidth / 2.0, at.y(), static_cast<double>(size.nodeWidth),
            static_cast<double>(size.nodeHeight)};
}

} // namespace

CanvasPage::CanvasPage(WindowContext& context, OpenDesign& design, QWidget* parent)
    : QWidget(parent),
      context_(context),
      design_(design),
      view_(design.document(), design.selection(), design.check(), context.look, this),
      feed_(new LiveFeed(context, design, view_, this)),
      minimap_(new Minimap(view_, context.look, &view_)),
      toolStrip_(new OverlayStrip(context.look, &view_)),
      groupPath_(new OverlayStrip(context.look, &view_)),
      zoomButton_(new QToolButton(toolStrip_)) {
    setAcceptDrops(true);
    setFocusProxy(&view_);
    buildToolStrip();
    brushStrip_ = new BrushStrip(view_, context_.look, &view_);
    rankStrip_ = new RankStrip(view_, design_.check(), context_.look, &view_);
    lensStrip_ = new LensStrip(context_, view_, &view_);
    connect(lensStrip_, &LensStrip::resized, this, &CanvasPage::arrangeOverlays);
    emptyHint_ = new EmptyHint(design, context_.look, &view_);
    connect(emptyHint_, &EmptyHint::resized, this, &CanvasPage::arrangeOverlays);
    connect(emptyHint_, &EmptyHint::inputWanted, this,
            [this] { appendLayer(QStringLiteral("input"), false); });
    // Overlay widgets are children of the view rather than siblings: an area below a sibling cannot
    // be scrolled.
    for (QWidget* over : std::initializer_list<QWidget*>{
             minimap_, toolStrip_, groupPath_, brushStrip_, rankStrip_, lensStrip_, emptyHint_}) {
        over->setAttribute(Qt::WA_NoMousePropagation);
    }
    connect(&view_, &CanvasView::brushChanged, this, &CanvasPage::arrangeOverlays);
    connect(&view_, &CanvasView::rankChanged, this, &CanvasPage::arrangeOverlays);
    connect(&view_.camera(), &Camera::zoomChanged, this, [this](double zoom) {
        zoomButton_->setText(QStringLiteral("%1\u202F%").arg(qRound(zoom * 100)));
    });
    connect(&view_, &CanvasView::addWanted, this, [this](const QPointF& at) { openAddSearch(at); });
    connect(&view_, &CanvasView::offerLayer, this,
            [this](const QPointF& at, const Endpoint& end, bool fromOutput) {
                openAddSearch(at, end, fromOutput);
            });
    connect(&view_, &CanvasView::lensUnwanted, this,
            [this] { feed_->setLens(QStringLiteral("parallelism")); });
    connect(&view_, &CanvasView::entered, this, [this] {
        if (QAction* enter = context_.commands.find(QStringLiteral("layer.enter"))) {
            enter->trigger();
        }
    });
    connect(&design_.selection(), &Selection::pathChanged, this, &CanvasPage::showGroupPath);
    connect(&design_.document(), &DesignDocument::refused, this, [this](const Diagnostic& why) {
        emit context_.notice(QString::fromStdString(why.text), false);
    });
    connect(&context_.look, &Look::changed, this, &CanvasPage::applyLook);
    view_.setTimesOf([this](const std::string& layer) -> std::optional<LayerTime> {
        if (!design_.owns(context_.hub)) {
            return std::nullopt;
        }
        for (const auto& [origin, time] : context_.hub.sums().mean()) {
            if (time.layer == layer) {
                return time;
            }
        }
        return std::nullopt;
    });
    showGroupPath();
    applyLook();
}

void CanvasPage::buildToolStrip() {
    auto* layout = static_cast<QHBoxLayout*>(toolStrip_->layout());
    const auto add = [&](const QString& id) {
        if (QAction* action = context_.commands.find(id)) {
            auto* button = new QToolButton(toolStrip_);
            button->setDefaultAction(action);
            button->setAutoRaise(true);
            button->setFocusPolicy(Qt::NoFocus);
            button->setFixedHeight(tokens().sizes.size.control);
            layout->addWidget(button);
        }
    };
    addLensButton();
    add(QStringLiteral("view.brush"));
    add(QStringLiteral("view.frame-all"));
    zoomButton_->setAutoRaise(true);
    zoomButton_->setFocusPolicy(Qt::NoFocus);
    zoomButton_->setFixedHeight(tokens().sizes.size.control);
    zoomButton_->setMinimumWidth(52);
    zoomButton_->setToolTip(tr("Zoom. Click to set it to 100 %"));
    zoomButton_->setText(QStringLiteral("100\u202F%"));
    connect(zoomButton_, &QToolButton::clicked, this,
            [this] { view_.camera().zoomTo(1, QPointF(view_.rect().center())); });
    layout->addWidget(zoomButton_);
    toolStrip_->adjustSize();
}

void CanvasPage::addLensButton() {
    lensButton_ = new QToolButton(toolStrip_);
    auto* menu = new QMenu(lensButton_);
    QStringList titles;
    for (const CommandInfo& info : context_.commands.all()) {
        if (info.id.startsWith(QLatin1String("lens.")) ||
            info.id == QLatin1String("view.rank-lens")) {
            menu->addAction(context_.commands.find(info.id));
            titles << info.text;
        }
    }
    lensButton_->setObjectName(QStringLiteral("lens"));
    lensButton_->setText(tr("Lens"));
    lensButton_->setToolTip(tr("Chooses what the layers show: %1").arg(titles.join(", ")));
    lensButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    lensButton_->setAutoRaise(true);
    lensButton_->setFocusPolicy(Qt::NoFocus);
    lensButton_->setFixedHeight(tokens().sizes.size.control);
    connect(lensButton_, &QToolButton::clicked, this, [this, menu] {
        menu->popup(lensButton_->mapToGlobal(QPoint(0, lensButton_->height())));
    });
    toolStrip_->layout()->addWidget(lensButton_);
}

void CanvasPage::showGroupPath() {
    auto* layout = static_cast<QHBoxLayout*>(groupPath_->layout());
    while (QLayoutItem* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const std::string& group = design_.selection().path().group;
    groupPath_->setVisible(!group.empty());
    if (group.empty()) {
        return;
    }
    const auto add = [&](const QString& text, std::function<void()> go) {
        auto* button = new QToolButton(groupPath_);
        button->setText(text);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::NoFocus);
        if (go) {
            connect(button, &QToolButton::clicked, this, std::move(go));
        }
        layout->addWidget(button);
        button->show(); // buttons that are shown later would not count in the size below
    };
    add(design_.document().title(), [this] { design_.selection().enter({}); });
    add(QStringLiteral("›"), {});
    add(QString::fromStdString(group), {});
    groupPath_->adjustSize();
    arrangeOverlays();
}

void CanvasPage::applyLook() {
    const Theme& theme = context_.look.theme();
    lensButton_->setIcon(
        symbolIcon(QStringLiteral("actions/lens"), theme.text.secondary, theme.text.disabled));
    toolStrip_->update();
}

void CanvasPage::resizeEvent(QResizeEvent*) { arrangeOverlays(); }

void CanvasPage::arrangeOverlays() {
    view_.setGeometry(rect());
    toolStrip_->adjustSize();
    toolStrip_->move(width() - toolStrip_->width() - margin, margin);
    groupPath_->adjustSize();
    groupPath_->move(margin, margin);
    emptyHint_->fitInto(width());
    emptyHint_->move((width() - emptyHint_->width()) / 2, (height() - emptyHint_->height()) / 2);
    int below = toolStrip_->geometry().bottom() + margin / 2;
    for (QWidget* strip : std::initializer_list<QWidget*>{brushStrip_, rankStrip_, lensStrip_}) {
        strip->adjustSize();
        strip->move(width() - strip->width() - margin, below);
        below += strip->isVisibleTo(this) ? strip->height() + margin / 2 : 0;
    }
    minimap_->move(width() - minimap_->width() - margin, height() - minimap_->height() - margin);
    minimap_->setVisible(wantsMinimap_ && width() > 500 && height() > 300);
}

void CanvasPage::showMinimap(bool isShown) {
    wantsMinimap_ = isShown;
    arrangeOverlays();
}

bool CanvasPage::hasMinimap() const { return wantsMinimap_; }

SearchPopup& CanvasPage::searchPopup() {
    if (searchPopup_ == nullptr) {
        searchPopup_ = new SearchPopup(context_.look, *window());
    }
    return *searchPopup_;
}

std::map<std::string, std::string> CanvasPage::refusalsByKind(const Endpoint& end) {
    const NetworkPath& path = design_.selection().path();
    const auto checked = design_.check().answer();
    const CheckedLayers known(design_.document().design(), path, checked->preview.get());
    const Layer* layer = findLayer(design_.selection().network(), end.layer);
    const LayerPreview* found = layer == nullptr ? nullptr : known.find(*layer);
    if (found != nullptr) {
        for (const PortPreview& made : found->outputs) {
            if (made.port == end.port) {
                return refusalsOf(*context_.kinds, made);
            }
        }
    }
    return {};
}

void CanvasPage::openAddSearch(QPointF scene, const std::optional<Endpoint>& end, bool fromOutput) {
    const QPoint at = view_.mapTo(window(), view_.viewport().toLogical(scene).toPoint());
    const Fitting fitting = !end         ? Fitting::all
                            : fromOutput ? Fitting::takesInput
                                         : Fitting::givesOutput;
    const std::map<std::string, std::string> refusals =
        end && fromOutput ? refusalsByKind(*end) : std::map<std::string, std::string>();
    searchPopup().open(
        at, 320, end ? tr("Find a layer that fits") : tr("Find a layer"),
        [this, fitting, refusals](const QString& query) {
            std::vector<SearchRow> rows;
            std::vector<SearchRow> refused; // listed last, and only if the user asks
            const Theme& theme = context_.look.theme();
            for (const KindHit& hit :
                 findKinds(*context_.kinds, &design_.document().design(), query, fitting)) {
                const bool isSynonym = !hit.synonym.isEmpty() && hit.synonym != hit.title;
                const auto why =
                    hit.isGroup ? refusals.end() : refusals.find(hit.kind.toStdString());
                const bool isRefused = why != refusals.end();
                if (isRefused && query.trimmed().isEmpty()) {
                    continue;
                }
                (isRefused ? refused : rows)
                    .push_back({.id = (hit.isGroup ? "group:" : "") + hit.kind,
                                .text = hit.kind,
                                .where = isRefused   ? QString::fromStdString(why->second)
                                         : isSynonym ? hit.title + " · " + hit.synonym
                                                     : hit.title,
                                .icon = hit.icon,
                                .tint = theme.ofCategory(hit.category),
                                .matched = hit.matched});
            }
            rows.insert(rows.end(), refused.begin(), refused.end());
            return rows;
        },
        [this, scene, end, fromOutput](const QString& id) {
            const bool isGroup = id.startsWith(QLatin1String("group:"));
            const QString kind = isGroup ? id.mid(6) : id;
            end ? placeLayer(kind, isGroup, scene, end, fromOutput)
                : appendLayer(kind, isGroup, scene);
        });
}

void CanvasPage::openConnectSearch() {
    const NodeView* from = view_.list().node(design_.selection().current());
    if (from == nullptr) {
        return;
    }
    struct Choice {
        Wire wire;
        QString text;
        QString where;
        double distance = 0; ///< inputs with a wire come after all others
    };
    std::vector<Choice> choices;
    const std::vector<Wire>& wires = design_.selection().network().wires;
    for (const PortView& output : from->ports) {
        for (const NodeView& to : view_.list().nodes) {
            for (const PortView& input : to.ports) {
                if (output.isInput || !input.isInput || to.id == from->id) {
                    continue;
                }
                const Wire wire{.from = {from->id, output.name.toStdString()},
                                .to = {to.id, input.name.toStdString()}};
                const auto old = std::ranges::find(wires, wire.to, &Wire::to);
                const NodeView* fedBy =
                    old == wires.end() ? nullptr : view_.list().node(old->from.layer);
                const QString here = tr("from %1.%2").arg(from->name, output.name);
                choices.push_back(
                    {wire, to.name + '.' + input.name,
                     fedBy == nullptr ? here : here + tr(", instead of %1").arg(fedBy->name),
                     QLineF(output.at, input.at).length() + (fedBy == nullptr ? 0 : 1e6)});
            }
        }
    }
    std::ranges::stable_sort(choices, {}, &Choice::distance);
    const auto shared = std::make_shared<const std::vector<Choice>>(std::move(choices));
    searchPopup().open(
        view_.mapTo(window(), view_.viewport().toLogical(from->box.bottomLeft()).toPoint()), 320,
        tr("Find an input to connect"),
        [shared](const QString& query) {
            std::vector<std::pair<double, SearchRow>> rows;
            for (std::size_t i = 0; i < shared->size(); ++i) {
                const Choice& choice = (*shared)[i];
                if (const auto match = fuzzyMatch(query, choice.text)) {
                    rows.emplace_back(match->score, SearchRow{.id = QString::number(i),
                                                              .text = choice.text,
                                                              .where = choice.where,
                                                              .matched = match->at});
                }
            }
            return bestFirst(std::move(rows));
        },
        [this, shared](const QString& id) {
            const Wire wire = (*shared)[id.toUInt()].wire;
            design_.document().edit(tr("Connect"), [&](Design& design) {
                return weft::connect(design, design_.selection().path(), wire.from, wire.to);
            });
        });
}

LayerId CanvasPage::placeLayer(const QString& kind, bool isGroup, QPointF scene,
                               const std::optional<Endpoint>& end, bool fromOutput) {
    const WireView* under = !end ? view_.list().wireAt(scene, 12 / view_.viewport().zoom) : nullptr;
    return add({.kind = kind,
                .isGroup = isGroup,
                .at = scene,
                .end = end,
                .fromOutput = fromOutput,
                .wire = under != nullptr ? std::optional(under->wire) : std::nullopt});
}

LayerId CanvasPage::appendLayer(const QString& kind, bool isGroup,
                                const std::optional<QPointF>& scene) {
    const Layer* selected = findLayer(design_.selection().network(), design_.selection().current());
    const LayerKindInfo* info =
        selected == nullptr ? nullptr : findKind(*context_.kinds, selected->kind);
    const bool isInstance = selected != nullptr && selected->kind == groupKind;
    const std::string output =
        selected == nullptr || (info != nullptr && isResult(*info))
            ? std::string()
            : firstPort(isInstance ? selected->group : selected->kind, isInstance, false);
    if (output.empty() && scene) {
        return placeLayer(kind, isGroup, *scene);
    }
    const bool isFed = !output.empty() && !firstPort(kind.toStdString(), isGroup, true).empty();
    const QPointF at = freePosition();
    const LayerId added =
        add({.kind = kind,
             .isGroup = isGroup,
             .at = at,
             .end = isFed ? std::optional(Endpoint{selected->id, output}) : std::nullopt});
    if (!view_.camera().visibleArea().contains(boxBelow(at))) {
        view_.camera().centreOn(at);
    }
    return added;
}

LayerId CanvasPage::add(const Addition& addition) {
    const NetworkPath path = design_.selection().path();
    const Sizes::Size& size = tokens().sizes.size;
    // The connected port is at the given position.
    const bool isAbove = addition.end && !addition.fromOutput;
    const Point corner{snappedToGrid(addition.at.x() - size.nodeWidth / 2.0),
                       snappedToGrid(addition.at.y() - (isAbove ? size.nodeHeight : 0))};
    const std::string kind = addition.kind.toStdString();
    const std::string port = firstPort(kind, addition.isGroup, addition.fromOutput);
    const Edited added = design_.document().edit(
        (addition.wire ? tr("Insert %1") : tr("Add %1")).arg(addition.kind), [&](Design& design) {
            Layer layer{.kind = kind, .position = corner};
            if (addition.isGroup) {
                layer.kind = groupKind;
                layer.group = kind;
            } else if (const LayerKindInfo* info = findKind(*context_.kinds, kind)) {
                layer.attributes = startingAttributes(*info);
            }
            if (addition.wire) {
                return insertOnWire(design, path, *addition.wire, layer, *context_.kinds);
            }
            Edited made = addLayer(design, path, std::move(layer));
            if (made.isDone() && addition.end && !port.empty()) {
                const Endpoint own{made.layer(), port};
                made.refusal =
                    (addition.fromOutput ? weft::connect(design, path, *addition.end, own)
                                         : weft::connect(design, path, own, *addition.end))
                        .refusal;
            }
            return made;
        });
    if (!added.isDone()) {
        return {};
    }
    design_.selection().select({added.layer()});
    view_.setFocus();
    return added.layer();
}

std::string CanvasPage::firstPort(const std::string& kind, bool isGroup, bool isInput) const {
    if (isGroup) {
        const GroupDefinition* group = design_.document().design().group(kind);
        if (group == nullptr) {
            return {};
        }
        const std::vector<GroupPort>& ports = isInput ? group->inputs : group->outputs;
        return ports.empty() ? std::string() : ports.front().name;
    }
    const LayerKindInfo* info = findKind(*context_.kinds, kind);
    if (info == nullptr) {
        return {};
    }
    const std::vector<PortInfo>& ports = isInput ? info->inputs : info->outputs;
    return ports.empty() ? std::string() : ports.front().name + (ports.front().variadic ? "0" : "");
}

QPointF CanvasPage::freePosition() const {
    const DisplayList& list = view_.list();
    const Sizes::Size& size = tokens().sizes.size;
    const double gap = tokens().sizes.space.xxxl;
    const NodeView* above = list.node(design_.selection().current());
    QPointF place = above != nullptr ? QPointF(above->box.center().x(), above->box.bottom() + gap)
                                     : view_.viewport().toScene(QPointF(view_.rect().center()));
    // Readers of one output stand side by side.
    const auto isTaken = [&] {
        const QRectF box = boxBelow(place);
        return std::ranges::any_of(list.nodesIn(box), [&](int number) {
            return list.nodes[static_cast<std::size_t>(number)].box.intersects(box);
        });
    };
    while (isTaken()) {
        place.rx() += size.nodeWidth + gap;
    }
    return place;
}

void CanvasPage::openFindSearch() {
    const QPoint at = view_.mapTo(window(), QPoint(view_.width() / 2 - 240, 48));
    searchPopup().open(
        at, 480, tr("Name, kind, shape, problem, filters>64; Ctrl+Enter selects all"),
        [this](const QString& query) {
            return findLayers(query, view_.list(), design_.selection().network(), *context_.kinds,
                              context_.look.theme());
        },
        [this](const QString& id) {
            const LayerId layer{id.toUInt()};
            design_.selection().select({layer});
            view_.camera().reveal(layer);
        },
        [this](const QStringList& ids) {
            std::vector<LayerId> layers;
            layers.reserve(static_cast<std::size_t>(ids.size()));
            for (const QString& id : ids) {
                layers.push_back(LayerId{id.toUInt()});
            }
            design_.selection().select(layers);
            view_.camera().frameSelection();
        });
}

void CanvasPage::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(kindMimeType)) {
        event->acceptProposedAction();
    }
}

void CanvasPage::dragMoveEvent(QDragMoveEvent* event) {
    view_.highlightWireAt(view_.viewport().toScene(event->position()));
    event->acceptProposedAction();
}

void CanvasPage::dropEvent(QDropEvent* event) {
    const QString id = QString::fromUtf8(event->mimeData()->data(kindMimeType));
    const bool isGroup = id.startsWith(QLatin1String("group:"));
    placeLayer(isGroup ? id.mid(6) : id, isGroup, view_.viewport().toScene(event->position()));
    event->acceptProposedAction();
}

} // namespace weft::ui
