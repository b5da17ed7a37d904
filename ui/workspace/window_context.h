// SPDX-License-Identifier: Apache-2.0
#pragma once
// The context of every panel and view of a window, which lives as long as the window. Views know
// one another only through it.

#include "commands/command_set.h"
#include "document/preview_queue.h"
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

class WindowContext : public QObject {
    Q_OBJECT

public:
    WindowContext(Look& look, Kinds kinds, QObject* parent = nullptr);

    Look& look;                                  ///< theme and fonts
    Kinds kinds;                                 ///< all kinds of layers
    CommandSet commands;                         ///< actions of the menus
    PreviewQueue previewQueue;                   ///< makes all predictions of the window
    OpenDesigns designs;                         ///< those in the tabs
    RunControl control;                          ///< starts, pauses and stops runs
    RunHub hub;                                  ///< data of the shown run
    RunPrediction prediction{hub, previewQueue}; ///< for the shown run
    LivingRuns living; ///< live runs in the folders of recently opened designs
    [[nodiscard]] QStringList unseenRuns() const; ///< returns the live runs that no view shows
    /// Recalibrates this machine, after which all predictions are repeated.
    Calibration calibration; ///< measures this machine's rates again

    /// Report of this machine; nullptr until a separate thread has surveyed it.
    [[nodiscard]] std::shared_ptr<const MachineReport> machine() const { return machine_; }
    void setMachine(std::shared_ptr<const MachineReport> machine); ///< this machine's

    /// Name of the host for which predictions are made; empty: this machine, also after the host is
    /// removed.
    [[nodiscard]] const QString& predictionHostName() const { return predictionHostName_; }
    void setPredictionHost(const QString& host); ///< changes the host and requests its report
    /// Returns the host of the predictions; nullptr: this machine.
    [[nodiscard]] const KnownHost* predictionHost() const;
    /// Returns the machine used for all predictions: the one for jobs on the chosen host, or this
    /// machine until the host has reported; std::nullopt until this machine is known.
    [[nodiscard]] std::optional<MachineSheet> plannedMachine() const; ///< nullopt: not yet known

Q_SIGNALS:
    void machineKnown(); ///< a report has arrived, or another host was chosen
    /// Shows a message at the bottom of the window; with `isFailure`, until the user closes it.
    void notice(const QString& text, bool isFailure); ///< shows a message in the window
    void placeWanted(const QString& kind); ///< asks to add a layer; "group:" and a name for a group
    void openWanted(const QString& file);  ///< asks to open a design's file
    void attachWanted(const QString& folder); ///< asks to follow this run, shown with its design
    /// Asks for the curves of these runs in one plot.
    void
    curvesWanted(const QStringList& folders); ///< asks for the curves of these runs in one plot
    /// Asks to show the second run's design with its changes since the first, and the curves of
    /// both.
    void differenceWanted(const QString& before, const QString& after); ///< folders of two runs
    void stepShown(std::int64_t step); ///< the timeline shows this step of the shown run
    void lensChanged();                ///< the lens of a canvas has changed
    /// Asks to show the memory of a device during a step; empty: the device shown last.
    void memoryWanted(const QString& device); ///< asks to show a device's memory
    void revealWanted(weft::LayerId layer);   ///< asks to show this layer on the canvas
    void helpWanted(const QString& page);     ///< asks for a page of the help, such as "page:hosts"

private:
    void followShownRun();   ///< requests updates of a remote run
    void followChosenHost(); ///< requests its report after a change
    void replan();           ///< repeats all predictions

    std::shared_ptr<const MachineReport> machine_; ///< this machine's; nullptr: not yet known
    QString predictionHostName_;
    Host requestedHost_;                         ///< settings of the host at the last request
    std::optional<MachineSheet> checkedMachine_; ///< machine that every live check uses
};

} // namespace weft::ui
