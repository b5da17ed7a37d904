// SPDX-License-Identifier: Apache-2.0
#pragma once
// The design document as a plain value without Qt; it owns every fact that the window shows. File
// content that this version does not know is kept in `unknown` (JSON text of an object).

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

/// The kind of layers that are instances of a group definition. All other kinds are in the
/// catalogue.
inline constexpr std::string_view groupKind = "group";

struct Layer {
    LayerId id;             ///< unique in its network and never changes
    std::string name;       ///< unique in its network
    std::string kind;       ///< a catalogue kind, or "group" (see `group`), which has no attributes
    std::string group = {}; ///< for kind "group": the name of its definition
    /// For kind "group": number of copies in sequence, each with its own weights. Output i of a
    /// copy feeds input i of the next; every copy gets the inputs that no output reaches.
    std::int64_t repeat = 1; ///< for kind "group": copies in sequence, each with its own weights
    Attributes attributes = {};
    std::map<std::string, std::string> expressions = {}; ///< attribute -> "4*256"
    std::optional<Point> position = {};                  ///< on the canvas; none: not placed yet
    bool muted = false;    ///< the layer, and layers that only it feeds, are left out
    bool bypassed = false; ///< the layer outputs its first input
    bool pinned = false;   ///< automatic layout does not move the layer
    std::optional<Assignment> assignment = {}; ///< none: the default of the group or the design
    std::string note = {};                     ///< the user's text on the layer
    std::string unknown = {}; ///< file content that this version does not know, as JSON
    bool operator==(const Layer&) const = default;
};

struct Endpoint {
    LayerId layer;
    std::string port; ///< "x", "y"; empty only before default ports are set
    auto operator<=>(const Endpoint&) const = default;
};

/// An input port has at most one wire; an output feeds any number.
struct Wire {
    Endpoint from;               ///< output port
    Endpoint to;                 ///< input port
    std::string scheme = {};     ///< "": cheapest collectives; "whole": all-gather
    std::vector<Point> via = {}; ///< points that the drawn line passes through, in order
    std::string unknown = {};    ///< file content that this version does not know, as JSON
    bool operator==(const Wire&) const = default;
};

struct Frame {
    std::string title;
    Point topLeft;
    Point size;                       ///< width and height
    std::int64_t colour = 0;          ///< index in the palette
    std::vector<LayerId> layers = {}; ///< layers that move with the frame
    std::string unknown = {};         ///< file content that this version does not know, as JSON
    bool operator==(const Frame&) const = default;
};

struct Comment {
    std::string text;
    Point position;
    std::string unknown = {}; ///< file content that this version does not know, as JSON
    bool operator==(const Comment&) const = default;
};

/// Layers and wires of the top level of a design or of a group.
struct Network {
    std::vector<Layer> layers;
    std::vector<Wire> wires;
    std::vector<Frame> frames = {};     ///< titled boxes around layers on the canvas
    std::vector<Comment> comments = {}; ///< texts on the canvas
    bool operator==(const Network&) const = default;
};

/// A port of a group: its outer name and the inner layer ports that it stands for.
struct GroupPort {
    std::string name;
    /// An input may feed several ports; an output has one, or none while its layer is missing.
    std::vector<Endpoint> inside; ///< inner ports that it stands for; an output has at most one
    bool operator==(const GroupPort&) const = default;
};

struct GroupDefinition {
    std::string name;
    Network network;
    std::vector<GroupPort> inputs;
    std::vector<GroupPort> outputs;
    Attributes parameters = {}; ///< names for expressions inside, with defaults
    std::string unknown = {};   ///< file content that this version does not know, as JSON
    bool operator==(const GroupDefinition&) const = default;
};

/// True for a backend, a number and, if several workers share a device, the worker: "cpu:0",
/// "cuda:0/1".
[[nodiscard]] bool isDeviceName(std::string_view name);

