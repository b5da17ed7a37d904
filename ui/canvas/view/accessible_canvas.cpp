// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/accessible_canvas.h"

#include "theme/quantity.h"
#include "workspace/prediction_words.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QCoreApplication>

namespace weft::ui {

namespace {

QString say(const char* text) { return QCoreApplication::translate("canvas", text); }

/// An accessible item of the canvas, by its number in the display list.
struct Thing {
    enum class Kind : std::uint8_t { node, badge, sync, port };
    Kind kind = Kind::node;
    std::size_t number = 0; ///< number of the node, of the badge's wire, or of the sync
    std::size_t port = 0;
};

class AccessiblePart : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    AccessiblePart(CanvasView& view, Thing part) : view_(&view), part_(part) {}

    [[nodiscard]] bool isValid() const override {
        return view_ != nullptr &&
               part_.number < (part_.kind == Thing::Kind::badge  ? list().wires.size()
                               : part_.kind == Thing::Kind::sync ? list().syncs.size()
                                                                 : list().nodes.size());
    }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QWindow* window() const override { return view_->window()->windowHandle(); }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(view_);
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }

    [[nodiscard]] QString text(QAccessible::Text kind) const override {
        if (kind != QAccessible::Name || !isValid()) {
            return {};
        }
        if (part_.kind == Thing::Kind::node) {
            const auto live = view_->live().nodes().find(node().id);
            return spokenName(node(),
                              live == view_->live().nodes().end() ? 0 : live->second.measured);
        }
        if (part_.kind == Thing::Kind::port) {
            return spokenName(node(), node().ports[part_.port], list());
        }
        if (part_.kind == Thing::Kind::sync) {
            const SyncView& sync = list().syncs[part_.number];
            return spokenName(sync.badge, *list().node(sync.layer));
        }
        const WireView& wire = list().wires[part_.number];
        return spokenName(badge(), *list().node(wire.wire.from.layer),
                          *list().node(wire.wire.to.layer));
    }
    void setText(QAccessible::Text, const QString&) override {}

    [[nodiscard]] QRect rect() const override {
        if (!isValid()) {
            return {};
        }
        QRectF box =
            part_.kind == Thing::Kind::sync ? list().syncs[part_.number].box() : node().box;
        if (part_.kind == Thing::Kind::badge || part_.kind == Thing::Kind::port) {
            const double half = tokens().sizes.size.hitMinimum / 2.0;
            const QPointF at =
                part_.kind == Thing::Kind::badge ? badge().at : node().ports[part_.port].at;
            box = QRectF(at, QSizeF(0, 0)).adjusted(-half, -half, half, half);
        }
        const Viewport& viewport = view_->viewport();
        return {view_->mapToGlobal(viewport.toLogical(box.topLeft()).toPoint()),
                (box.size() * viewport.zoom).toSize()};
    }
    [[nodiscard]] QAccessible::Role role() const override {
        return part_.kind == Thing::Kind::node   ? QAccessible::ListItem
               : part_.kind == Thing::Kind::port ? QAccessible::Indicator
                                                 : QAccessible::Graphic;
    }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
        } else if (part_.kind == Thing::Kind::node) {
            state.selectable = true;
            state.focusable = true;
            state.selected = view_->selection().has(node().id);
            state.focused = view_->state().focused == node().id;
        }
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface && part_.kind == Thing::Kind::node
                   ? static_cast<QAccessibleActionInterface*>(this)
                   : nullptr;
    }
    [[nodiscard]] QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        if (isValid() && name == pressAction()) {
            const LayerId layer = node().id;
            view_->selection().select({layer});
            view_->camera().reveal(layer);
        }
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    [[nodiscard]] const DisplayList& list() const { return view_->list(); }
    [[nodiscard]] const NodeView& node() const {
        const bool isOfNode = part_.kind == Thing::Kind::node || part_.kind == Thing::Kind::port;
        return list().nodes[isOfNode ? part_.number : 0];
    }
    [[nodiscard]] const BadgeView& badge() const {
        return list().badges[static_cast<std::size_t>(list().wires[part_.number].badge)];
    }

    QPointer<CanvasView> view_;
    Thing part_;
};

class AccessibleCanvas : public QAccessibleWidget {
public:
    explicit AccessibleCanvas(CanvasView& view)
        : QAccessibleWidget(&view, QAccessible::List), view_(view) {
        rebuilt_ = QObject::connect(&view, &CanvasView::rebuilt, [this] { discardCache(); });
        focused_ = QObject::connect(&view, &CanvasView::focusMoved, [this](LayerId layer) {
            const int number = numberOf(layer);
            if (number >= 0) {
                QAccessibleEvent event(&view_, QAccessible::Focus);
                event.setChild(number);
                QAccessible::updateAccessibility(&event);
            }
        });
    }
    ~AccessibleCanvas() override {
        QObject::disconnect(rebuilt_);
        QObject::disconnect(focused_);
        discardCache();
    }

