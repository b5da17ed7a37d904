// SPDX-License-Identifier: Apache-2.0
#include "panels/inspector/group_interface.h"

#include "catalogue/layer_ports.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/attribute_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

namespace weft::ui {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

/// Returns "x", or the first unused of "x2", "x3" ...
std::string unused(const std::string& wanted, const std::set<std::string>& taken) {
    std::string name = wanted;
    for (int count = 2; taken.contains(name); ++count) {
        name = wanted + std::to_string(count);
    }
    return name;
}

const std::vector<GroupPort>& portsOn(const GroupDefinition& group, PortSide side) {
    return side == PortSide::input ? group.inputs : group.outputs;
}

/// Parses a typed value; whole numbers are tried first.
std::optional<AttributeValue> valueTyped(const QString& typed) {
    for (const AttributeType type : {AttributeType::integer, AttributeType::real,
                                     AttributeType::integers, AttributeType::reals}) {
        if (auto value = valueFrom(typed, type); value && !typed.trimmed().isEmpty()) {
            return value;
        }
    }
    return std::nullopt;
}

} // namespace

GroupInterface::GroupInterface(WindowContext& context, OpenDesign& design, std::string group,
                               QWidget* parent)
    : QWidget(parent), context_(context), design_(design), group_(std::move(group)) {
    auto* layout = new QVBoxLayout(this);
    const Sizes& sizes = tokens().sizes;
    layout->setContentsMargins(sizes.space.l, 0, sizes.space.m, 0);
    layout->setSpacing(sizes.space.xs);
    buildPorts(*layout, PortSide::input);
    buildPorts(*layout, PortSide::output);
    buildParameters(*layout);
}

QString GroupInterface::contentKey(const Design& design, const std::string& group) {
    const GroupDefinition* shown = design.group(group);
    if (shown == nullptr) {
        return {};
    }
    QString objectName = text(shown->name);
    for (const PortSide side : {PortSide::input, PortSide::output}) {
        objectName += '|';
        for (const GroupPort& port : portsOn(*shown, side)) {
            objectName += text(port.name) + ':';
            for (const Endpoint& end : port.inside) {
                const Layer* layer = findLayer(shown->network, end.layer);
                objectName += text((layer == nullptr ? "" : layer->name) + "." + end.port + ",");
            }
        }
    }
    for (const auto& [name, value] : shown->parameters.entries()) {
        objectName += '|' + text(name + "=" + toString(value));
    }
    return objectName;
}

const GroupDefinition& GroupInterface::definition() const {
    return *design_.document().design().group(group_);
}

Edited GroupInterface::edit(const QString& name, const DesignDocument::Edit& change) {
    return design_.document().edit(name, change);
}

QString GroupInterface::portText(const Endpoint& end) const {
    const Layer* layer = findLayer(definition().network, end.layer);
    return layer == nullptr ? QString() : text(layer->name + "." + end.port);
}

std::vector<Endpoint> GroupInterface::availablePorts(PortSide side) const {
    const Design& design = design_.document().design();
    const GroupDefinition& group = definition();
    std::set<Endpoint> fed;
    for (const Wire& wire : group.network.wires) {
        fed.insert(wire.to);
    }
    for (const GroupPort& port : group.inputs) {
        fed.insert(port.inside.begin(), port.inside.end());
    }
    std::vector<Endpoint> ends;
    for (const Layer& layer : group.network.layers) {
        const auto wired =
            std::ranges::count(fed, layer.id, [](const Endpoint& end) { return end.layer; });
        const PortNames ports = portsOf(
            layer.kind == groupKind ? design.group(layer.group) : nullptr,
            findKind(*context_.kinds, layer.kind), layer.attributes, static_cast<int>(wired));
        for (const QString& port : side == PortSide::input ? ports.inputs : ports.outputs) {
            const Endpoint end{layer.id, port.toStdString()};
            if (side == PortSide::output || !fed.contains(end)) {
                ends.push_back(end);
            }
        }
    }
    return ends;
}

QString GroupInterface::Row::objectName(const char* role) const {
    return QLatin1String(role) + ' ' + QLatin1String(kind) + ' ' + ui::text(name);
}

