// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures this machine again, from whose rates every prediction is made: its devices, then the
// link between two processes. On a thread of its own; it can be stopped between two kernels, and
// then what was known before is kept. Lives on the GUI thread.

#include <weft/devices.h>

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace weft::ui {

class Calibration : public QObject {
    Q_OBJECT

public:
    /// What measures; both throw Error. A test may have others.
    using Measure = std::function<MachineReport(const CalibrationRequest&)>;
    using MeasureLink = std::function<std::optional<LinkSheet>(const std::function<bool()>&)>;

    explicit Calibration(QObject* parent = nullptr);
    /// Stops it.
    ~Calibration() override;
    /// Without a link none is measured.
    void setMeasure(Measure measure, MeasureLink link = {}) {
        measure_ = std::move(measure);
        link_ = std::move(link);
    }

    /// Does nothing while it measures.
    void start();
    void stop();
    [[nodiscard]] bool isMeasuring() const { return isMeasuring_; }
    /// The share that is done.
    [[nodiscard]] double done() const { return done_; }

Q_SIGNALS:
    /// Started, further, or ended.
    void changed();
    void measured(std::shared_ptr<const weft::MachineReport> machine);
    /// Measured but for the link between processes.
    void linkMissed(const QString& message);
    /// `isStopped`: by `stop`.
    void failed(const QString& message, bool isStopped);

private:
    void work(const std::stop_token& stop);
    void addLink(MachineReport& machine, const std::stop_token& stop);
    void end(const std::shared_ptr<const MachineReport>& machine, const QString& message,
             bool isStopped);

    Measure measure_;
    MeasureLink link_;
    bool isMeasuring_ = false;
    double done_ = 0;
    std::jthread thread_;
};

} // namespace weft::ui
