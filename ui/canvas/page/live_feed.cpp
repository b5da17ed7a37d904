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
/// Observed steps are slower, so each visible layer is requested at most once in this many
/// milliseconds.
constexpr int askEvery = 2000;
constexpr std::size_t mostAtOnce = 12;
constexpr std::int64_t mostTiles = 4;
constexpr std::int64_t mostAtoms = 64; ///< more atoms would be too small to see

/// Returns the first pictures of a value side by side on one grey scale.
Picture stripOf(const TensorNumbers& tensor) {
    if (tensor.shape.size() < 3) {
        return mosaic(tensor, {.mostTiles = 1, .scale = 1});
    }
    const std::int64_t rows = tensor.shape[tensor.shape.size() - 2];
    const std::int64_t columns = tensor.shape.back();
    const std::int64_t one = rows * columns;
    const std::int64_t tiles =
        one == 0 ? 0
                 : std::min<std::int64_t>(mostTiles,
                                          static_cast<std::int64_t>(tensor.numbers.size()) / one);
    TensorNumbers strip{tensor.name, {rows, tiles * (columns + 1) - 1}, {}};
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            if (tile > 0) {
                strip.numbers.push_back(std::numeric_limits<float>::quiet_NaN());
            }
            const auto from = tensor.numbers.begin() + tile * one + row * columns;
            strip.numbers.insert(strip.numbers.end(), from, from + columns);
        }
    }
    return mosaic(strip, {.mostTiles = 1, .scale = 1});
}

} // namespace

LiveFeed::LiveFeed(Bench& bench, OpenDesign& design, CanvasView& view, QObject* parent)
    : QObject(parent), bench_(bench), design_(design), view_(view) {
    pool_.setMaxThreadCount(1);
    soon_.setSingleShot(true);
    soon_.setInterval(tenTimesASecond);
    connect(&soon_, &QTimer::timeout, this, &LiveFeed::refresh);
    ask_.setInterval(askEvery);
    connect(&ask_, &QTimer::timeout, this, &LiveFeed::observe);
    read_.setSingleShot(true);
    read_.setInterval(askEvery);
    connect(&read_, &QTimer::timeout, this, &LiveFeed::readStep);
    connect(&bench_.prediction, &RunPrediction::changed, this, &LiveFeed::readStep);
    connect(&bench_.hub, &RunHub::grown, this, &LiveFeed::grow);
    const auto anew = [this] {
        isStale_ = true;
        tell();
    };
    connect(&design_.document(), &DesignDocument::changed, this, anew);
    connect(&design_.selection(), &Selection::pathChanged, this, anew);
    connect(&view_, &CanvasView::looked, this, [this] {
        if (!gone_.empty()) {
            tell();
        }
    });
    tell(); // a run may already be shown
}

LiveFeed::~LiveFeed() { pool_.waitForDone(); }

void LiveFeed::tell() {
    if (!soon_.isActive()) {
        soon_.start();
    }
}

void LiveFeed::grow(const RunGrowth& growth) {
    if (growth.isNew) {
        activations_.clear();
        activationSteps_.clear();
        asked_.clear();
        atoms_.clear();
        atomSteps_.clear();
    }
    isStale_ = isStale_ || growth.isNew || growth.hasState;
    if (growth.hasFiles && view_.live().lens() == Lens::activations) {
        readActivations();
    }
    if (growth.hasFiles) {
        readAtoms();
    }
    if (growth.isNew || growth.hasState || growth.hasSums || growth.hasRunningOps) {
        tell();
    }
    if (growth.isNew) {
        readStep();
    } else if (growth.hasSpans && !read_.isActive()) {
        read_.start();
    }
}

/// Reads which layers cost time in a step and which are on the critical path: measured in the
/// typical step if there is one, else predicted.
void LiveFeed::readStep() {
    std::map<std::string, CanvasState::Exposure> found;
    critical_.clear();
    const auto read = [&](const Timeline& step, bool isMeasured) {
        for (const CollectiveRow& row : collectivesOf(step, {})) {
            const auto time = static_cast<double>(row.measured.count);
            const auto exposed = static_cast<double>(row.exposed.count);
            found[row.where] = {.kind = row.kind,
                                .share = time > 0 ? exposed / time : 0,
                                .seconds = exposed / 1e9,
                                .isMeasured = isMeasured};
        }
        critical_.clear();
        for (const CriticalSpan& span : criticalPath(step)) {
            critical_.insert(span.layer);
        }
    };
    renew();
    const Preview* predicted = bench_.prediction.preview();
    if (isOwn_ && predicted != nullptr) {
        read(*predicted->step->timeline, false);
    }
    const StepWindow* typical = typicalStep(bench_.hub);
    if (isOwn_ && typical != nullptr) {
        read(bench_.hub.spans().ofStep(typical->step), true);
    }
    view_.setExposures(std::move(found));
    tell();
}

