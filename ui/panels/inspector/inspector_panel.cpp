// SPDX-License-Identifier: Apache-2.0
#include "panels/inspector/inspector_panel.h"

#include "catalogue/kind_search.h"
#include "panels/inspector/group_interface.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/attribute_field.h"
#include "widgets/empty_state.h"
#include "workspace/prediction_words.h"
#include <weft/group_edits.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

QLabel* quiet(const QString& words, QWidget* parent) {
    auto* label = new QLabel(words, parent);
    label->setWordWrap(true);
    setTier(*label, Tier::tertiary);
    return label;
}

/// True for one of the chosen layers, or a layer inside it.
bool isAmong(const LayerPreview& layer, const std::vector<const Layer*>& chosen) {
    return std::ranges::any_of(chosen, [&](const Layer* one) {
        return layer.origin.layer == one->id || layer.name.starts_with(one->name + "/") ||
               layer.name.starts_with(one->name + "[");
    });
}

} // namespace

InspectorPanel::InspectorPanel(WindowContext& context, QWidget* parent) : Panel(context, parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(scroll);
}

std::vector<const Layer*> InspectorPanel::selectedLayers() const {
    std::vector<const Layer*> found;
    for (const LayerId id : design()->selection().layers()) {
        if (const Layer* layer = findLayer(design()->selection().network(), id)) {
            found.push_back(layer);
        }
    }
    return found;
}

void InspectorPanel::refresh(unsigned) {
    QString wanted = QStringLiteral("none");
    if (design() != nullptr) {
        const Selection& selection = design()->selection();
        const std::optional<Wire>& wire = selection.wire();
        wanted = wire ? "wire" + text(wire->to.port) + QString::number(wire->to.layer.value)
                      : QStringLiteral("design");
        for (const Layer* layer : selectedLayers()) {
            wanted += '/' + QString::number(layer->id.value) + text(layer->kind) +
                      text(layer->group) + text(layer->name);
        }
        wanted += design()->document().file() +
                  GroupInterface::contentKey(design()->document().design(), shownGroup());
    }
    wanted += context().look.theme().isDark ? "d" : "l";
    if (wanted != builtKey_) {
        builtKey_ = wanted;
        build();
    }
    if (design() != nullptr) {
        showValues();
        showFacts();
    }
}

std::string InspectorPanel::shownGroup() const {
    const std::vector<const Layer*> chosen = selectedLayers();
    return chosen.empty()       ? design()->selection().path().group
           : chosen.size() == 1 ? chosen.front()->group
                                : std::string();
}

void InspectorPanel::build() {
    // Restores the focus by object name after rebuilding.
    const QWidget* focused = QApplication::focusWidget();
    const QString focusedName =
        content_ != nullptr && content_->isAncestorOf(focused) ? focused->objectName() : QString();
    fields_.clear();
    factLabels_.clear();
    content_ = new QWidget;
    auto* layout = new QVBoxLayout(content_);
    const Sizes& sizes = tokens().sizes;
    layout->setContentsMargins(0, sizes.space.l, 0, sizes.space.l);
    layout->setSpacing(2);
    if (design() == nullptr) {
        layout->addWidget(new EmptyState(context().look, {}, tr("Nothing selected"),
                                         tr("Click a layer to see what it does.")));
    } else if (const std::optional<Wire>& wire = design()->selection().wire()) {
        buildWire(*layout, *wire);
    } else if (selectedLayers().empty()) {
        buildDesign(*layout);
    } else {
        buildLayers(*layout);
    }
    layout->addStretch();
    auto* scroll = findChild<QScrollArea*>();
    scroll->setWidget(content_); // deletes the previous content
    if (QWidget* again =
            focusedName.isEmpty() ? nullptr : content_->findChild<QWidget*>(focusedName)) {
        again->setFocus(Qt::TabFocusReason);
    }
    setFocusProxy(fields_.empty() ? nullptr : static_cast<QWidget*>(fields_.front()));
}

