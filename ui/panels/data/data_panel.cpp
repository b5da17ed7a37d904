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
    DataSettings read = data;
    const DataSettings defaults;
    read.batch = defaults.batch;
    read.feeds.clear();
    read.order = defaults.order;
    read.lastBatch = defaults.lastBatch;
    return read;
}

/// Limits the number of examples that are read, to save memory and time.
std::int64_t countToRead(const SampleSource& source, std::int64_t most) {
    constexpr double mostNumbers = 1 << 24;
    double each = 1;
    for (const SampleField& field : source.fields) {
        each += static_cast<double>(elementsOf(field.shape));
    }
    return std::clamp(static_cast<std::int64_t>(mostNumbers / each), std::int64_t{1}, most);
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

/// The rest is in the tooltip, to leave room for what is below.
QString firstSentence(const QString& help) {
    const qsizetype end = help.indexOf(QLatin1String(". "));
    return end < 0 ? help : help.left(end + 1);
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
struct DataPanel::LookedAt {
    QString words;
    std::optional<SampleSource> source;
    std::vector<ShownSample> samples;
};

DataPanel::LookedAt DataPanel::lookAt(const SampleRequest& request) {
    try {
        const SampleSource source = describeSamples(request);
        return {fieldsOf(source) + "\n" + countsOf(source), source,
                shownSamples(source,
                             readSamples(request, SampleSet::training, 0,
                                         countToRead(source, SampleStrip::most)),
                             framesOf(request.data))};
    } catch (const Error& error) {
        return {wordsOf(error), {}, {}};
    } catch (const std::exception& error) {
        return {QString::fromUtf8(error.what()), {}, {}};
    }
}

/// What measuring found, or the reason of a failure.
struct DataPanel::Measured {
    std::optional<SampleFigures> figures;
    QString problem;
};

DataPanel::Measured DataPanel::measured(const SampleRequest& request, std::int64_t examples) {
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
        words_ = parts.join(QStringLiteral(" + "));
        setAccessibleName(DataPanel::tr("A batch over the devices: %1").arg(words_));
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
                         painter.fontMetrics().elidedText(words_, Qt::ElideRight, room));
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
    QString words_;
};

DataPanel::DataPanel(Bench& bench, QWidget* parent)
    : SettingForm(bench, {"data.batch", "data.validation", "data.order", "data.last_batch"},
                  parent),
      source_(makeSource()),
      help_(new QLabel(this)),
      places_(new SourceRows(bench, SourceRows::Part::places, this)),
      words_(new QLabel(this)),
      fix_(linkButton({}, this)),
      samples_(new SampleStrip(bench.look, this)),
      figures_(new QLabel(this)),
      normalise_(linkButton(tr("Normalise"), this)),
      feeds_(new FeedRows(bench, this)),
      rest_(new SourceRows(bench, SourceRows::Part::rest, this)),
      ruler_(new BatchRuler(bench.look, this)) {
    const Sizes& sizes = tokens().sizes;
    for (QLabel* label : {help_, words_, figures_}) {
        label->setContentsMargins(sizes.space.l, sizes.space.xs, sizes.space.l, sizes.space.xs);
        label->setFont(Look::sans(sizes.type.small));
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        setTier(*label, Tier::tertiary);
    }
    for (QLabel* label : {words_, figures_}) {
        label->setTextFormat(Qt::PlainText); // contains names of files and classes
    }
    figures_->setObjectName(QStringLiteral("figures of the data"));
    normalise_->setObjectName(QStringLiteral("normalise data"));
    normalise_->setToolTip(
        tr("Measures up to %1 training examples, and sets mean and std of the source so that each "
           "channel or column has mean 0 and standard deviation 1")
            .arg(quantity::count(mostMeasured)));
    connect(normalise_, &QToolButton::clicked, this, &DataPanel::normalise);
    fix_->setObjectName(QStringLiteral("fix data"));
    connect(fix_, &QToolButton::clicked, this, [this] {
        if (const auto problem = asking()) {
            mendOrAsk(this->bench(), *design(), *problem, *this);
        }
    });
    lay();
    soon_.setSingleShot(true);
    soon_.setInterval(sizes.duration.slow);
    connect(&soon_, &QTimer::timeout, this, &DataPanel::read);
}

AttributeField* DataPanel::makeSource() {
    AttributeField* field = makeField(*findSetting(settings(), "data.source"), *this);
    connect(field, &AttributeField::chosen, this, [this](const AttributeValue& value) {
        setSourceOfDesign(std::get<std::string>(value));
    });
    return field;
}

void DataPanel::lay() {
    QVBoxLayout& all = rows();
    all.insertWidget(1, ruler_); // below the batch size
    addHead(tr("Batches"), 0);
    int at = 0;
    all.insertWidget(at++, source_);
    all.insertWidget(at++, help_);
    all.insertWidget(at++, places_);
    const auto addLink = [&](QToolButton* link) {
        auto* row = new QHBoxLayout;
        row->setContentsMargins(tokens().sizes.space.s, 0, tokens().sizes.space.l, 0);
        row->addWidget(link);
        row->addStretch();
        all.insertLayout(at++, row);
    };
    addLink(fix_);
    all.insertWidget(at++, words_);
    all.insertWidget(at++, samples_);
    all.insertWidget(at++, figures_);
    addLink(normalise_);
    feedsHead_ = addHead(tr("Fields and inputs"), at++);
    all.insertWidget(at++, feeds_);
    restHead_ = addHead(tr("Settings of the source"), at++);
    all.insertWidget(at, rest_);
    setFocusProxy(source_);
}

QLabel* DataPanel::addHead(const QString& title, int at) {
    const Sizes& sizes = tokens().sizes;
    auto* head = new QLabel(title, this);
    head->setFont(Look::sans(sizes.type.small, sizes.type.semibold));
    head->setContentsMargins(sizes.space.l, sizes.space.l, sizes.space.l, sizes.space.xs);
    setTier(*head, Tier::secondary);
    rows().insertWidget(at, head);
    return head;
}

void DataPanel::setSourceOfDesign(const std::string& source) {
    if (design() != nullptr && design()->document().design().data.source != source) {
        design()->document().edit(
            tr("Choose the source %1").arg(QString::fromStdString(source)),
            [&](Design& target) { return setSource(target, source, dataSources()); });
    }
}

void DataPanel::refresh(unsigned causes) {
    SettingForm::refresh(causes);
    showSource();
    follow();
    showFix();
    showFeeds();
    showBatch();
    orderKeys();
}

void DataPanel::orderKeys() {
    QList<QWidget*> wanted;
    collect(rows(), wanted);
    if (wanted == ordered_) {
        return;
    }
    for (qsizetype i = 1; i < wanted.size(); ++i) {
        setTabOrder(wanted[i - 1], wanted[i]);
    }
    ordered_ = std::move(wanted);
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
                       ? firstSentence(help)
                       : tr("Choose a source of examples, or drop data files on the window: this "
                            "sets the source, its fields and the shapes of the inputs."));
    places_->show(design());
    rest_->show(design());
    restHead_->setVisible(!rest_->isEmpty());
}

