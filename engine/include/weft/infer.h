// SPDX-License-Identifier: Apache-2.0
#pragma once
// Applies a trained design to files, without loss and targets, and returns the outputs of its last
// layers. Blocks until all examples are computed.

#include <weft/design.h>
#include <weft/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Examples for one input layer: .npy of [examples, ...], IDX (also .gz), a picture, or a folder or
/// list of pictures. If the design was trained on film frames, the pictures are read as films by
/// its data source, which also fills the other inputs that it feeds. Other data without film starts
/// counts as one film. Bytes are treated as pictures and normalised by the design's data settings;
/// other numbers are used unchanged.
struct InferenceInput {
    std::string layer = {}; ///< empty: the only input that the outputs need, or that takes pictures
    std::filesystem::path file;
};

struct InferenceRequest {
    Design design;
    std::filesystem::path folder = {};              ///< search folder of the design's files
    std::vector<std::filesystem::path> others = {}; ///< further search folders
    std::filesystem::path weights = {};             ///< safetensors or a checkpoint, by layer name
    std::vector<InferenceInput> inputs;
    std::vector<std::string> devices = {};    ///< empty: the design's, else cpu:0
    std::string backend = {};                 ///< replaces the devices' own backends
    std::optional<std::int64_t> element = {}; ///< set of weights to use; none: in turn
};

/// An output that no other layer consumes.
struct InferenceOutput {
    std::string name; ///< "fc2.y"
    Shape shape;      ///< [examples, ...]
    std::vector<float> numbers;
    bool operator==(const InferenceOutput&) const = default;
};

struct InferenceResult {
    std::int64_t examples = 0; ///< number of examples
    std::vector<InferenceOutput> outputs;
    std::vector<std::string> classNames = {}; ///< class names of the data, if known
    bool operator==(const InferenceResult&) const = default;
};

/// An input layer that the outputs need, except the input that marks film starts.
struct InferenceInputForm {
    std::string layer;      ///< name of the input layer
    Shape shape = {};       ///< shape of one example
    bool takesIds = false;  ///< true: integers, such as tokens; false: numbers
    std::string field = {}; ///< field that feeds it in training; empty: no data
    Shape fieldShape = {};  ///< shape of that field
    bool operator==(const InferenceInputForm&) const = default;
};

/// The inputs of a trained design and the labels to compare its answers with.
struct InferenceForm {
    std::vector<InferenceInputForm> inputs;
    std::string labels = {}; ///< field with the one class of each example; empty: none
    std::vector<std::string> classNames = {}; ///< empty: unknown
    bool operator==(const InferenceForm&) const = default;
};

/// Derives the form from the design's graph and data. `folder`, `others`: search folders of the
/// design's files. Throws Error{design} if errors keep the design from running.
[[nodiscard]] InferenceForm inferenceForm(const Design& design, const std::filesystem::path& folder,
                                          const std::vector<std::filesystem::path>& others = {});

/// Throws Error{design} naming the inputs if one is missing, and Error{format} if a file does not
/// fit its input layer or the weights lack a parameter.
[[nodiscard]] InferenceResult infer(const InferenceRequest& request);

struct ClassGuess {
    std::int64_t index = 0; ///< index of the class
    std::string name = {};  ///< the index as text if the class has no name
    double confidence = 0;  ///< from 0 to 1
    bool operator==(const ClassGuess&) const = default;
};
/// Returns the most likely classes of one example from an output [examples, classes]. Probabilities
/// are used unchanged; other scores pass through a softmax. Empty for other shapes.
[[nodiscard]] std::vector<ClassGuess> likeliestClasses(const InferenceResult& inference,
                                                       const InferenceOutput& output,
                                                       std::int64_t example, std::size_t count);

/// Saves the output as .npy.
void saveOutput(const InferenceOutput& output, const std::filesystem::path& file);

} // namespace weft
