// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every panel and view of a window is given: parts that live as long as the window. Views know
// one another through it only.

#include "commands/command_set.h"
#include "document/planner.h"
#include "session/calibration.h"
#include "session/living_runs.h"
#include "session/open_designs.h"
#include "session/run_control.h"
#include "session/run_hub.h"
#include "session/run_prediction.h"
#include "theme/look.h"
#include <weft/devices.h>

#include <optional>

namespace weft::ui {

/// What the palette drags: a kind's name, "group:" before that of a group.
inline constexpr const char* kindMimeType = "application/x-weft-kind";

/// Where a design's runs are kept: beside its file; of one that has none, among the user's data.
[[nodiscard]] QString runsFolderOf(const DesignDocument& document);
[[nodiscard]] QString runsFolderOf(const QString& file);

class Bench : public QObject {
    Q_OBJECT

public:
    Bench(Look& look, Kinds kinds, QObject* parent = nullptr);

    Look& look;
    Kinds kinds;
    CommandSet commands;
    /// For all that is predicted in the window.
    Planner planner;
    OpenDesigns designs;
    /// Runs that were asked for, the one that is looked at, and what was predicted for it.
    RunControl control;
    RunHub hub;
    RunPrediction prediction{hub, planner};
    /// Wherever designs that were opened lately keep theirs.
    LivingRuns living;
    /// Running runs that no view shows.
    [[nodiscard]] QStringList unseenRuns() const;
    /// This machine measured again, and then every prediction made again.
    Calibration calibration;

    /// What this machine has; nullptr until it has been surveyed, on a thread of its own.
    [[nodiscard]] std::shared_ptr<const MachineReport> machine() const { return machine_; }
    void setMachine(std::shared_ptr<const MachineReport> machine);

    /// Where predictions are made for: a host's name; empty: this machine. It is this machine again
    /// where the host goes.
    [[nodiscard]] const QString& place() const { return place_; }
    /// Asks that host what it has.
    void setPlace(const QString& host);
    /// The place's host; nullptr: it is this machine.
    [[nodiscard]] const KnownHost* placeHost() const;
    /// What all predictions are made from: the machine that jobs of the place get or, until its
    /// host has said what it has, this one; nothing until that is known.
    [[nodiscard]] std::optional<MachineSheet> plannedMachine() const;

Q_SIGNALS:
    /// Or that of the place, or the place is another.
    void machineKnown();
    /// A word to the user at the foot of the window; `isFailure`: it stays until it is closed.
    void notice(const QString& text, bool isFailure);
    /// Places a layer of a kind (or "group:" and a group's name) on the canvas.
    void placeWanted(const QString& kind);
    /// Opens a design's file.
    void openWanted(const QString& file);
    /// Follows this run, on the design that it belongs to.
    void attachWanted(const QString& folder);
    /// Lays the curves of these runs over each other.
    void curvesWanted(const QStringList& folders);
    /// Shows the design of the second run with what it has that the first had not, and the curves
    /// of both.
    void differenceWanted(const QString& before, const QString& after);
    /// The timeline shows this step of the run that is looked at.
    void stepShown(std::int64_t step);
    /// A canvas shows its layers in another light.
    void lensChanged();
    /// Shows what a device holds over a step; empty: the one that was shown last.
    void memoryWanted(const QString& device);
    /// Shows this layer on the canvas.
    void revealWanted(weft::LayerId layer);
    /// Shows this page of the help: "page:hosts".
    void helpWanted(const QString& page);

private:
    void followThere();
    void followPlace();
    void planAnew();

    std::shared_ptr<const MachineReport> machine_;
    QString place_;
    Host asked_;                          ///< the place's host as it was asked
    std::optional<MachineSheet> planned_; ///< what every live check was given
};

} // namespace weft::ui
