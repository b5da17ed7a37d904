// SPDX-License-Identifier: Apache-2.0
#include "tensors/tensors_view.h"

#include "tensors/element_hues.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/padded_delegate.h"
#include "widgets/picture_image.h"
#include <weft/error.h>
#include <weft/samples.h>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int listWidth = 190;
constexpr std::size_t histogramParts = 64;
constexpr int betweenObserved = 2000; ///< milliseconds; observed steps are slower than others

QString wordOf(ValueKind sort) {
    switch (sort) {
    case ValueKind::weight: return TensorsView::tr("weight");
    case ValueKind::gradient: return TensorsView::tr("gradient");
    case ValueKind::activation: return TensorsView::tr("activation");
    }
    return {};
}

} // namespace

/// Data read from a file, ready to show.
struct TensorsView::Read {
    std::shared_ptr<const TensorNumbers> numbers;
    QImage image;
    Histogram histogram;
    QString fault;
};

TensorsView::TensorsView(const Look& look, const RunHub& hub, RunControl& control, QWidget* parent)
    : QWidget(parent), look_(look), hub_(hub), control_(control) {
    const Sizes& sizes = Look::sizes();
    pool_.setMaxThreadCount(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(sizes.space.m, sizes.space.xs, sizes.space.m, sizes.space.xs);
    row->setSpacing(sizes.space.m);
    titleLabel_ = new QLabel;
    titleLabel_->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    row->addWidget(titleLabel_);
    factsLabel_ = new QLabel;
    setTier(*factsLabel_, Tier::secondary);
    row->addWidget(factsLabel_, 1);
    modeList_ = new QComboBox;
    modeList_->addItem(tr("one column per batch element"));
    modeList_->addItem(tr("one tensor at a time"));
    modeList_->setAccessibleName(tr("How values are shown"));
    modeList_->setToolTip(
        paragraphs(tr("In this layer each element of the batch is a network with a state of its "
                      "own. Shows a column per element, or one recorded tensor alone")));
    row->addWidget(modeList_);
    observeButton_ = new QToolButton;
    observeButton_->setText(tr("Observe next step"));
    observeButton_->setToolTip(
        tr("The run records the outputs and gradients of this layer in its next step"));
    row->addWidget(observeButton_);
    saveButton_ = new QToolButton;
    saveButton_->setObjectName(QStringLiteral("save"));
    saveButton_->setText(tr("Save…"));
    saveButton_->setToolTip(paragraphs(
        tr("Saves the shown value as a picture (.png) or its numbers for NumPy (.npy). In columns, "
           "this is the dictionary: the picture in the chosen order, the numbers as stored, so "
           "that they match the codes. Codes are among the values that are shown one at a time.")));
    row->addWidget(saveButton_);
    column->addLayout(row);
    pages_ = new QStackedWidget;
    pages_->addWidget(makeValuePage());
    sparse_ = new SparseView(look_, [this](std::int64_t elements) { return deviceHues(elements); });
    pages_->addWidget(sparse_);
    column->addWidget(pages_, 1);
    connect(&hub_, &RunHub::grown, this, &TensorsView::takeGrowth);
    connect(modeList_, &QComboBox::currentIndexChanged, this, &TensorsView::fillValueList);
    connect(sparse_, &SparseView::drawn, this, [this](const QString& facts) {
        if (isInColumns()) {
            factsLabel_->setText(facts);
            Q_EMIT shown();
        }
    });
    connect(valueList_, &QListWidget::currentRowChanged, this, &TensorsView::read);
    connect(observeButton_, &QToolButton::clicked, this, &TensorsView::observe);
    connect(&reobserveTimer_, &QTimer::timeout, this, &TensorsView::observeAgain);
    reobserveTimer_.start(betweenObserved);
    connect(saveButton_, &QToolButton::clicked, this, &TensorsView::exportWanted);
    connect(this, &TensorsView::shown, this, &TensorsView::enableSaving);
    connect(&look_, &Look::changed, this, &TensorsView::applyLook);
    applyLook();
    fillValueList();
}

/// Creates the page for one value: picture or numbers, and histogram.
QWidget* TensorsView::makeValuePage() {
    const Sizes& sizes = Look::sizes();
    valueList_ = new QListWidget;
    valueList_->setFrameShape(QFrame::NoFrame);
    valueList_->setItemDelegate(new PaddedDelegate(valueList_));
    valueList_->setAccessibleName(tr("Values of the layer"));
    picture_ = new TensorPicture(look_);
    histogram_ = new HistogramPlot(look_);
    numbers_ = new NumberModel(this);
    auto* table = new QTableView;
    table->setModel(numbers_);
    table->setItemDelegate(new PaddedDelegate(table));
    table->verticalHeader()->setDefaultSectionSize(sizes.size.rowTable);
    table->horizontalHeader()->setDefaultSectionSize(72);
    tabs_ = new QTabWidget;
    tabs_->setDocumentMode(true);
    tabs_->addTab(picture_, tr("Picture"));
    tabs_->addTab(table, tr("Numbers"));
    auto* right = new QSplitter(Qt::Vertical);
    right->addWidget(tabs_);
    right->addWidget(histogram_);
    right->setStretchFactor(0, 3);
    right->setStretchFactor(1, 1);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(valueList_);
    both->addWidget(right);
    both->setStretchFactor(1, 1);
    both->setSizes({listWidth, 4 * listWidth});
    return both;
}

TensorsView::~TensorsView() { pool_.waitForDone(); }

void TensorsView::applyLook() { update(); }

void TensorsView::follow(DesignDocument* document, Selection* selection) {
    if (selection_) {
        selection_->disconnect(this);
    }
    document_ = document;
    selection_ = selection;
    if (selection_) {
        connect(selection_, &Selection::changed, this, &TensorsView::fillValueList);
    }
    fillValueList();
}

void TensorsView::setPrediction(const RunPrediction& prediction) {
    prediction_ = &prediction;
    connect(&prediction, &RunPrediction::changed, sparse_, &SparseView::updateDeviceColours);
    sparse_->updateDeviceColours();
}

std::vector<int> TensorsView::deviceHues(std::int64_t elements) const {
    const Preview* preview = prediction_ ? prediction_->preview() : nullptr;
    return preview == nullptr
               ? std::vector<int>()
               : elementHues(*preview, hub_.design(), layerName().toStdString(), elements);
}

const Layer* TensorsView::watchedLayer() const {
    if (!document_ || !selection_) {
        return nullptr;
    }
    const std::vector<Layer>& layers = selection_->network().layers;
    const auto found =
        selection_->layers().empty()
            ? std::ranges::find_if(layers,
                                   [this](const Layer& layer) { return hasElementStates(layer); })
            : std::ranges::find(layers, selection_->current(), &Layer::id);
    return found == layers.end() ? nullptr : &*found;
}

/// Returns the peak in the run's design, which may differ from the present design.
double TensorsView::signalPeak() const {
    const std::string name = layerName().toStdString();
    const Layer* ran = findLayer(hub_.design().network, std::string_view(name));
    const AttributeValue* peak = ran == nullptr ? nullptr : ran->attributes.find("peak");
    const bool isNumber = peak != nullptr && (typeOf(*peak) == AttributeType::real ||
                                              typeOf(*peak) == AttributeType::integer);
    return isNumber ? ran->attributes.real("peak") : 0;
}

QString TensorsView::layerName() const {
    const Layer* found = watchedLayer();
    return found == nullptr ? QString() : QString::fromStdString(found->name);
}

bool TensorsView::hasElementStates(const Layer& layer) const {
    const LayerKindInfo* kind = findKind(*document_->kinds(), layer.kind);
    return kind != nullptr && !kind->states.empty();
}

bool TensorsView::isInColumns() const { return pages_->currentWidget() == sparse_; }

void TensorsView::choosePage() {
    const Layer* found = watchedLayer();
    const bool isOfElements = found != nullptr && hasElementStates(*found);
    modeList_->setVisible(isOfElements);
    pages_->setCurrentIndex(isOfElements && modeList_->currentIndex() == 0 ? 1 : 0);
    for (int page = 0; page < pages_->count(); ++page) {
        // A hidden page requests no space.
        const auto policy =
            page == pages_->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        pages_->widget(page)->setSizePolicy(policy, policy);
    }
}

void TensorsView::takeGrowth(const RunGrowth& growth) {
    if (growth.isNew) {
        observedAfter_ = -1;
        weightNames_.clear();
        checkpoint_.clear();
    }
    if (growth.isNew || growth.hasFiles) {
        readWeightNames();
        fillValueList();
    } else if (growth.hasState && values_.empty()) {
        fillValueList(); // the explanation of missing values depends on whether the run is live
    }
    observeButton_->setEnabled(hub_.isLiving() && !layerName().isEmpty());
}

void TensorsView::showEvent(QShowEvent*) {
    if (hub_.copy()) {
        readWeightNames(); // hidden views request no files
        fillValueList();
    }
}

bool TensorsView::isHere(const std::filesystem::path& file) {
    return control_.hosts().isHere(file, isVisible());
}

bool TensorsView::areFilesHere(const WatchedValue& value) {
    if (!hub_.copy() || value.part != "code" || !isHere(value.file)) {
        return isHere(value.file);
    }
    const std::filesystem::path weight = SparseView::observedWeight(value);
    const std::filesystem::path run = hub_.folder().toStdString();
    return std::ranges::none_of(hub_.tensors(), [&](const RunFile& file) {
        return run / file.path == weight && !isHere(weight) &&
               control_.hosts().whyMissing(weight).isEmpty();
    });
}

QString TensorsView::whyNotHere(const std::filesystem::path& file) const {
    const QString why = control_.hosts().whyMissing(file);
    return why.isEmpty() && hub_.copy()
               ? tr("Being fetched from %1").arg(QString::fromStdString(hub_.copy()->host))
               : why;
}

void TensorsView::readWeightNames() {
    const int number = ++namesRequestNumber_;
    if (hub_.copy() && !isVisible()) {
        return;
    }
    const RunFile* newest =
        control_.hosts().newestLocalCheckpoint(hub_.folder(), hub_.checkpoints());
    if (newest == nullptr) {
        weightNames_.clear();
        checkpoint_.clear();
        return;
    }
    const std::filesystem::path file =
        std::filesystem::path(hub_.folder().toStdString()) / newest->path;
    checkpoint_ = {*newest};
    pool_.start([this, number, file] {
        std::vector<std::string> names;
        try {
            names = tensorsIn(file);
        } catch (const std::exception&) {
            names.clear(); // deleted meanwhile by thinning: the next checkpoint is read
        }
        QMetaObject::invokeMethod(
            this,
            [this, number, names] {
                if (number == namesRequestNumber_) {
                    weightNames_ = names;
                    fillValueList();
                }
            },
            Qt::QueuedConnection);
    });
}

void TensorsView::fillValueList() {
    choosePage();
    const QString name = layerName();
    titleLabel_->setText(name.isEmpty() ? tr("Nothing watched") : name);
    observeButton_->setEnabled(hub_.isLiving() && !name.isEmpty());
    const QString before =
        valueList_->currentItem() == nullptr ? QString() : valueList_->currentItem()->text();
    values_ = watchedValues(hub_.folder().toStdString(), hub_.tensors(), checkpoint_, weightNames_);
    std::erase_if(values_, [&](const WatchedValue& value) {
        // Inside a group, a layer's name is the last part of the name in the file.
        const std::string wanted = name.toStdString();
        return name.isEmpty() || !(belongsTo(value, wanted) || value.layer.ends_with("." + wanted));
    });
    const QSignalBlocker quiet(valueList_);
    valueList_->clear();
    int chosen = values_.empty() ? -1 : 0;
    for (const WatchedValue& value : values_) {
        auto* item = new QListWidgetItem(QString::fromStdString(value.part), valueList_);
        item->setToolTip(tr("%1, step %2").arg(wordOf(value.kind)).arg(value.step));
        if (item->text() == before) {
            chosen = valueList_->count() - 1;
        }
    }
    valueList_->setCurrentRow(chosen);
    if (values_.empty()) {
        factsLabel_->setText(
            name.isEmpty()   ? tr("Choose a layer to watch.")
            : !hub_.isOpen() ? tr("No run is open: run the design, or open one of its runs.")
            : hub_.isLiving()
                ? tr("No value was recorded yet. Observe a step, or wait for a checkpoint.")
                : tr("This run has ended without recorded values. Resume the run to observe a "
                     "step."));
    }
    enableSaving();
    if (isInColumns()) {
        fillColumns();
    } else {
        read();
    }
}

/// Values that are not available locally are shown once they have been fetched.
void TensorsView::fillColumns() {
    std::vector<WatchedValue> here;
    for (const WatchedValue& value : values_) {
        if (areFilesHere(value)) {
            here.push_back(value);
        } else {
            factsLabel_->setText(whyNotHere(value.file));
        }
    }
    sparse_->show(hub_.folder() + '\n' + layerName(), here, framesOf(hub_.design().data),
                  signalPeak());
}

void TensorsView::read() {
    const int number = ++requestNumber_;
    const int row = valueList_->currentRow();
    if (row < 0 || static_cast<std::size_t>(row) >= values_.size()) {
        picture_->setImage({});
        histogram_->show({});
        numbers_->setTensor(nullptr);
        enableSaving();
        return;
    }
    const WatchedValue value = values_[static_cast<std::size_t>(row)];
    if (!isHere(value.file)) {
        factsLabel_->setText(whyNotHere(value.file));
        return;
    }
    pool_.start([this, number, value] {
        Read read;
        try {
            auto tensor = std::make_shared<TensorNumbers>(
                value.tensor.empty() ? readTensor(value.file)
                                     : readTensor(value.file, value.tensor));
            read.image = imageOf(mosaic(*tensor));
            read.histogram = weft::histogram(*tensor, histogramParts);
            read.numbers = std::move(tensor);
        } catch (const std::exception& error) {
            read.fault = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this, [this, number, read] { showReading(number, read); }, Qt::QueuedConnection);
    });
}

void TensorsView::showReading(int number, const Read& read) {
    const int row = valueList_->currentRow();
    if (number != requestNumber_ || row < 0) {
        return;
    }
    const WatchedValue& value = values_[static_cast<std::size_t>(row)];
    if (read.numbers) {
        factsLabel_->setText(
            tr("%1 %2, step %3, %4 to %5")
                .arg(wordOf(value.kind), quantity::shapeInText(read.numbers->shape))
                .arg(value.step)
                .arg(quantity::number(read.histogram.least),
                     quantity::number(read.histogram.most)));
    } else {
        factsLabel_->setText(read.fault);
    }
    picture_->setImage(read.image);
    histogram_->show(read.histogram);
    numbers_->setTensor(read.numbers);
    Q_EMIT shown();
}

const TensorNumbers* TensorsView::tensor() const {
    const DictionaryDisplay* atoms = sparse_->dictionary().shown();
    return !isInColumns() ? numbers_->tensor() : atoms == nullptr ? nullptr : &atoms->weight;
}

QString TensorsView::nameToSave() const {
    const QListWidgetItem* value = valueList_->currentItem();
    const QString part =
        isInColumns() || value == nullptr ? QStringLiteral("weight") : value->text();
    return layerName() + '.' + part + QStringLiteral(".png");
}

void TensorsView::exportTo(const QString& file) const {
    const TensorNumbers* numbers = tensor();
    const std::string path = file.toStdString();
    if (numbers == nullptr) {
        throw Error(ErrorCode::usage, {.file = path}, "no value is shown that could be saved",
                    "choose a layer, and observe a step");
    }
    if (file.endsWith(QLatin1String(".npy"), Qt::CaseInsensitive)) {
        saveTensor(*numbers, path);
    } else if (file.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
        savePicture(isInColumns() ? sparse_->dictionary().picture() : mosaic(*numbers), path);
    } else {
        throw Error(ErrorCode::usage, {.file = path}, "its suffix names no format",
                    "use .png for a picture or .npy for the numbers");
    }
}

void TensorsView::enableSaving() { saveButton_->setEnabled(tensor() != nullptr); }

void TensorsView::observeAgain() {
    const std::int64_t seen = sparse_->shown() == nullptr ? -1 : sparse_->shown()->step;
    const bool isAnswered = observedAfter_ < 0 || seen > observedAfter_;
    const std::string name = layerName().toStdString();
    if (isVisible() && isInColumns() && isAnswered && hub_.isLiving() && !hub_.isPaused() &&
        findLayer(hub_.design().network, std::string_view(name)) != nullptr) {
        observedAfter_ = hub_.lastStep();
        observe();
    }
}

void TensorsView::observe() {
    control_.tell(hub_.folder(), QStringLiteral("observe"), layerName());
}

} // namespace weft::ui
