// SPDX-License-Identifier: Apache-2.0
// Plans by cuDNN's graph interface.
#include "backends/cuda/cudnn_library.h"
#include "backends/cuda/plans.h"
#include <weft/error.h>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weft::cuda::plans {

namespace {

using cudnn::Descriptor;
using cudnn::entries;
using cudnn::require;

using Four = std::array<std::int64_t, 4>;

/// By what a plan knows its operands when it runs.
enum Operand : std::int64_t { firstOperand = 1, secondOperand, result, bias, addend, between };

Four plainSteps(const Four& dims) {
    return {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
}
Four channelsLastSteps(const Four& dims) {
    return {dims[1] * dims[2] * dims[3], 1, dims[3] * dims[1], dims[1]};
}

/// How an operand is: of halves, or f32; channels-last, or plain.
struct Kind {
    bool isHalved = false, isLast = false;
};

Descriptor tensor(std::int64_t id, const Four& dims, const Kind& kind, bool isBetween) {
    Descriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
    made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE,
             kind.isHalved ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT);
    made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(dims));
    const Four steps = kind.isLast ? channelsLastSteps(dims) : plainSteps(dims);
    made.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::span<const std::int64_t>(steps));
    made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64,
             static_cast<std::int64_t>(planAlignment));
    made.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, isBetween);
    made.finalize("an operand is described");
    return made;
}

Descriptor windows(const Convolution& c) {
    const auto after = [](std::int32_t windows, std::int32_t stride, std::int32_t kernel,
                          std::int32_t dilation, std::int32_t before, std::int32_t size) {
        const std::int64_t span =
            std::int64_t{windows - 1} * stride + std::int64_t{kernel - 1} * dilation + 1;
        return std::max<std::int64_t>(0, span - before - size);
    };
    using Two = std::array<std::int64_t, 2>;
    const Two pre{c.top, c.left};
    const Two post{after(c.windowRows, c.strideRows, c.kernelRows, c.dilationRows, c.top, c.rows),
                   after(c.windowColumns, c.strideColumns, c.kernelColumns, c.dilationColumns,
                         c.left, c.columns)};
    const Two stride{c.strideRows, c.strideColumns};
    const Two dilation{c.dilationRows, c.dilationColumns};
    Descriptor made(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    made.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
             CUDNN_CROSS_CORRELATION);
    made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t{2});
    for (const auto& [name, values] : {std::pair{CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, &pre},
                                       std::pair{CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, &post},
                                       std::pair{CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, &stride},
                                       std::pair{CUDNN_ATTR_CONVOLUTION_DILATIONS, &dilation}}) {
        made.set(name, CUDNN_TYPE_INT64, std::span<const std::int64_t>(*values));
    }
    made.finalize("windows are described");
    return made;
}

/// What a graph is made of, kept for as long as it is.
struct Graph {
    std::vector<Descriptor> parts;
    std::vector<std::size_t> operations; ///< which of them
    std::optional<Descriptor> whole;

    std::size_t add(Descriptor part) {
        parts.push_back(std::move(part));
        return parts.size() - 1;
    }
    void addOperation(Descriptor operation) {
        operation.finalize("an operation is described");
        operations.push_back(add(std::move(operation)));
    }
};

/// Attributes of a pass: its descriptor, what takes x, w and y, and the windows.
struct PassNames {
    cudnnBackendDescriptorType_t operation;
    cudnnBackendAttributeName_t x, w, y, windows, alpha, beta;
};
PassNames namesOf(ConvolutionPass pass) {
    switch (pass) {
    case ConvolutionPass::inputGradient:
        return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
    case ConvolutionPass::weightGradient:
        return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
    case ConvolutionPass::forward: break;
    }
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
}

/// Of which operand x, w and y are.
std::array<std::int64_t, 3> placesOf(ConvolutionPass pass) {
    switch (pass) {
    case ConvolutionPass::inputGradient: return {result, secondOperand, firstOperand};
    case ConvolutionPass::weightGradient: return {firstOperand, result, secondOperand};
    case ConvolutionPass::forward: break;
    }
    return {firstOperand, secondOperand, result};
}

