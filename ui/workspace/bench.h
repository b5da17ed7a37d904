// SPDX-License-Identifier: Apache-2.0
#pragma once
// The context of every panel and view of a window, which lives as long as the window. Views know
// one another only through it.

#include "commands/command_set.h"
#include "document/planner.h"
#include "launch/calibration.h"
#include "launch/run_control.h"
#include "runs/run_hub.h"
#include "runs/run_prediction.h"
#include "theme/look.h"
#include "workspace/living_runs.h"
#include "workspace/open_designs.h"
#include <weft/devices.h>

#include <optional>

namespace weft::ui {

/// MIME type of a drag from the palette: a kind's name, or "group:" and a group's name.
inline constexpr const char* kindMimeType = "application/x-weft-kind";

/// Returns the folder of a design's runs: beside its file, or in the user's data folder if it has
/// no file.
[[nodiscard]] QString runsFolderOf(const DesignDocument& document);
[[nodiscard]] QString runsFolderOf(const QString& file);

class Bench : public QObject {
    Q_OBJECT

public:
    Bench(Look& look, Kinds kinds, QObject* parent = nullptr);

    Look& look;
    Kinds kinds;
    CommandSet commands;
    /// Makes all predictions of the window.
    Planner planner;
    OpenDesigns designs;
    /// Requested runs, the shown run, and the prediction for it.
    RunControl control;
    RunHub hub;
    RunPrediction prediction{hub, planner};
    /// Live runs in the folders of recently opened designs.
    LivingRuns living;
    /// Returns the live runs that no view shows.
    [[nodiscard]] QStringList unseenRuns() const;
    /// Recalibrates this machine, after which all predictions are repeated.
    Calibration calibration;

    /// Report of this machine; nullptr until a separate thread has surveyed it.
    [[nodiscard]] std::shared_ptr<const MachineReport> machine() const { return machine_; }
    void setMachine(std::shared_ptr<const MachineReport> machine);

    /// Name of the host for which predictions are made; empty: this machine, also after the host is
    /// removed.
    [[nodiscard]] const QString& place() const { return place_; }
    /// Changes the host and requests its report.
    void setPlace(const QString& host);
    /// Returns the host of the predictions; nullptr: this machine.
    [[nodiscard]] const KnownHost* placeHost() const;
    /// Returns the machine used for all predictions: the one for jobs on the chosen host, or this
    /// machine until the host has reported; std::nullopt until this machine is known.
    [[nodiscard]] std::optional<MachineSheet> plannedMachine() const;

Q_SIGNALS:
    /// This machine's or the host's report has arrived, or another host was chosen.
    void machineKnown();
    /// Shows a message at the bottom of the window; with `isFailure`, until the user closes it.
    void notice(const QString& text, bool isFailure);
    /// Asks to place a layer of this kind (or "group:" and a group's name) on the canvas.
    void placeWanted(const QString& kind);
    /// Asks to open a design's file.
    void openWanted(const QString& file);
    /// Asks to follow this run, shown with its design.
    void attachWanted(const QString& folder);
    /// Asks for the curves of these runs in one plot.
    void curvesWanted(const QStringList& folders);
    /// Asks to show the second run's design with its changes since the first, and the curves of
    /// both.
    void differenceWanted(const QString& before, const QString& after);
    /// The timeline shows this step of the shown run.
    void stepShown(std::int64_t step);
    /// The lens of a canvas has changed.
    void lensChanged();
    /// Asks to show the memory of a device during a step; empty: the device shown last.
    void memoryWanted(const QString& device);
    /// Asks to show this layer on the canvas.
    void revealWanted(weft::LayerId layer);
    /// Asks to show this page of the help, for example "page:hosts".
    void helpWanted(const QString& page);

private:
    void followThere();
    void followChosenHost();
    void planAnew();

    std::shared_ptr<const MachineReport> machine_;
    QString place_;
    Host asked_;                          ///< settings of the host at the last request
    std::optional<MachineSheet> planned_; ///< machine that every live check uses
};

} // namespace weft::ui
