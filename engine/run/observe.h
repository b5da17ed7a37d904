// SPDX-License-Identifier: Apache-2.0
#pragma once
// The observed step: one member of the programSet run once with chosen values copied out as they
// are made, before in-place ops write over them. Everything else is the same step, bit for bit
// unless kernels serve groups: what is inside one is only made by the observed member, whose ops
// stand each by itself. Used on the trainer's thread while nothing else runs.

#include "data/arrays/array.h"
#include "run/checkpoint.h"
#include "run/program_set.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class WorkerPool;

/// Sees a value on the one worker of a pool as soon as it is made, on the thread of its stream, and
/// may change it before anything reads it: true where it did. `plain`: row-major.
using ChangeMade = std::function<bool(ValueId value, std::vector<std::byte>& plain)>;

/// Copies values out of runs of one member.
class Observation {
public:
    /// `values`: of the member's graph. Pool and member outlive it.
    Observation(WorkerPool& pool, const Variant& member, std::size_t index,
                const std::vector<ValueId>& values);
    ~Observation();

    /// Runs the member once, the feeds being in place. What `change` puts in the place of a value
    /// is what the step goes on with; `whole` gives the value as it was made.
    void run(const ChangeMade& change = {});
    /// The value as a whole, plain and row-major, after `run`: on rank 0 alone where parts lie with
    /// others, who call it for the same values in the same order. Nothing where the programs make
    /// no such value of their own, as inside a group that is one kernel.
    [[nodiscard]] std::optional<Array> whole(ValueId value, int rank = 0,
                                             const FetchPart& fetch = {}) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// What a layer makes and has, by name: "conv1.y", "conv1.weight", and their gradients
/// "conv1.y.gradient".
struct NamedValue {
    std::string name;
    Origin layer;
    ValueId value;
    bool isSeries = false; ///< a number per round, as energies are
};
/// Weights before the step's update, or after it.
enum class Weights : std::uint8_t { before, after };
[[nodiscard]] std::vector<NamedValue> valuesOf(const Variant& member, Origin layer,
                                               Weights weights);
/// What all layers tell of their rounds.
[[nodiscard]] std::vector<NamedValue> seriesOf(const Variant& member);

struct ObservedValue {
    std::string name;
    Origin layer;
    Array value;
    bool isSeries = false;
};
/// What else is done with an observed step, beside giving what layers make and have.
struct StepLook {
    /// Adds values of the member that takes the step to those that are given.
    std::function<void(const Graph& graph, std::vector<NamedValue>& values)> addWanted = {};
    ChangeMade change = {};
};
/// Runs the member once and gives these values, where there are such.
[[nodiscard]] std::vector<ObservedValue> observe(WorkerPool& pool, const Variant& member,
                                                 std::size_t index,
                                                 const std::vector<NamedValue>& values,
                                                 int rank = 0, const FetchPart& fetch = {},
                                                 const ChangeMade& change = {});

} // namespace weft
