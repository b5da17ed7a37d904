// SPDX-License-Identifier: Apache-2.0
#pragma once
// Recalibrates this machine for predictions: its devices, then the link between two processes. Runs
// on a separate thread and can be stopped between two kernels, which keeps the previous rates.
// Lives on the GUI thread.

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
    /// The measuring functions, which tests can replace; both throw Error.
    using Measure = std::function<MachineReport(const CalibrationRequest&)>;
    using MeasureLink = std::function<std::optional<LinkSheet>(const std::function<bool()>&)>;

    explicit Calibration(QObject* parent = nullptr);
    /// Stops the measurement.
    ~Calibration() override;
    /// Without `link`, the link is not measured.
    void setMeasuring(Measure measure, MeasureLink link = {}) {
        measure_ = std::move(measure);
        measureLink_ = std::move(link);
    }

    /// Does nothing while a measurement runs.
    void start();
    void stop();
    [[nodiscard]] bool isMeasuring() const { return isMeasuring_; }
    /// Progress from 0 to 1.
    [[nodiscard]] double progress() const { return progress_; }

Q_SIGNALS:
    /// The measurement has started, progressed or ended.
    void changed();
    void measured(std::shared_ptr<const weft::MachineReport> machine);
    /// Everything except the link between processes was measured.
    void linkNotMeasured(const QString& message);
    /// `isStopped`: the user stopped the measurement.
    void failed(const QString& message, bool isStopped);

private:
    void runMeasurement(const std::stop_token& stop);
    void addLinkRates(MachineReport& machine, const std::stop_token& stop);
    void finish(const std::shared_ptr<const MachineReport>& machine, const QString& message,
                bool isStopped);

    Measure measure_;
    MeasureLink measureLink_;
    bool isMeasuring_ = false;
    double progress_ = 0;
    std::jthread thread_;
};

} // namespace weft::ui