void InspectorPanel::buildHeader(QVBoxLayout& layout, const QString& icon, const QString& category,
                                 const QString& name, const QString& kind, const QString& help) {
    const Sizes& sizes = tokens().sizes;
    auto* row = new QHBoxLayout;
    row->setContentsMargins(sizes.space.l, 0, sizes.space.l, sizes.space.s);
    row->setSpacing(sizes.space.m);
    auto* mark = new QLabel(content_);
    mark->setPixmap(symbol(icon, sizes.size.icon, context().look.theme().ofCategory(category),
                           devicePixelRatioF()));
    row->addWidget(mark);
    auto* title = new QLabel(name, content_);
    title->setFont(Look::sans(sizes.type.label, sizes.type.semibold));
    row->addWidget(title);
    row->addWidget(quiet(kind, content_), 1);
    layout.addLayout(row);
    if (!help.isEmpty()) {
        QLabel* words = quiet(htmlOf(firstSentence(help)), content_);
        words->setTextFormat(Qt::RichText);
        words->setToolTip(paragraphs(help));
        words->setContentsMargins(sizes.space.l, 0, sizes.space.l, sizes.space.m);
        words->setFont(Look::sans(sizes.type.small));
        words->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout.addWidget(words);
    }
}

void InspectorPanel::buildLayers(QVBoxLayout& layout) {
    const std::vector<const Layer*> chosen = selectedLayers();
    const Layer& first = *chosen.front();
    const LayerKindInfo* kind = findKind(*context().kinds, first.kind);
    const bool isOne = chosen.size() == 1;
    const bool isGroup = first.kind == groupKind;
    const bool isOneKind =
        std::ranges::all_of(chosen, [&](const Layer* layer) { return layer->kind == first.kind; });
    const QString help = kind == nullptr ? QString() : text(kind->help);
    buildHeader(layout,
                isGroup           ? QStringLiteral("structure/group")
                : kind != nullptr ? iconOf(*kind)
                                  : QStringLiteral("kinds/custom"),
                kind != nullptr ? text(kind->category) : QStringLiteral("custom"),
                isOne ? text(first.name) : tr("%1 layers").arg(chosen.size()),
                !isOneKind ? tr("several")
                : isGroup  ? text(first.group)
                           : text(first.kind),
                isOne ? help : QString());
    if (isOne && isGroup) {
        buildGroup(layout, first);
        return;
    }
    // Attributes that all of them have.
    std::vector<AttributeSpec> specs =
        kind != nullptr ? kind->attributes : std::vector<AttributeSpec>{};
    for (const Layer* layer : chosen) {
        const LayerKindInfo* other = findKind(*context().kinds, layer->kind);
        std::erase_if(specs, [&](const AttributeSpec& spec) {
            return other == nullptr ||
                   std::ranges::none_of(other->attributes, [&](const AttributeSpec& one) {
                       return one.name == spec.name &&
                              typeOf(one.defaultValue) == typeOf(spec.defaultValue);
                   });
        });
    }
    for (const AttributeSpec& spec : specs) {
        addField(layout, spec);
    }
    layout.addSpacing(tokens().sizes.space.m);
    addFact(layout, tr("Input"), QStringLiteral("input"));
    addFact(layout, tr("Result"), QStringLiteral("result"));
    addFact(layout, tr("Parameters"), QStringLiteral("parameters"));
    addFact(layout, tr("Predicted"), QStringLiteral("predicted"));
    addFact(layout, tr("Memory"), QStringLiteral("memory"));
}

void InspectorPanel::buildGroup(QVBoxLayout& layout, const Layer& layer) {
    AttributeSpec repeat{
        .name = "repeat",
        .defaultValue = std::int64_t{1},
        .help = tr("Number of copies in sequence, each with its own weights").toStdString(),
        .least = 1};
    auto* field = new AttributeField(context().look, repeat, content_);
    field->show({.value = AttributeValue(layer.repeat), .isDefault = layer.repeat == 1});
    connect(field, &AttributeField::chosen, this,
            [this, id = layer.id](const AttributeValue& value) {
                const NetworkPath path = design()->selection().path();
                design()->document().edit(
                    tr("Repeat"),
                    [&](Design& target) {
                        return setRepeat(target, path, id, std::get<std::int64_t>(value));
                    },
                    QStringLiteral("repeat"));
            });
    layout.addWidget(field);
    if (const GroupDefinition* group = design()->document().design().group(layer.group)) {
        for (const auto& [name, fallback] : group->parameters.entries()) {
            addField(layout, {.name = name,
                              .defaultValue = fallback,
                              .help = tr("A parameter of the group").toStdString()});
        }
    }
    addFact(layout, tr("Result"), QStringLiteral("result"));
    addFact(layout, tr("Parameters"), QStringLiteral("parameters"));
    addFact(layout, tr("Predicted"), QStringLiteral("predicted"));
    if (design()->document().design().group(layer.group) == nullptr) {
        return;
    }
    layout.addSpacing(tokens().sizes.space.l);
    QLabel* shared = quiet(tr("Every instance of \"%1\"").arg(text(layer.group)), content_);
    shared->setContentsMargins(tokens().sizes.space.l, 0, tokens().sizes.space.l, 0);
    layout.addWidget(shared);
    layout.addWidget(new GroupInterface(context(), *design(), layer.group, content_));
}

