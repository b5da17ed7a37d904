// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes with kernels outside any program: one op on whole values or on local parts, or a whole
// graph, with the reference backend in double unless told otherwise. Every buffer stands between
// guard bytes; a kernel that touches them, or changes an operand it does not share, is a failed
// invariant that names the op.

#include "device/backend.h"
#include "graph/op.h"
#include "optimizers/optimizer.h"
#include "support/tensor.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft::test {

/// The ops of this build and the example's.
[[nodiscard]] OpList allOps();
/// The optimizers of this build and the example's.
[[nodiscard]] OptimizerList allOptimizers();

/// How a kernel is called, beside its operands.
struct RunOptions {
    std::uint64_t randomKey = 1;
    int cores = 1;
    /// {input, output} pairs that share a buffer.
    std::vector<InPlacePair> inPlace = {};
    /// Content of the result buffers before the kernel runs.
    std::byte fill = std::byte{0xA5};
    /// Formats of the operands as offered; none: plain.
    std::vector<Format> formats = {};
    bool mayChooseFormats = true;
    /// Bytes by which buffers begin behind the backend's alignment.
    std::size_t shift = 0;
};

/// Runs kernels of one device of a backend.
class Oracle {
public:
    /// The first device of the reference backend, with the example's kernels.
    Oracle();
    Oracle(const Backend& backend, const std::string& device, int cores);

    [[nodiscard]] const KernelList& kernels() const { return backend_.kernels; }

    /// One op on parts, by the first kernel that accepts. `inputs` hold the numbers of the parts
    /// that `inputParts` describe, in plain order.
    [[nodiscard]] std::vector<Tensor> run(const std::string& op, const Attributes& attributes,
                                          const std::vector<Tensor>& inputs,
                                          const std::vector<TensorPart>& inputParts,
                                          const std::vector<TensorPart>& outputParts,
                                          const RunOptions& options = {});
    /// The same on whole values.
    [[nodiscard]] std::vector<Tensor> run(const std::string& op, const Attributes& attributes,
                                          const std::vector<Tensor>& inputs,
                                          const std::vector<TensorType>& outputs,
                                          const RunOptions& options = {});
    /// By a kernel of this choice: operands are brought into the formats it wants, results back to
    /// plain.
    [[nodiscard]] std::vector<Tensor> run(const KernelRequest& request, const KernelChoice& choice,
                                          const std::vector<Tensor>& inputs,
                                          const RunOptions& options = {});

private:
    Backend backend_;
    std::unique_ptr<Device> device_;
    std::unique_ptr<Stream> stream_;
    KernelList examples_; // kernels of ops that the engine does not have
};

/// The whole value as a part of itself.
[[nodiscard]] TensorPart wholePart(DType dtype, const Shape& shape);
/// Returns the request for a kernel on these parts.
[[nodiscard]] KernelRequest requestOf(const std::string& op, const Attributes& attributes,
                                      const std::vector<TensorPart>& inputs,
                                      const std::vector<TensorPart>& outputs,
                                      const RunOptions& options = {});

/// A plain tensor's bytes in another format; padding of blocks is zero.
[[nodiscard]] std::vector<std::byte> toFormat(const Tensor& plain, const Format& format);
[[nodiscard]] Tensor fromFormat(const std::vector<std::byte>& bytes, DType dtype,
                                const Shape& shape, const Format& format);

struct EvaluateOptions {
    /// In which all floating values are computed, whatever the graph says.
    DType precision = DType::f64;
    /// Seed of the run: for keys of random ops, and for feeds and slots that are not given.
    std::uint64_t seed = 1;
    /// Integer feeds that are not given are drawn below it.
    std::int64_t integersBelow = 4;
};

/// All values of a graph. What is given stands for feeds and slots by value; the others are drawn
/// by name: data and slots normal, arguments 1.
[[nodiscard]] std::map<ValueId, Tensor> evaluate(const Graph& graph, Oracle& oracle,
                                                 const std::map<ValueId, Tensor>& given = {},
                                                 const EvaluateOptions& options = {});

} // namespace weft::test
