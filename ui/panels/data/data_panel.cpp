// SPDX-License-Identifier: Apache-2.0
#include "panels/data/data_panel.h"

#include "document/device_slot.h"
#include "panels/data/feed_rows.h"
#include "panels/data/figure_lines.h"
#include "panels/data/link_button.h"
#include "panels/data/sample_strip.h"
#include "panels/data/source_rows.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "workspace/aside.h"
#include "workspace/mend.h"
#include "workspace/pick_data.h"
#include <weft/data_edits.h>
#include <weft/error.h>

#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QToolButton>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

/// Number of examples by which data are normalised.
constexpr std::int64_t mostMeasured = 10'000;

/// Returns the settings that determine the examples.
DataSettings whatIsRead(const DataSettings& data) {
    DataSettings requestReading = data;
    const DataSettings defaults;
    requestReading.batch = defaults.batch;
    requestReading.feeds.clear();
    requestReading.order = defaults.order;
    requestReading.lastBatch = defaults.lastBatch;
    return requestReading;
}

/// Limits the number of examples that are read, to save memory and time.
std::int64_t countToRead(const SampleSource& source, std::int64_t mostSamples) {
    constexpr double mostNumbers = 1 << 24;
    double each = 1;
    for (const SampleField& field : source.fields) {
        each += static_cast<double>(elementsOf(field.shape));
    }
    return std::clamp(static_cast<std::int64_t>(mostNumbers / each), std::int64_t{1}, mostSamples);
}

QString sentence(const QString& words) { return words.left(1).toUpper() + words.mid(1); }

/// Returns problem and remedy of an error, with the file.
QString wordsOf(const Error& error) {
    const QString file = QString::fromStdString(error.where().file);
    const QString problem = QString::fromStdString(error.problem());
    const bool isNamed = file.isEmpty() || problem.contains(file);
    return (isNamed ? sentence(problem) : file + ": " + problem) + "\n" +
           sentence(QString::fromStdString(error.remedy()));
}

bool isNormalised(const SettingKind* kind) {
    return kind != nullptr && std::ranges::find(kind->attributes, "mean", &AttributeSpec::name) !=
                                  kind->attributes.end();
}

QString countsOf(const SampleSource& source) {
    QStringList counts{quantity::counted(static_cast<double>(source.training),
                                         DataPanel::tr("example for training"),
                                         DataPanel::tr("examples for training"))};
    if (source.validation > 0) {
        counts << DataPanel::tr("%1 for validation")
                      .arg(quantity::count(static_cast<double>(source.validation)));
    }
    if (source.test > 0) {
        counts << DataPanel::tr("%1 for testing")
                      .arg(quantity::count(static_cast<double>(source.test)));
    }
    return counts.join(QStringLiteral(" · "));
}

/// Collects the widgets that accept keyboard focus, in visual order.
void collect(const QLayout& layout, QList<QWidget*>& found) {
    for (int i = 0; i < layout.count(); ++i) {
        QWidget* widget = layout.itemAt(i)->widget();
        const QLayout* inner = widget != nullptr ? widget->layout() : layout.itemAt(i)->layout();
        if (widget != nullptr && (widget->focusPolicy() & Qt::TabFocus) != 0) {
            found << widget;
        } else if (inner != nullptr) {
            collect(*inner, found);
        }
    }
}

} // namespace

/// The result of reading the data, or the reason of a failure.
struct DataPanel::SourceReading {
    QString words;
    std::optional<SampleSource> source;
    std::vector<ShownSample> samples;
};

DataPanel::SourceReading DataPanel::readSource(const SampleRequest& request) {
    try {
        const SampleSource source = describeSamples(request);
        return {fieldsText(source) + "\n" + countsOf(source), source,
                shownSamples(source,
                             readSamples(request, SampleSet::training, 0,
                                         countToRead(source, SampleStrip::mostSamples)),
                             framesOf(request.data))};
    } catch (const Error& error) {
        return {wordsOf(error), {}, {}};
    } catch (const std::exception& error) {
        return {QString::fromUtf8(error.what()), {}, {}};
    }
}

/// What measuring found, or the reason of a failure.
struct DataPanel::Measurement {
    std::optional<SampleFigures> figures;
    QString problem;
};

