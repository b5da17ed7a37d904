// SPDX-License-Identifier: Apache-2.0
// Products by cuBLASLt. The library's matrices are column-major and Weft's row-major, so c = a b is
// computed as c^T = b^T a^T: b is the library's A, a its B, and columns are its rows.
#include "backends/cuda/cublaslt/cublaslt_library.h"
#include "backends/cuda/cublaslt/products.h"
#include <weft/error.h>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace weft::cuda::products {

namespace {

using cublaslt::Layout;
using cublaslt::libraryFunctions;
using cublaslt::Operation;
using cublaslt::Preference;
using cublaslt::require;

/// A library handle for one GPU.
struct Executor {
    cublasLtHandle_t handle = nullptr;
    std::mutex mutex = {};

    Executor() { require(libraryFunctions().create(&handle), "initialising cuBLASLt"); }
    ~Executor() { (void)libraryFunctions().destroy(handle); }
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
};

/// Returns the handle for the thread's current GPU, shared by all plans for that GPU.
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

/// A matrix in the library's column-major storage, and whether to transpose it.
struct Stored {
    std::int64_t rows, columns, leading;
    bool isTransposed;
};

/// The operand [lines, terms] as a stored matrix: [lines, terms] if lines are contiguous, else
/// [terms, lines].
std::optional<Stored> storedOf(const OperandSteps& steps, std::int64_t lines, std::int64_t terms) {
    if (steps.term == 1 && (steps.row >= terms || lines == 1)) {
        return Stored{terms, lines, std::max(steps.row, terms), true};
    }
    if (steps.row == 1 && (steps.term >= lines || terms == 1)) {
        return Stored{lines, terms, std::max(steps.term, lines), false};
    }
    return std::nullopt;
}

cudaDataType_t typeOf(bool isHalved) { return isHalved ? CUDA_R_16BF : CUDA_R_32F; }

cublasOperation_t operationOf(bool isTransposed) {
    return isTransposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

cublasLtEpilogue_t epilogueOf(const ProductEnding& ending) {
    if (ending.hasBias) {
        return ending.hasRelu ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_BIAS;
    }
    return ending.hasRelu ? CUBLASLT_EPILOGUE_RELU : CUBLASLT_EPILOGUE_DEFAULT;
}

/// Descriptors of one product.
struct Described {
    Operation operation;
    Layout left, right, result; ///< the library's A, B, and C and D
};

std::optional<Described> described(const LibraryProduct& product) {
    const auto& [sets, rows, columns, terms] = product.of.size;
    const auto left = storedOf(product.of.b, columns, terms);
    const auto right = storedOf(product.of.a, rows, terms);
    if (!left || !right) {
        return std::nullopt;
    }
    const bool isHalved = product.precision == Precision::bf16;
    const cudaDataType_t type = typeOf(isHalved);
    const auto layout = [](cudaDataType_t of, const Stored& stored) {
        return Layout(of, static_cast<std::uint64_t>(stored.rows),
                      static_cast<std::uint64_t>(stored.columns), stored.leading);
    };
    Described made{Operation(product.precision == Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                                  : CUBLAS_COMPUTE_32F,
                             CUDA_R_32F),
                   layout(type, *left), layout(type, *right),
                   layout(typeOf(product.makesBf16), {columns, rows, product.of.resultRow, false})};
    // A must be [columns, terms], B [terms, rows].
    made.operation.set(CUBLASLT_MATMUL_DESC_TRANSA, operationOf(left->isTransposed));
    made.operation.set(CUBLASLT_MATMUL_DESC_TRANSB, operationOf(!right->isTransposed));
    made.operation.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogueOf(product.ending));
    if (product.ending.hasBias) {
        // The heuristic only uses the alignment of the address.
        const void* const aligned = reinterpret_cast<const void*>(productAlignment);
        made.operation.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, aligned);
        const auto ofBias = static_cast<std::int32_t>(typeOf(product.makesBf16));
        made.operation.set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, ofBias);
    }
    if (sets > 1) {
        for (Layout* const each : {&made.left, &made.right, &made.result}) {
            each->set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(sets));
        }
    }
    return made;
}

/// Sets the strides between sets.
void setSteps(Described& of, const LibraryProduct& product, const ProductOperands& operands) {
    of.left.set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, operands.stepOfB);
    of.right.set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, operands.stepOfA);
    of.result.set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, operands.stepOfResult);
    if (product.ending.hasBias) {
        of.operation.set(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, operands.stepOfBias);
    }
}

