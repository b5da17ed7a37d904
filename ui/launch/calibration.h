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
    ~Calibration() override; ///< stops the measurement
    /// Without `link`, the link is not measured.
    void setMeasuring(Measure measure, MeasureLink link = {}) {
        measure_ = std::move(measure);
        measureLink_ = std::move(link);
    }

    void start(); ///< does nothing while a measurement runs
    void stop();  ///< keeps the previous rates
    [[nodiscard]] bool isMeasuring() const { return isMeasuring_; }
    [[nodiscard]] double progress() const { return progress_; } ///< progress from 0 to 1

Q_SIGNALS:
    void changed(); ///< the measurement has started, progressed or ended
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
