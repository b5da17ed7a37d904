// SPDX-License-Identifier: Apache-2.0
#include "panels/assignment/assignment_panel.h"

#include "canvas/scene/known_layers.h"
#include "document/device_slot.h"
#include "panels/assignment/choice_comparison.h"
#include "panels/assignment/choice_row.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/chips.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace weft::ui {

namespace {

/// A button that switches a device on and off.
class DeviceButton : public QAbstractButton {
public:
    DeviceButton(Look& look, int slot, const QString& name, QWidget* parent)
        : QAbstractButton(parent), look_(look), slot_(slot) {
        setCheckable(true);
        setFixedSize(26, 26);
        setToolTip(name);
        setAccessibleName(name);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setOpacity(isChecked() ? 1 : 0.25);
        drawChip(painter, rect().adjusted(4, 4, -4, -4), slot_, toolTip(), look_.theme());
        painter.setOpacity(1);
        if (hasFocus()) {
            painter.setPen(QPen(look_.theme().accent.focus, tokens().sizes.stroke.focus));
            painter.drawRect(rect().adjusted(1, 1, -2, -2));
        }
    }

private:
    Look& look_;
    int slot_;
};

void clear(QLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

} // namespace

AssignmentPanel::AssignmentPanel(WindowContext& context, QWidget* parent)
    : Panel(context, parent),
      meshBox_(new QComboBox(this)),
      scopeBox_(new QWidget(this)),
      scopeList_(new QComboBox(scopeBox_)),
      deviceButtons_(new QWidget(this)),
      deviceRow_(new QHBoxLayout(deviceButtons_)),
      header_(new ChoiceHeader(context.look, this)),
      listWidget_(new QWidget),
      rows_(new QVBoxLayout(listWidget_)),
      body_(new QBoxLayout(QBoxLayout::TopToBottom)),
      comparison_(new ChoiceComparison(context.look, context.kinds)),
      comparisonScroll_(new QScrollArea(this)),
      pricer_(new ChoicePricer(context.previewQueue, this)) {
    const Sizes& sizes = tokens().sizes;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, sizes.space.m, 0, 0);
    layout->setSpacing(sizes.space.xs);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(sizes.space.l, 0, sizes.space.l, 0);
    meshLabel_ = new QLabel(tr("Mesh"), this);
    setTier(*meshLabel_, Tier::secondary);
    top->addWidget(meshLabel_);
    deviceRow_->setContentsMargins(0, 0, 0, 0);
    deviceRow_->setSpacing(0);
    top->addWidget(deviceButtons_, 1);
    meshBox_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    meshBox_->setAccessibleName(tr("Arrangement of the devices"));
    top->addWidget(meshBox_);
    auto* reach = new QHBoxLayout(scopeBox_);
    reach->setContentsMargins(sizes.space.l, 0, 0, 0);
    auto* applyTo = new QLabel(tr("Apply to"), scopeBox_);
    setTier(*applyTo, Tier::secondary);
    reach->addWidget(applyTo);
    scopeList_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    scopeList_->setAccessibleName(tr("Layers that a choice applies to"));
    reach->addWidget(scopeList_);
    top->addWidget(scopeBox_);
    layout->addLayout(top);
    auto* choices = new QVBoxLayout;
    choices->setSpacing(sizes.space.xs);
    choices->addWidget(header_);
    rows_->setContentsMargins(0, 0, 0, sizes.space.m);
    rows_->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(listWidget_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    choices->addWidget(scroll, 1);
    body_->setSpacing(0);
    body_->addLayout(choices, 1);
    comparisonScroll_->setWidget(comparison_);
    comparisonScroll_->setWidgetResizable(true);
    comparisonScroll_->setFrameShape(QFrame::NoFrame);
    comparisonScroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    body_->addWidget(comparisonScroll_, 1);
    layout->addLayout(body_, 1);
    connect(scopeList_, &QComboBox::activated, this, [this] { buildChoices(); });
    connect(comparison_, &ChoiceComparison::boundaryWanted, this,
            &AssignmentPanel::setBoundaryScheme);
    connect(comparison_, &ChoiceComparison::useWanted, this, [this] {
        if (const ChoiceRow* row = comparedRow()) {
            assignChoice(row->choice().assignment);
        }
    });
    connect(pricer_, &ChoicePricer::priced, this, &AssignmentPanel::takePrice);
    connect(meshBox_, &QComboBox::activated, this, [this](int number) {
        chosenMesh_ = meshShapes(chosenDevices_.size())[static_cast<std::size_t>(number)];
        buildChoices();
    });
}

const Layer* AssignmentPanel::layer() const {
    return design() == nullptr
               ? nullptr
               : findLayer(design()->selection().network(), design()->selection().current());
}

std::vector<std::string> AssignmentPanel::allDevices() const {
    std::vector<std::string> names;
    for (const DeviceDeclaration& device : design()->document().design().devices) {
        names.push_back(device.name);
    }
    return names;
}

Assignment AssignmentPanel::presentAssignment() const {
    const Assignment& fallback = design()->document().design().assignment;
    const Layer* shown = layer();
    Assignment now = fallback;
    if (shown != nullptr) {
        const std::vector<const Assignment*> all = assignmentsOf(*shown);
        now = all.empty() ? shown->assignment.value_or(fallback) : *all.front();
    }
    if (now.devices.empty()) {
        now.devices = fallback.devices.empty() ? allDevices() : fallback.devices;
    }
    if (now.mesh.empty()) {
        now.mesh = {static_cast<std::int64_t>(std::max<std::size_t>(now.devices.size(), 1))};
    }
    return now;
}

/// Returns the effective assignments: a layer inside a group may have its own, else it has the
/// group's.
std::vector<const Assignment*> AssignmentPanel::assignmentsOf(const Layer& shown) const {
    const Design& whole = design()->document().design();
    std::vector<const Assignment*> found;
    std::set<std::string> open; // guards against recursive groups
    const std::function<void(const Layer&, const Assignment*)> add = [&](const Layer& one,
                                                                         const Assignment* outer) {
        const Assignment* counts = one.assignment ? &*one.assignment : outer;
        const GroupDefinition* group = one.kind == groupKind ? whole.group(one.group) : nullptr;
        if (group == nullptr) {
            found.push_back(counts);
        } else if (open.insert(group->name).second) {
            for (const Layer& inside : group->network.layers) {
                add(inside, counts);
            }
            open.erase(group->name);
        }
    };
    add(shown, &whole.assignment);
    return found;
}

bool AssignmentPanel::isMixed() const {
    const Layer* shown = layer();
    const std::vector<const Assignment*> all =
        shown == nullptr ? std::vector<const Assignment*>() : assignmentsOf(*shown);
    return std::ranges::any_of(all, [&](const Assignment* one) { return *one != *all.front(); });
}

void AssignmentPanel::refresh(unsigned causes) {
    QString wanted;
    if (layer() != nullptr) {
        for (const LayerId id : design()->selection().layers()) {
            wanted += QString::number(id.value) + ",";
        }
        wanted += QString::fromStdString(toString(presentAssignment())) +
                  QString::fromStdString(design()->selection().path().group);
        for (const std::string& device : allDevices()) {
            wanted += QString::fromStdString(device);
        }
    }
    if (wanted != builtKey_ || (causes & designCause) != 0) {
        builtKey_ = wanted;
        build();
        return;
    }
    if ((causes & lookCause) != 0) {
        showComparison(); // everything else reads the theme when it is painted
    }
    if ((causes & (checkCause | machineCause)) != 0 && design() != nullptr) {
        // The first part of an answer lists the legal choices; later parts only add numbers.
        const bool isNew = design()->check().answer()->revision != builtRevision_;
        if (isNew || (causes & machineCause) != 0) {
            buildChoices();
        } else {
            showPresent();
        }
    }
}

void AssignmentPanel::build() {
    const bool isChosen = layer() != nullptr;
    meshLabel_->setVisible(isChosen);
    meshBox_->setVisible(isChosen);
    deviceButtons_->setVisible(isChosen);
    if (isChosen) {
        const Assignment now = presentAssignment();
        chosenDevices_ = now.devices;
        chosenMesh_ = now.mesh;
        buildMesh();
        buildScope();
    }
    buildChoices();
}

void AssignmentPanel::buildMesh() {
    clear(*deviceRow_);
    const Design& shown = design()->document().design();
    for (const std::string& name : allDevices()) {
        auto* button = new DeviceButton(context().look, paletteIndexOf(shown, name),
                                        QString::fromStdString(name), deviceButtons_);
        button->setChecked(std::ranges::find(chosenDevices_, name) != chosenDevices_.end());
        connect(button, &QAbstractButton::toggled, this, [this, name](bool isOn) {
            std::erase(chosenDevices_, name);
            if (isOn) {
                chosenDevices_.push_back(name);
                // Keeps the mesh's devices in the order of the device list.
                const std::vector<std::string> all = allDevices();
                std::ranges::sort(chosenDevices_, {}, [&](const std::string& one) {
                    return std::ranges::find(all, one) - all.begin();
                });
            }
            chosenMesh_ = meshShapes(chosenDevices_.size()).front();
            buildMesh();
            buildChoices();
        });
        deviceRow_->addWidget(button);
    }
    deviceRow_->addStretch();
    const QSignalBlocker quiet(meshBox_);
    meshBox_->clear();
    for (const std::vector<std::int64_t>& mesh : meshShapes(chosenDevices_.size())) {
        meshBox_->addItem(mesh.size() == 1 ? tr("%1 in a row").arg(mesh[0])
                                           : QStringLiteral("%1 × %2").arg(mesh[0]).arg(mesh[1]));
        if (mesh == chosenMesh_) {
            meshBox_->setCurrentIndex(meshBox_->count() - 1);
        }
    }
}

void AssignmentPanel::buildChoices() {
    clear(*rows_);
    choiceRows_.clear();
    boundaryPrices_.clear();
    comparedIndex_ = -1;
    fitToSize();
    const Layer* shown = layer();
    header_->showNumbers(shown != nullptr && allDevices().size() > 1);
    if (shown == nullptr) {
        header_->setTitle(tr("Select layers to assign them to devices."));
        rows_->addStretch();
        return;
    }
    if (allDevices().size() < 2) {
        header_->setTitle(tr("Only one device is declared. Declare a second one to split layers."));
        addDeclareButton();
        rows_->addStretch();
        return;
    }
    const std::vector<LayerId> meant = targetLayers();
    const auto count = static_cast<int>(meant.size());
    header_->setTitle(count == 1 ? tr("If %1 were …").arg(QString::fromStdString(shown->name))
                                 : tr("If these %1 layers were …").arg(count));
    ChoiceRequest request{{}, chosenDevices_, chosenMesh_};
    const auto checked = design()->check().answer();
    builtRevision_ = checked->revision;
    const CheckedLayers known(design()->document().design(), design()->selection().path(),
                              checked->preview.get());
    for (const LayerId id : meant) {
        const Layer& one = *findLayer(design()->selection().network(), id);
        if (one.kind == groupKind) {
            std::ranges::copy(known.layersInside(one), std::back_inserter(request.layers));
        } else if (const LayerPreview* found = known.find(one)) {
            request.layers.push_back(found);
        }
    }
    std::vector<AssignmentChoice> refused;
    for (const AssignmentChoice& choice : choicesFor(request)) {
        if (!choice.reason.isEmpty()) {
            refused.push_back(choice);
            continue;
        }
        addChoice(choice);
    }
    addFollowButton();
    buildIllegal(refused);
    rows_->addStretch();
    requestPrices();
}

void AssignmentPanel::addChoice(const AssignmentChoice& choice) {
    const Assignment now = presentAssignment();
    std::vector<AxisWord> words = now.words;
    words.resize(std::max(words.size(), choice.assignment.words.size()), AxisWord::follow);
    const bool isPresent = !isMixed() && now.devices == choice.assignment.devices &&
                           (now.devices.size() == 1 || (now.mesh == choice.assignment.mesh &&
                                                        words == choice.assignment.words));
    auto* row = new ChoiceRow(context().look, choice, isPresent, listWidget_);
    connect(row, &QAbstractButton::clicked, this,
            [this, assignment = choice.assignment] { assignChoice(assignment); });
    connect(row, &ChoiceRow::pointedAt, this,
            [this, number = static_cast<int>(choiceRows_.size())] {
                comparedIndex_ = number;
                pricer_->priceFirst(number);
                showComparison();
            });
    rows_->addWidget(row);
    choiceRows_.push_back(row);
}

void AssignmentPanel::addFollowButton() {
    auto* follow = new QPushButton(tr("Follow the input"), listWidget_);
    follow->setFlat(true);
    follow->setToolTip(tr("Removes the layers' own assignment"));
    connect(follow, &QPushButton::clicked, this, [this] {
        const NetworkPath path = design()->selection().path();
        const std::vector<LayerId> layers = targetLayers();
        design()->document().edit(tr("Assign: follow the input"), [&](Design& target) {
            return assign(target, path, layers, std::nullopt);
        });
    });
    rows_->addWidget(follow, 0, Qt::AlignLeft);
}

void AssignmentPanel::addDeclareButton() {
    auto* declare = new QPushButton(tr("Declare a second device"), listWidget_);
    connect(declare, &QPushButton::clicked, this, [this] {
        design()->document().edit(tr("Declare device"), [](Design& target) {
            Edited edited;
            for (std::size_t number = 0; target.devices.size() < 2 && edited.isDone(); ++number) {
                const std::string name = "cpu:" + std::to_string(number);
                if (std::ranges::find(target.devices, name, &DeviceDeclaration::name) ==
                    target.devices.end()) {
                    edited = declareDevice(target, {.name = name});
                }
            }
            return edited;
        });
    });
    auto* row = new QWidget(listWidget_);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(tokens().sizes.space.l, 0, tokens().sizes.space.l, 0);
    layout->addWidget(declare);
    layout->addStretch();
    rows_->addWidget(row);
}

void AssignmentPanel::buildIllegal(const std::vector<AssignmentChoice>& refused) {
    if (refused.empty()) {
        return;
    }
    const Sizes& sizes = tokens().sizes;
    auto* title = new QLabel(tr("Not possible here"), listWidget_);
    title->setContentsMargins(sizes.space.l, sizes.space.m, sizes.space.l, sizes.space.xs);
    title->setFont(Look::sans(sizes.type.small));
    setTier(*title, Tier::tertiary);
    rows_->addWidget(title);
    for (const AssignmentChoice& choice : refused) {
        rows_->addWidget(illegalRow(choice));
    }
}

QWidget* AssignmentPanel::illegalRow(const AssignmentChoice& choice) {
    const Sizes& sizes = tokens().sizes;
    auto* row = new QWidget(listWidget_);
    auto* layout = new QVBoxLayout(row);
    layout->setContentsMargins(sizes.space.l, sizes.space.hair, sizes.space.l, sizes.space.xs);
    layout->setSpacing(0);
    auto* words = new QLabel(
        "<b>" + choice.title.toHtmlEscaped() + "</b> " + choice.reason.toHtmlEscaped(), row);
    words->setWordWrap(true);
    words->setFont(Look::sans(sizes.type.small));
    setTier(*words, Tier::secondary);
    layout->addWidget(words);
    if (choice.alternative == AxisWord::follow) {
        return row;
    }
    const QString word = QString::fromStdString(std::string(nameOf(choice.alternative)));
    auto* repair = new QPushButton(tr("Use %1").arg(word), row);
    repair->setFlat(true);
    repair->setObjectName(QStringLiteral("instead of ") + choice.title);
    repair->setAccessibleName(tr("Use %1 instead of %2").arg(word, choice.title));
    QFont line = Look::sans(sizes.type.small);
    line.setUnderline(true);
    repair->setFont(line);
    repair->setFixedHeight(sizes.size.controlSmall + sizes.space.hair);
    Assignment assignment = choice.assignment;
    assignment.words = {choice.alternative};
    connect(repair, &QPushButton::clicked, this, [this, assignment] { assignChoice(assignment); });
    layout->addWidget(repair, 0, Qt::AlignRight);
    return row;
}

const LayerPreview* AssignmentPanel::layerWith(const ChoicePrice& price) const {
    const Layer* shown = layer();
    if (price.previewed == nullptr || shown == nullptr) {
        return nullptr;
    }
    const CheckedLayers known(price.previewed->design, design()->selection().path(),
                              price.previewed->preview.get());
    if (shown->kind != groupKind) {
        return known.find(*shown);
    }
    // A group is drawn like its largest layer.
    const std::vector<const LayerPreview*> inside = known.layersInside(*shown);
    const auto largest = std::ranges::max_element(inside, {}, &LayerPreview::parameterBytes);
    return largest == inside.end() ? nullptr : *largest;
}

LayerDrawing AssignmentPanel::drawingOf(const ChoicePrice& price) const {
    const LayerPreview* placed = layerWith(price);
    if (placed == nullptr) {
        return {};
    }
    std::vector<int> hues;
    hues.reserve(placed->devices.size());
    for (const std::string& device : placed->devices) {
        hues.push_back(paletteIndexOf(price.previewed->design, device));
    }
    return ui::drawingOf(*placed, hues);
}

void AssignmentPanel::requestPrices() {
    PriceQuestion question{.design = design()->document().design(),
                           .request = design()->check().request(),
                           .errors = errorCount(*design()->check().answer()->preview)};
    const NetworkPath path = design()->selection().path();
    for (const ChoiceRow* row : choiceRows_) {
        question.choices.emplace_back(
            [path, layers = targetLayers(), assignment = row->choice().assignment](Design& target) {
                return assign(target, path, layers, assignment);
            });
    }
    addBoundaryChoices(question);
    showPresent();
    pricer_->ask(std::move(question));
    showBoundary();
}

void AssignmentPanel::showPresent() {
    if (choiceRows_.empty()) {
        return;
    }
    presentPrice_ = priceOf(design()->document().design(), *design()->check().answer()->preview);
    scaleRows();
    showComparison();
}

void AssignmentPanel::takePrice(int choice, const ChoicePrice& price) {
    const auto rows = static_cast<int>(choiceRows_.size());
    if (choice >= rows) {
        if (const auto at = static_cast<std::size_t>(choice - rows); at < boundaryPrices_.size()) {
            boundaryPrices_[at] = price;
            showBoundary();
        }
        return;
    }
    const LayerPreview* placed = layerWith(price);
    choiceRows_[static_cast<std::size_t>(choice)]->setPrice(
        price, drawingOf(price),
        placed == nullptr ? QString() : sendFrequencyText(*price.previewed->preview, *placed));
    scaleRows();
    showComparison();
}

void AssignmentPanel::scaleRows() {
    double longest = presentPrice_.step;
    double shortest = presentPrice_.step;
    double memory = 0;
    for (const ChoiceRow* row : choiceRows_) {
        longest = std::max(longest, row->price().step);
        memory = std::max(memory, row->price().memory);
        if (row->price().step > 0 && !row->price().overflows()) {
            shortest = std::min(shortest, row->price().step);
        }
    }
    constexpr double shown = 5e-4; // fraction of the step; smaller ones would show as 0.0 %
    const bool isGain = shortest < presentPrice_.step * (1 - shown);
    for (ChoiceRow* row : choiceRows_) {
        const double step = row->price().step;
        row->setScale(presentPrice_.step, longest, memory,
                      isGain ? step > 0 && step <= shortest : row->isPresent());
    }
}

void AssignmentPanel::assignChoice(const Assignment& assignment) {
    const NetworkPath path = design()->selection().path();
    const std::vector<LayerId> layers = targetLayers();
    design()->document().edit(
        tr("Assign %1").arg(QString::fromStdString(toString(assignment))),
        [&](Design& target) { return assign(target, path, layers, assignment); });
}

} // namespace weft::ui
