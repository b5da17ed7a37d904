// SPDX-License-Identifier: Apache-2.0
#include "tensors/sparse_view.h"

#include "theme/look.h"
#include <weft/error.h>

#include <QSplitter>
#include <QVBoxLayout>
#include <exception>

namespace weft::ui {

namespace {

constexpr int dictionaryWidth = 252;

const WatchedValue* partIn(const std::vector<WatchedValue>& values, const char* part) {
    const auto found = std::ranges::find(values, part, &WatchedValue::part);
    return found == values.end() ? nullptr : &*found;
}

/// Returns the values of the newest step with code, reconstruction and residual. A step whose files
/// are still arriving is incomplete and not shown.
std::vector<WatchedValue> stepOf(const std::vector<WatchedValue>& values) {
    std::vector<WatchedValue> of;
    const WatchedValue* code = partIn(values, "code");
    for (const char* part : {"code", "reconstruction", "residual"}) {
        const WatchedValue* value = partIn(values, part);
        if (value == nullptr || value->step != code->step) {
            return {};
        }
        of.push_back(*value);
    }
    for (const char* part : {"energies", "steps"}) {
        const WatchedValue* value = partIn(values, part);
        if (value != nullptr && value->step == code->step) {
            of.push_back(*value);
        }
    }
    return of;
}

TensorNumbers readIfThere(const std::filesystem::path& file) {
    return std::filesystem::exists(file) ? readTensor(file) : TensorNumbers{};
}

TensorNumbers readPart(const std::vector<WatchedValue>& values, const char* part) {
    const WatchedValue* value = partIn(values, part);
    if (value == nullptr) {
        return {};
    }
    return value->tensor.empty() ? readTensor(value->file) : readTensor(value->file, value->tensor);
}

} // namespace

/// Data read from the files, ready to draw; nullptr if missing.
struct SparseView::Read {
    std::shared_ptr<const SparseDisplay> step;
    Dictionaries atoms;
    QString fault;
};

SparseView::SparseView(const Look& look, Hues hues, QWidget* parent)
    : QWidget(parent),
      deviceHues_(std::move(hues)),
      leftSplitter_(new QSplitter(Qt::Vertical)),
      columns_(new ElementColumns(look)),
      curves_(new ElementCurves(look)),
      activeValues_(new ActiveValues(look)),
      dictionary_(new DictionaryView(look)) {
    pool_.setMaxThreadCount(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);

    auto* below = new QSplitter(Qt::Horizontal);
    below->addWidget(curves_);
    below->addWidget(activeValues_);
    below->setStretchFactor(0, 2);
    below->setStretchFactor(1, 1);
    leftSplitter_->addWidget(columns_);
    leftSplitter_->addWidget(below);
    leftSplitter_->setChildrenCollapsible(false);
    leftSplitter_->setStretchFactor(0, 3);
    leftSplitter_->setStretchFactor(1, 1);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(leftSplitter_);
    both->addWidget(dictionary_);
    both->setStretchFactor(0, 1);
    both->setSizes({3 * dictionaryWidth, dictionaryWidth});
    column->addWidget(both);
    connect(columns_, &ElementColumns::elementsChanged, this, &SparseView::followElement);
    connect(&dictionary_->mosaic(), &AtomMosaic::followed, columns_, &ElementColumns::setAtom);
    connect(columns_, &ElementColumns::atomReleased, &dictionary_->mosaic(),
            [this] { dictionary_->mosaic().follow(-1); });
    connect(dictionary_, &DictionaryView::played, columns_, &ElementColumns::setFrame);
}

std::filesystem::path SparseView::observedWeight(const WatchedValue& code) {
    const std::string stem = code.file.stem().string();
    return code.tensor.empty() && stem.ends_with(".code")
               ? code.file.parent_path() / (stem.substr(0, stem.rfind('.')) + ".weight.npy")
               : std::filesystem::path();
}

QSize SparseView::minimumSizeHint() const {
    const QSize columns = columns_->minimumSizeHint();
    return {columns.width() + curves_->minimumSizeHint().width() +
                dictionary_->minimumSizeHint().width(),
            columns.height()};
}

void SparseView::resizeEvent(QResizeEvent*) {
    const int both = columns_->minimumSizeHint().height() + curves_->minimumSizeHint().height();
    const Qt::Orientation along = height() < both ? Qt::Horizontal : Qt::Vertical;
    if (leftSplitter_->orientation() != along) {
        leftSplitter_->setOrientation(along);
        leftSplitter_->setSizes({3 * dictionaryWidth, dictionaryWidth});
    }
    activeValues_->setVisible(along == Qt::Vertical && width() > 3 * dictionaryWidth);
}

SparseView::~SparseView() { pool_.waitForDone(); }

void SparseView::show(const QString& runAndLayer, const std::vector<WatchedValue>& values,
                      std::int64_t frames, double peak) {
    if (runAndLayer != runAndLayer_ || values.empty()) {
        runAndLayer_ = runAndLayer;
        shown_ = nullptr;
        dictionaries_.clear();
        requestedValues_.clear();
        dictionary_->mosaic().follow(-1);
        takeReading(++requestNumber_, {});
    }
    std::vector<WatchedValue> wanted = stepOf(values);
    if (const WatchedValue* weight = partIn(values, "weight")) {
        wanted.push_back(*weight);
    }
    if (wanted == requestedValues_ || wanted.empty()) {
        return;
    }
    requestedValues_ = wanted;
    frames_ = frames;
    pool_.start([this, number = ++requestNumber_, wanted, frames, peak] {
        Read read;
        try {
            TensorNumbers numbers;
            if (const WatchedValue* weight = partIn(wanted, "weight")) {
                numbers = readPart(wanted, "weight");
                for (std::int64_t element = 0; element < dictionariesOf(numbers.shape); ++element) {
                    read.atoms.push_back(std::make_shared<const DictionaryDisplay>(
                        makeDictionaryDisplay(numbers, weight->step, frames, element)));
                }
            }
            if (const WatchedValue* code = partIn(wanted, "code")) {
                SparseStep step{readPart(wanted, "code"), readPart(wanted, "reconstruction"),
                                readPart(wanted, "residual"), readPart(wanted, "energies"),
                                readPart(wanted, "steps")};
                read.fault = QString::fromStdString(faultOf(step));
                if (read.fault.isEmpty()) {
                    read.step = std::make_shared<SparseDisplay>(
                        makeSparseDisplay(std::move(step), readIfThere(observedWeight(*code)),
                                          {code->step, frames, peak, numbers.shape}));
                }
            }
        } catch (const std::exception& error) {
            read.fault = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this, [this, number, read] { takeReading(number, read); }, Qt::QueuedConnection);
    });
}

void SparseView::takeReading(int number, const Read& read) {
    if (number != requestNumber_) {
        return;
    }
    // Keeps the previous content for parts that are missing in an incomplete step.
    shown_ = read.step ? read.step : shown_;
    dictionaries_ = read.atoms.empty() ? dictionaries_ : read.atoms;
    updateDeviceColours();
    showDictionaryOfElement();
    reportDrawn(read.fault);
}

void SparseView::updateDeviceColours() {
    elementHues_ = shown_ ? deviceHues_(shown_->elements) : std::vector<int>();
    columns_->setShown(shown_, elementHues_);
    activeValues_->setShown(shown_.get());
    followElement();
}

void SparseView::reportDrawn(const QString& fault) {
    if (!fault.isEmpty()) {
        Q_EMIT drawn(fault);
    } else if (shown_) {
        Q_EMIT drawn(tr("step %1, %2 elements").arg(shown_->step).arg(shown_->elements));
    } else if (!dictionaries_.empty()) {
        Q_EMIT drawn(tr("Observe a step to see how the code represents each batch element."));
    }
}

void SparseView::showDictionaryOfElement() {
    const std::size_t at =
        dictionaries_.size() < 2 ? 0 : static_cast<std::size_t>(columns_->chosen());
    if (dictionaries_.empty()) {
        dictionary_->setShown(nullptr, {});
    } else if (at < dictionaries_.size()) {
        const bool hasNumbers = shown_ && at < shown_->atomNumbers.size();
        dictionary_->setShown(dictionaries_[at],
                              hasNumbers ? shown_->atomNumbers[at] : AtomNumbers());
    }
    computeFigures();
}

/// Computed after the pictures, as it takes longer; skipped if newer data was requested.
void SparseView::computeFigures() {
    const std::size_t at =
        dictionaries_.size() < 2 ? 0 : static_cast<std::size_t>(columns_->chosen());
    if (at >= dictionaries_.size() || dictionaries_[at]->atoms() == 0) {
        return;
    }
    pool_.start([this, of = dictionaries_[at], number = requestNumber_.load(), frames = frames_] {
        if (number != requestNumber_) {
            return;
        }
        try {
            const std::int64_t channels = of->weight.shape[1];
            auto figures = std::make_shared<const DictionaryFigures>(
                dictionaryFigures(of->weight, channels % frames == 0 ? frames : 1));
            QMetaObject::invokeMethod(
                this, [this, of, figures] { dictionary_->setFigures(of, figures); },
                Qt::QueuedConnection);
        } catch (const Error&) { // no figures for patches that are too large
        }
    });
}

void SparseView::followElement() {
    if (dictionaries_.size() > 1) {
        showDictionaryOfElement();
    }
    curves_->setShown(shown_.get(), elementHues_,
                      {.first = columns_->first(),
                       .count = columns_->count(),
                       .chosen = columns_->chosen(),
                       .second = columns_->second()});
}

} // namespace weft::ui