/// y' = f(y, other), or f(y).
void addPointwise(Graph& graph, cudnnPointwiseMode_t mode, std::size_t from,
                  std::optional<std::size_t> other, std::size_t to) {
    Descriptor what(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    what.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    what.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    what.finalize("what follows a convolution is described");
    Descriptor operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, what);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, graph.parts[from]);
    if (other) {
        operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, graph.parts[*other]);
    }
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, graph.parts[to]);
    graph.add(std::move(what));
    graph.addOperation(std::move(operation));
}

Graph graphOf(const PlannedConvolution& planned) {
    const Convolution& c = planned.of;
    const Four x{c.batch, std::int64_t{c.groups} * c.inputs, c.rows, c.columns};
    const Four w{std::int64_t{c.groups} * c.outputs, c.inputs, c.kernelRows, c.kernelColumns};
    const Four y{c.batch, std::int64_t{c.groups} * c.outputs, c.windowRows, c.windowColumns};
    const auto [ofX, ofW, ofY] = placesOf(planned.pass);
    const PlannedEnding& ending = planned.ending;
    int steps = int{ending.hasBias} + int{ending.hasAddend} + int{ending.hasRelu};

    const bool isHalved = planned.precision == Precision::bf16;
    const auto operand = [isHalved](std::int64_t id, const Four& dims, bool isLast,
                                    bool isBetween = false) {
        return tensor(id, dims, {isHalved, isLast}, isBetween);
    };

    Graph graph;
    std::int64_t id = between;
    const auto addResult = [&] {
        return graph.add(steps == 0 ? operand(result, y, c.isYLast)
                                    : operand(id++, y, c.isYLast, true));
    };
    const std::size_t map = graph.add(operand(ofX, x, c.isXLast));
    const std::size_t filters = graph.add(operand(ofW, w, c.isWLast));
    std::size_t at = steps == 0 ? graph.add(operand(ofY, y, c.isYLast)) : addResult();
    const std::size_t over = graph.add(windows(c));
    const PassNames names = namesOf(planned.pass);
    Descriptor convolution(names.operation);
    convolution.set(names.x, graph.parts[map]);
    convolution.set(names.w, graph.parts[filters]);
    convolution.set(names.y, graph.parts[at]);
    convolution.set(names.windows, graph.parts[over]);
    convolution.set(names.alpha, CUDNN_TYPE_FLOAT, 1.0F);
    convolution.set(names.beta, CUDNN_TYPE_FLOAT, 0.0F);
    graph.addOperation(std::move(convolution));

    const auto follow = [&](cudnnPointwiseMode_t mode, std::optional<std::size_t> other) {
        --steps;
        const std::size_t to = addResult();
        addPointwise(graph, mode, at, other, to);
        at = to;
    };
    if (ending.hasAddend) {
        follow(CUDNN_POINTWISE_ADD, graph.add(operand(addend, y, c.isYLast)));
    }
    if (ending.hasBias) {
        follow(CUDNN_POINTWISE_ADD, graph.add(operand(bias, {1, y[1], 1, 1}, c.isYLast)));
    }
    if (ending.hasRelu) {
        follow(CUDNN_POINTWISE_RELU_FWD, std::nullopt);
    }
    std::vector<cudnnBackendDescriptor_t> operations;
    operations.reserve(graph.operations.size());
    for (const std::size_t one : graph.operations) {
        operations.push_back(graph.parts[one].get());
    }
    graph.whole.emplace(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph.whole->set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                     std::span<const cudnnBackendDescriptor_t>(operations));
    graph.whole->finalize("a convolution is described");
    return graph;
}

/// Of the chip that this thread uses, or of one with such properties.
Descriptor propertiesOf(const std::string& properties) {
    Descriptor made(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
    if (properties.empty()) {
        std::int32_t number = 0;
        if (cudaGetDevice(&number) != cudaSuccess) {
            throw Error(ErrorCode::device, {}, "no device is in use", "see `weft devices`");
        }
        made.set(CUDNN_ATTR_DEVICEPROP_DEVICE_ID, CUDNN_TYPE_INT32, number);
    } else {
        made.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                 std::span<const char>(properties));
    }
    made.finalize("a chip is described");
    return made;
}

