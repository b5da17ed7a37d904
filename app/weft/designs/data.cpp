// SPDX-License-Identifier: Apache-2.0
// weft data: shows what the data of a design are like, and measures their normalisation.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include <weft/catalogue.h>
#include <weft/data_edits.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/samples.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

struct DataOptions {
    std::string file;
    std::int64_t examples = 10'000;
    bool normalises = false;
    bool asJson = false;
};

std::string nameOf(const SampleFigures& figures, std::size_t id) {
    return id < figures.classNames.size() ? figures.classNames[id] : std::to_string(id);
}

/// Returns the first eight numbers of a list as text.
std::string shortly(const std::vector<double>& numbers) {
    constexpr std::size_t most = 8;
    std::vector<std::string> words;
    for (std::size_t k = 0; k < std::min(most, numbers.size()); ++k) {
        words.push_back(fmt::format("{:.6g}", numbers[k]));
    }
    return fmt::format("{}{}", fmt::join(words, " "), numbers.size() > most ? " ..." : "");
}

void printText(const SampleSource& source, const SampleFigures& figures) {
    say("{} training, {} validation and {} test examples\n", source.training, source.validation,
        source.test);
    for (const SampleField& field : source.fields) {
        say("{} {} {}\n", printable(field.name), toString(field.shape), nameOf(field.dtype));
        const auto measured = std::ranges::find(figures.fields, field.name, &FieldFigures::name);
        if (measured != figures.fields.end()) {
            say("  {:.6g} to {:.6g}, mean {}, std {}\n", measured->least, measured->most,
                shortly(measured->mean), shortly(measured->deviation));
        }
    }
    for (std::size_t id = 0; id < figures.perClass.size(); ++id) {
        say("  class {} {}: {}\n", id, printable(nameOf(figures, id)), figures.perClass[id]);
    }
    if (figures.examples < source.training) {
        say("The numbers are those of {} examples; --examples changes how many.\n",
            figures.examples);
    }
}

void printJson(const SampleSource& source, const SampleFigures& figures) {
    Json fields = Json::array();
    for (const SampleField& field : source.fields) {
        Json made{{"name", field.name},
                  {"shape", field.shape},
                  {"dtype", nameOf(field.dtype)},
                  {"classes", field.classes}};
        const auto measured = std::ranges::find(figures.fields, field.name, &FieldFigures::name);
        if (measured != figures.fields.end()) {
            made["least"] = measured->least;
            made["most"] = measured->most;
            made["mean"] = measured->mean;
            made["std"] = measured->deviation;
        }
        fields.push_back(std::move(made));
    }
    Json classes = Json::array();
    for (std::size_t id = 0; id < figures.perClass.size(); ++id) {
        classes.push_back({{"name", nameOf(figures, id)}, {"examples", figures.perClass[id]}});
    }
    say("{}\n", Json{{"training", source.training},
                     {"validation", source.validation},
                     {"test", source.test},
                     {"measured", figures.examples},
                     {"fields", std::move(fields)},
                     {"classes", std::move(classes)}}
                    .dump(2, ' ', false, Json::error_handler_t::replace));
}

void normalise(const std::filesystem::path& file, Design& design, const SampleFigures& figures) {
    const Edited edited = setSourceAttributes(design, normalisationBy(figures, design.data));
    if (edited.refusal) {
        throw Error(ErrorCode::design, Where{.file = file.string()}, edited.refusal->text,
                    edited.refusal->fix.text);
    }
    saveDesign(design, file);
    warn("mean and std of the source written to {}", printable(file.string()));
}

} // namespace

std::function<int()> addData(CommandLine& line) {
    Verb verb = line.verb("data", "show classes and values of a design's data, and normalise them");
    verb.footer("Values are shown before mean and std of the source are applied.\n--normalise "
                "measures mean and std of the training examples, per channel or column, and writes "
                "them into the design. A run never changes them.\nExample: weft data design.weft "
                "--normalise");
    auto options = std::make_shared<DataOptions>();
    verb.option("FILE", options->file, "the design").required();
    verb.option("--examples", options->examples, "how many examples to measure")
        .positive()
        .showsDefault();
    verb.flag("--normalise", options->normalises, "write mean and std into the design");
    verb.flag("--json", options->asJson, "print JSON");
    return [options] {
        const std::filesystem::path file = options->file;
        Design design = loadDesign(file, catalogue()).design;
        SampleRequest request{.data = design.data, .folder = file.parent_path()};
        const SampleSource source = describeSamples(request);
        const SampleFigures figures = measureSamples(request, options->examples);
        options->asJson ? printJson(source, figures) : printText(source, figures);
        if (options->normalises) {
            normalise(file, design, figures);
        }
        return int{success};
    };
}

} // namespace weft