void LiveFeed::setLens(Lens lens) {
    if (lens != Lens::difference) {
        changes_.clear();
        gone_.clear();
        otherChanges_.clear();
    }
    view_.live().setLens(lens);
    if (lens == Lens::activations) {
        readActivations();
        observe();
        ask_.start();
    } else {
        ask_.stop();
    }
    refresh();
    Q_EMIT bench_.lensChanged();
}

void LiveFeed::compareWith(const Design& before) {
    const NetworkPath path = design_.selection().path();
    changes_.clear();
    gone_.clear();
    otherChanges_.clear();
    before_ = before;
    for (const Change& change : diff(before, design_.document().design())) {
        if (change.layer.isNone() || change.network != path.group) {
            otherChanges_ << QString::fromStdString(change.text);
            continue;
        }
        if (change.sort == ChangeSort::removed) {
            gone_.push_back(change.layer);
        } else {
            changes_.emplace(change.layer, change.sort);
        }
    }
    view_.live().setLens(Lens::difference);
    refresh();
    Q_EMIT bench_.lensChanged();
}

std::vector<RemovedNode> LiveFeed::removed() const {
    std::vector<RemovedNode> nodes;
    const Network& network = networkAt(before_, design_.selection().path());
    const Sizes::Size& size = tokens().sizes.size;
    std::map<LayerId, int> beside;
    for (const LayerId id : gone_) {
        const Layer* layer = findLayer(network, id);
        if (layer == nullptr) {
            continue;
        }
        const Point place = layer->position.value_or(Point{});
        QRectF box(place.x, place.y, size.nodeWidth, size.nodeCompact);
        if (view_.state().isRun) {
            // If the layout has left no room at its old position, the removed layer is shown beside
            // its former input.
            const LayerId feeder = feederOf(network, id);
            if (const NodeView* node = view_.list().node(feeder)) {
                const double down = (size.nodeCompact + tokens().sizes.space.m) * beside[feeder]++;
                box.moveTopLeft(node->box.topRight() + QPointF(tokens().sizes.space.xl, down));
            }
        }
        nodes.push_back({QString::fromStdString(layer->name), box});
    }
    return nodes;
}

LayerId LiveFeed::feederOf(const Network& network, LayerId layer) const {
    std::set<LayerId> seen;
    while (view_.list().node(layer) == nullptr && seen.insert(layer).second) {
        const auto wire = std::ranges::find_if(
            network.wires, [&](const Wire& one) { return one.to.layer == layer; });
        if (wire == network.wires.end()) {
            break;
        }
        layer = wire->from.layer;
    }
    return layer;
}

void LiveFeed::renew() {
    if (!std::exchange(isStale_, false)) {
        return;
    }
    const bool wasOwn = std::exchange(isOwn_, design_.owns(bench_.hub));
    sites_ = isOwn_ ? LiveSites(bench_.hub.design(), design_.document().design(),
                                design_.selection().path())
                    : LiveSites();
    if (isOwn_ != wasOwn) {
        readStep();
        readAtoms();
    }
}

void LiveFeed::refresh() {
    renew();
    // A live run is shown in its present state, a finished run in its final state.
    const bool isLiving = bench_.hub.isLiving();
    std::map<LayerId, LiveNode> nodes;
    if (isOwn_) {
        const LayerSums& sums = bench_.hub.sums();
        for (const auto& [id, time] : sites_.times(isLiving ? sums.latest() : sums.mean())) {
            nodes[id] = {.measured = time.seconds, .isPast = time.isPast};
        }
    }
    if (isOwn_ && isLiving && !bench_.hub.isPaused()) {
        for (const RunningOp& stand : bench_.hub.runningOps()) {
            if (const LayerId layer = sites_.layerNamed(stand.site.layer); !layer.isNone()) {
                nodes[layer].isRunning = true;
            }
        }
    }
    if (view_.live().lens() == Lens::activations) {
        for (const auto& [id, image] : activations_) {
            nodes[id].activation = image;
        }
    }
    if (view_.live().lens() == Lens::critical) {
        for (const std::string& name : critical_) {
            if (const LayerId layer = sites_.layerNamed(name); !layer.isNone()) {
                nodes[layer].isCritical = true;
            }
        }
    }
    if (view_.live().lens() == Lens::difference) {
        for (const auto& [id, change] : changes_) {
            nodes[id].change = change;
        }
    }
    view_.live().setRemoved(gone_.empty() ? std::vector<RemovedNode>() : removed());
    view_.setLive(std::move(nodes));
    const bool isAtTop = design_.selection().path().group.empty();
    view_.setAtoms(isOwn_ && isAtTop ? atoms_ : std::map<LayerId, QImage>());
}

