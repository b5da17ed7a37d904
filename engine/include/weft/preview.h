// SPDX-License-Identifier: Apache-2.0
#pragma once
// Previews a design before it runs: compiles it with chosen but unbuilt kernels. The answer comes
// in parts: placement, the training step, the run. Parts that are not ready are absent, never
// guessed. A pure function of design and request.

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
    Shape shape;           ///< whole shape, before it is split
    std::string placement; ///< "S(0)": of an output as computed, of an input as consumed
    Bytes bytes = {};      ///< on the device that holds most; 0: not placed
    bool operator==(const PortPreview&) const = default;
};

struct ParameterPreview {
    std::string name;      ///< "fc6.weight"
    Shape shape;           ///< whole shape, before it is split
    std::string placement; ///< "R", "S(0)"
    Bytes bytes = {};      ///< on the device that holds most
    bool operator==(const ParameterPreview&) const = default;
};

/// The weight update of a layer that does more than apply gradients in the same step: each device
/// sums dW over its batch elements, then the sums are all-reduced, divided and applied.
struct SyncPreview {
    std::string name; ///< name in plan and timeline: "fc6.weight sync"; empty: no communication
    std::string kind; ///< "all-reduce"
    Bytes sentPerDevice = {}; ///< each time, for this layer, by the device that sends most
    std::int64_t steps = 1;   ///< steps per communication
    std::int64_t updates = 1; ///< updates that are summed before they are applied
    std::int64_t period = 1;  ///< steps between two applications
    bool isLate = false;      ///< true: applied one period after they were computed
    bool isCounted = false; ///< true: divided by a count that the layer computes, else by `updates`
    std::string applies;    ///< op that changes the weight: "hebb", "sgd"
    std::string renormalises; ///< op that normalises it afterwards: "unit_length"; empty: none
    std::optional<CollectiveStep> step = {}; ///< each time, including the rest of the bucket
    bool operator==(const SyncPreview&) const = default;
};

struct LayerPreview {
    Origin origin;
    std::string name; ///< as shown to the user: "block[2]/conv1"
    std::vector<PortPreview> inputs;
    std::vector<PortPreview> outputs;
    std::vector<ParameterPreview> parameters;
    bool hasNetworkPerElement = false;    ///< batch elements have their own weights or state
    std::vector<std::string> devices;     ///< devices of its assignment
    std::vector<std::int64_t> mesh;       ///< mesh of the devices
    std::vector<LegalWord> legal;         ///< for each word: whether the layer allows it
    Flops forward = {};                   ///< operations per step
    Flops backward = {};                  ///< operations per step
    Bytes parameterBytes = {};            ///< with gradients and optimizer state, largest device
    std::optional<SyncPreview> sync = {}; ///< how its gradients are reduced; none: no weights
    std::optional<LayerStep> step = {};   ///< predicted times; none: not computed
    bool operator==(const LayerPreview&) const = default;
};

struct CollectivePreview {
    std::string name; ///< "conv5.y -> fc6.x", "gradients 3"
    std::string kind; ///< "all-gather"
    Origin from;      ///< layer that computes the value
    Origin to;        ///< layer that reads the value
    std::string wire; ///< empty: not on a wire (gradients of a layer)
    bool isBackward = false;
    std::int64_t rounds = 1;  ///< iterations of the enclosing repeat; bytes and times are totals
    Bytes sentPerDevice = {}; ///< by the device that sends most; per step, averaged over a period
    std::string communicator = {}; ///< device communicator, "nccl"; empty: staged through the hosts
    std::string whyHosts = {};     ///< why not by a device communicator, if there is one
    std::string link = {};         ///< link of the predicted time; empty: not scheduled
    std::optional<CollectiveStep> step = {}; ///< predicted times; none: not computed
    bool operator==(const CollectivePreview&) const = default;
};

struct DevicePreview {
    std::string name; ///< "cuda:0"
    std::string model = {};
    Bytes available = {};                ///< shared by all devices with this memory; 0: unknown
    Bytes sent = {};                     ///< per step
    bool isPresent = true;               ///< false: known only from its data sheet
    std::optional<DeviceStep> step = {}; ///< the training step; none: not computed
    std::optional<DeviceRun> run = {};   ///< memory of a run; none: not computed
    [[nodiscard]] bool overflows() const {
        return run && available.count > 0 && run->together > available;
    }
    bool operator==(const DevicePreview&) const = default;
};

/// How much of a design is planned; layers that errors affect are left out.
enum class Planned : std::uint8_t { nothing, forward, training };

struct Preview {
    std::vector<Diagnostic> problems; ///< errors, warnings and notes of the design
    std::vector<LayerPreview> layers; ///< with groups expanded: one entry per copy
    std::vector<CollectivePreview> collectives;
    std::vector<DevicePreview> devices;
    Bytes sent = {};                      ///< per step, all devices together
    Planned planned = Planned::nothing;   ///< how much of a step has a plan
    bool isComplete = false;              ///< false: errors kept at least a part from being planned
    std::optional<StepPreview> step = {}; ///< the training step on all devices; none: not computed
    std::optional<RunPreview> run = {};   ///< program variants of a run; none: not computed
};

/// Memos that speed up later previews. Not thread-safe.
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

/// Search folders of a design's data files.
struct PreviewData {
    std::filesystem::path folder = {};              ///< the design's folder
    std::vector<std::filesystem::path> others = {}; ///< further folders
    bool operator==(const PreviewData&) const = default;
};

/// Parts of the answer; each includes those before it.
enum class PreviewPart : std::uint8_t { shapes, placed, step, run };

struct PreviewRequest {
    std::vector<std::string> devices = {}; ///< devices of the run; empty: those the design declares
    MachineSheet machine = {};             ///< rates; empty: defaults of each device kind
    int ranks = 1;                         ///< processes that the devices are spread over
    int hosts = 1;                         ///< machines that the ranks are spread over
    bool wantsLegal = true;                ///< true: finds the legal words of each layer
    /// If set, the data source is opened and its fields are checked against the inputs. Missing
    /// data is a warning, and everything else is planned without it.
    std::optional<PreviewData> data = {};
    PreviewPart until = PreviewPart::placed; ///< last part to compute
    /// Called between stages; returning false cancels the remaining parts.
    std::function<bool()> isWanted = {};
    /// Receives the preview each time that a part is added.
    std::function<void(const std::shared_ptr<const Preview>&)> deliver = {};
};

/// Returns the preview, never null. Parts that were cancelled, or that errors prevent, are absent.
[[nodiscard]] std::shared_ptr<const Preview> preview(const Design& design, PreviewCache& cache,
                                                     const PreviewRequest& request = {});

/// Prints tables of the step and the run; omits what is unknown.
[[nodiscard]] std::string print(const Preview& preview);
/// Machine-readable form, without spans.
[[nodiscard]] std::string jsonOf(const Preview& preview);

} // namespace weft
