// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What each choice would cost, were it taken: previews of the design with it, on a thread of its
// own. A new question drops the one before.

#include "document/design_document.h"
#include <weft/preview.h>

#include <QObject>
#include <functional>
#include <memory>

namespace weft::ui {

/// A design, and what a check says of it.
struct KnownDesign {
    Design design;
    Preview preview;
};

struct ChoicePrice {
    double step = 0;   ///< seconds; 0: it cannot be placed
    double busy = 0;   ///< of it, the work of the device that has most; the rest is exposed
    double sent = 0;   ///< bytes of a step, all devices together
    double memory = 0; ///< bytes of the device that needs most
    struct Device {
        QString name;
        int slot = 0; ///< of its colour
        double memory = 0;
        double together = 0;  ///< bytes of all that share what is available: those of its host
        double available = 0; ///< 0: not known
        [[nodiscard]] bool overflows() const { return available > 0 && together > available; }
    };
    std::vector<Device> devices = {};
    std::shared_ptr<const KnownDesign> known = {}; ///< as it would be; null: it cannot be
    [[nodiscard]] bool overflows() const;
};
[[nodiscard]] ChoicePrice priceOf(std::shared_ptr<const KnownDesign> known);

struct PriceQuestion {
    Design design;
    std::vector<DesignDocument::Edit> choices;
    MachineSheet machine;
};

class PriceChoices : public QObject {
    Q_OBJECT

public:
    explicit PriceChoices(QObject* parent = nullptr);
    ~PriceChoices() override;

    /// Hears of each choice as it is known, by its place; of the newest question only.
    void ask(PriceQuestion question);

Q_SIGNALS:
    void priced(int choice, const weft::ui::ChoicePrice& price);

private:
    class Worker;
    int asked_ = 0;
    std::unique_ptr<Worker> worker_;
};

} // namespace weft::ui
