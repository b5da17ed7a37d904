// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/live_feed.h"

#include "runs/run_status.h"
#include "runs/step_analysis.h"
#include "widgets/picture_image.h"
#include <weft/pictures.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace weft::ui {

namespace {

constexpr int tenTimesASecond = 100;
constexpr int readEvery = 2000;
constexpr std::int64_t mostAtoms = 64; ///< more atoms would be too small to see

} // namespace

LiveFeed::LiveFeed(WindowContext& context, OpenDesign& design, CanvasView& view, QObject* parent)
    : QObject(parent), context_(context), design_(design), view_(view) {
    pool_.setMaxThreadCount(1);
    refreshTimer_.setSingleShot(true);
    refreshTimer_.setInterval(tenTimesASecond);
    connect(&refreshTimer_, &QTimer::timeout, this, &LiveFeed::refresh);
    stepTimer_.setSingleShot(true);
    stepTimer_.setInterval(readEvery);
    connect(&stepTimer_, &QTimer::timeout, this, &LiveFeed::readStep);
    connect(&context_.prediction, &RunPrediction::changed, this, &LiveFeed::readStep);
    connect(&context_.hub, &RunHub::grown, this, &LiveFeed::grow);
    const auto anew = [this] {
        isMappingStale_ = true;
        scheduleRefresh();
    };
    connect(&design_.document(), &DesignDocument::changed, this, anew);
    connect(&design_.selection(), &Selection::pathChanged, this, anew);
    connect(&view_, &CanvasView::rebuilt, this, &LiveFeed::scheduleRefresh); // also after a check
    scheduleRefresh(); // a run may already be shown
}

LiveFeed::~LiveFeed() { pool_.waitForDone(); }

void LiveFeed::scheduleRefresh() {
    if (!refreshTimer_.isActive()) {
        refreshTimer_.start();
    }
}

void LiveFeed::grow(const RunGrowth& growth) {
    if (growth.isNew) {
        atoms_.clear();
        atomSteps_.clear();
    }
    isMappingStale_ = isMappingStale_ || growth.isNew || growth.hasState;
    view_.live().lens().grow(*this, growth);
    if (growth.hasFiles) {
        readAtoms();
    }
    if (growth.isNew || growth.hasState || growth.hasSums || growth.hasRunningOps) {
        scheduleRefresh();
    }
    if (growth.isNew) {
        readStep();
    } else if (growth.hasSpans && !stepTimer_.isActive()) {
        stepTimer_.start();
    }
}

/// Reads what the collectives of a step cost: measured in the typical step if there is one, else
/// predicted.
void LiveFeed::readStep() {
    renewMapping();
    std::map<std::string, CanvasState::Exposure> found;
    Lens& lens = view_.live().lens();
    lens.takeStep({});
    const auto read = [&](const Timeline& step, bool isMeasured) {
        for (const CollectiveRow& row : collectivesOf(step, {})) {
            const auto time = static_cast<double>(row.measured.count);
            const auto exposed = static_cast<double>(row.exposed.count);
            found[row.where] = {.kind = row.kind,
                                .share = time > 0 ? exposed / time : 0,
                                .seconds = exposed / 1e9,
                                .isMeasured = isMeasured};
        }
        lens.takeStep(step);
    };
    const Preview* predicted = context_.prediction.preview();
    if (isRunOfDesign_ && predicted != nullptr) {
        read(*predicted->step->timeline, false);
    }
    const StepWindow* typical = typicalStep(context_.hub);
    if (isRunOfDesign_ && typical != nullptr) {
        read(context_.hub.spans().ofStep(typical->step), true);
    }
    view_.setExposures(std::move(found));
    scheduleRefresh();
}

void LiveFeed::compareWith(const Design& before) {
    comparedDesign_ = before;
    setLens(QStringLiteral("difference"));
}

void LiveFeed::setLens(const QString& id) {
    view_.live().setLens(id);
    view_.live().lens().start(*this);
    readStep();
    refresh();
    Q_EMIT context_.lensChanged();
}