template <class T>
T configOf(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t name) {
    T value{};
    std::size_t written = 0;
    const cublasStatus_t status =
        libraryFunctions().configOf(&algorithm, name, &value, sizeof value, &written);
    return status == CUBLAS_STATUS_SUCCESS ? value : T{};
}

/// True if the algorithm is deterministic: sums are whole, or in parts that are added in the
/// workspace afterwards. Exact products never use tensor cores.
bool isAllowed(const cublasLtMatmulAlgo_t& algorithm, Precision precision) {
    const auto scheme = configOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME);
    if (scheme != CUBLASLT_REDUCTION_SCHEME_NONE &&
        scheme != CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE) {
        return false;
    }
    std::uint64_t flags = 0;
    std::size_t written = 0;
    const cublasStatus_t status = libraryFunctions().capabilityOf(
        &algorithm, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, &flags, sizeof flags, &written);
    return precision != Precision::exact || status != CUBLAS_STATUS_SUCCESS ||
           (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_TENSOR_OP_MASK) == 0;
}

std::string nameOf(const cublasLtMatmulAlgo_t& algorithm) {
    const auto wide = [&](cublasLtMatmulAlgoConfigAttributes_t name) {
        return configOf<std::uint32_t>(algorithm, name);
    };
    const auto narrow = [&](cublasLtMatmulAlgoConfigAttributes_t name) {
        return configOf<std::uint16_t>(algorithm, name);
    };
    return fmt::format(
        "algorithm {}, tile {}, stages {}, slices {}, reduction {}, swizzle {}, option {}, shape "
        "{}, cluster {}",
        wide(CUBLASLT_ALGO_CONFIG_ID), wide(CUBLASLT_ALGO_CONFIG_TILE_ID),
        wide(CUBLASLT_ALGO_CONFIG_STAGES_ID), wide(CUBLASLT_ALGO_CONFIG_SPLITK_NUM),
        wide(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME), wide(CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING),
        wide(CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION), narrow(CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID),
        narrow(CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID));
}

class CublasLtPlan final : public ProductPlan {
public:
    CublasLtPlan(const LibraryProduct& product, Described of,
                 const cublasLtMatmulHeuristicResult_t& result, std::shared_ptr<Executor> executor)
        : product_(product),
          of_(std::move(of)),
          algorithm_(result.algo),
          workspace_(result.workspaceSize),
          name_(products::nameOf(result.algo)),
          executor_(std::move(executor)) {}

    [[nodiscard]] const std::string& algorithm() const override { return name_; }
    [[nodiscard]] std::int64_t workspace() const override {
        return static_cast<std::int64_t>(workspace_);
    }
    void run(const ProductOperands& operands, void* workspace, StreamHandle stream) override {
        if (product_.of.size.sets > 1) {
            setSteps(of_, product_, operands);
        }
        if (product_.ending.hasBias) {
            of_.operation.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands.bias);
        }
        const bool adds = product_.ending.hasAddend;
        const float alpha = 1;
        const float beta = adds ? 1 : 0;
        const std::scoped_lock lock(executor_->mutex);
        require(libraryFunctions().multiply(executor_->handle, of_.operation.get(), &alpha,
                                            operands.b, of_.left.get(), operands.a, of_.right.get(),
                                            &beta, adds ? operands.addend : operands.result,
                                            of_.result.get(), operands.result, of_.result.get(),
                                            &algorithm_, workspace, workspace_, stream),
                "launching a matrix product");
    }

private:
    LibraryProduct product_;
    Described of_;
    cublasLtMatmulAlgo_t algorithm_;
    std::size_t workspace_; ///< in bytes
    std::string name_;
    std::shared_ptr<Executor> executor_;
};

Preference preferenceFor(std::int64_t workspace) {
    Preference preference;
    preference.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(workspace));
    constexpr std::uint32_t schemes =
        CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    preference.set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes);
    for (const auto name :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
        preference.set(name, static_cast<std::uint32_t>(productAlignment));
    }
    return preference;
}

tl::unexpected<std::string> refused(std::string why) { return tl::unexpected(std::move(why)); }

/// The library counts sizes in 32 bits.
bool isCountable(const ProductSize& size) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    return std::max({size.sets, size.rows, size.columns, size.terms}) <= most &&
           std::min({size.sets, size.rows, size.columns, size.terms}) > 0;
}

