// SPDX-License-Identifier: Apache-2.0
#pragma once
// The interface of kernels: choose, make, run. A maker answers a request with a refusal or a
// choice, which states scratch and formats. Plans need only choices, so prediction and run are
// scheduled alike. A run then makes the kernels of the same choices; only making allocates memory.

#include "device/format.h"
#include "graph/in_place.h"
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

/// A device's part of an operand or result: its shape, its position in the whole, and its format.
struct TensorPart {
    DType dtype = DType::f32;
    Shape shape; ///< local shape
    Shape begin; ///< index of the part's first element in the whole, per dim
    Shape whole; ///< logical shape, for counts, class ranges and random keys
    /// In a request: for an input, the producer's format; for an output, the preferred format: that
    /// of its other uses, or of the value that it is the gradient of.
    Format format = {}; ///< memory format that producer or consumer prefers
    [[nodiscard]] std::int64_t elements() const { return elementsOf(shape); }
    bool operator==(const TensorPart&) const = default;
};

/// The properties of a chip that choices depend on, from its DeviceSheet.
struct ChipKind {
    int generation = 0;       ///< 90 for compute capability 9.0; 0: unknown or none
    std::string library = {}; ///< name and version of the library that plans belong to
    std::shared_ptr<const PlansByName> plans = {}; ///< usable plans; none: nothing was measured
};

class Stream;
struct GroupBody;
struct RepeatBody;

struct KernelRequest {
    std::string op; ///< for groups, joined: "conv2d+bias_add+relu", "sgd*", "linear="
    Attributes attributes;
    std::vector<TensorPart> inputs;
    std::vector<TensorPart> outputs;
    int cores = 1;      ///< cores of the stream's team
    ChipKind chip = {}; ///< filled in by the kernel chooser, which knows the device
    Bytes scratchLimit = {std::int64_t{1} << 30}; ///< most scratch memory that a choice may use
    std::uint64_t randomKey =
        0; ///< for random ops: hash of run seed, origin and role; the step is an input
    bool mayChooseFormats = true;          ///< false: operands and results keep the offered formats
    std::vector<InPlacePair> inPlace = {}; ///< operands that share the memory of a result
    std::shared_ptr<const GroupBody> body = {}; ///< for a group
    /// Body of a repeat (device/repeat_body.h). A kernel that takes the request computes all
    /// iterations; otherwise the kernels of the body run in turn (device/rounds.h).
    std::shared_ptr<const RepeatBody> repeat = {}; ///< body of a repeat; nullptr: another op
};

/// The members of a group: their own requests, in an executable order.
struct GroupBody {
    std::vector<KernelRequest> members;   ///< in an executable order
    std::vector<std::vector<int>> reads;  ///< group input, or -1 - m: member m's result
    std::vector<std::vector<int>> writes; ///< group output; -1: read by members only
};

/// Addresses for one call, in the order of the request. An in-place operand has the address of its
/// result.
struct KernelArguments {
    std::span<const void* const> inputs; ///< address per operand
    std::span<void* const> outputs;      ///< address per result
    void* scratch = nullptr;             ///< memory of the size that the choice requests
    Stream* stream = nullptr;            ///< stream of the kernel; none: run on the calling thread
    Nanoseconds predicted = {}; ///< duration in the plan, for devices that only simulate time
    void* staging = nullptr;    ///< pinned host memory of the size that the choice requests
};

class Kernel {
public:
    virtual ~Kernel() = default;
    virtual void run(const KernelArguments& arguments) = 0;
};

/// Precision of f32 multiplications: exact, rounded to the 10 bits of TF32, or to the 7 of bf16.
/// Sums are f32; with bf16 the results are rounded too.
enum class Precision : std::uint8_t { exact, tf32, bf16 }; ///< precision of f32 multiplications
/// "exact", "TF32", "bf16"
[[nodiscard]] std::string_view nameOf(Precision precision);

/// One of several algorithms for a request.
struct KernelAlgorithm {
    std::string engine; ///< name of the algorithm in its library
    Bytes workspace;    ///< scratch memory that the algorithm needs
    std::unique_ptr<Kernel> kernel;
};
struct KernelAlgorithms {
    std::string name; ///< the computation, which is the key of the fastest plan (PlansByName)
    std::vector<Bytes> inputs = {};  ///< size of each operand
    std::vector<Bytes> outputs = {}; ///< size of each result
    Bytes scratch = {};              ///< upper bound of all workspaces
    /// Returns all algorithms on the thread's current device. The first is used unless measurements
    /// prefer another.
    std::function<std::vector<KernelAlgorithm>()> make = {}; ///< makes all, the default one first
};

