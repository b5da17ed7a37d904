// SPDX-License-Identifier: Apache-2.0
// Plans by cuDNN's graph interface.
#include "backends/cuda/cudnn/cudnn_library.h"
#include "backends/cuda/cudnn/cudnn_ways.h"
#include "backends/cuda/cudnn/plans.h"
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
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace weft::cuda::plans {

namespace {

using cudnn::Descriptor;
using cudnn::libraryFunctions;
using cudnn::NamedEngineConfig;
using cudnn::require;

using Four = std::array<std::int64_t, 4>;

/// Ids of the operands of a plan.
enum Operand : std::int64_t { firstOperand = 1, secondOperand, result, bias, addend, between };

Four plainSteps(const Four& dims) {
    return {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
}
Four channelsLastSteps(const Four& dims) {
    return {dims[1] * dims[2] * dims[3], 1, dims[3] * dims[1], dims[1]};
}

/// Type and layout of an operand.
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
    made.finalize("describing an operand");
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
    made.finalize("describing the windows of a convolution");
    return made;
}

/// True if windows exceed the map by different distances at begin and end, at stride 1, or if a
/// whole kernel fits into the padding.
bool hasOddPadding(const Convolution& c) {
    const auto isOdd = [](std::int32_t windows, std::int32_t stride, std::int32_t kernel,
                          std::int32_t dilation, std::int32_t before, std::int32_t size) {
        const std::int32_t extent = (kernel - 1) * dilation + 1;
        const std::int32_t after = std::max(0, (windows - 1) * stride + extent - before - size);
        return std::max(before, after) >= extent || (stride == 1 && before != after);
    };
    return isOdd(c.windowRows, c.strideRows, c.kernelRows, c.dilationRows, c.top, c.rows) ||
           isOdd(c.windowColumns, c.strideColumns, c.kernelColumns, c.dilationColumns, c.left,
                 c.columns);
}

/// A graph and the descriptors that it refers to.
struct Graph {
    std::vector<Descriptor> parts;
    std::vector<std::size_t> operations; ///< indices of the operations
    std::optional<Descriptor> whole;

    std::size_t add(Descriptor part) {
        parts.push_back(std::move(part));
        return parts.size() - 1;
    }
    void addOperation(Descriptor operation) {
        operation.finalize("describing an operation");
        operations.push_back(add(std::move(operation)));
    }
};

/// Library names of a pass: its descriptor, its operands x, w and y, and its windows.
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

/// Returns the operand ids of x, w and y.
std::array<std::int64_t, 3> placesOf(ConvolutionPass pass) {
    switch (pass) {
    case ConvolutionPass::inputGradient: return {result, secondOperand, firstOperand};
    case ConvolutionPass::weightGradient: return {firstOperand, result, secondOperand};
    case ConvolutionPass::forward: break;
    }
    return {firstOperand, secondOperand, result};
}

/// Adds y' = f(y, other), or f(y).
void addPointwise(Graph& graph, cudnnPointwiseMode_t mode, std::size_t from,
                  std::optional<std::size_t> other, std::size_t to) {
    Descriptor what(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    what.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    what.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    what.finalize("describing the ops after a convolution");
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
    graph.whole->finalize("describing a convolution");
    return graph;
}

/// Describes the thread's current GPU, or one with the given properties.
Descriptor propertiesOf(const std::string& properties) {
    Descriptor made(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
    if (properties.empty()) {
        std::int32_t number = 0;
        if (cudaGetDevice(&number) != cudaSuccess) {
            throw Error(ErrorCode::device, {}, "the thread has no current GPU",
                        "see `weft devices`");
        }
        made.set(CUDNN_ATTR_DEVICEPROP_DEVICE_ID, CUDNN_TYPE_INT32, number);
    } else {
        made.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                 std::span<const char>(properties));
    }
    made.finalize("describing a GPU");
    return made;
}

/// Executes plans on one GPU; one thread at a time.
struct Executor {
    cudnnHandle_t handle = nullptr;
    std::mutex mutex = {};

    Executor() { require(libraryFunctions().create(&handle), "initialising cuDNN"); }
    ~Executor() { (void)libraryFunctions().destroy(handle); }
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
};

/// Returns the executor of the thread's current GPU, shared by all plans for it.
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

class CudnnPlan final : public Plan {
public:
    /// The library does not promise to keep what a plan refers to, so the plan does.
    CudnnPlan(std::shared_ptr<const Graph> graph, NamedEngineConfig way,
              const PlannedEnding& ending)
        : graph_(std::move(graph)),
          way_(std::move(way)),
          plan_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR),
          ending_(ending) {
        plan_.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, way_.way);
        plan_.finalize("creating an execution plan");
        workspace_ =
            plan_.ask<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64);
        engine_ = cudnn::engineConfigName(way_.way);
        usesTensorCores_ = cudnn::usesTensorCores(way_.way);
    }
    void runBy(std::shared_ptr<Executor> executor) { executor_ = std::move(executor); }

    [[nodiscard]] const std::string& engine() const override { return engine_; }
    [[nodiscard]] std::int64_t workspace() const override { return workspace_; }
    [[nodiscard]] bool usesTensorCores() const override { return usesTensorCores_; }
    void run(const void* first, const void* second, const Ending& ending, void* to, void* workspace,
             StreamHandle stream) override {
        const Descriptor& operands =
            packOf({first, second, to, ending.bias, ending.addend, workspace});
        const std::scoped_lock lock(executor_->mutex);
        require(libraryFunctions().setStream(executor_->handle, stream),
                "launching an execution plan");
        require(libraryFunctions().execute(executor_->handle, plan_.get(), operands.get()),
                "launching an execution plan");
    }

private:
    using Addresses = std::array<const void*, 6>;
    struct Pack {
        Addresses addresses;
        Descriptor descriptor;
    };

    /// Returns the variant pack for these addresses. A program uses few sets of addresses, so each
    /// pack is created once.
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
        pack.finalize("passing operands to an execution plan");
        packs_.push_back({addresses, std::move(pack)});
        return packs_.back().descriptor;
    }

    std::shared_ptr<const Graph> graph_;
    NamedEngineConfig way_;
    Descriptor plan_;
    PlannedEnding ending_;
    std::int64_t workspace_ = 0;
    bool usesTensorCores_ = false;
    std::string engine_;
    std::shared_ptr<Executor> executor_;
    std::deque<Pack> packs_;
};