void InspectorPanel::buildWire(QVBoxLayout& layout, const Wire& wire) {
    const Network& network = design()->selection().network();
    const Layer* from = findLayer(network, wire.from.layer);
    const Layer* to = findLayer(network, wire.to.layer);
    buildHeader(layout, QStringLiteral("structure/reroute"), QStringLiteral("shape"),
                text(from->name + " → " + to->name), tr("wire"), {});
    AttributeSpec scheme{.name = "boundary",
                         .defaultValue = std::string("cheapest"),
                         .help =
                             tr("How the value is sent where its placement changes").toStdString(),
                         .choices = {"cheapest", "whole"}};
    auto* field = new AttributeField(context().look, scheme, content_);
    field->show(
        {.value = AttributeValue(wire.scheme.empty() ? std::string("cheapest") : wire.scheme),
         .isDefault = wire.scheme.empty()});
    connect(field, &AttributeField::chosen, this, [this, wire](const AttributeValue& value) {
        const NetworkPath path = design()->selection().path();
        const std::string word = std::get<std::string>(value);
        design()->document().edit(tr("Boundary"), [&](Design& target) {
            return setScheme(target, path, wire.to, word == "cheapest" ? std::string() : word);
        });
    });
    layout.addWidget(field);
    addFact(layout, tr("From"), text(from->name + "." + wire.from.port));
    addFact(layout, tr("To"), text(to->name + "." + wire.to.port));
}

void InspectorPanel::buildDesign(QVBoxLayout& layout) {
    const Design& shown = design()->document().design();
    if (const std::string group = shownGroup(); !group.empty()) {
        buildHeader(layout, QStringLiteral("structure/group"), QStringLiteral("custom"),
                    text(group), tr("group"), {});
        layout.addWidget(new GroupInterface(context(), *design(), group, content_));
        return;
    }
    buildHeader(layout, QStringLiteral("structure/frame"), QStringLiteral("shape"),
                design()->document().title(), tr("design"), text(shown.note));
    layout.addWidget([&] {
        QLabel* hint = quiet(tr("Click a layer to see and change what it does."), content_);
        hint->setContentsMargins(tokens().sizes.space.l, 0, tokens().sizes.space.l, 0);
        return hint;
    }());
}

void InspectorPanel::addField(QVBoxLayout& layout, const AttributeSpec& spec) {
    auto* field = new AttributeField(context().look, spec, content_);
    fields_.push_back(field);
    connect(field, &AttributeField::chosen, this, [this, field](const AttributeValue& value) {
        changeAttribute(*field, [&](Design& target, const NetworkPath& path, LayerId id) {
            return weft::setAttribute(target, path, id, field->spec().name, value);
        });
    });
    connect(field, &AttributeField::typed, this, [this, field](const QString& expression) {
        changeAttribute(*field, [&](Design& target, const NetworkPath& path, LayerId id) {
            return setExpression(target, path, id, field->spec().name, expression.toStdString());
        });
    });
    connect(field, &AttributeField::resetWanted, this, [this, field] {
        changeAttribute(*field, [&](Design& target, const NetworkPath& path, LayerId id) {
            return resetAttribute(target, path, id, field->spec().name);
        });
    });
    connect(field, &AttributeField::finished, this, [this] {
        if (design() != nullptr) {
            design()->document().endMerging();
        }
    });
    layout.addWidget(field);
}

void InspectorPanel::changeAttribute(
    AttributeField& field,
    const std::function<Edited(Design&, const NetworkPath&, LayerId)>& edit) {
    const NetworkPath path = design()->selection().path();
    const std::vector<LayerId> chosen = design()->selection().list();
    QString problem;
    const Edited edited = design()->document().tryEdit(
        tr("Change %1").arg(labelOf(field.spec().name).toLower()),
        [&](Design& target) {
            Edited all;
            for (const LayerId id : chosen) {
                all = edit(target, path, id);
                if (!all.isDone()) {
                    return all;
                }
            }
            return all;
        },
        "attribute " + text(field.spec().name));
    if (edited.refusal) {
        problem = text(edited.refusal->text);
    }
    field.showProblem(problem);
}

