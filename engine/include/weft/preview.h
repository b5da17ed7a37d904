// SPDX-License-Identifier: Apache-2.0
#pragma once
// See it before you run it: the design compiled, with choices in place of kernels. One answer that
// comes in parts: what is placed, what its training step takes, what the run takes. A part that is
// not there yet is absent, never guessed. A pure function of design and request.

#include <weft/design.h>
#include <weft/devices.h>
#include <weft/diagnostics.h>
#include <weft/legal_word.h>
#include <weft/step_preview.h>
#include <weft/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct PortPreview {
    std::string port;
    DType dtype = DType::f32;
    Shape shape;
    std::string placement; ///< "S(0)": of an output as it is made, of an input as it is read
    Bytes bytes = {};      ///< of the device that holds most; 0: it is not placed
    bool operator==(const PortPreview&) const = default;
};

struct ParameterPreview {
    std::string name; ///< "fc6.weight"
    Shape shape;
    std::string placement;
    Bytes bytes = {}; ///< of the device that holds most
    bool operator==(const ParameterPreview&) const = default;
};

/// How a layer learns that does more than apply gradients in the step that makes them: each device
/// sums up dW over its elements, the sums are added up over devices, divided and applied.
struct SyncPreview {
    std::string name;         ///< of plan and timeline: "fc6.weight sync"; empty: nothing travels
    std::string kind;         ///< "all-reduce"
    Bytes sentPerDevice = {}; ///< each time, for this layer; of the device that sends most
    std::int64_t steps = 1;   ///< it travels once in so many
    std::int64_t updates = 1; ///< that are summed up before they are applied
    std::int64_t period = 1;  ///< steps from one time that they are applied to the next
    bool isLate = false;      ///< they are applied a period after they were made
    bool isCounted = false;   ///< divided by a count that the layer makes, else by `updates`
    std::string applies;      ///< the op that changes the weight: "hebb", "sgd"
    std::string renormalises; ///< the op that follows it: "unit_length"; empty: none
    std::optional<CollectiveStep> step = {}; ///< each time, with what is in the same bucket
    bool operator==(const SyncPreview&) const = default;
};

struct LayerPreview {
    Origin origin;
    std::string name;
    std::vector<PortPreview> inputs;
    std::vector<PortPreview> outputs;
    std::vector<ParameterPreview> parameters;
    /// Elements of the batch are networks of their own, by what they remember or by their weights.
    bool keepsElementsApart = false;
    std::vector<std::string> devices;
    std::vector<std::int64_t> mesh; ///< how they are arranged
    std::vector<LegalWord> legal;
    Flops forward = {};
    Flops backward = {};
    Bytes parameterBytes = {}; ///< and what belongs to them, on the device that holds most
    std::optional<SyncPreview> sync = {};
    std::optional<LayerStep> step = {};
    bool operator==(const LayerPreview&) const = default;
};

struct CollectivePreview {
    std::string name; ///< "conv5.y -> fc6.x", "gradients 3"
    std::string kind; ///< "all-gather"
    Origin from;
    Origin to;
    std::string wire; ///< empty: of a layer's own gradients
    bool isBackward = false;
    std::int64_t rounds = 1;  ///< of a repeat that it is in: bytes and times are of all together
    Bytes sentPerDevice = {}; ///< of the device that sends most; per step, over a period
    std::string communicator = {}; ///< of devices, "nccl"; empty: through their hosts
    std::string whyHosts = {};     ///< of devices that there is such a communicator for
    std::string link = {};         ///< by which it is priced; empty: it is not scheduled
    std::optional<CollectiveStep> step = {};
    bool operator==(const CollectivePreview&) const = default;
};

struct DevicePreview {
    std::string name;
    std::string model = {};
    Bytes available = {}; ///< for it and all that share it: those of one host; 0: not known
    Bytes sent = {};      ///< per step
    bool isPresent = true;
    std::optional<DeviceStep> step = {};
    std::optional<DeviceRun> run = {};
    [[nodiscard]] bool overflows() const {
        return run && available.count > 0 && run->together > available;
    }
    bool operator==(const DevicePreview&) const = default;
};

/// How much of a design is planned: errors keep out what they reach.
enum class Planned : std::uint8_t { nothing, forward, training };

struct Preview {
    std::vector<Diagnostic> problems;
    std::vector<LayerPreview> layers; ///< expanded: a copy of a group each
    std::vector<CollectivePreview> collectives;
    std::vector<DevicePreview> devices;
    Bytes sent = {}; ///< per step, all devices together
    Planned planned = Planned::nothing;
    bool isComplete = false; ///< false: errors kept it, or a part of it, from being planned
    std::optional<StepPreview> step = {};
    std::optional<RunPreview> run = {};
};

/// What is worked out once for all. Not shared between threads.
class PreviewCache {
public:
    PreviewCache();
    ~PreviewCache();
    PreviewCache(PreviewCache&&) noexcept;
    PreviewCache& operator=(PreviewCache&&) noexcept;
    struct State;
    [[nodiscard]] State& state() { return *state_; }

private:
    std::unique_ptr<State> state_;
};

/// Where the files of a design's data are looked for.
struct PreviewData {
    std::filesystem::path folder = {};              ///< beside the design
    std::vector<std::filesystem::path> others = {}; ///< and then in these
    bool operator==(const PreviewData&) const = default;
};

/// Parts of an answer, each with those before it.
enum class PreviewPart : std::uint8_t { shapes, placed, step, run };

struct PreviewRequest {
    std::vector<std::string> devices = {}; ///< of the run; empty: those the design declares
    MachineSheet machine = {};
    int ranks = 1; ///< processes over which the devices are spread
    int hosts = 1; ///< machines over which the ranks are
    bool wantsLegal = true;
    /// With it the source is asked for its fields, and whether they are what the inputs take; data
    /// that is not there is a warning, and all else is planned without it.
    std::optional<PreviewData> data = {};
    PreviewPart until = PreviewPart::placed;
    /// Asked between stages. False: the rest is not wanted any more.
    std::function<bool()> isWanted = {};
    /// Hears of each part as it is there.
    std::function<void(const std::shared_ptr<const Preview>&)> deliver = {};
};

/// Never null; it lacks the parts that were not wanted, and those that errors keep from being made.
[[nodiscard]] std::shared_ptr<const Preview> preview(const Design& design, PreviewCache& cache,
                                                     const PreviewRequest& request = {});

/// What the step and the run take, in tables; nothing where that is not known.
[[nodiscard]] std::string print(const Preview& preview);
/// For a program to read; without the spans.
[[nodiscard]] std::string jsonOf(const Preview& preview);

} // namespace weft
