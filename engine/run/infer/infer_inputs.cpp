// SPDX-License-Identifier: Apache-2.0
#include "run/infer/infer_inputs.h"

#include "data/arrays/array.h"
#include "data/open.h"
#include "data/tables/table_head.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace weft {

namespace {

/// An array as a source of one field.
class ArraySource final : public Source {
public:
    ArraySource(std::string name, Array array)
        : array_(std::move(array)),
          fields_{{std::move(name), array_.dtype,
                   Shape(array_.shape.begin() + 1, array_.shape.end())}} {}

    [[nodiscard]] std::int64_t size() const override { return array_.shape.front(); }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields_[field]);
        std::byte* to = destination.data();
        for (const std::int64_t example : examples) {
            std::memcpy(to, array_.bytes.data() + static_cast<std::size_t>(example) * bytes, bytes);
            to += bytes;
        }
    }

private:
    Array array_;
    std::vector<Field> fields_;
};

/// The source and field that feed one input.
struct InputFeed {
    SourcePointer source;
    std::size_t field = 0;
};

/// A source with a field per input layer, named after the layer.
class InputSource final : public Source {
public:
    InputSource(const std::vector<ExampleForm>& forms, std::vector<InputFeed> feeds)
        : feeds_(std::move(feeds)) {
        for (std::size_t k = 0; k < feeds_.size(); ++k) {
            fields_.push_back(feeds_[k].source->fields()[feeds_[k].field]);
            fields_.back().name = forms[k].layer;
        }
    }

    [[nodiscard]] std::int64_t size() const override { return feeds_.front().source->size(); }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        feeds_[field].source->read(examples, feeds_[field].field, destination);
    }

private:
    std::vector<InputFeed> feeds_;
    std::vector<Field> fields_;
};

class InputOpening {
public:
    InputOpening(const InferenceRequest& request, const std::vector<ExampleForm>& forms,
                 const SourceList& kinds)
        : request_(request), forms_(forms), kinds_(kinds) {}

    SourcePointer open() {
        ensureKnown();
        std::vector<InputFeed> feeds(forms_.size());
        for (std::size_t k = 0; k < forms_.size(); ++k) {
            if (const InferenceInput* input = inputFor(forms_[k])) {
                feeds[k].source = opened(*input, forms_[k]);
                ensureAsMany(*input, feeds[k].source->size());
            }
        }
        for (std::size_t k = 0; k < forms_.size(); ++k) {
            if (feeds[k].source == nullptr) {
                feeds[k] = besideFrames(forms_[k]);
            }
        }
        return std::make_shared<InputSource>(forms_, std::move(feeds));
    }

private:
    void ensureKnown() const {
        for (const InferenceInput& input : request_.inputs) {
            if (!input.layer.empty() &&
                std::ranges::find(forms_, input.layer, &ExampleForm::layer) == forms_.end()) {
                throw Error(ErrorCode::usage, Where{.layer = input.layer},
                            "is not an input that the outputs depend on",
                            "leave it out; weft check lists the inputs of the design");
            }
        }
    }

    /// Returns the file for an input. A file without a name belongs to the only input; pictures
    /// belong to the only input that takes some.
    [[nodiscard]] const InferenceInput* inputFor(const ExampleForm& form) const {
        const auto takesPictures = [](const ExampleForm& each) { return each.shape.size() == 3; };
        const bool isOnly = forms_.size() == 1;
        const bool isOnlyPicture =
            takesPictures(form) && std::ranges::count_if(forms_, takesPictures) == 1;
        const auto found = std::ranges::find_if(request_.inputs, [&](const InferenceInput& input) {
            return input.layer == form.layer ||
                   (input.layer.empty() && (isOnly || (isOnlyPicture && arePictures(input.file))));
        });
        return found == request_.inputs.end() ? nullptr : &*found;
    }

    SourcePointer opened(const InferenceInput& input, const ExampleForm& form) {
        if (arePictures(input.file) || isTableName(input.file.filename().string())) {
            if (SourcePointer frames =
                    openAsSource(input.file, form, request_.design.data, kinds_)) {
                frames_ = frames_ == nullptr ? frames : frames_;
                return frames;
            }
        }
        return std::make_shared<ArraySource>(
            form.layer, readExamples(input.file, form, request_.design.data, kinds_));
    }

    void ensureAsMany(const InferenceInput& input, std::int64_t examples) {
        if (!first_) {
            first_ = {input.file.string(), examples};
        }
        if (examples != first_->second) {
            throw Error(ErrorCode::format, Where{.file = input.file.string()},
                        fmt::format("contains {} examples, but {} contains {}", examples,
                                    first_->first, first_->second),
                        "give the same number of examples for every input");
        }
    }

    /// Feeds an input that the design's source feeds besides the frames from the given films.
    [[nodiscard]] InputFeed besideFrames(const ExampleForm& form) const {
        if (frames_ != nullptr) {
            const auto field =
                fieldFeeding(request_.design.data, frames_->fields(), form.layer, form.place);
            if (field && elementsOf(frames_->fields()[*field].shape) == elementsOf(form.shape)) {
                return {frames_, *field};
            }
        }
        if (first_ && hearsOfBegins(form)) {
            return {noneOf(form, first_->second), 0}; // the examples are one film
        }
        std::vector<std::string> names;
        std::ranges::transform(forms_, std::back_inserter(names), &ExampleForm::layer);
        throw Error(
            ErrorCode::usage, Where{.layer = form.layer}, "no file was given for this input",
            fmt::format("name a file for each of {}: {}=FILE", fmt::join(names, ", "), form.layer));
    }

    /// True if the input is fed with the begins of films, according to the design's data, if
    /// available.
    [[nodiscard]] bool hearsOfBegins(const ExampleForm& form) const {
        try {
            const DataDescription known =
                describeData(request_.design.data, {request_.folder, request_.others}, kinds_);
            return known.order.begins && fieldFeeding(request_.design.data, known.fields,
                                                      form.layer, form.place) == known.order.begins;
        } catch (const Error&) {
            return false;
        }
    }

    static SourcePointer noneOf(const ExampleForm& form, std::int64_t examples) {
        Array none{.dtype = form.dtype, .shape = form.shape, .bytes = {}};
        none.shape.insert(none.shape.begin(), examples);
        none.bytes.resize(static_cast<std::size_t>(elementsOf(none.shape)) * byteSize(none.dtype));
        return std::make_shared<ArraySource>(form.layer, std::move(none));
    }

    const InferenceRequest& request_;
    const std::vector<ExampleForm>& forms_;
    const SourceList& kinds_;
    SourcePointer frames_; ///< source of the first films that are given
    /// A file and its number of examples.
    std::optional<std::pair<std::string, std::int64_t>> first_;
};

} // namespace

SourcePointer openInputs(const InferenceRequest& request, const std::vector<ExampleForm>& forms,
                         const Registry& registry) {
    return InputOpening(request, forms, registry.sources).open();
}

} // namespace weft