/// Makes the plans of one convolution.
class Planning {
public:
    Planning(const PlannedConvolution& planned, std::int64_t workspace,
             const std::string& properties)
        : planned_(planned),
          workspace_(workspace),
          runsHere_(properties.empty()),
          chip_(propertiesOf(properties)),
          graph_(std::make_shared<const Graph>(graphOf(planned))) {}

    /// Receives plans, fastest first, until it returns true.
    using Take = std::function<bool(std::unique_ptr<CudnnPlan> plan)>;

    void named(const std::string& name, const Take& take) const {
        if (std::optional<NamedEngineConfig> way =
                cudnn::engineConfigNamed(*graph_->whole, chip_, name)) {
            (void)offer(std::move(*way), take);
        }
    }

    /// Visits each configuration once, in the order of the library's heuristics; engine 0 is last,
    /// preceded, for few channels, by configurations without tensor cores.
    void all(const Take& take) const {
        std::set<std::string> known;
        std::vector<Descriptor> withoutTensorCores;
        std::vector<Descriptor> ofLastResort;
        for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK}) {
            for (Descriptor& way : cudnn::engineConfigsFor(*graph_->whole, chip_, mode)) {
                if (!known.insert(cudnn::engineConfigName(way)).second) {
                    continue;
                }
                if (cudnn::isFallbackEngine(way)) {
                    ofLastResort.push_back(std::move(way));
                } else if (wantsTensorCores() && !cudnn::usesTensorCores(way)) {
                    withoutTensorCores.push_back(std::move(way));
                } else if (offer({{}, std::move(way)}, take)) {
                    return;
                }
            }
        }
        for (std::vector<Descriptor>* late : {&withoutTensorCores, &ofLastResort}) {
            for (Descriptor& way : *late) {
                if (offer({{}, std::move(way)}, take)) {
                    return;
                }
            }
        }
    }

private:
    [[nodiscard]] bool wantsTensorCores() const {
        return planned_.precision != Precision::exact && hasFewChannels(planned_.of);
    }

    bool offer(NamedEngineConfig way, const Take& take) const {
        std::unique_ptr<CudnnPlan> plan = planBy(std::move(way));
        if (plan != nullptr && runsHere_) {
            plan->runBy(executorHere());
        }
        return plan != nullptr && take(std::move(plan));
    }

    /// True for weight gradients that an H100 with cuDNN 9.19 computed wrongly: engine 17 has
    /// errors of 1e-3 for 5x5 kernels in f32, and engine 1 reads outside the map if the padding is
    /// odd.
    [[nodiscard]] bool isWrong(const Descriptor& way) const {
        if (planned_.pass != ConvolutionPass::weightGradient) {
            return false;
        }
        const int engine = cudnn::engineNumber(way);
        return (engine == 17 && planned_.precision == Precision::exact) ||
               (engine == 1 && hasOddPadding(planned_.of));
    }

    /// Returns nullptr if the configuration is not allowed or needs too much workspace.
    [[nodiscard]] std::unique_ptr<CudnnPlan> planBy(NamedEngineConfig way) const {
        try {
            if (!cudnn::isAllowed(way.way, planned_.precision) || isWrong(way.way)) {
                return nullptr;
            }
            auto plan = std::make_unique<CudnnPlan>(graph_, std::move(way), planned_.ending);
            return plan->workspace() <= workspace_ ? std::move(plan) : nullptr;
        } catch (const Error&) {
            return nullptr; // unsupported by the GPU, which is only detected here
        }
    }

    const PlannedConvolution& planned_;
    std::int64_t workspace_;
    bool runsHere_;
    Descriptor chip_;
    std::shared_ptr<const Graph> graph_;
};

/// Passes the plans within the workspace to `take`. `engine`: only the plan of that name; empty:
/// all plans.
void everyPlan(const PlannedConvolution& planned, std::int64_t workspace, const std::string& engine,
               const std::string& properties, const Planning::Take& take) {
    if (!cudnn::whyUnusable().empty()) {
        return;
    }
    try {
        const Planning planning(planned, workspace, properties);
        if (engine.empty()) {
            planning.all(take);
        } else {
            planning.named(engine, take);
        }
    } catch (const Error&) {
        return; // not expressible in the library
    }
}

} // namespace

bool isLibraryBuiltIn() { return true; }

Library library() {
    const std::string& why = cudnn::whyUnusable();
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
        all.push_back(std::move(plan));
        return false;
    });
    return all;
}

} // namespace weft::cuda::plans
