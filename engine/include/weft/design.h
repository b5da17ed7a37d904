// SPDX-License-Identifier: Apache-2.0
#pragma once
// The document: what the user draws. A plain value without Qt; it owns every fact the window shows.
// Whatever the file holds and this version does not know survives in `unknown` (JSON text of an
// object).

#include <weft/assignment.h>
#include <weft/attributes.h>
#include <weft/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct Point {
    double x = 0;
    double y = 0;
    bool operator==(const Point&) const = default;
};

/// The kind of layers that are instances of a group definition; all others are the catalogue's.
inline constexpr std::string_view groupKind = "group";

struct Layer {
    LayerId id;             ///< stable, unique in its network
    std::string name;       ///< unique in its network
    std::string kind;       ///< a catalogue kind, or "group" (attribute-free: see `group`)
    std::string group = {}; ///< kind "group": the name of its definition
    /// Kind "group": copies in a row, each with its own weights. Output number i of a copy feeds
    /// input number i of the next; inputs that no output reaches are given to every copy.
    std::int64_t repeat = 1;
    Attributes attributes = {};
    std::map<std::string, std::string> expressions = {}; ///< attribute -> as typed: "4*256"
    std::optional<Point> position = {}; ///< on the canvas; none: nobody has placed it yet
    bool muted = false;                 ///< it, and what only it feeds, is left out
    bool bypassed = false;              ///< hands on its first input
    bool pinned = false; ///< its place is settled: whoever places many leaves it there
    std::optional<Assignment> assignment = {};
    std::string note = {};
    std::string unknown = {};
    bool operator==(const Layer&) const = default;
};

struct Endpoint {
    LayerId layer;
    std::string port;
    auto operator<=>(const Endpoint&) const = default;
};

/// At most one wire ends at an input port; an output feeds any number.
struct Wire {
    Endpoint from;
    Endpoint to;
    /// "": the cheapest; "whole": gathered whole, its gradient summed back
    std::string scheme = {};
    std::vector<Point> via = {}; ///< points that its line is led through, in order
    std::string unknown = {};
    bool operator==(const Wire&) const = default;
};

struct Frame {
    std::string title;
    Point topLeft;
    Point size;
    std::int64_t colour = 0;
    std::vector<LayerId> layers = {};
    std::string unknown = {};
    bool operator==(const Frame&) const = default;
};

struct Comment {
    std::string text;
    Point position;
    std::string unknown = {};
    bool operator==(const Comment&) const = default;
};

/// Layers and wires: the top level of a design, or the inside of a group.
struct Network {
    std::vector<Layer> layers;
    std::vector<Wire> wires;
    std::vector<Frame> frames = {};
    std::vector<Comment> comments = {};
    bool operator==(const Network&) const = default;
};

/// A port of a group: the name outside, and the layer port inside that it stands for.
struct GroupPort {
    std::string name;
    /// An input may feed several ports; an output is one, or none while its layer is missing.
    std::vector<Endpoint> inside;
    bool operator==(const GroupPort&) const = default;
};

struct GroupDefinition {
    std::string name;
    Network network;
    std::vector<GroupPort> inputs;
    std::vector<GroupPort> outputs;
    /// names usable in expressions inside, with defaults; an instance overrides them
    Attributes parameters = {};
    std::string unknown = {};
    bool operator==(const GroupDefinition&) const = default;
};

/// A backend, a number and, of workers that share one, which: "cpu:0", "cuda:0/1".
[[nodiscard]] bool isDeviceName(std::string_view name);

struct DeviceDeclaration {
    std::string name;         ///< "cpu:0", "cuda:0/1"
    std::int64_t cores = 0;   ///< 0: an even share of this machine's; a GPU takes none
    std::int64_t colour = -1; ///< slot in the palette; -1: its place in the list
    /// data sheet of a machine one doesn't have: planned and priced, not run
    std::string sheet = {};
    std::string unknown = {};
    bool operator==(const DeviceDeclaration&) const = default;
};

/// One source feeding ports of input layers: {"x": "images", "target": "labels"}.
struct DataSettings {
    std::string source = {};                       ///< "idx", "cifar", "npy", "text", "digits"
    Attributes attributes = {};                    ///< of the source: files, counts, normalisation
    std::map<std::string, std::string> feeds = {}; ///< input layer's name -> field of the source
    std::int64_t batch = 32;
    /// share of the examples held out when the source has no split of its own
    double validation = 0;
    std::string order = "shuffled"; ///< or "file"
    std::string lastBatch = "keep"; ///< or "drop", "wrap"
    std::string unknown = {};
    bool operator==(const DataSettings&) const = default;
};

struct TrainingSettings {
    std::string optimizer = "sgd"; ///< "sgd", "adam", "adamw"
    /// momentum, nesterov, beta1, beta2, epsilon, weight_decay
    Attributes optimizerAttributes = {};
    double learningRate = 0.01;
    std::string schedule = "constant";  ///< "step", "polynomial", "cosine"
    Attributes scheduleAttributes = {}; ///< warmup_steps, every, factor, power, end
    double clipNorm = 0;                ///< 0: no clipping
    std::int64_t steps = 0;             ///< stop after; 0: no such limit
    double epochs = 0;
    double seconds = 0;
    std::string targetMetric = {}; ///< stop when an evaluation reaches `target`
    double target = 0;
    std::int64_t evaluateEvery = 0;   ///< steps; 0: after each epoch
    std::int64_t checkpointEvery = 0; ///< steps; 0: after each epoch
    std::int64_t seriesEvery = 0;     ///< steps; 0: those of observed steps alone are kept
    std::int64_t seed = 1;
    std::string order = "dataflow";      ///< order of execution: "sequential", "depth", "dataflow"
    std::int64_t streams = 0;            ///< per device; 0: a sensible default
    std::string communicator = "chosen"; ///< or "host", "devices"
    double bucketMegabytes = 25;
    std::string precision = "exact"; ///< in which f32 is multiplied; "tf32", "bf16"
    std::int64_t updatePeriod = 1;   ///< steps from one update to the next
    std::int64_t firstUpdate = 1;    ///< the step of the first, counted from 1
    std::int64_t syncEvery = 1;      ///< updates whose mean is applied, once
    std::string sync = "at once";    ///< or "one period late"
    std::string unknown = {};
    bool operator==(const TrainingSettings&) const = default;
};

struct Design {
    std::int64_t version = 1;
    std::string name = {};
    std::string note = {};
    Network network = {};
    std::vector<GroupDefinition> groups = {};
    DataSettings data = {};
    TrainingSettings training = {};
    std::vector<DeviceDeclaration> devices = {};
    Assignment assignment = {}; ///< default for layers that have none
    std::string unknown = {};
    bool operator==(const Design&) const = default;

    [[nodiscard]] const GroupDefinition* group(std::string_view name) const;
};

/// A layer of a network by id or name; nullptr when there is none.
[[nodiscard]] const Layer* findLayer(const Network& network, LayerId id);
[[nodiscard]] const Layer* findLayer(const Network& network, std::string_view name);

} // namespace weft
