// SPDX-License-Identifier: Apache-2.0
#pragma once
// Predicts the cost of each choice from a preview of the design with that choice, one after
// another, starting with the choice under the pointer. Once all step times are known, predicts the
// memory. A new question cancels the previous one.

#include "document/design_document.h"
#include "document/preview_queue.h"

#include <QObject>
#include <functional>
#include <memory>

namespace weft::ui {

/// A design and its preview, which keeps only the numbers of the step.
struct PreviewedDesign {
    Design design;
    std::shared_ptr<const Preview> preview;
};

struct ChoicePrice {
    double step = 0; ///< seconds; 0: illegal
    double busy = 0; ///< work of the busiest device; the rest of the step is exposed communication
    double sent = 0; ///< bytes per step, for the device that sends most
    double memory = 0; ///< bytes on the device with the largest use; 0: unknown
    struct Device {
        QString name;
        int slot = 0;          ///< index of the device palette
        double memory = 0;     ///< bytes that the run needs; 0: unknown
        double sharedNeed = 0; ///< bytes of all devices that share this memory, on one host
        double available = 0;  ///< bytes; 0: unknown
        [[nodiscard]] bool overflows() const { return available > 0 && sharedNeed > available; }
    };
    std::vector<Device> devices = {};
    std::shared_ptr<const PreviewedDesign> previewed = {}; ///< with this choice; nullptr: illegal
    [[nodiscard]] bool overflows() const;
};
/// Returns how often the layer sends something if not once per step: "131 kB × 50 iterations",
/// "8.19 kB once in 3 updates"; otherwise empty.
[[nodiscard]] QString sendFrequencyText(const Preview& preview, const LayerPreview& layer);

/// Returns the price of a design. `preview` must contain the step; otherwise the price is unknown.
[[nodiscard]] ChoicePrice priceOf(const Design& design, const Preview& preview);

[[nodiscard]] std::size_t errorCount(const Preview& preview);

struct PriceQuestion {
    Design design;
    std::vector<DesignDocument::Edit> choices; ///< each applies one choice
    PreviewRequest request = {};               ///< options of the design's own check
    std::size_t errors = 0; ///< errors of the design itself; a choice with more errors is illegal
};

class ChoicePricer : public QObject {
    Q_OBJECT

public:
    explicit ChoicePricer(PreviewQueue& previewQueue, QObject* parent = nullptr);
    ~ChoicePricer() override;

    /// Calls back for each choice with its index when its step time is known and later its memory;
    /// only for the newest question.
    void ask(PriceQuestion question);
    void priceFirst(int choice); ///< prices this choice before the others

Q_SIGNALS:
    void priced(int choice, const weft::ui::ChoicePrice& price);

private:
    /// The part of a choice's price that is known.
    enum class KnownPart : std::uint8_t { nothing, step, run }; ///< run: with memory
    void askNext();
    void takePreview(std::size_t choice, const Design& design, const PreviewAnswer& answer);

    PreviewQueue& previewQueue_;
    PriceQuestion question_;
    std::vector<KnownPart> knownParts_; ///< per choice
    std::size_t firstIndex_ = 0;        ///< priced first
    std::size_t currentIndex_ = 0;      ///< being priced
};

} // namespace weft::ui