struct DeviceDeclaration {
    std::string name;         ///< "cpu:0", "cuda:0/1"
    std::int64_t cores = 0;   ///< 0: an even share of this machine's cores; GPUs ignore it
    std::int64_t colour = -1; ///< index in the palette; -1: the device's position in the list
    std::string sheet = {};   ///< data sheet of a device that is not present: "h200"
    std::string unknown = {}; ///< file content that this version does not know, as JSON
    bool operator==(const DeviceDeclaration&) const = default;
};

/// One data source and the input layers that it feeds: {"x": "images", "target": "labels"}.
struct DataSettings {
    std::string source = {};    ///< "idx", "cifar", "npy", "text", "digits"
    Attributes attributes = {}; ///< attributes of the source: files, counts, normalisation
    std::map<std::string, std::string> feeds = {}; ///< input layer -> field of the source
    std::int64_t batch = 32;                       ///< examples per step, all devices together
    double validation = 0;                         ///< fraction held out if the source has no split
    std::string order = "shuffled";                ///< order of examples; or "file"
    std::string lastBatch = "keep";                ///< if it is short; or "drop", "wrap"
    std::string unknown = {}; ///< file content that this version does not know, as JSON
    bool operator==(const DataSettings&) const = default;
};

struct TrainingSettings {
    std::string optimizer = "sgd";       ///< a kind that settings() lists for it
    Attributes optimizerAttributes = {}; ///< momentum, beta1, weight_decay
    double learningRate = 0.01;
    std::string schedule = "constant";  ///< "step", "polynomial", "cosine"
    Attributes scheduleAttributes = {}; ///< warmup_steps, every, factor, power, end
    double clipNorm = 0;                ///< 0: no clipping
    std::int64_t steps = 0;             ///< number of steps after which training stops; 0: no limit
    double epochs = 0;                  ///< limit; 0: no limit
    double seconds = 0;                 ///< limit; 0: no limit
    std::string targetMetric = {};      ///< stop when an evaluation reaches `target`
    double target = 0;                  ///< value of `targetMetric` that ends the training
    std::int64_t evaluateEvery = 0;     ///< steps; 0: after each epoch
    std::int64_t checkpointEvery = 0;   ///< steps; 0: after each epoch
    std::int64_t seriesEvery = 0;       ///< steps; 0: series only from observed steps
    std::int64_t seed = 1;              ///< for weights, dropout and the order of examples
    std::string order = "dataflow";     ///< order of execution: "sequential", "depth", "dataflow"
    std::int64_t streams = 0;           ///< per device; 0: default
    std::string communicator = "chosen"; ///< for collectives; or "host", "devices"
    double bucketMegabytes = 25;         ///< size of the buckets in which gradients are reduced
    std::string precision = "exact";     ///< for f32 products: "exact", "tf32" or "bf16"
    std::int64_t updatePeriod = 1;       ///< steps between updates
    std::int64_t firstUpdate = 1;        ///< step of the first update, counted from 1
    std::int64_t syncEvery = 1;          ///< number of updates averaged before they are applied
    std::string sync = "at once"; ///< when averaged updates are applied; or "one period late"
    std::string unknown = {};     ///< file content that this version does not know, as JSON
    bool operator==(const TrainingSettings&) const = default;
};

struct Design {
    std::int64_t version = 1; ///< format version of the file
    std::string name = {};
    std::string note = {}; ///< the user's text on the design
    Network network = {};
    std::vector<GroupDefinition> groups = {}; ///< definitions that layers of kind "group" use
    DataSettings data = {};
    TrainingSettings training = {};
    std::vector<DeviceDeclaration> devices = {};
    Assignment assignment = {}; ///< default for layers without an assignment
    std::string unknown = {};   ///< file content that this version does not know, as JSON
    bool operator==(const Design&) const = default;

    [[nodiscard]] const GroupDefinition* group(std::string_view name) const;
};

/// Returns the layer with this id or name, or nullptr.
[[nodiscard]] const Layer* findLayer(const Network& network, LayerId id);
[[nodiscard]] const Layer* findLayer(const Network& network, std::string_view name);

} // namespace weft