void LiveFeed::renewMapping() {
    if (!std::exchange(isMappingStale_, false)) {
        return;
    }
    const bool wasOwn = std::exchange(isRunOfDesign_, design_.owns(context_.hub));
    layerMap_ = isRunOfDesign_ ? RunLayerMap(context_.hub.design(), design_.document().design(),
                                             design_.selection().path())
                               : RunLayerMap();
    if (isRunOfDesign_ != wasOwn) {
        readStep();
        readAtoms();
    }
}

void LiveFeed::refresh() {
    renewMapping();
    // A live run is shown in its present state, a finished run in its final state.
    const bool isLiving = context_.hub.isLiving();
    LiveNodes nodes;
    if (isRunOfDesign_) {
        const LayerSums& sums = context_.hub.sums();
        for (const auto& [id, time] : layerMap_.times(isLiving ? sums.latest() : sums.mean())) {
            nodes[id] = {.measured = time.seconds, .isPast = time.isPast};
        }
    }
    if (isRunOfDesign_ && isLiving && !context_.hub.isPaused()) {
        for (const RunningOp& stand : context_.hub.runningOps()) {
            if (const LayerId layer = layerMap_.layerNamed(stand.site.layer); !layer.isNone()) {
                nodes[layer].isRunning = true;
            }
        }
    }
    view_.live().lens().fill(*this, nodes);
    view_.setLive(std::move(nodes));
    const bool isAtTop = design_.selection().path().group.empty();
    view_.setAtoms(isRunOfDesign_ && isAtTop ? atoms_ : std::map<LayerId, QImage>());
}

void LiveFeed::readPicture(std::function<QImage()> read, std::function<void(const QImage&)> take) {
    pool_.start(
        [this, read = std::move(read), take = std::move(take), run = context_.hub.folder()] {
            QImage image;
            try {
                image = read();
            } catch (const std::exception&) {
                return; // deleted meanwhile by thinning: the next one is shown
            }
            QMetaObject::invokeMethod(
                this,
                [this, image, take, run] {
                    if (run == context_.hub.folder()) {
                        take(image);
                        scheduleRefresh();
                    }
                },
                Qt::QueuedConnection);
        });
}

std::vector<RunFile> LiveFeed::localCheckpoints() const {
    std::vector<RunFile> files = context_.hub.checkpoints();
    if (context_.hub.copy()) {
        const std::filesystem::path run = context_.hub.folder().toStdString();
        std::erase_if(
            files, [&](const RunFile& file) { return !std::filesystem::exists(run / file.path); });
    }
    return files;
}

/// Reads dictionaries from an observed step or a checkpoint.
void LiveFeed::readAtoms() {
    renewMapping();
    if (!isRunOfDesign_) {
        return;
    }
    const std::vector<RunFile> kept = localCheckpoints();
    for (const Layer& layer : context_.hub.design().network.layers) {
        const LayerKindInfo* kind = findKind(*context_.kinds, layer.kind);
        const ParameterInfo* dictionary = kind == nullptr ? nullptr : dictionaryOf(*kind);
        if (dictionary == nullptr) {
            continue;
        }
        const std::string& part = dictionary->name;
        const std::vector<WatchedValue> values =
            watchedValues(context_.hub.folder().toStdString(), context_.hub.tensors(), kept,
                          {layer.name + "." + part});
        const auto found = std::ranges::find_if(values, [&](const WatchedValue& value) {
            return value.part == part && belongsTo(value, layer.name);
        });
        std::int64_t& known = atomSteps_.try_emplace(layer.id, -1).first->second;
        if (found == values.end() || found->step <= known ||
            !context_.control.hosts().isHere(found->file, view_.isVisible())) {
            continue;
        }
        known = found->step;
        readPicture(
            [value = *found] {
                return imageOf(mosaic(value.tensor.empty() ? readTensor(value.file)
                                                           : readTensor(value.file, value.tensor),
                                      {.mostTiles = mostAtoms, .scale = 1}));
            },
            [this, id = layer.id](const QImage& image) { atoms_[id] = image; });
    }
}

} // namespace weft::ui