    [[nodiscard]] int childCount() const override { return static_cast<int>(parts().size()); }
    [[nodiscard]] QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) {
            return nullptr;
        }
        QAccessible::Id& id = ids_[index];
        if (id == 0) {
            id = QAccessible::registerAccessibleInterface(
                new AccessiblePart(view_, parts()[static_cast<std::size_t>(index)]));
        }
        return QAccessible::accessibleInterface(id);
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
        for (auto id = ids_.constBegin(); id != ids_.constEnd(); ++id) {
            if (QAccessible::accessibleInterface(id.value()) == child) {
                return id.key();
            }
        }
        return -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
        const QPointF scene = view_.viewport().toScene(view_.mapFromGlobal(QPointF(x, y)));
        const NodeView* node = view_.list().nodeAt(scene);
        return node == nullptr ? nullptr : child(numberOf(node->id));
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override {
        return child(numberOf(view_.state().focused));
    }

private:
    [[nodiscard]] const std::vector<Thing>& parts() const {
        if (parts_.empty()) {
            const DisplayList& list = view_.list();
            for (std::size_t i = 0; i < list.nodes.size(); ++i) {
                parts_.push_back({Thing::Kind::node, i, 0});
            }
            for (std::size_t i = 0; i < list.wires.size(); ++i) {
                if (list.wires[i].badge >= 0) {
                    parts_.push_back({Thing::Kind::badge, i, 0});
                }
            }
            for (std::size_t i = 0; i < list.syncs.size(); ++i) {
                parts_.push_back({Thing::Kind::sync, i, 0});
            }
            for (std::size_t i = 0; i < list.nodes.size(); ++i) {
                for (std::size_t port = 0; port < list.nodes[i].ports.size(); ++port) {
                    parts_.push_back({Thing::Kind::port, i, port});
                }
            }
        }
        return parts_;
    }
    [[nodiscard]] int numberOf(LayerId layer) const {
        const auto& nodes = view_.list().nodes;
        const auto found = std::ranges::find(nodes, layer, &NodeView::id);
        return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
    }
    void discardCache() {
        for (const QAccessible::Id id : std::as_const(ids_)) {
            QAccessible::deleteAccessibleInterface(id);
        }
        ids_.clear();
        parts_.clear();
    }

    CanvasView& view_;
    mutable std::vector<Thing> parts_;
    mutable QHash<int, QAccessible::Id> ids_;
    QMetaObject::Connection rebuilt_;
    QMetaObject::Connection focused_;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<CanvasView*>(object);
    return view == nullptr ? nullptr : new AccessibleCanvas(*view);
}

} // namespace

void makeCanvasAccessible() {
    // Qt keeps a factory only once, so installing it again has no effect.
    QAccessible::installFactory(makeInterface);
}

QString spokenName(const NodeView& node, double measured) {
    QStringList parts{node.name, node.kind};
    const QStringList words = node.assignment.split(QStringLiteral(" ×"));
    parts << (words.size() == 2 ? say("%1 over %2 devices").arg(words[0], words[1])
                                : node.assignment);
    parts << node.shape;
    parts << (measured > 0
                  ? quantity::time(measured) +
                        (node.isOutside(measured) ? say(", outside the prediction") : QString())
              : node.predicted > 0 ? quantity::predicted(quantity::time(node.predicted)) +
                                         (node.isOlder ? ' ' + olderNote() : QString())
                                   : QString());
    if (node.isMuted) {
        parts << say("muted");
    }
    if (node.isBypassed) {
        parts << say("bypassed");
    }
    if (node.isPinned) {
        parts << say("pinned");
    }
    if (node.marks.empty()) {
        parts << say("no problems");
    }
    for (const ProblemView& mark : node.marks) {
        parts << mark.text;
    }
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString spokenName(const BadgeView& badge, const NodeView& from, const NodeView& to) {
    return say("%1 from %2 to %3, %4")
               .arg(badge.kind, from.name, to.name,
                    QString(badge.label).replace(QStringLiteral(" · "), QStringLiteral(", "))) +
           (badge.isOlder ? ' ' + olderNote() : QString());
}

QString spokenName(const BadgeView& sync, const NodeView& layer) {
    return say("%1 learns: %2, %3, %4")
        .arg(layer.name, sync.kind,
             QString(sync.label).replace(QStringLiteral(" · "), QStringLiteral(", ")), sync.often);
}

QString spokenName(const NodeView& node, const PortView& port, const DisplayList& list) {
    QStringList ends;
    for (const int number : list.wiresIn(QRectF(port.at, QSizeF(0, 0)).adjusted(-1, -1, 1, 1))) {
        const Wire& wire = list.wires[static_cast<std::size_t>(number)].wire;
        const Endpoint& here = port.isInput ? wire.to : wire.from;
        const Endpoint& there = port.isInput ? wire.from : wire.to;
        const NodeView* other = list.node(there.layer);
        if (here.layer == node.id && here.port == port.name.toStdString() && other != nullptr) {
            ends << other->name;
        }
    }
    const QString name = port.isInput ? say("%1, input %2").arg(node.name, port.name)
                                      : say("%1, output %2").arg(node.name, port.name);
    return name + QStringLiteral(", ") +
           (ends.isEmpty() ? say("no wire")
            : port.isInput ? say("from %1").arg(ends.join(QStringLiteral(", ")))
                           : say("to %1").arg(ends.join(QStringLiteral(", "))));
}

} // namespace weft::ui
