// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/data/data_panel.h"

#include "document/device_slot.h"
#include "panels/data/sample_strip.h"
#include "session/aside.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include <weft/error.h>

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

/// What was found in the data, or why nothing was.
struct LookedAt {
    QString words;
    std::vector<ShownSample> samples;
};

LookedAt lookAt(const SampleRequest& request) {
    try {
        const SampleSource source = describeSamples(request);
        QStringList counts{quantity::counted(static_cast<double>(source.training),
                                             DataPanel::tr("example for training"),
                                             DataPanel::tr("examples for training"))};
        if (source.validation > 0) {
            counts << DataPanel::tr("%1 held out")
                          .arg(quantity::count(static_cast<double>(source.validation)));
        }
        if (source.test > 0) {
            counts << DataPanel::tr("%1 for testing")
                          .arg(quantity::count(static_cast<double>(source.test)));
        }
        return {
            fieldsOf(source) + "\n" + counts.join(QStringLiteral(" · ")),
            shownSamples(source, readSamples(request, SampleSet::training, 0, SampleStrip::most))};
    } catch (const std::exception& error) {
        return {QString::fromUtf8(error.what()), {}};
    }
}

/// Whatever decides which examples there are.
DataSettings whatIsRead(const DataSettings& data) {
    DataSettings read = data;
    const DataSettings defaults;
    read.batch = defaults.batch;
    read.feeds.clear();
    read.order = defaults.order;
    read.lastBatch = defaults.lastBatch;
    return read;
}

} // namespace

/// One batch, cut as over the design's devices.
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
    /// Uneven batches: the first devices have one more.
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
    : SettingForm(bench,
                  {"data.source", "data.batch", "data.validation", "data.order", "data.last_batch"},
                  parent),
      source_(new QLabel(this)),
      samples_(new SampleStrip(bench.look, this)),
      feeds_(new QLabel(this)),
      ruler_(new BatchRuler(bench.look, this)) {
    const Sizes::Space& space = tokens().sizes.space;
    for (QLabel* label : {source_, feeds_}) {
        label->setContentsMargins(space.l, space.s, space.l, space.s);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        setTier(*label, Tier::tertiary);
    }
    rows().insertWidget(2, ruler_);
    rows().insertWidget(1, samples_);
    rows().insertWidget(1, source_);
    rows().insertWidget(rows().count() - 1, feeds_);
    soon_.setSingleShot(true);
    soon_.setInterval(tokens().sizes.duration.slow);
    connect(&soon_, &QTimer::timeout, this, &DataPanel::read);
}

void DataPanel::refresh(unsigned causes) {
    SettingForm::refresh(causes);
    follow();
    if (design() == nullptr) {
        feeds_->clear();
        return;
    }
    const Design& shown = design()->document().design();
    QStringList words;
    for (const auto& [layer, field] : shown.data.feeds) {
        words << tr("%1 → %2").arg(QString::fromStdString(field), QString::fromStdString(layer));
    }
    for (const auto& [name, value] : shown.data.attributes.entries()) {
        words << tr("%1 = %2").arg(QString::fromStdString(name), textOf(value));
    }
    feeds_->setText(words.isEmpty()
                        ? tr("Drop a data file on the window: its source, its fields and the "
                             "input's shape set themselves.")
                        : words.join('\n'));
    std::vector<int> hues;
    hues.reserve(shown.devices.size());
    for (const DeviceDeclaration& device : shown.devices) {
        hues.push_back(slotOf(shown, device.name));
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
    asked_ = now;
    askedIn_ = folder;
    ++number_;
    soon_.start();
}

void DataPanel::read() {
    if (asked_.source.empty()) {
        source_->hide();
        samples_->show({});
        return;
    }
    aside(
        this,
        [request = SampleRequest{.data = asked_, .folder = askedIn_.toStdString()}] {
            return lookAt(request);
        },
        [this, number = number_](const LookedAt& found) {
            if (number == number_) {
                source_->setText(found.words);
                source_->show();
                samples_->show(found.samples);
            }
        });
}

} // namespace weft::ui
