// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads examples from a design's data source as numbers, exactly as training sees them. Opens the
// files on every call; nothing is cached.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/pictures.h>
#include <weft/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

enum class SampleSet : std::uint8_t { training, validation, test };

struct SampleField {
    std::string name;         ///< "images"
    Shape shape = {};         ///< shape of one example; empty: a scalar
    std::int64_t classes = 0; ///< the values are ids below this number; 0: no ids, or unknown
    DType dtype = DType::f32; ///< as the source returns it
    bool operator==(const SampleField&) const = default;
};

struct SampleSource {
    std::vector<SampleField> fields; ///< what an example consists of
    std::vector<std::string> classNames;
    std::int64_t training = 0;   ///< number of training examples
    std::int64_t validation = 0; ///< number of examples held out
    std::int64_t test = 0;       ///< number of test examples
    bool operator==(const SampleSource&) const = default;
};

struct SampleRequest {
    DataSettings data;                              ///< source and its attributes
    std::filesystem::path folder = {};              ///< search folder of the design's files
    std::vector<std::filesystem::path> others = {}; ///< further search folders
};

/// Recognises files or a folder as the data of a design, by names and first bytes. The source is
/// empty if they are unknown.
[[nodiscard]] DataSettings recogniseData(const std::vector<std::filesystem::path>& files);
/// Describes what `recogniseData` knows: "IDX files", "NumPy arrays".
[[nodiscard]] std::vector<std::string> recognisedDataKinds();

/// Throws Error{design} or Error{file} as a run does.
[[nodiscard]] SampleSource describeSamples(const SampleRequest& request);

struct Samples {
    SampleSet set = SampleSet::training; ///< the set that was read
    std::vector<TensorNumbers> fields;   ///< [examples, ...] each, in source order
    std::vector<std::string> classNames;
};
/// Reads up to `count` examples from `first` on; from the training set if the requested set does
/// not exist.
[[nodiscard]] Samples readSamples(const SampleRequest& request, SampleSet set, std::int64_t first,
                                  std::int64_t count);

/// The values of one field.
struct FieldFigures {
    std::string name;                   ///< name of the field
    double least = 0;                   ///< smallest value
    double most = 0;                    ///< largest value
    std::vector<double> mean = {};      ///< per channel or column
    std::vector<double> deviation = {}; ///< standard deviation per channel or column
};

/// What the training examples are like, before mean and std of the source are applied.
struct SampleFigures {
    std::int64_t examples = 0; ///< number of examples whose values were read
    std::vector<std::string> classNames = {};
    std::vector<std::int64_t> perClass = {}; ///< training examples per class; empty: no classes
    std::vector<FieldFigures> fields = {};   ///< those of floating-point numbers
};
/// Reads the values of up to `most` examples, spread over the training set, and all labels.
[[nodiscard]] SampleFigures measureSamples(const SampleRequest& request, std::int64_t most);
/// Returns the attributes mean and std with which the first field has mean 0 and standard deviation
/// 1. Throws Error{design} if the source has none.
[[nodiscard]] Attributes normalisationBy(const SampleFigures& figures, const DataSettings& data);

/// Returns how many successive film frames an example has as channels; 1 without films.
[[nodiscard]] std::int64_t framesOf(const DataSettings& data); ///< per example; 1: no films

/// Connects input layers to the fields that fit, and gives them the shapes. Also sets the units of
/// a dense layer before a loss to the number of classes.
void feedFrom(Design& design, const SampleSource& source, const std::vector<LayerKindInfo>& kinds);

} // namespace weft