QToolButton* GroupInterface::makeButton(const QString& icon, const QString& text,
                                        const QString& objectName) {
    const Theme& theme = context_.look.theme();
    auto* button = new QToolButton(this);
    if (!icon.isEmpty()) {
        button->setIcon(symbolIcon(icon, theme.text.secondary, theme.text.disabled));
        button->setFixedSize(tokens().sizes.size.hitMinimum, tokens().sizes.size.hitMinimum);
    }
    button->setAutoRaise(true);
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setObjectName(objectName);
    return button;
}

QToolButton* GroupInterface::addHeading(QVBoxLayout& layout, const QString& title,
                                        const QString& help, const QString& objectName) {
    const Sizes& sizes = tokens().sizes;
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, sizes.space.m, 0, 0);
    auto* label = new QLabel(title, this);
    label->setFont(Look::sans(sizes.type.small, sizes.type.semibold));
    setTier(*label, Tier::secondary);
    row->addWidget(label);
    row->addStretch();
    QToolButton* add = makeButton(QStringLiteral("actions/plus"), help, objectName);
    row->addWidget(add);
    layout.addLayout(row);
    return add;
}

QHBoxLayout* GroupInterface::addRow(QVBoxLayout& layout) {
    auto* row = new QHBoxLayout;
    row->setSpacing(tokens().sizes.space.s);
    layout.addLayout(row);
    return row;
}

void GroupInterface::addName(QHBoxLayout& row, const Row& part,
                             std::function<Edited(Design&, const std::string&)> rename) {
    auto* field = new QLineEdit(text(part.name), this);
    field->setAccessibleName(tr("Name of %1").arg(part.text));
    field->setObjectName(part.objectName("name"));
    connect(field, &QLineEdit::editingFinished, this,
            [this, field, part, rename = std::move(rename)] {
                const std::string typed = field->text().trimmed().toStdString();
                if (typed == part.name || typed.empty() ||
                    !edit(tr("Rename %1").arg(part.text), [&](Design& target) {
                         return rename(target, typed);
                     }).isDone()) {
                    field->setText(text(part.name));
                    return;
                }
                // The focus may be in another field of the row, which is found again by its name.
                const Row now{part.kind, typed, {}};
                for (const char* role : {"name", "default", "inside", "remove"}) {
                    if (auto* other = findChild<QWidget*>(part.objectName(role))) {
                        other->setObjectName(now.objectName(role));
                    }
                }
            });
    row.addWidget(field, 1);
}

void GroupInterface::addRemove(QHBoxLayout& row, const Row& part, DesignDocument::Edit remove) {
    const QString text = tr("Remove %1").arg(part.text);
    QToolButton* button =
        makeButton(QStringLiteral("actions/minus"), text, part.objectName("remove"));
    connect(button, &QToolButton::clicked, this,
            [this, text, remove = std::move(remove)] { edit(text, remove); });
    row.addWidget(button);
}

void GroupInterface::fillPortMenu(QToolButton& below, PortSide side,
                                  const std::vector<Endpoint>& chosen,
                                  const std::function<void(const Endpoint&)>& choose) {
    std::vector<Endpoint> ends = availablePorts(side);
    if (side == PortSide::input) {
        ends.insert(ends.begin(), chosen.begin(), chosen.end());
    }
    auto* menu = new QMenu(&below);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const Endpoint& end : ends) {
        QAction* action = menu->addAction(portText(end), this, [choose, end] { choose(end); });
        action->setCheckable(!chosen.empty());
        action->setChecked(std::ranges::find(chosen, end) != chosen.end());
    }
    if (ends.empty()) {
        menu->addAction(side == PortSide::input ? tr("Every inner input is connected")
                                                : tr("No inner layer has an output"))
            ->setEnabled(false);
    }
    menu->popup(below.mapToGlobal(QPoint(0, below.height())));
}

