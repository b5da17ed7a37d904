// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Estimates a design as it stands, on a thread of its own: dearer than the live check, since
// kernels are prepared, and so made only when a view asks. Only the newest question is worked on.
// Lives on the GUI thread.

#include <weft/estimate.h>

#include <QObject>
#include <QString>
#include <memory>

namespace weft::ui {

class DesignEstimate : public QObject {
    Q_OBJECT

public:
    explicit DesignEstimate(QObject* parent = nullptr);
    ~DesignEstimate() override;

    void ask(const Design& design, const EstimateRequest& request);
    [[nodiscard]] bool isAsked() const { return answered_ != asked_; }
    /// The newest answer; nullptr: none yet, or it could not be made.
    [[nodiscard]] std::shared_ptr<const Estimate> answer() const { return answer_; }
    /// Why the last could not be made; empty where it was.
    [[nodiscard]] const QString& failure() const { return failure_; }

Q_SIGNALS:
    void answered();

private:
    void take(int number, std::shared_ptr<const Estimate> answer, const QString& failure);

    class Worker;
    std::shared_ptr<const Estimate> answer_;
    QString failure_;
    int asked_ = 0;
    int answered_ = 0;
    std::unique_ptr<Worker> worker_;
};

} // namespace weft::ui
