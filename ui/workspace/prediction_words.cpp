// SPDX-License-Identifier: Apache-2.0
#include "workspace/prediction_words.h"

#include "theme/quantity.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

struct PredictionWords {
    Q_DECLARE_TR_FUNCTIONS(PredictionWords)
};

QString bytes(Bytes amount) { return quantity::bytes(static_cast<double>(amount.count)); }

QString stepWords(const DevicePreview& device) {
    return PredictionWords::tr("A training step needs %1: %2 persistent, %3 working memory.")
        .arg(bytes(device.step->holds()), bytes(device.step->kept), bytes(device.step->work));
}

} // namespace

QString olderNote() { return PredictionWords::tr("of the design before the last edit"); }

QString partialPlanNote(const Preview& preview) {
    if (preview.isComplete || preview.planned == Planned::nothing) {
        return {};
    }
    return preview.planned == Planned::forward
               ? PredictionWords::tr("of the part without errors, forward only")
               : PredictionWords::tr("of the part without errors");
}

double peakRunBytes(const Preview* withRun) {
    double most = 0;
    if (withRun != nullptr) {
        for (const DevicePreview& device : withRun->devices) {
            most = std::max(most, device.run ? static_cast<double>(device.run->takes.count) : 0);
        }
    }
    return most;
}

QString memoryText(const DevicePreview& device, const RunPreview& run) {
    QStringList words;
    if (device.run) {
        words << PredictionWords::tr("The run needs %1: its largest program is \"%2\".")
                     .arg(bytes(device.run->takes), QString::fromStdString(device.run->largest));
        if (device.run->observed.count > 0) {
            words << PredictionWords::tr("%1 of it is for the observed step alone.")
                         .arg(bytes(device.run->observed));
        }
        if (device.run->together > device.run->takes) {
            words << PredictionWords::tr("All devices that share its memory need %1.")
                         .arg(bytes(device.run->together));
        }
        if (!run.isDataKnown) {
            words << PredictionWords::tr(
                "A short last batch is not included: the data was not counted.");
        }
    }
    if (device.step) {
        words << stepWords(device);
    }
    return words.join('\n');
}

QString memoryText(const CheckedDesign& known, const std::string& device) {
    QStringList words;
    const DevicePreview* step = findDevice(known.withStep.get(), device);
    const DevicePreview* run = findDevice(known.withRun.get(), device);
    if (run != nullptr) {
        words << memoryText(*run, *known.withRun->run);
        if (known.isRunOlder()) {
            words << PredictionWords::tr("All these numbers are %1.").arg(olderNote());
        }
    } else if (step != nullptr && step->step) {
        words << stepWords(*step);
    }
    return words.join('\n');
}

QString reduceIntervalText(const SyncPreview& sync) {
    if (sync.steps == sync.period) {
        return applyIntervalText(sync);
    }
    return sync.steps == 1 ? PredictionWords::tr("each step")
                           : PredictionWords::tr("once in %1 steps").arg(sync.steps);
}

QString applyIntervalText(const SyncPreview& sync) {
    const QString often =
        sync.updates > 1  ? PredictionWords::tr("once in %1 updates").arg(sync.updates)
        : sync.period > 1 ? PredictionWords::tr("once in %1 steps").arg(sync.period)
                          : PredictionWords::tr("each step");
    return sync.isLate ? PredictionWords::tr("%1, one period late").arg(often) : often;
}

} // namespace weft::ui
