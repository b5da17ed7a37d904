// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/assignment/price_choices.h"

#include "document/device_slot.h"
#include "document/latest.h"

#include <algorithm>
#include <thread>

namespace weft::ui {

namespace {

ChoicePrice priceOf(const Preview& known, const Design& design) {
    ChoicePrice price;
    if (!known.isComplete) {
        return price;
    }
    price.step = static_cast<double>(known.step.count) / 1e9;
    price.sent = static_cast<double>(known.sent.count);
    for (const DevicePreview& device : known.devices) {
        const auto memory = static_cast<double>(device.parameters.count + device.activations.count);
        price.memory = std::max(price.memory, memory);
        price.devices.push_back({QString::fromStdString(device.name), slotOf(design, device.name),
                                 memory, static_cast<double>(device.available.count)});
    }
    return price;
}

} // namespace

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
            Design design = question.design;
            ChoicePrice price;
            if (assign(design, question.path, question.layers, question.choices[i]).isDone()) {
                price = priceOf(
                    preview(design, cache, {.machine = question.machine, .wantsLegal = false}),
                    design);
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