DataPanel::Measurement DataPanel::measureSource(const SampleRequest& request,
                                                std::int64_t examples) {
    try {
        return {measureSamples(request, examples), {}};
    } catch (const Error& error) {
        return {{}, wordsOf(error)};
    } catch (const std::exception& error) {
        return {{}, QString::fromUtf8(error.what())};
    }
}

/// A batch, divided as it is over the design's devices.
class DataPanel::BatchRuler : public QWidget {
public:
    BatchRuler(Look& look, QWidget* parent) : QWidget(parent), look_(look) { setFixedHeight(34); }
    void show(std::int64_t batch, std::vector<int> hues) {
        batch_ = batch;
        hues_ = std::move(hues);
        QStringList parts;
        for (std::size_t i = 0; i < hues_.size(); ++i) {
            parts << QString::number(partOf(i));
        }
        readingLabel_ = parts.join(QStringLiteral(" + "));
        setAccessibleName(DataPanel::tr("A batch over the devices: %1").arg(readingLabel_));
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (hues_.empty()) {
            return;
        }
        QPainter painter(this);
        const int left = 112;
        const int room = width() - left - 12;
        std::int64_t before = 0;
        for (std::size_t i = 0; i < hues_.size(); ++i) {
            const std::int64_t part = partOf(i);
            const int from = static_cast<int>(room * before / std::max<std::int64_t>(batch_, 1));
            before += part;
            const int to = static_cast<int>(room * before / std::max<std::int64_t>(batch_, 1));
            painter.fillRect(left + from, 4, std::max(1, to - from - 1), 6,
                             look_.theme().ofDevice(hues_[i]));
        }
        painter.setPen(look_.theme().text.tertiary);
        painter.setFont(Look::mono(tokens().sizes.type.small));
        painter.drawText(QRect(left, 12, room, 20), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(readingLabel_, Qt::ElideRight, room));
    }

private:
    /// If the batch is not divisible, the first devices get one more example.
    [[nodiscard]] std::int64_t partOf(std::size_t device) const {
        const auto count = static_cast<std::int64_t>(hues_.size());
        return batch_ / count + (static_cast<std::int64_t>(device) < batch_ % count ? 1 : 0);
    }
    Look& look_;
    std::int64_t batch_ = 0;
    std::vector<int> hues_;
    QString readingLabel_;
};

DataPanel::DataPanel(WindowContext& context, QWidget* parent)
    : SettingForm(context, {"data.batch", "data.validation", "data.order", "data.last_batch"},
                  parent),
      source_(makeSource()),
      help_(new QLabel(this)),
      fileRows_(new SourceRows(context, SourceRows::Part::files, this)),
      readingLabel_(new QLabel(this)),
      fixButton_(linkButton({}, this)),
      samples_(new SampleStrip(context.look, this)),
      measurementLabel_(new QLabel(this)),
      normaliseButton_(linkButton(tr("Normalise"), this)),
      feeds_(new FeedRows(context, this)),
      otherRows_(new SourceRows(context, SourceRows::Part::others, this)),
      batchRuler_(new BatchRuler(context.look, this)) {
    const Sizes& sizes = tokens().sizes;
    for (QLabel* label : {help_, readingLabel_, measurementLabel_}) {
        label->setContentsMargins(sizes.space.l, sizes.space.xs, sizes.space.l, sizes.space.xs);
        label->setFont(Look::sans(sizes.type.small));
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        setTier(*label, Tier::tertiary);
    }
    help_->setTextFormat(Qt::RichText);
    for (QLabel* label : {readingLabel_, measurementLabel_}) {
        label->setTextFormat(Qt::PlainText); // contains names of files and classes
    }
    measurementLabel_->setObjectName(QStringLiteral("figures of the data"));
    normaliseButton_->setObjectName(QStringLiteral("normalise data"));
    normaliseButton_->setToolTip(
        tr("Measures up to %1 training examples, and sets mean and std of the source so that each "
           "channel or column has mean 0 and standard deviation 1")
            .arg(quantity::count(mostMeasured)));
    connect(normaliseButton_, &QToolButton::clicked, this, &DataPanel::normalise);
    fixButton_->setObjectName(QStringLiteral("fix data"));
    connect(fixButton_, &QToolButton::clicked, this, [this] {
        if (const auto problem = missingFileProblem()) {
            mendOrAsk(this->context(), *design(), *problem, *this);
        }
    });
    layOutRows();
    readDelay_.setSingleShot(true);
    readDelay_.setInterval(sizes.duration.slow);
    connect(&readDelay_, &QTimer::timeout, this, &DataPanel::requestReading);
}

