// SPDX-License-Identifier: Apache-2.0
#include "panels/assignment/price_choices.h"

#include "document/device_slot.h"
#include "theme/quantity.h"
#include "workspace/prediction_words.h"

#include <algorithm>
#include <map>

namespace weft::ui {

namespace {

/// Drops the large parts of a preview that only a view of the design needs, since there are many
/// choices.
std::shared_ptr<const Preview> numbersOf(const Preview& preview) {
    auto numbers = std::make_shared<Preview>(preview);
    numbers->step->timeline.reset();
    for (DevicePreview& device : numbers->devices) {
        device.step->memory.reset();
    }
    return numbers;
}

} // namespace

ChoicePrice priceOf(const Design& design, const Preview& preview) {
    ChoicePrice price;
    if (!preview.step) {
        return price;
    }
    price.step = quantity::seconds(preview.step->time);
    price.memory = peakRunBytes(&preview);
    for (const DevicePreview& device : preview.devices) {
        price.busy = std::max(price.busy, quantity::seconds(device.step->totals.compute));
        price.sent = std::max(price.sent, static_cast<double>(device.sent.count));
        const DeviceRun run = device.run.value_or(DeviceRun());
        price.devices.push_back(
            {QString::fromStdString(device.name), paletteIndexOf(design, device.name),
             static_cast<double>(run.takes.count), static_cast<double>(run.together.count),
             static_cast<double>(device.available.count)});
    }
    price.previewed = std::make_shared<const PreviewedDesign>(design, numbersOf(preview));
    return price;
}

QString sendFrequencyText(const Preview& preview, const LayerPreview& layer) {
    const auto bytes = [](Bytes amount) {
        return quantity::bytes(static_cast<double>(amount.count));
    };
    std::map<std::int64_t, Bytes> byRounds;
    for (const CollectivePreview& one : preview.collectives) {
        if (one.rounds > 1 && one.to == layer.origin) {
            byRounds[one.rounds] += {one.sentPerDevice.count / one.rounds};
        }
    }
    QStringList words;
    for (const auto& [rounds, each] : byRounds) {
        words << ChoicePricer::tr("%1 × %2 iterations").arg(bytes(each)).arg(rounds);
    }
    if (const auto& sync = layer.sync; sync && !sync->name.empty()) {
        words << bytes(sync->sentPerDevice) + ' ' + reduceIntervalText(*sync);
    }
    return words.join(QStringLiteral(", "));
}

std::size_t errorCount(const Preview& preview) {
    return static_cast<std::size_t>(
        std::ranges::count(preview.problems, Severity::error, &Diagnostic::severity));
}

bool ChoicePrice::overflows() const {
    return std::ranges::any_of(devices, &ChoicePrice::Device::overflows);
}

ChoicePricer::ChoicePricer(PreviewQueue& previewQueue, QObject* parent)
    : QObject(parent), previewQueue_(previewQueue) {}

ChoicePricer::~ChoicePricer() { previewQueue_.forget(this); }

void ChoicePricer::ask(PriceQuestion question) {
    question_ = std::move(question);
    question_.request.wantsLegal = false;
    knownParts_.assign(question_.choices.size(), KnownPart::nothing);
    firstIndex_ = 0;
    previewQueue_.forget(this);
    askNext();
}

void ChoicePricer::priceFirst(int choice) {
    firstIndex_ = static_cast<std::size_t>(choice);
    if (firstIndex_ < knownParts_.size() && firstIndex_ != currentIndex_ &&
        knownParts_[firstIndex_] == KnownPart::nothing) {
        askNext(); // cancels the choice in progress, which is asked for again later
    }
}

/// Asks for all steps before any memory.
void ChoicePricer::askNext() {
    const auto least = std::ranges::min_element(knownParts_);
    if (least == knownParts_.end() || *least == KnownPart::run) {
        return;
    }
    currentIndex_ = firstIndex_ < knownParts_.size() && knownParts_[firstIndex_] == *least
                        ? firstIndex_
                        : static_cast<std::size_t>(least - knownParts_.begin());
    Design design = question_.design;
    if (!question_.choices[currentIndex_](design).isDone()) {
        takePreview(currentIndex_, design, {.preview = nullptr, .isLast = true});
        return;
    }
    PreviewRequest request = question_.request;
    request.until = *least == KnownPart::nothing ? PreviewPart::step : PreviewPart::run;
    previewQueue_.ask(this, PreviewQueue::Urgency::choice, design, std::move(request),
                      [this, choice = currentIndex_, design](const PreviewAnswer& answer) {
                          if (answer.isLast) {
                              takePreview(choice, design, answer);
                          }
                      });
}

void ChoicePricer::takePreview(std::size_t choice, const Design& design,
                               const PreviewAnswer& answer) {
    const bool isPlanned = answer.preview != nullptr && answer.preview->step &&
                           errorCount(*answer.preview) <= question_.errors;
    const bool isStep = isPlanned && knownParts_[choice] == KnownPart::nothing;
    knownParts_[choice] = isStep ? KnownPart::step : KnownPart::run;
    askNext();
    Q_EMIT priced(static_cast<int>(choice),
                  isPlanned ? priceOf(design, *answer.preview) : ChoicePrice());
}

} // namespace weft::ui
