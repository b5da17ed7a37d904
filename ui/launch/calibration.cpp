// SPDX-License-Identifier: Apache-2.0
#include "launch/calibration.h"

#include "launch/run_control.h"
#include <weft/error.h>
#include <weft/launch.h>

namespace weft::ui {

Calibration::Calibration(QObject* parent)
    : QObject(parent),
      measure_([](const CalibrationRequest& request) {
          (void)measureThisMachine(request);
          MachineReport known = surveyMachine();
          askFreeMemory(known); // releases the devices opened for the measurement
          return known;
      }),
      measureLink_([](const std::function<bool()>& goesOn) {
          const QString program = RunControl::findProgram();
          return program.isEmpty() ? std::nullopt
                                   : measureLinkBetweenProcesses(program.toStdString(), goesOn);
      }) {}

Calibration::~Calibration() = default;

void Calibration::start() {
    if (isMeasuring_) {
        return;
    }
    isMeasuring_ = true;
    progress_ = 0;
    thread_ = std::jthread([this](const std::stop_token& stop) { runMeasurement(stop); });
    Q_EMIT changed();
}

void Calibration::stop() { thread_.request_stop(); }

void Calibration::runMeasurement(const std::stop_token& stop) {
    std::shared_ptr<const MachineReport> machine;
    QString message;
    bool isStopped = false;
    CalibrationRequest request;
    request.progress = [this, &stop](double progress) {
        QMetaObject::invokeMethod(
            this,
            [this, progress] {
                progress_ = progress;
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
        return !stop.stop_requested();
    };
    try {
        MachineReport made = measure_(request);
        addLinkRates(made, stop);
        machine = std::make_shared<const MachineReport>(std::move(made));
    } catch (const Error& error) {
        isStopped = error.code() == ErrorCode::stopped;
        message = QString::fromStdString(error.what());
    }
    QMetaObject::invokeMethod(
        this, [this, machine, message, isStopped] { finish(machine, message, isStopped); },
        Qt::QueuedConnection);
}

/// The devices' rates are kept even if measuring the link fails.
void Calibration::addLinkRates(MachineReport& machine, const std::stop_token& stop) {
    if (!measureLink_) {
        return;
    }
    try {
        if (const auto link = measureLink_([&stop] { return !stop.stop_requested(); })) {
            machine.machine.withinHost = *link;
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::stopped) {
            QMetaObject::invokeMethod(
                this,
                [this, message = QString::fromStdString(error.what())] {
                    Q_EMIT linkNotMeasured(message);
                },
                Qt::QueuedConnection);
        }
    }
}

void Calibration::finish(const std::shared_ptr<const MachineReport>& machine,
                         const QString& message, bool isStopped) {
    isMeasuring_ = false;
    if (machine) {
        Q_EMIT measured(machine);
    } else {
        Q_EMIT failed(message, isStopped);
    }
    Q_EMIT changed();
}

} // namespace weft::ui