void GroupInterface::buildPorts(QVBoxLayout& layout, PortSide side) {
    const bool isInput = side == PortSide::input;
    QToolButton* add =
        addHeading(layout, isInput ? tr("Inputs") : tr("Outputs"),
                   isInput ? tr("Add an input") : tr("Add an output"),
                   isInput ? QStringLiteral("add input") : QStringLiteral("add output"));
    connect(add, &QToolButton::clicked, this, [this, add, side] {
        fillPortMenu(*add, side, {}, [this, side](const Endpoint& end) {
            std::set<std::string> taken;
            for (const GroupPort& port : portsOn(definition(), side)) {
                taken.insert(port.name);
            }
            edit(tr("Add port"), [&](Design& target) {
                return setPort(target, group_, side, unused(end.port, taken), {end});
            });
        });
    });
    for (const GroupPort& port : portsOn(definition(), side)) {
        const QString name = text(port.name);
        const Row part{isInput ? "input" : "output", port.name,
                       isInput ? tr("input %1").arg(name) : tr("output %1").arg(name)};
        QHBoxLayout* row = addRow(layout);
        addName(*row, part,
                [group = group_, side, before = port.name](Design& target, const std::string& now) {
                    return renamePort(target, group, side, before, now);
                });
        QStringList ends;
        for (const Endpoint& end : port.inside) {
            ends << portText(end);
        }
        QToolButton* inside =
            makeButton({}, tr("What %1 stands for").arg(part.text), part.objectName("inside"));
        inside->setFont(Look::mono(tokens().sizes.type.small));
        inside->setText(ends.isEmpty() ? tr("nothing") : ends.join(QStringLiteral(", ")));
        inside->setIcon(symbolIcon(QStringLiteral("actions/chevron-down"),
                                   context_.look.theme().text.tertiary,
                                   context_.look.theme().text.disabled));
        inside->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        inside->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        inside->setToolTip(inside->toolTip() + '\n' + ends.join('\n'));
        connect(inside, &QToolButton::clicked, this, [this, inside, side, port] {
            fillPortMenu(*inside, side, port.inside, [this, side, port](const Endpoint& end) {
                std::vector<Endpoint> now{end};
                if (side == PortSide::input) {
                    now = port.inside;
                    if (std::erase(now, end) == 0) {
                        now.push_back(end);
                    }
                }
                edit(tr("Change port %1").arg(text(port.name)),
                     [&](Design& target) { return setPort(target, group_, side, port.name, now); });
            });
        });
        row->addWidget(inside, 1);
        addRemove(*row, part, [group = group_, side, name = port.name](Design& target) {
            return removePort(target, group, side, name);
        });
    }
}

void GroupInterface::buildParameters(QVBoxLayout& layout) {
    const Attributes& parameters = definition().parameters;
    QToolButton* add = addHeading(layout, tr("Parameters"), tr("Add a parameter"),
                                  QStringLiteral("add parameter"));
    connect(add, &QToolButton::clicked, this, [this] {
        std::set<std::string> taken;
        for (const auto& [name, value] : definition().parameters.entries()) {
            taken.insert(name);
        }
        edit(tr("Add parameter"), [&](Design& target) {
            return setParameter(target, group_, unused("parameter", taken), std::int64_t{1});
        });
    });
    for (const auto& [name, value] : parameters.entries()) {
        const Row part{"parameter", name, tr("parameter %1").arg(text(name))};
        QHBoxLayout* row = addRow(layout);
        addName(*row, part,
                [group = group_, before = name](Design& target, const std::string& now) {
                    return renameParameter(target, group, before, now);
                });
        auto* field = new QLineEdit(ui::textOf(value), this);
        field->setFont(Look::mono(tokens().sizes.type.body));
        field->setAccessibleName(tr("Default of %1").arg(part.text));
        field->setObjectName(part.objectName("default"));
        connect(field, &QLineEdit::editingFinished, this, [this, field, name = name, was = value] {
            const auto typed = valueTyped(field->text());
            if (!typed || *typed == was) {
                field->setText(ui::textOf(was));
                return;
            }
            edit(tr("Change %1").arg(text(name)),
                 [&](Design& target) { return setParameter(target, group_, name, *typed); });
        });
        row->addWidget(field, 1);
        addRemove(*row, part, [group = group_, name = name](Design& target) {
            return removeParameter(target, group, name);
        });
    }
    if (!parameters.entries().empty()) {
        auto* hint = new QLabel(tr("Fields of inner layers can use it by name: 2 * %1")
                                    .arg(text(parameters.entries().begin()->first)),
                                this);
        hint->setWordWrap(true);
        hint->setFont(Look::sans(tokens().sizes.type.small));
        setTier(*hint, Tier::tertiary);
        layout.addWidget(hint);
    }
}

} // namespace weft::ui
