// SPDX-License-Identifier: Apache-2.0
#pragma once
// Choose, make, run. A maker is asked whether it can serve a request; it refuses with a reason or
// hands back a choice: the scratch and the formats that its kernel takes. That is all a plan needs,
// so that what is predicted and what runs are scheduled alike. A run then makes kernels of the very
// choices; everything is allocated then: running allocates nothing.

#include "device/format.h"
#include <weft/attributes.h>
#include <weft/devices.h>
#include <weft/types.h>

#include <tl/expected.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One operand or result as this device holds it: its part of the whole, where that part begins,
/// its format.
struct TensorPart {
    DType dtype = DType::f32;
    Shape shape; ///< local
    Shape begin; ///< index of its first element in the whole, per dim
    Shape whole; ///< logical shape: true counts of means, ranges of classes, keys of random draws
    /// In a request: what the producer offers; of a result the format it is kept in elsewhere, or
    /// has what it is the gradient of, which a kernel gives when it can.
    Format format = {};
    [[nodiscard]] std::int64_t elements() const { return elementsOf(shape); }
    bool operator==(const TensorPart&) const = default;
};

/// What a kernel is to run on, as far as choices differ by it: out of a DeviceSheet.
struct ChipKind {
    int generation = 0;
    std::string library = {};
    std::shared_ptr<const PlansByName> plans = {}; ///< those of use; none: nothing was measured
};

class Stream;
struct GroupBody;
struct RepeatBody;

struct KernelRequest {
    std::string op; ///< of a group its members', joined: "conv2d+bias_add+relu", "sgd*", "linear="
    Attributes attributes;
    std::vector<TensorPart> inputs;
    std::vector<TensorPart> outputs;
    int cores = 1;      ///< the stream's team
    ChipKind chip = {}; ///< said by who chooses: it knows the device
    Bytes scratchLimit = {std::int64_t{1} << 30};
    std::uint64_t randomKey =
        0; ///< of random ops: run seed, origin and role hashed; the step comes as an input
    bool mayChooseFormats = true;
    /// {input, output} pairs that the memory plan lets share a buffer.
    std::vector<std::pair<std::size_t, std::size_t>> inPlace = {};
    std::shared_ptr<const GroupBody> body = {}; ///< of a group
    /// Body of a repeat (device/repeat_body.h). A kernel that takes the request computes all
    /// iterations; otherwise the kernels of the body run in turn (device/rounds.h).
    std::shared_ptr<const RepeatBody> repeat = {};
};

/// What a group computes: its members' own requests, in an order in which they could run.
struct GroupBody {
    std::vector<KernelRequest> members;
    /// Per member and operand: which of the group's inputs; -1 - m: the first result of member m.
    std::vector<std::vector<int>> reads;
    /// Per member and result: which of the group's outputs; -1: nobody outside reads it.
    std::vector<std::vector<int>> writes;
};

/// Addresses for one call, in the order of the request. An operand that shares the buffer of a
/// result has its address.
struct KernelArguments {
    std::span<const void* const> inputs;
    std::span<void* const> outputs;
    void* scratch = nullptr;
    Stream* stream = nullptr;   ///< in whose queue it stands; none: the caller's thread is all
    Nanoseconds predicted = {}; ///< what the plan allows for it: a device that only takes time
    void* staging = nullptr;    ///< pinned memory of the host, of the size that the choice names
};

class Kernel {
public:
    virtual ~Kernel() = default;
    virtual void run(const KernelArguments& arguments) = 0;
};

/// In what f32 is multiplied: as it is, rounded to the 10 bits of TF32, or to the 7 of bf16. Sums
/// are of f32; in bf16 what they come to is rounded too.
enum class Precision : std::uint8_t { exact, tf32, bf16 };
/// "exact", "TF32", "bf16"
[[nodiscard]] std::string_view nameOf(Precision precision);

/// One of several ways to compute what was asked for.
struct KernelWay {
    std::string engine;
    Bytes workspace;
    std::unique_ptr<Kernel> kernel;
};
struct KernelWays {
    std::string name; ///< what they compute: by this the fastest is kept (PlansByName)
    std::vector<Bytes> inputs = {};
    std::vector<Bytes> outputs = {};
    Bytes scratch = {}; ///< none takes more
    /// All there are on the device that this thread uses, the first being taken unless another was
    /// found to be faster.
    std::function<std::vector<KernelWay>()> make = {};
};