AttributeField* DataPanel::makeSource() {
    AttributeField* field = makeField(*findSetting(settings(), "data.source"), *this);
    connect(field, &AttributeField::chosen, this,
            [this](const AttributeValue& value) { setDesignSource(std::get<std::string>(value)); });
    return field;
}

void DataPanel::layOutRows() {
    QVBoxLayout& all = rows();
    all.insertWidget(1, batchRuler_); // below the batch size
    addHeading(tr("Batches"), 0);
    int at = 0;
    all.insertWidget(at++, source_);
    all.insertWidget(at++, help_);
    all.insertWidget(at++, fileRows_);
    const auto addLink = [&](QToolButton* link) {
        auto* row = new QHBoxLayout;
        row->setContentsMargins(tokens().sizes.space.s, 0, tokens().sizes.space.l, 0);
        row->addWidget(link);
        row->addStretch();
        all.insertLayout(at++, row);
    };
    addLink(fixButton_);
    all.insertWidget(at++, readingLabel_);
    all.insertWidget(at++, samples_);
    all.insertWidget(at++, measurementLabel_);
    addLink(normaliseButton_);
    feedsHeading_ = addHeading(tr("Fields and inputs"), at++);
    all.insertWidget(at++, feeds_);
    otherHeading_ = addHeading(tr("Settings of the source"), at++);
    all.insertWidget(at, otherRows_);
    setFocusProxy(source_);
}

QLabel* DataPanel::addHeading(const QString& title, int at) {
    const Sizes& sizes = tokens().sizes;
    auto* head = new QLabel(title, this);
    head->setFont(Look::sans(sizes.type.small, sizes.type.semibold));
    head->setContentsMargins(sizes.space.l, sizes.space.l, sizes.space.l, sizes.space.xs);
    setTier(*head, Tier::secondary);
    rows().insertWidget(at, head);
    return head;
}

void DataPanel::setDesignSource(const std::string& source) {
    if (design() != nullptr && design()->document().design().data.source != source) {
        design()->document().edit(
            tr("Choose the source %1").arg(QString::fromStdString(source)),
            [&](Design& target) { return setSource(target, source, dataSources()); });
    }
}

void DataPanel::refresh(unsigned causes) {
    SettingForm::refresh(causes);
    showSource();
    restartReading();
    showFix();
    showFeeds();
    showBatch();
    restoreTabOrder();
}

void DataPanel::restoreTabOrder() {
    QList<QWidget*> wanted;
    collect(rows(), wanted);
    if (wanted == tabOrder_) {
        return;
    }
    for (qsizetype i = 1; i < wanted.size(); ++i) {
        setTabOrder(wanted[i - 1], wanted[i]);
    }
    tabOrder_ = std::move(wanted);
}

void DataPanel::showSource() {
    source_->setEnabled(design() != nullptr);
    const std::string source =
        design() == nullptr ? std::string() : design()->document().design().data.source;
    source_->show({.value = AttributeValue(source), .isDefault = source.empty()});
    const SettingKind* kind =
        design() == nullptr ? nullptr : sourceOf(design()->document().design());
    const QString help = kind == nullptr ? QString() : QString::fromStdString(kind->help);
    help_->setToolTip(paragraphs(help));
    help_->setText(kind != nullptr
                       ? htmlOf(firstSentence(help))
                       : tr("Choose a source of examples, or drop data files on the window: this "
                            "sets the source, its fields and the shapes of the inputs."));
    fileRows_->show(design());
    otherRows_->show(design());
    otherHeading_->setVisible(!otherRows_->isEmpty());
}

std::optional<Diagnostic> DataPanel::missingFileProblem() const {
    const std::vector<Diagnostic> problems =
        design() == nullptr ? std::vector<Diagnostic>() : problemsOf(*design());
    const auto found = std::ranges::find_if(
        problems, [](const Diagnostic& problem) { return !problem.fix.asks.empty(); });
    return found == problems.end() ? std::nullopt : std::optional(*found);
}

void DataPanel::showFix() {
    const std::optional<Diagnostic> problem = missingFileProblem();
    fixButton_->setVisible(problem.has_value());
    if (problem) {
        fixButton_->setText(sentence(QString::fromStdString(problem->fix.text)) +
                            QStringLiteral("…"));
        fixButton_->setToolTip(tr("Sets the attribute %1 of the source")
                                   .arg(QString::fromStdString(problem->attribute)));
    }
}