std::vector<LayerId> LiveFeed::inView() const {
    std::vector<LayerId> layers;
    const Viewport& viewport = view_.at();
    const QRectF seen(viewport.origin, QSizeF(view_.size()) / viewport.zoom);
    for (const int number : view_.list().nodesIn(seen)) {
        const NodeView& node = view_.list().nodes[static_cast<std::size_t>(number)];
        if (!node.isCompact && !node.isGroup && node.box.intersects(seen)) {
            layers.push_back(node.id);
        }
    }
    return layers;
}

void LiveFeed::observe() {
    // Requests only visible layers, and none whose last request is unanswered.
    if (!isOwn_ || !bench_.hub.isLiving() || bench_.hub.isPaused() || !view_.isVisible() ||
        !design_.selection().path().group.empty() || &design_ != bench_.designs.current()) {
        return;
    }
    std::size_t count = 0;
    for (const LayerId id : inView()) {
        const auto asked = asked_.find(id);
        const auto shown = activationSteps_.find(id);
        const bool isAnswered = asked == asked_.end() ||
                                (shown != activationSteps_.end() && shown->second >= asked->second);
        const Layer* layer = findLayer(bench_.hub.design().network, id);
        if (!isAnswered || layer == nullptr || ++count > mostAtOnce) {
            continue;
        }
        asked_[id] = bench_.hub.lastStep();
        bench_.control.tell(bench_.hub.folder(), QStringLiteral("observe"),
                            QString::fromStdString(layer->name));
    }
}

void LiveFeed::readActivations() {
    renew();
    if (!isOwn_) {
        return;
    }
    const std::vector<WatchedValue> values =
        watchedValues(bench_.hub.folder().toStdString(), bench_.hub.tensors(), {}, {});
    for (const Layer& layer : bench_.hub.design().network.layers) {
        for (const WatchedValue& value : values) {
            if (value.sort != ValueSort::activation || !isOf(value, layer.name) ||
                value.part != "y") {
                continue;
            }
            std::int64_t& known = activationSteps_.try_emplace(layer.id, -1).first->second;
            if (value.step <= known ||
                !bench_.control.hosts().isHere(value.file, view_.isVisible())) {
                continue;
            }
            known = value.step;
            pool_.start([this, id = layer.id, file = value.file, run = bench_.hub.folder()] {
                QImage image;
                try {
                    image = imageOf(stripOf(readTensor(file)));
                } catch (const std::exception&) {
                    return; // the next one is shown
                }
                QMetaObject::invokeMethod(
                    this,
                    [this, id, image, run] {
                        if (run == bench_.hub.folder()) {
                            activations_[id] = image;
                            tell();
                        }
                    },
                    Qt::QueuedConnection);
            });
        }
    }
}

std::vector<RunFile> LiveFeed::checkpoints() const {
    std::vector<RunFile> files = bench_.hub.checkpoints();
    if (bench_.hub.copy()) {
        const std::filesystem::path run = bench_.hub.folder().toStdString();
        std::erase_if(
            files, [&](const RunFile& file) { return !std::filesystem::exists(run / file.path); });
    }
    return files;
}

/// Reads dictionaries from an observed step or a checkpoint.
void LiveFeed::readAtoms() {
    renew();
    if (!isOwn_) {
        return;
    }
    const std::vector<RunFile> kept = checkpoints();
    for (const Layer& layer : bench_.hub.design().network.layers) {
        const LayerKindInfo* kind = findKind(*bench_.kinds, layer.kind);
        const ParameterInfo* dictionary = kind == nullptr ? nullptr : dictionaryOf(*kind);
        if (dictionary == nullptr) {
            continue;
        }
        const std::string& part = dictionary->name;
        const std::vector<WatchedValue> values =
            watchedValues(bench_.hub.folder().toStdString(), bench_.hub.tensors(), kept,
                          {layer.name + "." + part});
        const auto found = std::ranges::find_if(values, [&](const WatchedValue& value) {
            return value.part == part && isOf(value, layer.name);
        });
        std::int64_t& known = atomSteps_.try_emplace(layer.id, -1).first->second;
        if (found == values.end() || found->step <= known ||
            !bench_.control.hosts().isHere(found->file, view_.isVisible())) {
            continue;
        }
        known = found->step;
        pool_.start([this, id = layer.id, value = *found, run = bench_.hub.folder()] {
            QImage image;
            try {
                image = imageOf(mosaic(value.tensor.empty() ? readTensor(value.file)
                                                            : readTensor(value.file, value.tensor),
                                       {.mostTiles = mostAtoms, .scale = 1}));
            } catch (const std::exception&) {
                return; // deleted meanwhile by thinning: the next one is shown
            }
            QMetaObject::invokeMethod(
                this,
                [this, id, image, run] {
                    if (run == bench_.hub.folder()) {
                        atoms_[id] = image;
                        tell();
                    }
                },
                Qt::QueuedConnection);
        });
    }
}

} // namespace weft::ui
