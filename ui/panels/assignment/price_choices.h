// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each choice would cost, were it taken: previews of the design with it, one after the other,
// the one that is pointed at first; and when the step of all is known, what the run takes of
// memory. A new question drops the one before.

#include "document/design_document.h"
#include "document/planner.h"

#include <QObject>
#include <functional>
#include <memory>

namespace weft::ui {

/// A design, and what is known of it: of its step the numbers alone.
struct KnownDesign {
    Design design;
    std::shared_ptr<const Preview> preview;
};

struct ChoicePrice {
    double step = 0;   ///< seconds; 0: it cannot be placed
    double busy = 0;   ///< of it, the work of the device that has most; the rest is exposed
    double sent = 0;   ///< bytes of a step, of the device that sends most
    double memory = 0; ///< bytes that the run takes of the device that gives most; 0: not known
    struct Device {
        QString name;
        int slot = 0;         ///< of its colour
        double memory = 0;    ///< bytes that the run takes; 0: not known
        double together = 0;  ///< of all that share what is available: those of its host
        double available = 0; ///< 0: not known
        [[nodiscard]] bool overflows() const { return available > 0 && together > available; }
    };
    std::vector<Device> devices = {};
    std::shared_ptr<const KnownDesign> known = {}; ///< as it would be; null: it cannot be
    [[nodiscard]] bool overflows() const;
};
/// How often the layer would send what, where that is not once in each step: "131 kB × 50
/// iterations", "8.19 kB once in 3 updates"; empty: it is.
[[nodiscard]] QString sendsWords(const Preview& preview, const LayerPreview& layer);

/// `preview`: with its step, else nothing has a price.
[[nodiscard]] ChoicePrice priceOf(const Design& design, const Preview& preview);

[[nodiscard]] std::size_t errorsOf(const Preview& preview);

struct PriceQuestion {
    Design design;
    std::vector<DesignDocument::Edit> choices;
    PreviewRequest request = {}; ///< as the design itself is checked
    std::size_t errors = 0;      ///< of the design itself: a choice that makes more cannot be had
};

class PriceChoices : public QObject {
    Q_OBJECT

public:
    explicit PriceChoices(Planner& planner, QObject* parent = nullptr);
    ~PriceChoices() override;

    /// Hears of each choice as it is known, by its place: of its step and later of its memory, and
    /// of the newest question only.
    void ask(PriceQuestion question);
    /// Its price is wanted before the others.
    void lookAt(int choice);

Q_SIGNALS:
    void priced(int choice, const weft::ui::ChoicePrice& price);

private:
    /// How far a choice is known.
    enum class Known : std::uint8_t { nothing, step, run };
    void askNext();
    void take(std::size_t choice, const Design& design, const PlannerAnswer& answer);

    Planner& planner_;
    PriceQuestion question_;
    std::vector<Known> known_; ///< of each choice
    std::size_t looked_ = 0;   ///< comes first
    std::size_t current_ = 0;  ///< is being priced
};

} // namespace weft::ui
