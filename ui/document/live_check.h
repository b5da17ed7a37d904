// SPDX-License-Identifier: Apache-2.0
#pragma once
// Previews the document after every change. Only the newest revision is worked on; an answer
// carries the revision it was made from, so that a view can tell old from new. It comes in parts:
// what is wrong and where all lies at once, what a step and a run take later.

#include "document/checked_design.h"
#include "document/design_document.h"
#include "document/planner.h"

#include <QElapsedTimer>
#include <QObject>
#include <memory>

namespace weft::ui {

class LiveCheck : public QObject {
    Q_OBJECT

public:
    LiveCheck(DesignDocument& document, Planner& planner, QObject* parent = nullptr);
    ~LiveCheck() override;

    /// The newest answer; never null, with revision 0 before the first.
    [[nodiscard]] std::shared_ptr<const CheckedDesign> answer() const { return answer_; }
    /// Whether the answer is that of the document as it stands, be it its first part.
    [[nodiscard]] bool isCurrent() const;
    /// Whether nothing more is to come for the document as it stands.
    [[nodiscard]] bool isWhole() const { return isWhole_ && isCurrent(); }
    /// What devices there are to plan for; asks again.
    void setMachine(MachineSheet machine);
    /// How it asks. Who asks the same way is told the same numbers.
    [[nodiscard]] const PreviewRequest& request() const { return request_; }

Q_SIGNALS:
    /// The answer differs from that of before; it comes in parts.
    void checked();
    /// Nothing more is to come for the document as it stands.
    void finished();

private:
    void ask();
    void take(std::uint64_t revision, std::int64_t batch, const PlannerAnswer& answer);

    DesignDocument& document_;
    Planner& planner_;
    std::shared_ptr<const CheckedDesign> answer_ = std::make_shared<CheckedDesign>();
    PreviewRequest request_{.until = PreviewPart::run};
    std::uint64_t needed_ = 0; ///< the last revision that changed more than its looks
    bool isWhole_ = false;
    bool isFirstPart_ = true; ///< comes next
    QElapsedTimer clock_;     ///< since it was asked
};

} // namespace weft::ui
