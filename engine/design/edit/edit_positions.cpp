// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"

#include <algorithm>
#include <set>

namespace weft {

namespace {

Point moved(Point point, Point by) { return {point.x + by.x, point.y + by.y}; }

// A layer without a position is drawn at the origin, and moved from there.
Point placeOf(const Layer& layer) { return layer.position.value_or(Point{}); }

void setAlong(Layer& layer, double Point::*along, double value) {
    Point place = placeOf(layer);
    place.*along = value;
    layer.position = place;
}

std::vector<Layer*> layersOf(Network& network, const std::vector<LayerId>& ids) {
    std::vector<Layer*> layers;
    layers.reserve(ids.size());
    for (const LayerId id : ids) {
        layers.push_back(layerIn(network, id));
    }
    return layers;
}

} // namespace

Edited moveLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                  Point by) {
    std::vector<Point> positions;
    const Network& network = networkAt(design, path);
    if (auto missing = missingLayer(network, layers)) {
        return *missing;
    }
    positions.reserve(layers.size());
    for (const LayerId layer : layers) {
        positions.push_back(moved(placeOf(*findLayer(network, layer)), by));
    }
    const std::set<LayerId> chosen(layers.begin(), layers.end());
    std::vector<std::pair<std::size_t, std::vector<Point>>> led;
    for (std::size_t i = 0; i < network.wires.size(); ++i) {
        const Wire& wire = network.wires[i];
        if (!wire.via.empty() && chosen.contains(wire.from.layer) &&
            chosen.contains(wire.to.layer)) {
            std::vector<Point> via = wire.via;
            std::ranges::transform(via, via.begin(), [by](Point at) { return moved(at, by); });
            if (!std::ranges::all_of(via, isFinite)) {
                return notFinite();
            }
            led.emplace_back(i, std::move(via));
        }
    }
    Edited placed = placeLayers(design, path, layers, positions);
    if (placed.isDone()) {
        for (auto& [number, via] : led) {
            networkAt(design, path).wires[number].via = std::move(via);
        }
    }
    return placed;
}

Edited placeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                   const std::vector<Point>& positions) {
    Network& network = networkAt(design, path);
    if (auto missing = missingLayer(network, layers)) {
        return *missing;
    }
    if (layers.size() != positions.size()) {
        return refused("the numbers of layers and positions differ",
                       "give one position for each layer");
    }
    if (!std::ranges::all_of(positions, isFinite)) {
        return notFinite();
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
        layerIn(network, layers[i])->position = positions[i];
    }
    return done(layers);
}

Edited alignLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& ids,
                   Alignment alignment) {
    Network& network = networkAt(design, path);
    if (auto missing = missingLayer(network, ids)) {
        return *missing;
    }
    if (ids.empty()) {
        return done();
    }
    const bool isAcross = alignment == Alignment::left || alignment == Alignment::centre ||
                          alignment == Alignment::right;
    double Point::*const along = isAcross ? &Point::x : &Point::y;
    const std::vector<Layer*> layers = layersOf(network, ids);
    const auto [least, most] =
        std::ranges::minmax(layers, {}, [&](const Layer* layer) { return placeOf(*layer).*along; });
    const double low = placeOf(*least).*along;
    const double high = placeOf(*most).*along;
    double target = low + (high - low) / 2;
    if (alignment == Alignment::left || alignment == Alignment::top) {
        target = low;
    } else if (alignment == Alignment::right || alignment == Alignment::bottom) {
        target = high;
    }
    for (Layer* layer : layers) {
        if (!layer->pinned) {
            setAlong(*layer, along, target);
        }
    }
    return done(ids);
}

Edited distributeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& ids,
                        bool alongRow) {
    Network& network = networkAt(design, path);
    if (auto missing = missingLayer(network, ids)) {
        return *missing;
    }
    double Point::*const along = alongRow ? &Point::x : &Point::y;
    std::vector<Layer*> layers = layersOf(network, ids);
    std::ranges::stable_sort(layers, {},
                             [&](const Layer* layer) { return placeOf(*layer).*along; });
    if (layers.size() < 3) {
        return done(ids);
    }
    const double low = placeOf(*layers.front()).*along;
    const double step =
        (placeOf(*layers.back()).*along - low) / static_cast<double>(layers.size() - 1);
    for (std::size_t i = 1; i + 1 < layers.size(); ++i) {
        if (!layers[i]->pinned) {
            setAlong(*layers[i], along, low + step * static_cast<double>(i));
        }
    }
    return done(ids);
}

namespace {

std::optional<Edited> unfitFrame(const Network& network, const Frame& frame) {
    if (!isFinite(frame.topLeft) || !isFinite(frame.size)) {
        return notFinite();
    }
    std::vector<LayerId> sorted = frame.layers;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) {
        return refused("a layer appears twice in the frame", "name each layer once");
    }
    return missingLayer(network, frame.layers);
}

Edited noSuch(const char* what) {
    return refused(std::string("there is no such ") + what,
                   "choose one that exists in this network");
}

} // namespace

Edited addFrame(Design& design, const NetworkPath& path, Frame frame) {
    Network& network = networkAt(design, path);
    if (auto unfit = unfitFrame(network, frame)) {
        return *unfit;
    }
    network.frames.push_back(std::move(frame));
    return done(network.frames.back().layers);
}

Edited setFrame(Design& design, const NetworkPath& path, std::size_t index, Frame frame) {
    Network& network = networkAt(design, path);
    if (index >= network.frames.size()) {
        return noSuch("frame");
    }
    if (auto unfit = unfitFrame(network, frame)) {
        return *unfit;
    }
    network.frames[index] = std::move(frame);
    return done(network.frames[index].layers);
}

Edited removeFrame(Design& design, const NetworkPath& path, std::size_t index) {
    Network& network = networkAt(design, path);
    if (index >= network.frames.size()) {
        return noSuch("frame");
    }
    network.frames.erase(network.frames.begin() + static_cast<std::ptrdiff_t>(index));
    return done();
}

Edited moveFrame(Design& design, const NetworkPath& path, std::size_t index, Point by) {
    Network& network = networkAt(design, path);
    if (index >= network.frames.size()) {
        return noSuch("frame");
    }
    Frame& frame = network.frames[index];
    if (!isFinite(moved(frame.topLeft, by))) {
        return notFinite();
    }
    std::vector<LayerId> carried = frame.layers;
    std::erase_if(carried, [&](LayerId layer) { return findLayer(network, layer)->pinned; });
    Edited edited = moveLayers(design, path, carried, by);
    if (edited.isDone()) {
        frame.topLeft = moved(frame.topLeft, by);
    }
    return edited;
}

Edited addComment(Design& design, const NetworkPath& path, Comment comment) {
    if (!isFinite(comment.position)) {
        return notFinite();
    }
    networkAt(design, path).comments.push_back(std::move(comment));
    return done();
}

Edited setComment(Design& design, const NetworkPath& path, std::size_t index, Comment comment) {
    Network& network = networkAt(design, path);
    if (index >= network.comments.size()) {
        return noSuch("comment");
    }
    if (!isFinite(comment.position)) {
        return notFinite();
    }
    network.comments[index] = std::move(comment);
    return done();
}

Edited removeComment(Design& design, const NetworkPath& path, std::size_t index) {
    Network& network = networkAt(design, path);
    if (index >= network.comments.size()) {
        return noSuch("comment");
    }
    network.comments.erase(network.comments.begin() + static_cast<std::ptrdiff_t>(index));
    return done();
}

} // namespace weft
