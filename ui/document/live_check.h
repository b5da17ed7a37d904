// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Previews the document after every change, on a thread of its own. Only the newest revision is
// worked on; an answer carries the revision it was made from, so that a view can tell old from new.

#include "document/design_document.h"
#include <weft/preview.h>

#include <QObject>
#include <memory>

namespace weft::ui {

struct CheckedDesign {
    std::uint64_t revision = 0;
    Preview preview;
    double milliseconds = 0; ///< "Checked 1.8 ms ago" is the panel's; this is how long it took
};

class LiveCheck : public QObject {
    Q_OBJECT

public:
    explicit LiveCheck(DesignDocument& document, QObject* parent = nullptr);
    ~LiveCheck() override;

    /// The newest answer; never null, with revision 0 before the first.
    [[nodiscard]] std::shared_ptr<const CheckedDesign> answer() const { return answer_; }
    /// Whether the answer is that of the document as it stands.
    [[nodiscard]] bool isCurrent() const;
    /// What devices there are to plan for; asks again.
    void setMachine(MachineSheet machine);

Q_SIGNALS:
    void checked();

private:
    void ask();
    void take(std::shared_ptr<const CheckedDesign> answer);

    class Worker;
    DesignDocument& document_;
    std::shared_ptr<const CheckedDesign> answer_;
    std::uint64_t needed_ = 0; ///< the last revision that changed more than its looks
    MachineSheet machine_;
    std::unique_ptr<Worker> worker_;
};

} // namespace weft::ui
