// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "run/execute/feeder.h"
#include <weft/samples.h>

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

DataFolders foldersOf(const SampleRequest& request) { return {request.folder, request.others}; }

TensorNumbers numbersOf(const Source& source, std::size_t field,
                        const std::vector<std::int64_t>& examples) {
    const Field& one = source.fields()[field];
    std::vector<std::byte> bytes(exampleBytes(one) * examples.size());
    source.read(examples, field, bytes);
    TensorNumbers numbers{one.name, one.shape, {}};
    numbers.shape.insert(numbers.shape.begin(), static_cast<std::int64_t>(examples.size()));
    numbers.numbers.resize(static_cast<std::size_t>(elementsOf(numbers.shape)));
    convertElements(one.dtype, bytes.data(), DType::f32,
                    reinterpret_cast<std::byte*>(numbers.numbers.data()),
                    elementsOf(numbers.shape));
    return numbers;
}

} // namespace

DataSettings recogniseData(const std::vector<std::filesystem::path>& files) {
    const OfferedFiles offered = offeredFiles(files);
    DataSettings data;
    for (const SourceKind& kind : sourceKinds()) {
        const bool isSome = !offered.names.empty() || !offered.inner.empty();
        auto attributes =
            kind.recognise == nullptr || !isSome ? std::nullopt : kind.recognise(offered);
        if (attributes) {
            data.source = kind.name;
            data.attributes = std::move(*attributes);
            break;
        }
    }
    return data;
}

std::vector<std::string> recognisedDataKinds() {
    std::vector<std::string> titles;
    for (const SourceKind& kind : sourceKinds()) {
        if (kind.recognise != nullptr) {
            titles.push_back(kind.title);
        }
    }
    return titles;
}

SampleSource describeSamples(const SampleRequest& request) {
    const DataDescription known = describeData(request.data, foldersOf(request), sourceKinds());
    SampleSource source;
    for (const Field& field : known.fields) {
        source.fields.push_back({field.name, field.shape, field.classes, field.dtype});
    }
    source.classNames = known.classNames;
    source.training = known.training;
    source.validation = known.validation;
    source.test = known.test;
    return source;
}

std::int64_t framesOf(const DataSettings& data) {
    const SourceList kinds = sourceKinds();
    const SourceKind* kind = findSourceKind(kinds, data.source);
    const bool hasFilms =
        kind != nullptr && std::ranges::any_of(kind->attributes, [](const AttributeSpec& spec) {
            return spec.name == "frames";
        });
    const AttributeValue* given = data.attributes.find("frames");
    const auto* frames = given == nullptr ? nullptr : std::get_if<std::int64_t>(given);
    return hasFilms && frames != nullptr ? std::max<std::int64_t>(*frames, 1) : 1;
}

Samples readSamples(const SampleRequest& request, SampleSet set, std::int64_t first,
                    std::int64_t count) {
    const Data data = openData(request.data, foldersOf(request), sourceKinds());
    Samples samples{set, {}, data.classNames};
    SourcePointer source = set == SampleSet::validation ? data.validation
                           : set == SampleSet::test     ? data.test
                                                        : data.training;
    if (source == nullptr) {
        source = data.training;
        samples.set = SampleSet::training;
    }
    const std::int64_t begin = std::clamp<std::int64_t>(first, 0, source->size());
    std::vector<std::int64_t> examples(
        static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, source->size() - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    for (std::size_t field = 0; field < source->fields().size(); ++field) {
        samples.fields.push_back(numbersOf(*source, field, examples));
    }
    return samples;
}

} // namespace weft
