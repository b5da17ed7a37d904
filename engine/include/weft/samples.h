// SPDX-License-Identifier: Apache-2.0
#pragma once
// A look into the data of a design: what its source holds, and some of its examples as numbers, as
// training sees them. Opens the files each time; nothing is kept.

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
    Shape shape = {};         ///< of one example; empty: one number
    std::int64_t classes = 0; ///< the values are ids below this; 0: no ids, or not known
    DType dtype = DType::f32; ///< as the source hands it out
    bool operator==(const SampleField&) const = default;
};

struct SampleSource {
    std::vector<SampleField> fields;
    std::vector<std::string> classNames;
    std::int64_t training = 0; ///< examples
    std::int64_t validation = 0;
    std::int64_t test = 0;
    bool operator==(const SampleSource&) const = default;
};

struct SampleRequest {
    DataSettings data;
    std::filesystem::path folder = {};              ///< where its files are looked for
    std::vector<std::filesystem::path> others = {}; ///< and then in these
};

/// What files, or a folder of them, are as the data of a design, told by their names and first
/// bytes. An empty source: none that is known.
[[nodiscard]] DataSettings recogniseData(const std::vector<std::filesystem::path>& files);
/// What it knows, in words: "IDX files", "NumPy arrays".
[[nodiscard]] std::vector<std::string> recognisedData();

/// Error{design} or Error{file} as for a run.
[[nodiscard]] SampleSource describeSamples(const SampleRequest& request);

struct Samples {
    SampleSet set = SampleSet::training; ///< where the numbers come from
    std::vector<TensorNumbers> fields;   ///< [examples, ...] each, in the order of the source's
    std::vector<std::string> classNames;
};
/// From the first on, at most so many; of the training set where the one asked for is not there.
[[nodiscard]] Samples readSamples(const SampleRequest& request, SampleSet set, std::int64_t first,
                                  std::int64_t count);

/// How many successive frames of a film an example has, as its channels; 1 where there are no
/// films.
[[nodiscard]] std::int64_t framesOf(const DataSettings& data);

/// Input layers take the fields that fit them, with their shapes; a dense layer before a loss has
/// as many units as there are classes.
void feedFrom(Design& design, const SampleSource& source, const std::vector<LayerKindInfo>& kinds);

} // namespace weft