/// A maker's answer, derived from the request alone: it opens no device and compiles nothing.
struct KernelChoice {
    std::string implementation; ///< "onednn:jit:avx512_core", "reference": shown by explain
    Bytes scratch = {};
    Bytes staged = {};         ///< bytes copied to the host and back per run (device/staged.h)
    Bytes staging = {};        ///< pinned host memory needed for that, including scratch
    Bytes reorderedBytes = {}; ///< bytes that it writes to scratch and reads back for reorders
    int launches = 1;          ///< number of kernel launches per run
    Precision precision = Precision::exact; ///< filled in by the kernel chooser
    std::vector<Format> inputFormats = {};  ///< empty: the offered formats
    std::vector<Format> outputFormats = {}; ///< empty: plain
    /// Formats that would save the kernel a conversion; the producer or consumer may adopt them.
    /// Plain: no preference.
    std::vector<Format> preferredInputFormats = {};  ///< would save conversions; plain: any
    std::vector<Format> preferredOutputFormats = {}; ///< would save conversions; plain: any
    /// Makes a kernel that one caller runs at a time. Called on the thread of the stream that will
    /// run it.
    std::function<std::unique_ptr<Kernel>()> make = {}; ///< makes the chosen kernel
    std::shared_ptr<const KernelChoice> onHost = {};    ///< for a host fallback: what the host runs
    std::optional<KernelAlgorithms> ways = {}; ///< algorithms to choose from; none: only one
    std::optional<MeasuredPlan> measured = {}; ///< the plan to use; none: predicted time
};

struct Refusal { ///< why a maker cannot make a kernel
    std::string implementation;
    std::string reason; ///< "groups of 3 channels are not a multiple of 4"
};

using ChoiceOrRefusal = tl::expected<KernelChoice, Refusal>;

/// Makes kernels for an op or a fused group: "a+b" is a chain in which each op reads the one
/// before, "a*" is any number of independent ops of one kind, "a=" and "a+b=" are any number of ops
/// or chains that differ in their operands only.
struct KernelMaker {
    std::string op;
    std::string implementation;
    std::function<ChoiceOrRefusal(const KernelRequest&)> choose; ///< opens no device
    std::vector<DType> floating = {DType::f32}; ///< supported floating types; empty: all
    /// Returns which required library this machine lacks; empty: none. Devices that are not present
    /// are planned as if they had it.
    std::function<std::string()> lacks = {}; ///< names the library that is missing; empty: none
    /// False: the kernel does not support operands and results stored as bf16, and is only offered
    /// f32.
    bool takesBf16 = false; ///< operands and results may be f32 values stored as bf16
};

/// Kernels that only move elements support every type.
inline const std::vector<DType> anyType{};

/// Elementwise ops that one kernel may compute in a chain of any order and length, where each op
/// reads the previous result and all operands have one shape: "add+relu".
struct FreeChains {
    std::vector<std::string> ops = {};    ///< elementwise ops that may be chained in any order
    std::vector<KernelMaker> makers = {}; ///< make kernels for such chains

    [[nodiscard]] bool has(std::string_view op) const;
};

/// The makers of one backend, fastest first per op. A maker is only asked about element types that
/// it supports.
class KernelList {
public:
    void add(KernelMaker maker);
    void addForAny(KernelMaker maker); ///< for every op without makers of its own
    /// Adds a maker for chains of these ops that have no makers of their own.
    void addForChains(std::vector<std::string> ops, KernelMaker maker);
    [[nodiscard]] const FreeChains& freeChains() const { return freeChains_; }
    [[nodiscard]] std::span<const KernelMaker> of(const std::string& op) const; ///< its makers
    /// Returns the op's makers without those for every op, which cannot compute a repeat.
    [[nodiscard]] std::span<const KernelMaker> ownOf(const std::string& op) const;
    [[nodiscard]] std::vector<std::string> ops() const; ///< ops with makers of their own
    /// Returns why no maker can be used on a device, present or not; empty: one can.
    [[nodiscard]] std::string whyNone(bool isHere) const; ///< why no maker is usable; empty: one is

private:
    std::vector<std::pair<std::string, std::vector<KernelMaker>>> byOp_; ///< makers per op
    std::vector<KernelMaker> forAny_; ///< for ops without makers of their own
    FreeChains freeChains_;
};

/// Makes a kernel from a callable.
[[nodiscard]] std::unique_ptr<Kernel> makeKernel(std::function<void(const KernelArguments&)> run);

} // namespace weft