/// Ways to compute a graph, as the library expects them from fast to slow.
std::vector<Descriptor> waysTo(const Graph& graph, const Descriptor& chip,
                               cudnnBackendHeurMode_t mode) {
    Descriptor asked(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    asked.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, *graph.whole);
    asked.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
    asked.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, chip);
    asked.finalize("ways to compute a convolution");
    const std::int64_t count =
        asked.ask(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                  std::span<cudnnBackendDescriptor_t>{});
    std::vector<Descriptor> ways;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::int64_t k = 0; k < count; ++k) {
        ways.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
        raw.push_back(ways.back().get());
    }
    const std::int64_t given =
        asked.ask(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                  std::span<cudnnBackendDescriptor_t>(raw));
    while (std::cmp_greater(ways.size(), given)) {
        ways.pop_back();
    }
    return ways;
}

Descriptor engineOf(const Descriptor& way) {
    Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t raw = engine.get();
    (void)way.ask(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                  std::span<cudnnBackendDescriptor_t>(&raw, 1));
    return engine;
}

/// True where the library says of an engine what is not wanted.
template <class Note, std::size_t most, class IsUnwanted>
bool isNoted(const Descriptor& engine, cudnnBackendAttributeName_t name,
             cudnnBackendAttributeType_t type, IsUnwanted&& isUnwanted) {
    std::array<Note, most> notes{};
    const std::int64_t count = engine.ask(name, type, std::span<Note>(notes));
    return std::any_of(notes.begin(), notes.begin() + count, isUnwanted);
}

/// The same bits each time, f32 as it is unless less was asked for, and nothing that is compiled
/// when a run begins.
bool isAllowed(const Descriptor& engine, Precision precision) {
    const auto isInexact = [&](cudnnBackendNumericalNote_t note) {
        switch (note) {
        case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
        case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION: return true;
        case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
        case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS: return precision == Precision::exact;
        default: return false;
        }
    };
    const auto isCompiled = [](cudnnBackendBehaviorNote_t note) {
        return note == CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION;
    };
    return !isNoted<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT>(
               engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, isInexact) &&
           !isNoted<cudnnBackendBehaviorNote_t, CUDNN_BEHAVIOR_NOTE_TYPE_COUNT>(
               engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE, isCompiled);
}

/// What executes plans on one chip; one thread at a time.
struct Executor {
    cudnnHandle_t handle = nullptr;
    std::mutex mutex = {};

    Executor() { require(entries().create(&handle), "the library is set up for a device"); }
    ~Executor() { (void)entries().destroy(handle); }
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
};

/// Of the chip that this thread uses, shared by all plans that there are for it.
std::shared_ptr<Executor> executorHere() {
    static std::mutex mutex;
    static std::map<int, std::weak_ptr<Executor>> all;
    int number = 0;
    (void)cudaGetDevice(&number);
    const std::scoped_lock lock(mutex);
    std::shared_ptr<Executor> executor = all[number].lock();
    if (executor == nullptr) {
        executor = std::make_shared<Executor>();
        all[number] = executor;
    }
    return executor;
}

/// "engine 28, 2=1 3=5": its number, and the values of what can be set of it.
std::string nameOfWay(const Descriptor& way, const Descriptor& engine) {
    std::string name = fmt::format(
        "engine {}", engine.ask<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64));
    const std::int64_t count =
        way.ask(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                std::span<cudnnBackendDescriptor_t>{});
    std::vector<Descriptor> knobs;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::int64_t k = 0; k < count; ++k) {
        knobs.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
        raw.push_back(knobs.back().get());
    }
    (void)way.ask(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                  std::span<cudnnBackendDescriptor_t>(raw));
    for (const Descriptor& knob : knobs) {
        name += fmt::format(
            "{}{}={}", &knob == &knobs.front() ? ", " : " ",
            static_cast<int>(knob.ask<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE,
                                                              CUDNN_TYPE_KNOB_TYPE)),
            knob.ask<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64));
    }
    return name;
}

class CudnnPlan final : public Plan {
public:
    CudnnPlan(const Descriptor& way, const PlannedEnding& ending)
        : plan_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR), ending_(ending) {
        plan_.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, way);
        plan_.finalize("a plan is made");
        workspace_ =
            plan_.ask<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64);
        engine_ = nameOfWay(way, engineOf(way));
    }
    void runBy(std::shared_ptr<Executor> executor) { executor_ = std::move(executor); }

    [[nodiscard]] const std::string& engine() const override { return engine_; }
    [[nodiscard]] std::int64_t workspace() const override { return workspace_; }
    void run(const void* first, const void* second, const Ending& ending, void* to, void* workspace,
             Stream stream) override {
        const Descriptor& operands =
            packOf({first, second, to, ending.bias, ending.addend, workspace});
        const std::scoped_lock lock(executor_->mutex);
        require(entries().setStream(executor_->handle, stream), "a plan is launched");
        require(entries().execute(executor_->handle, plan_.get(), operands.get()),
                "a plan is launched");
    }

