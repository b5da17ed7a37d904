// SPDX-License-Identifier: Apache-2.0
#include "canvas/live/lens.h"
#include "canvas/page/live_feed.h"
#include "canvas/paint/node_parts.h"
#include "runs/watched_values.h"
#include "widgets/picture_image.h"
#include <weft/pictures.h>

#include <QPainter>
#include <QTimer>
#include <limits>

namespace weft::ui::lenses {

namespace {

/// Observed steps are slower, so each visible layer is requested at most once in this many
/// milliseconds.
constexpr int askEvery = 2000;
constexpr std::size_t mostAtOnce = 12;
constexpr std::int64_t mostTiles = 4;

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

/// Asks the run to observe the visible layers one after another, and shows their outputs.
class Activations : public Lens {
public:
    explicit Activations(LensInfo made) : Lens(std::move(made)) {
        ask_.setInterval(askEvery);
        ask_.callOnTimeout([this] { observe(*feed_); });
    }

    void start(LiveFeed& feed) override {
        feed_ = &feed;
        if (run_ != feed.context().hub.folder()) {
            forget(feed);
        }
        read(feed);
        observe(feed);
        ask_.start();
    }

    void stop() override { ask_.stop(); }

    void grow(LiveFeed& feed, const RunGrowth& growth) override {
        if (growth.isNew) {
            forget(feed);
        }
        if (growth.hasFiles) {
            read(feed);
        }
    }

    void fill(LiveFeed& /*feed*/, LiveNodes& nodes) override {
        for (const auto& [id, image] : images_) {
            nodes[id].activation = image;
        }
    }

    void drawNode(QPainter& painter, const LiveScene& scene, int number,
                  const LiveNode& live) override {
        const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
        if (live.activation.isNull() || node.isCompact || scene.viewport.isFar()) {
            return;
        }
        const QRect place = activationBox(scene.viewport.toDevice(node.box), scene.viewport);
        painter.fillRect(place, scene.theme.surface.node);
        const QSize size = live.activation.size().scaled(place.size(), Qt::KeepAspectRatio);
        painter.drawImage(QRect(place.topLeft(), size), live.activation);
    }

private:
    void forget(LiveFeed& feed) {
        run_ = feed.context().hub.folder();
        images_.clear();
        steps_.clear();
        asked_.clear();
    }

    static std::vector<LayerId> inView(CanvasView& view) {
        std::vector<LayerId> layers;
        const QRectF seen = view.camera().visibleArea();
        for (const int number : view.list().nodesIn(seen)) {
            const NodeView& node = view.list().nodes[static_cast<std::size_t>(number)];
            if (!node.isCompact && !node.isGroup && node.box.intersects(seen)) {
                layers.push_back(node.id);
            }
        }
        return layers;
    }

    /// Requests only visible layers, and none whose last request is unanswered.
    void observe(LiveFeed& feed) {
        WindowContext& context = feed.context();
        if (!feed.isRunOfDesign() || !context.hub.isLiving() || context.hub.isPaused() ||
            !feed.view().isVisible() || !feed.design().selection().path().group.empty() ||
            &feed.design() != context.designs.current()) {
            return;
        }
        std::size_t count = 0;
        for (const LayerId id : inView(feed.view())) {
            const auto asked = asked_.find(id);
            const auto shown = steps_.find(id);
            const bool isAnswered =
                asked == asked_.end() || (shown != steps_.end() && shown->second >= asked->second);
            const Layer* layer = findLayer(context.hub.design().network, id);
            if (!isAnswered || layer == nullptr || ++count > mostAtOnce) {
                continue;
            }
            asked_[id] = context.hub.lastStep();
            context.control.tell(context.hub.folder(), QStringLiteral("observe"),
                                 QString::fromStdString(layer->name));
        }
    }

    void read(LiveFeed& feed) {
        if (!feed.isRunOfDesign()) {
            return;
        }
        WindowContext& context = feed.context();
        const std::vector<WatchedValue> values =
            watchedValues(context.hub.folder().toStdString(), context.hub.tensors(), {}, {});
        for (const Layer& layer : context.hub.design().network.layers) {
            for (const WatchedValue& value : values) {
                if (value.kind != ValueKind::activation || !belongsTo(value, layer.name) ||
                    value.part != "y") {
                    continue;
                }
                std::int64_t& known = steps_.try_emplace(layer.id, -1).first->second;
                if (value.step <= known ||
                    !context.control.hosts().isHere(value.file, feed.view().isVisible())) {
                    continue;
                }
                known = value.step;
                feed.readPicture(
                    [file = value.file] { return imageOf(stripOf(readTensor(file))); },
                    [this, id = layer.id](const QImage& image) { images_[id] = image; });
            }
        }
    }

    LiveFeed* feed_ = nullptr;
    QTimer ask_;
    QString run_; ///< folder of the run that the other members belong to
    std::map<LayerId, QImage> images_;
    std::map<LayerId, std::int64_t> steps_; ///< steps that are shown or being read
    std::map<LayerId, std::int64_t> asked_; ///< step at which each layer was last requested
};

} // namespace

void activations(LensList& list) {
    list.lenses.push_back(std::make_unique<Activations>(LensInfo{
        "activations", QObject::tr("Activations"),
        QObject::tr("Shows the outputs of the visible layers: the run observes a step for each "
                    "of them every two seconds, which slows it down")}));
}

} // namespace weft::ui::lenses