/// What a maker answers to a request, out of the request alone: no device is opened for it and
/// nothing is compiled.
struct KernelChoice {
    std::string implementation; ///< "onednn:jit:avx512_core", "reference": shown by explain
    Bytes scratch = {};
    Bytes staged = {};   ///< goes out to the host and back with every run (device/staged.h)
    Bytes staging = {};  ///< pinned memory of the host that it needs for that, scratch included
    Bytes laidAnew = {}; ///< what it writes and reads beside operands and results, in scratch
    int launches = 1;    ///< that its computing takes
    Precision precision = Precision::exact; ///< said by who chooses: it knows which makers round
    std::vector<Format> inputFormats = {};  ///< empty: as offered
    std::vector<Format> outputFormats = {}; ///< empty: plain
    /// Formats in which the kernel computes what it now converts on its way: whoever keeps a value
    /// may choose one of them. Plain: content.
    std::vector<Format> preferredInputFormats = {};
    std::vector<Format> preferredOutputFormats = {};
    /// A kernel of its own for every call, which one caller runs at a time. Called on the thread of
    /// the stream that will run it.
    std::function<std::unique_ptr<Kernel>()> make = {};
    /// For a host fallback: the kernel that the host runs on its own memory.
    std::shared_ptr<const KernelChoice> onHost = {};
    std::optional<KernelWays> ways = {};       ///< none: there is but one
    std::optional<MeasuredPlan> measured = {}; ///< that it takes; none: its time is priced
};

struct Refusal {
    std::string implementation;
    std::string reason; ///< "groups of 3 channels are not a multiple of 4"
};

using ChoiceOrRefusal = tl::expected<KernelChoice, Refusal>;

/// A way to compute one op, or a group of them: "a+b" is a chain in which each reads the one
/// before, "a*" any number of the same beside each other, "a=" and "a+b=" any number of equals: ops
/// or chains that differ in nothing but their operands.
struct KernelMaker {
    std::string op;
    std::string implementation;
    std::function<ChoiceOrRefusal(const KernelRequest&)> choose;
    /// Types of the floating operands that it serves, a group's inner ones too; none: all.
    std::vector<DType> floating = {DType::f32};
    /// What this machine has not of what it computes with; empty: nothing. A device that is not
    /// here is planned for as one that has it.
    std::function<std::string()> lacks = {};
    /// False: operands and results kept as halves are none for it; it is offered, and asked for,
    /// f32.
    bool takesHalves = false;
};

/// What moves elements serves them whatever they are.
inline const std::vector<DType> anyType{};

/// Ops that one kernel may compute one behind the other, in any order and number, where each reads
/// what the one before makes and all operands are of one shape: "add+relu".
struct FreeChains {
    std::vector<std::string> ops = {};
    std::vector<KernelMaker> makers = {};

    [[nodiscard]] bool has(std::string_view op) const;
};

/// The makers of one backend, per op fastest first. One is only asked for operands of types that it
/// serves.
class KernelList {
public:
    void add(KernelMaker maker);
    /// For every op that has no maker of its own.
    void addForAny(KernelMaker maker);
    /// For chains of those that have no maker of their own.
    void addForChains(std::vector<std::string> ops, KernelMaker maker);
    [[nodiscard]] const FreeChains& freeChains() const { return freeChains_; }
    [[nodiscard]] std::span<const KernelMaker> of(const std::string& op) const;
    /// Without those for every op: a repeat has none but its own.
    [[nodiscard]] std::span<const KernelMaker> ownOf(const std::string& op) const;
    [[nodiscard]] std::vector<std::string> ops() const;
    /// Why no maker can serve a device, here or elsewhere; empty: one can.
    [[nodiscard]] std::string whyNone(bool isHere) const;

private:
    std::vector<std::pair<std::string, std::vector<KernelMaker>>> byOp_;
    std::vector<KernelMaker> forAny_;
    FreeChains freeChains_;
};

/// A kernel out of a callable: what most kernels are.
[[nodiscard]] std::unique_ptr<Kernel> makeKernel(std::function<void(const KernelArguments&)> run);

} // namespace weft