private:
    using Addresses = std::array<const void*, 6>;
    struct Pack {
        Addresses addresses;
        Descriptor descriptor;
    };

    /// Of operands and workspace: made once for each set of addresses, of which a program has few.
    const Descriptor& packOf(const Addresses& addresses) {
        const auto known = std::ranges::find(packs_, addresses, &Pack::addresses);
        if (known != packs_.end()) {
            return known->descriptor;
        }
        const auto [first, second, to, ofBias, ofAddend, workspace] = addresses;
        std::vector<std::int64_t> ids{firstOperand, secondOperand, result};
        std::vector<const void*> pointers{first, second, to};
        if (ending_.hasBias) {
            ids.push_back(bias);
            pointers.push_back(ofBias);
        }
        if (ending_.hasAddend) {
            ids.push_back(addend);
            pointers.push_back(ofAddend);
        }
        Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
        pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64,
                 std::span<const std::int64_t>(ids));
        pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
                 std::span<const void* const>(pointers));
        pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
        pack.finalize("operands of a plan");
        packs_.push_back({addresses, std::move(pack)});
        return packs_.back().descriptor;
    }

    Descriptor plan_;
    PlannedEnding ending_;
    std::int64_t workspace_ = 0;
    std::string engine_;
    std::shared_ptr<Executor> executor_;
    std::deque<Pack> packs_;
};

/// None: this way is closed, or wants more.
std::unique_ptr<CudnnPlan> planBy(const Descriptor& way, const PlannedConvolution& planned,
                                  std::int64_t workspace) {
    try {
        if (!isAllowed(engineOf(way), planned.precision)) {
            return nullptr;
        }
        auto plan = std::make_unique<CudnnPlan>(way, planned.ending);
        return plan->workspace() <= workspace ? std::move(plan) : nullptr;
    } catch (const Error&) {
        return nullptr; // what a chip cannot do shows only here
    }
}

/// Until it says that it has had enough.
using Take = std::function<bool(std::unique_ptr<CudnnPlan> plan)>;

/// Ways are tried as the library expects them from fast to slow: their plans, which take no more
/// workspace than this. `engine`: those that it calls so; empty: all.
void everyPlan(const PlannedConvolution& planned, std::int64_t workspace, const std::string& engine,
               const std::string& properties, const Take& take) {
    if (!cudnn::whyNone().empty()) {
        return;
    }
    try {
        const Descriptor chip = propertiesOf(properties);
        const Graph graph = graphOf(planned);
        for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
            for (const Descriptor& way : waysTo(graph, chip, mode)) {
                if (!engine.empty() && nameOfWay(way, engineOf(way)) != engine) {
                    continue;
                }
                auto plan = planBy(way, planned, workspace);
                if (plan != nullptr && properties.empty()) {
                    plan->runBy(executorHere());
                }
                if (plan != nullptr && take(std::move(plan))) {
                    return;
                }
            }
        }
    } catch (const Error&) {
        return; // what the library cannot describe
    }
}

} // namespace

bool areBuiltIn() { return true; }

Library library() {
    const std::string& why = cudnn::whyNone();
    return {.version = why.empty() ? cudnn::versionName() : "", .why = why};
}

std::unique_ptr<Plan> make(const PlannedConvolution& convolution, std::int64_t workspace,
                           const std::string& properties, const std::string& engine) {
    std::unique_ptr<Plan> first;
    everyPlan(convolution, workspace, engine, properties, [&](std::unique_ptr<CudnnPlan> plan) {
        first = std::move(plan);
        return true;
    });
    return first;
}

std::vector<std::unique_ptr<Plan>> makeAll(const PlannedConvolution& convolution,
                                           std::int64_t workspace, const std::string& properties) {
    std::vector<std::unique_ptr<Plan>> all;
    everyPlan(convolution, workspace, "", properties, [&](std::unique_ptr<CudnnPlan> plan) {
        if (std::ranges::none_of(
                all, [&](const auto& known) { return known->engine() == plan->engine(); })) {
            all.push_back(std::move(plan));
        }
        return false;
    });
    return all;
}

} // namespace weft::cuda::plans