/// Number of parts for split-k: a small result has too few tiles to fill a GPU. 1: whole sums.
std::uint32_t slicesFor(const LibraryProduct& product) {
    constexpr std::int64_t tile = 128;        // approximate tile size of the library
    constexpr std::int64_t enoughTiles = 128; // number that fills a GPU of 100 multiprocessors
    constexpr std::int64_t leastTerms = 256;  // minimum number of summands per part
    const ProductSize& size = product.of.size;
    if (product.ending.hasBias || product.ending.hasAddend || product.ending.hasRelu) {
        return 1;
    }
    const std::int64_t tiles =
        size.sets * ((size.rows + tile - 1) / tile) * ((size.columns + tile - 1) / tile);
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(std::min(enoughTiles / tiles, size.terms / leastTerms), 1, 64));
}

/// Returns the split-k variant of the algorithm, whose parts are added in the workspace in order;
/// nothing if the library has none within the workspace.
std::optional<cublasLtMatmulHeuristicResult_t> sliced(const cublasLtMatmulHeuristicResult_t& whole,
                                                      std::uint32_t slices, const Described& of,
                                                      std::size_t workspace,
                                                      const Executor& executor) {
    if (configOf<std::uint32_t>(whole.algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM) > 1) {
        return std::nullopt; // the library already splits it
    }
    for (; slices > 1; slices /= 2) {
        cublasLtMatmulAlgo_t algorithm = whole.algo;
        const std::uint32_t scheme = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
        cublasLtMatmulHeuristicResult_t result{};
        const bool isThere =
            libraryFunctions().setConfigOf(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &slices,
                                           sizeof slices) == CUBLAS_STATUS_SUCCESS &&
            libraryFunctions().setConfigOf(&algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME,
                                           &scheme, sizeof scheme) == CUBLAS_STATUS_SUCCESS &&
            libraryFunctions().check(executor.handle, of.operation.get(), of.left.get(),
                                     of.right.get(), of.result.get(), of.result.get(), &algorithm,
                                     &result) == CUBLAS_STATUS_SUCCESS &&
            result.workspaceSize <= workspace;
        if (isThere) {
            result.algo = algorithm;
            return result;
        }
    }
    return std::nullopt;
}

tl::expected<std::unique_ptr<ProductPlan>, std::string> firstAllowed(const LibraryProduct& product,
                                                                     std::int64_t workspace) {
    auto of = described(product);
    if (!of) {
        return refused("the library does not support the memory formats of the operands");
    }
    if (product.of.size.sets > 1) {
        const MatrixProduct& p = product.of;
        setSteps(*of, product,
                 {.stepOfA = p.a.set, .stepOfB = p.b.set, .stepOfResult = p.resultSet});
    }
    const Preference preference = preferenceFor(workspace);
    const std::shared_ptr<Executor> executor = executorHere();
    std::array<cublasLtMatmulHeuristicResult_t, 16> offered{};
    int count = 0;
    const cublasStatus_t status = [&] {
        const std::scoped_lock lock(executor->mutex);
        return libraryFunctions().heuristic(executor->handle, of->operation.get(), of->left.get(),
                                            of->right.get(), of->result.get(), of->result.get(),
                                            preference.get(), static_cast<int>(offered.size()),
                                            offered.data(), &count);
    }();
    if (status != CUBLAS_STATUS_SUCCESS) {
        return refused(fmt::format("cuBLASLt returned {}", libraryFunctions().statusName(status)));
    }
    for (int k = 0; k < count; ++k) {
        const auto& one = offered.at(static_cast<std::size_t>(k));
        if (one.state == CUBLAS_STATUS_SUCCESS && isAllowed(one.algo, product.precision) &&
            one.workspaceSize <= static_cast<std::size_t>(workspace)) {
            const auto inSlices = sliced(one, slicesFor(product), *of,
                                         static_cast<std::size_t>(workspace), *executor);
            return std::make_unique<CublasLtPlan>(product, std::move(*of), inSlices.value_or(one),
                                                  executor);
        }
    }
    return refused(fmt::format("none of {} algorithms of cuBLASLt sums in a fixed order", count));
}

} // namespace

bool isLibraryBuiltIn() { return true; }

Library library() {
    const std::string& why = cublaslt::whyUnusable();
    return {.version = why.empty() ? cublaslt::versionName() : "", .why = why};
}

tl::expected<std::unique_ptr<ProductPlan>, std::string> make(const LibraryProduct& product,
                                                             std::int64_t workspace) {
    if (!cublaslt::whyUnusable().empty()) {
        return refused(cublaslt::whyUnusable());
    }
    if (!isCountable(product.of.size)) {
        return refused("the product is empty, or a size exceeds 32 bits");
    }
    try {
        return firstAllowed(product, workspace);
    } catch (const Error& error) {
        return refused(error.what());
    }
}

} // namespace weft::cuda::products
