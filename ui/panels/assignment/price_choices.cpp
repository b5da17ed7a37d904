// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/assignment/price_choices.h"

#include "document/device_slot.h"
#include "document/latest.h"
#include "theme/quantity.h"

#include <algorithm>
#include <thread>

namespace weft::ui {

ChoicePrice priceOf(std::shared_ptr<const KnownDesign> known) {
    ChoicePrice price;
    const Preview& preview = known->preview;
    if (!preview.isComplete) {
        return price;
    }
    price.step = quantity::seconds(preview.step);
    price.sent = static_cast<double>(preview.sent.count);
    for (const DevicePreview& device : preview.devices) {
        price.busy = std::max(price.busy, quantity::seconds(device.busy));
        const auto memory = static_cast<double>(device.parameters.count + device.activations.count);
        price.memory = std::max(price.memory, memory);
        price.devices.push_back({QString::fromStdString(device.name),
                                 slotOf(known->design, device.name), memory,
                                 static_cast<double>(device.together.count),
                                 static_cast<double>(device.available.count)});
    }
    price.known = std::move(known);
    return price;
}

bool ChoicePrice::overflows() const {
    return std::ranges::any_of(devices, &ChoicePrice::Device::overflows);
}

class PriceChoices::Worker {
public:
    explicit Worker(PriceChoices& owner)
        : thread_([this, &owner](const std::stop_token& stop) { work(owner, stop); }) {}

    void ask(int number, PriceQuestion question) { asked_.put({number, std::move(question)}); }

private:
    void work(PriceChoices& owner, const std::stop_token& stop) {
        PreviewCache cache;
        while (const auto asked = asked_.take(stop)) {
            answer(owner, stop, asked->first, asked->second, cache);
        }
    }

    void answer(PriceChoices& owner, const std::stop_token& stop, int number,
                const PriceQuestion& question, PreviewCache& cache) {
        for (std::size_t i = 0; i < question.choices.size(); ++i) {
            if (stop.stop_requested() || asked_.hasOne()) {
                return;
            }
            auto known = std::make_shared<KnownDesign>(question.design);
            ChoicePrice price;
            if (question.choices[i](known->design).isDone()) {
                known->preview = preview(known->design, cache,
                                         {.machine = question.machine, .wantsLegal = false});
                price = priceOf(std::move(known));
            }
            QMetaObject::invokeMethod(
                &owner,
                [&owner, number = number, i, price] {
                    if (number == owner.asked_) {
                        Q_EMIT owner.priced(static_cast<int>(i), price);
                    }
                },
                Qt::QueuedConnection);
        }
    }

    Latest<std::pair<int, PriceQuestion>> asked_;
    std::jthread thread_; ///< last: ends before what it uses
};

PriceChoices::PriceChoices(QObject* parent)
    : QObject(parent), worker_(std::make_unique<Worker>(*this)) {}

PriceChoices::~PriceChoices() = default;

void PriceChoices::ask(PriceQuestion question) { worker_->ask(++asked_, std::move(question)); }

} // namespace weft::ui
