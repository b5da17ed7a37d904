// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks the document after every change. Only the newest revision is checked; an answer carries
// its revision, so that views can recognise an old one. Answers arrive in parts: first problems and
// placement, later the predictions of a step and of a run.

#include "document/checked_design.h"
#include "document/design_document.h"
#include "document/preview_queue.h"

#include <QElapsedTimer>
#include <QObject>
#include <memory>

namespace weft::ui {

class LiveCheck : public QObject {
    Q_OBJECT

public:
    LiveCheck(DesignDocument& document, PreviewQueue& previewQueue, QObject* parent = nullptr);
    ~LiveCheck() override;

    /// The newest answer; never nullptr, with revision 0 before the first answer.
    [[nodiscard]] std::shared_ptr<const CheckedDesign> answer() const { return answer_; }
    [[nodiscard]] bool isCurrent() const; ///< `answer` belongs to the present revision
    /// True if the answer for the present revision is complete.
    [[nodiscard]] bool isWhole() const { return isWhole_ && isCurrent(); }
    void setMachine(MachineSheet machine); ///< plans for these devices
    /// Returns the options of the check. Other checks with the same options get the same numbers.
    [[nodiscard]] const PreviewRequest& request() const { return request_; }

Q_SIGNALS:
    void checked();  ///< a new answer or a further part has arrived
    void finished(); ///< the answer for the present revision is complete

private:
    void requestCheck(); ///< requests a check of the present design
    void takeAnswer(std::uint64_t revision, std::int64_t batch, const PreviewAnswer& answer);

    DesignDocument& document_;
    PreviewQueue& previewQueue_;
    std::shared_ptr<const CheckedDesign> answer_ =
        std::make_shared<CheckedDesign>();              ///< never null
    PreviewRequest request_{.until = PreviewPart::run}; ///< options of the check
    std::uint64_t neededRevision_ = 0; ///< the last revision that changed more than appearance
    bool isWhole_ = false;             ///< `answer_` has all its parts
    bool isFirstPart_ = true;          ///< the next part is the first
    QElapsedTimer clock_;              ///< since the request
};

} // namespace weft::ui