std::optional<Diagnostic> DataPanel::asking() const {
    const std::vector<Diagnostic> problems =
        design() == nullptr ? std::vector<Diagnostic>() : problemsOf(*design());
    const auto found = std::ranges::find_if(
        problems, [](const Diagnostic& problem) { return !problem.fix.asks.empty(); });
    return found == problems.end() ? std::nullopt : std::optional(*found);
}

void DataPanel::showFix() {
    const std::optional<Diagnostic> problem = asking();
    fix_->setVisible(problem.has_value());
    if (problem) {
        fix_->setText(sentence(QString::fromStdString(problem->fix.text)) + QStringLiteral("…"));
        fix_->setToolTip(tr("Sets the attribute %1 of the source")
                             .arg(QString::fromStdString(problem->attribute)));
    }
}

void DataPanel::showFeeds() {
    const bool hasSource =
        design() != nullptr && !design()->document().design().data.source.empty();
    feeds_->show(hasSource ? design() : nullptr, known_ ? &*known_ : nullptr);
    feedsHead_->setVisible(!feeds_->lines().empty());
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
    ruler_->show(shown.data.batch, std::move(hues));
}

void DataPanel::follow() {
    const DataSettings now =
        design() == nullptr ? DataSettings{} : whatIsRead(design()->document().design().data);
    const QString folder = design() == nullptr ? QString() : dataFolderOf(design()->document());
    if (number_ > 0 && now == asked_ && folder == askedIn_) {
        return;
    }
    if (now.source != asked_.source) {
        known_.reset();
        showFigures({});
    }
    asked_ = now;
    askedIn_ = folder;
    ++number_;
    if (asked_.source.empty()) {
        soon_.stop();
        take(LookedAt{});
        return;
    }
    samples_->showReading();
    words_->setText(tr("The first examples are being read…"));
    setTier(*words_, Tier::tertiary);
    words_->show();
    soon_.start();
}

SampleRequest DataPanel::request() const {
    return {.data = asked_, .folder = askedIn_.toStdString()};
}

void DataPanel::read() {
    runInBackground(
        this, [request = request()] { return lookAt(request); },
        [this, number = number_](const LookedAt& found) {
            if (number == number_ && design() != nullptr) {
                take(found);
                showFeeds();
                measure();
                orderKeys();
            }
        });
}

void DataPanel::take(const LookedAt& found) {
    known_ = found.source;
    words_->setText(found.words);
    words_->setVisible(!found.words.isEmpty());
    setTier(*words_, found.source ? Tier::tertiary : Tier::secondary);
    samples_->show(found.samples);
    if (!known_) {
        showFigures({});
    }
}

void DataPanel::measure() {
    constexpr std::int64_t most = 256;
    if (!known_) {
        return;
    }
    runInBackground(
        this,
        [request = request(), count = countToRead(*known_, most)] {
            return measured(request, count);
        },
        [this, number = number_](const Measured& found) {
            if (number == number_ && design() != nullptr) {
                showFigures(found);
                orderKeys();
            }
        });
}

void DataPanel::showFigures(const Measured& found) {
    figures_->setText(found.figures && known_ ? figureLines(*found.figures, known_->training)
                                              : found.problem);
    figures_->setVisible(!figures_->text().isEmpty());
    normalise_->setVisible(found.figures && !found.figures->fields.empty() &&
                           isNormalised(sourceOf(design()->document().design())));
}

void DataPanel::normalise() {
    normalise_->setEnabled(false);
    normalise_->setText(tr("Measuring…"));
    runInBackground(
        this, [request = request()] { return measured(request, mostMeasured); },
        [this, number = number_, asked = QPointer(design())](const Measured& found) {
            normalise_->setEnabled(true);
            normalise_->setText(tr("Normalise"));
            if (number != number_ || asked == nullptr || asked != design()) {
                return; // other data are shown by now
            }
            if (!found.figures || found.figures->fields.empty()) {
                showFigures(found);
                return;
            }
            asked->document().edit(tr("Normalise the data"), [&](Design& target) {
                return setSourceAttributes(target, normalisationBy(*found.figures, target.data));
            });
        });
}

} // namespace weft::ui