FieldValue InspectorPanel::valueOf(const AttributeSpec& spec) const {
    FieldValue shown;
    bool isFirst = true;
    for (const Layer* layer : selectedLayers()) {
        const AttributeValue* given = layer->attributes.find(spec.name);
        const AttributeValue value = given != nullptr ? *given : spec.defaultValue;
        const auto typed = layer->expressions.find(spec.name);
        const QString expression =
            typed == layer->expressions.end() ? QString() : text(typed->second);
        shown.isDefault = shown.isDefault && given == nullptr && expression.isEmpty();
        shown.isMissing =
            shown.isMissing || (spec.required && given == nullptr && expression.isEmpty());
        if (isFirst) {
            shown.value = value;
            shown.expression = expression;
            isFirst = false;
        } else if (shown.value != value) {
            shown.value.reset();
            shown.expression.clear();
        }
    }
    return shown;
}

void InspectorPanel::showValues() {
    for (AttributeField* field : fields_) {
        field->show(valueOf(field->spec()));
    }
}

void InspectorPanel::addFact(QVBoxLayout& layout, const QString& label, const QString& name) {
    const Sizes& sizes = tokens().sizes;
    auto* row = new QHBoxLayout;
    row->setContentsMargins(sizes.space.l, 2, sizes.space.l, 2);
    row->setSpacing(sizes.space.m);
    auto* left = new QLabel(label, content_);
    left->setFixedWidth(92);
    setTier(*left, Tier::secondary);
    row->addWidget(left);
    auto* right = new QLabel(name, content_);
    right->setFont(Look::mono(sizes.type.small));
    right->setTextInteractionFlags(Qt::TextSelectableByMouse);
    right->setWordWrap(true);
    row->addWidget(right, 1);
    factLabels_[name] = right;
    layout.addLayout(row);
}

void InspectorPanel::showFacts() {
    const std::vector<const Layer*> chosen = selectedLayers();
    if (chosen.empty()) {
        return;
    }
    const auto known = design()->check().answer();
    double parameters = 0;
    double bytes = 0;
    QString result = quantity::none();
    for (const LayerPreview& layer : known->preview->layers) {
        if (!isAmong(layer, chosen)) {
            continue;
        }
        for (const ParameterPreview& parameter : layer.parameters) {
            parameters += static_cast<double>(elementsOf(parameter.shape));
        }
        bytes += static_cast<double>(layer.parameterBytes.count);
        if (!layer.outputs.empty()) {
            const PortPreview& y = layer.outputs.front();
            result = quantity::shapeInText(y.shape) + " " + text(std::string(nameOf(y.dtype)));
            if (!y.placement.empty()) {
                result += " " + text(y.placement);
            }
        }
    }
    QString input = quantity::none();
    for (const Wire& wire : design()->selection().network().wires) {
        if (wire.to.layer == chosen.front()->id) {
            for (const LayerPreview& layer : known->preview->layers) {
                if (layer.origin.layer == wire.from.layer && !layer.outputs.empty()) {
                    input = quantity::shapeInText(layer.outputs.front().shape);
                }
            }
            break;
        }
    }
    showFact("input", input);
    showFact("result", chosen.size() == 1 ? result : quantity::none());
    showFact("parameters", parameters > 0 ? quantity::count(parameters) + " · " +
                                                tr("%1 per device").arg(quantity::bytes(bytes))
                                          : quantity::none());
    showStep(*known, chosen);
}

void InspectorPanel::showStep(const CheckedDesign& known, const std::vector<const Layer*>& chosen) {
    double seconds = 0;
    double memory = 0;
    if (known.withStep) {
        for (const LayerPreview& layer : known.withStep->layers) {
            if (layer.step && isAmong(layer, chosen)) {
                seconds += quantity::seconds(layer.step->compute());
                memory += static_cast<double>(layer.parameterBytes.count + layer.step->made.count);
            }
        }
    }
    const bool isOlder = known.isStepOlder();
    showFact("predicted",
             seconds > 0 ? quantity::predicted(quantity::time(seconds)) : quantity::none(),
             isOlder);
    showFact("memory",
             memory > 0 ? tr("%1 per device").arg(quantity::bytes(memory)) : quantity::none(),
             isOlder);
}

void InspectorPanel::showFact(const char* name, const QString& words, bool isOlder) {
    if (const auto at = factLabels_.find(QLatin1String(name)); at != factLabels_.end()) {
        at->second->setText(words);
        at->second->setToolTip(isOlder ? olderNote() : QString());
        setTier(*at->second, isOlder ? Tier::tertiary : Tier::primary);
    }
}

} // namespace weft::ui
