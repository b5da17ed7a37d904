// SPDX-License-Identifier: Apache-2.0
#pragma once
// The observed step: runs one variant of the program set once and copies out chosen values before
// in-place ops overwrite them. The results are those of the normal step, bit for bit unless fused
// kernels serve groups: a variant for observation does not group ops, so that inner values exist.
// Used on the trainer's thread while nothing else runs.

#include "compile/program_set.h"
#include "data/arrays/array.h"
#include "run/checkpoint/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class WorkerPool;

/// Is called with a value as soon as the only worker of a pool has computed it, on the thread of
/// its stream. May change the value (row-major) before anything reads it, and returns true if it
/// did.
using ChangeValue = std::function<bool(ValueId value, std::vector<std::byte>& plain)>;

/// Copies values out of runs of one variant.
class Observation {
public:
    /// `values` are values of the variant's graph. Pool and variant must outlive the observation.
    Observation(WorkerPool& pool, const Variant& member, std::size_t index,
                const std::vector<ValueId>& values);
    ~Observation();

    /// Runs the variant once with the current inputs. The step continues with values that `change`
    /// changed; `wholeValue` returns the values as computed.
    void run(const ChangeValue& change = {});
    /// Returns the whole value, row-major, after `run`. If other ranks hold parts, all ranks call
    /// it for the same values in the same order and only rank 0 gets the value. None if no buffer
    /// holds the value, as inside a fused group.
    [[nodiscard]] std::optional<Array> wholeValue(ValueId value, int rank = 0,
                                                  const FetchPart& fetch = {}) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A result or weight of a layer, or a gradient of one, by name: "conv1.y", "conv1.weight",
/// "conv1.y.gradient".
struct NamedValue {
    std::string name;
    Origin layer;
    ValueId value;
    bool isSeries = false; ///< a number per iteration, such as energies
};
enum class Weights : std::uint8_t { before, after }; ///< before or after the step's update
[[nodiscard]] std::vector<NamedValue> valuesOf(const Variant& member, Origin layer,
                                               Weights weights);
/// Returns the per-iteration numbers that layers report.
[[nodiscard]] std::vector<NamedValue> seriesOf(const Variant& member);

struct ObservedValue {
    std::string name;
    Origin layer;
    Array value;
    bool isSeries = false; ///< a number per iteration
};
/// Options of an observed step.
struct ObservationOptions {
    /// Adds values of the variant to those that are returned.
    std::function<void(const Graph& graph, std::vector<NamedValue>& values)> addWanted = {};
    ChangeValue change = {};
};
/// Runs the variant once and returns those of the values that exist.
[[nodiscard]] std::vector<ObservedValue> observe(WorkerPool& pool, const Variant& member,
                                                 std::size_t index,
                                                 const std::vector<NamedValue>& values,
                                                 int rank = 0, const FetchPart& fetch = {},
                                                 const ChangeValue& change = {});

} // namespace weft
