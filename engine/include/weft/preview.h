// SPDX-License-Identifier: Apache-2.0
#pragma once
// See it before you run it: from a design alone its problems, shapes, placements, collectives and
// predicted cost. A pure function of design and request, cheap enough to run after every edit.

#include <weft/design.h>
#include <weft/devices.h>
#include <weft/diagnostics.h>
#include <weft/legal_word.h>
#include <weft/timeline.h>
#include <weft/types.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct PortPreview {
    std::string port;
    DType dtype = DType::f32;
    Shape shape;
    std::string placement; ///< "S(0)", as it is made
    bool operator==(const PortPreview&) const = default;
};

struct ParameterPreview {
    std::string name; ///< "fc6.weight"
    Shape shape;
    std::string placement;
    bool operator==(const ParameterPreview&) const = default;
};

struct LayerPreview {
    Origin origin;
    std::string name;
    std::vector<PortPreview> outputs;
    std::vector<ParameterPreview> parameters;
    std::vector<std::string> devices;
    std::vector<std::int64_t> mesh; ///< how they are arranged
    std::vector<LegalWord> legal;
    Flops forward = {};
    Flops backward = {};
    Nanoseconds compute = {}; ///< predicted, of the busiest device, per step
    TimeBand computeBand = {};
    Nanoseconds communicate = {}; ///< of the collectives it asks for
    Bytes parameterBytes = {};    ///< per device
    Bytes activationBytes = {};   ///< per device
    bool operator==(const LayerPreview&) const = default;
};

/// The layers of a preview, in order. To copy the list copies no layer.
class LayerPreviews {
public:
    using Shared = std::vector<std::shared_ptr<const LayerPreview>>;

    class Iterator {
    public:
        using difference_type = std::ptrdiff_t;
        using value_type = LayerPreview;
        using reference = const LayerPreview&;
        using pointer = const LayerPreview*;
        using iterator_category = std::forward_iterator_tag;

        Iterator() = default;
        explicit Iterator(Shared::const_iterator at) : at_(at) {}
        reference operator*() const { return **at_; }
        pointer operator->() const { return at_->get(); }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) { return Iterator(at_++); }
        bool operator==(const Iterator&) const = default;

    private:
        Shared::const_iterator at_;
    };

    [[nodiscard]] Iterator begin() const { return Iterator(shared.begin()); }
    [[nodiscard]] Iterator end() const { return Iterator(shared.end()); }
    [[nodiscard]] std::size_t size() const { return shared.size(); }
    [[nodiscard]] bool empty() const { return shared.empty(); }
    [[nodiscard]] const LayerPreview& operator[](std::size_t k) const { return *shared[k]; }
    [[nodiscard]] const LayerPreview& front() const { return *shared.front(); }
    [[nodiscard]] bool operator==(const LayerPreviews& other) const;

    Shared shared; ///< none is null
};

struct CollectivePreview {
    std::string name; ///< "conv5.y -> fc6.x"
    std::string kind; ///< "all-gather"
    Origin from;
    Origin to;
    std::string wire; ///< empty: of a layer's own gradients
    bool isBackward = false;
    Bytes sentPerDevice = {}; ///< of the device that sends most
    Nanoseconds predicted = {};
    TimeBand band = {}; ///< of the predicted time
    bool operator==(const CollectivePreview&) const = default;
};

struct DevicePreview {
    std::string name;
    Bytes parameters = {}; ///< and what belongs to them
    Bytes activations = {};
    Bytes available = {}; ///< for it and all that share it: those of one host; 0: not known
    Bytes together = {};  ///< planned for all of them
    Bytes sent = {};
    Nanoseconds busy = {};
    std::string largestLayer = {}; ///< which makes most of the memory
    bool isPresent = true;
    [[nodiscard]] bool overflows() const { return available.count > 0 && together > available; }
    bool operator==(const DevicePreview&) const = default;
};

struct Preview {
    std::vector<Diagnostic> problems;
    LayerPreviews layers; ///< expanded: a copy of a group each
    std::vector<CollectivePreview> collectives;
    std::vector<DevicePreview> devices;
    Nanoseconds step = {}; ///< predicted, training
    TimeBand stepBand = {};
    Bytes sent = {};         ///< per step, all devices together
    bool isComplete = false; ///< false: errors kept it from being placed
};

/// The last answer, and what is worked out once for all. Belongs to one document; not shared
/// between threads.
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

struct PreviewRequest {
    std::vector<std::string> devices = {}; ///< of the run; empty: those the design declares
    MachineSheet machine = {};
    int ranks = 1; ///< processes over which the devices are spread
    int hosts = 1; ///< machines over which the ranks are
    bool wantsLegal = true;
    bool wantsPlan = true; ///< false: problems and shapes only
    /// With it the source is asked for its fields, and whether they are what the inputs take; data
    /// that is not there is no problem of the design.
    std::optional<PreviewData> data = {};
};

/// Lives in the cache until its next preview.
[[nodiscard]] const Preview& preview(const Design& design, PreviewCache& cache,
                                     const PreviewRequest& request = {});

} // namespace weft
