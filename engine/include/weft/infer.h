// SPDX-License-Identifier: Apache-2.0
#pragma once
// A trained design applied to files: no loss, no targets, the numbers its last layers make. Plain
// values; takes as long as the examples do.

#include <weft/design.h>
#include <weft/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Examples for one input layer: .npy of [examples, ...], IDX (also .gz), a picture, or a folder or
/// list of pictures. Where the design learned frames of films, pictures are films as its source
/// reads its own, and what else it has from its source, such as where films begin, comes with them.
/// Where films begin need not be said of others: they are one film.
/// Bytes are taken for pictures and normalised as the design's data settings say; other numbers are
/// taken as they are.
struct InferenceInput {
    std::string layer = {}; ///< empty: the only input that the outputs need, or that takes pictures
    std::filesystem::path file;
};

struct InferenceRequest {
    Design design;
    std::filesystem::path folder = {};  ///< where the design's files are looked for
    std::filesystem::path weights = {}; ///< safetensors or a checkpoint, by layer name
    std::vector<InferenceInput> inputs;
    std::vector<std::string> devices = {};
    std::string backend = {};
    /// For layers with weights per batch element: the set to use for all examples, counted from 0;
    /// none: the sets in turn.
    std::optional<std::int64_t> element = {};
};

/// What one layer makes that nothing else takes in.
struct InferenceOutput {
    std::string name; ///< "fc2.y"
    Shape shape;      ///< [examples, ...]
    std::vector<float> numbers;
    bool operator==(const InferenceOutput&) const = default;
};

struct InferenceResult {
    std::int64_t examples = 0;
    std::vector<InferenceOutput> outputs;
    std::vector<std::string> classNames = {}; ///< of the data, where they are known
    bool operator==(const InferenceResult&) const = default;
};

/// An input layer that the outputs of a design need, and that is not told where films begin.
struct InferenceInputForm {
    std::string layer;
    Shape shape = {}; ///< of one example
    bool takesIds = false;
    /// What feeds it in training, and its shape; empty where the data is not here.
    std::string field = {};
    Shape fieldShape = {};
    bool operator==(const InferenceInputForm&) const = default;
};

/// How a trained design is asked, and what its answers are compared with.
struct InferenceForm {
    std::vector<InferenceInputForm> inputs;
    std::string labels = {}; ///< the field of the one class of each example; empty: there is none
    std::vector<std::string> classNames = {};
    bool operator==(const InferenceForm&) const = default;
};

/// Told by its graph and its data; `folder`: where its files are looked for. Error{design} where
/// errors keep it from running.
[[nodiscard]] InferenceForm askedForm(const Design& design, const std::filesystem::path& folder);

/// Error{design} naming the inputs where one is missing, Error{format} where a file does not fit
/// its input layer or the weights lack a parameter.
[[nodiscard]] InferenceResult infer(const InferenceRequest& request);

struct ClassGuess {
    std::int64_t index = 0;
    std::string name = {}; ///< its number where it has no name
    double confidence = 0; ///< from 0 to 1
    bool operator==(const ClassGuess&) const = default;
};
/// The likeliest classes of one example, by an output [examples, classes]: shares are taken as they
/// are, other scores through a softmax. Empty for outputs of another shape.
[[nodiscard]] std::vector<ClassGuess> likeliestClasses(const InferenceResult& inference,
                                                       const InferenceOutput& output,
                                                       std::int64_t example, std::size_t count);

/// As .npy.
void saveOutput(const InferenceOutput& output, const std::filesystem::path& file);

} // namespace weft