void DataPanel::showFeeds() {
    const bool hasSource =
        design() != nullptr && !design()->document().design().data.source.empty();
    feeds_->show(hasSource ? design() : nullptr, knownSource_ ? &*knownSource_ : nullptr);
    feedsHeading_->setVisible(!feeds_->lines().empty());
}

void DataPanel::showBatch() {
    if (design() == nullptr) {
        return;
    }
    const Design& shown = design()->document().design();
    std::vector<int> hues;
    hues.reserve(shown.devices.size());
    for (const DeviceDeclaration& device : shown.devices) {
        hues.push_back(paletteIndexOf(shown, device.name));
    }
    if (hues.empty()) {
        hues.push_back(0);
    }
    batchRuler_->show(shown.data.batch, std::move(hues));
}

void DataPanel::restartReading() {
    const DataSettings now =
        design() == nullptr ? DataSettings{} : whatIsRead(design()->document().design().data);
    const QString folder = design() == nullptr ? QString() : dataFolderOf(design()->document());
    if (requestNumber_ > 0 && now == requestedSettings_ && folder == requestedFolder_) {
        return;
    }
    if (now.source != requestedSettings_.source) {
        knownSource_.reset();
        showMeasurement({});
    }
    requestedSettings_ = now;
    requestedFolder_ = folder;
    ++requestNumber_;
    if (requestedSettings_.source.empty()) {
        readDelay_.stop();
        takeReading(SourceReading{});
        return;
    }
    samples_->showReading();
    readingLabel_->setText(tr("The first examples are being read…"));
    setTier(*readingLabel_, Tier::tertiary);
    readingLabel_->show();
    readDelay_.start();
}

SampleRequest DataPanel::request() const {
    return {.data = requestedSettings_, .folder = requestedFolder_.toStdString()};
}

void DataPanel::requestReading() {
    runInBackground(
        this, [request = request()] { return readSource(request); },
        [this, number = requestNumber_](const SourceReading& found) {
            if (number == requestNumber_ && design() != nullptr) {
                takeReading(found);
                showFeeds();
                measure();
                restoreTabOrder();
            }
        });
}

void DataPanel::takeReading(const SourceReading& found) {
    knownSource_ = found.source;
    readingLabel_->setText(found.words);
    readingLabel_->setVisible(!found.words.isEmpty());
    setTier(*readingLabel_, found.source ? Tier::tertiary : Tier::secondary);
    samples_->show(found.samples);
    if (!knownSource_) {
        showMeasurement({});
    }
}

void DataPanel::measure() {
    constexpr std::int64_t mostSamples = 256;
    if (!knownSource_) {
        return;
    }
    runInBackground(
        this,
        [request = request(), count = countToRead(*knownSource_, mostSamples)] {
            return measureSource(request, count);
        },
        [this, number = requestNumber_](const Measurement& found) {
            if (number == requestNumber_ && design() != nullptr) {
                showMeasurement(found);
                restoreTabOrder();
            }
        });
}

void DataPanel::showMeasurement(const Measurement& found) {
    measurementLabel_->setText(found.figures && knownSource_
                                   ? figureLines(*found.figures, knownSource_->training)
                                   : found.problem);
    measurementLabel_->setVisible(!measurementLabel_->text().isEmpty());
    normaliseButton_->setVisible(found.figures && !found.figures->fields.empty() &&
                                 isNormalised(sourceOf(design()->document().design())));
}

void DataPanel::normalise() {
    normaliseButton_->setEnabled(false);
    normaliseButton_->setText(tr("Measuring…"));
    runInBackground(
        this, [request = request()] { return measureSource(request, mostMeasured); },
        [this, number = requestNumber_, asked = QPointer(design())](const Measurement& found) {
            normaliseButton_->setEnabled(true);
            normaliseButton_->setText(tr("Normalise"));
            if (number != requestNumber_ || asked == nullptr || asked != design()) {
                return; // other data are shown by now
            }
            if (!found.figures || found.figures->fields.empty()) {
                showMeasurement(found);
                return;
            }
            asked->document().edit(tr("Normalise the data"), [&](Design& target) {
                return setSourceAttributes(target, normalisationBy(*found.figures, target.data));
            });
        });
}

} // namespace weft::ui
