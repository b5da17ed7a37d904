// SPDX-License-Identifier: Apache-2.0
// weft infer: applies a trained design to files.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include "runs/run_place.h"
#include <weft/error.h>
#include <weft/infer.h>
#include <weft/runs.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

struct InferOptions {
    std::string file;
    std::vector<std::string> inputs;
    std::string weights;
    std::string output;
    std::int64_t element = -1; ///< -1: no element is chosen
    std::size_t top = 3;
    bool json = false;
    std::vector<std::string> devices;
    std::string backend;
};

/// Parses "picture=five.png" or a file name alone.
InferenceInput inputOf(const std::string& text) {
    const std::size_t equals = text.find('=');
    return equals == std::string::npos
               ? InferenceInput{.layer = {}, .file = text}
               : InferenceInput{.layer = text.substr(0, equals), .file = text.substr(equals + 1)};
}

InferenceResult resultFor(const InferOptions& options) {
    RunPlace run(options.file);
    run.updateCopy();
    if (options.weights.empty()) {
        run.fetchNewestCheckpoint();
    }
    const DesignPlace place = designAt(run.folder());
    InferenceRequest request{.design = readDesign(place.file, {.devices = options.devices,
                                                               .isForTraining = false,
                                                               .until = PreviewPart::shapes})};
    request.folder = place.file.parent_path();
    if (!place.run.empty()) {
        request.others = beginOf(place.run).folders;
    }
    if (!options.weights.empty()) {
        request.weights = options.weights;
    } else if (!place.run.empty()) {
        request.weights = checkpointOf(place.run);
    } else {
        throw Error(ErrorCode::usage, {}, "a design contains no weights",
                    "name them with --weights, or give the folder of a run");
    }
    std::ranges::transform(options.inputs, std::back_inserter(request.inputs), inputOf);
    request.devices = options.devices;
    request.backend = options.backend;
    if (options.element >= 0) {
        request.element = options.element;
    }
    InferenceResult result;
    namingFile(place.file, [&] { result = infer(request); });
    return result;
}

/// Saves the outputs. With several outputs, "scores.npy" becomes one file per output with its name
/// before the suffix.
void save(const InferenceResult& result, const std::filesystem::path& file) {
    for (const InferenceOutput& output : result.outputs) {
        std::filesystem::path path = file;
        if (result.outputs.size() > 1) {
            path.replace_filename(file.stem().string() + "." + output.name +
                                  file.extension().string());
        }
        saveOutput(output, path);
        warn("{} written to {}", output.name, printable(path.string()));
    }
}

void printJson(const InferenceResult& result, std::size_t top) {
    Json outputs = Json::array();
    for (const InferenceOutput& output : result.outputs) {
        Json made{{"name", output.name}, {"shape", output.shape}, {"numbers", output.numbers}};
        Json classes = Json::array();
        for (std::int64_t example = 0; example < result.examples; ++example) {
            Json guesses = Json::array();
            for (const ClassGuess& guess : likeliestClasses(result, output, example, top)) {
                guesses.push_back({{"class", guess.index},
                                   {"name", guess.name},
                                   {"confidence", guess.confidence}});
            }
            classes.push_back(std::move(guesses));
        }
        if (!classes.empty() && !classes.front().empty()) {
            made["classes"] = std::move(classes);
        }
        outputs.push_back(std::move(made));
    }
    // The names of classes may come from folders or tables, in any encoding.
    say("{}\n", Json{{"examples", result.examples}, {"outputs", std::move(outputs)}}.dump(
                    -1, ' ', false, Json::error_handler_t::replace));
}

void printText(const InferenceResult& result, std::size_t top) {
    for (const InferenceOutput& output : result.outputs) {
        std::string shape;
        for (const std::int64_t size : output.shape) {
            shape += (shape.empty() ? "" : " x ") + std::to_string(size);
        }
        say("{} ({})\n", output.name, shape);
        for (std::int64_t example = 0; example < result.examples; ++example) {
            std::string line;
            for (const ClassGuess& guess : likeliestClasses(result, output, example, top)) {
                line += fmt::format("  {} {:.1f} %", printable(guess.name), 100 * guess.confidence);
            }
            if (line.empty()) {
                say("  the output has no classes: write its values with --output FILE.npy or "
                    "--json\n");
                break;
            }
            say("{:>6}{}\n", example + 1, line);
        }
    }
}

int apply(const InferOptions& options) {
    const InferenceResult result = resultFor(options);
    if (!options.output.empty()) {
        save(result, options.output);
    }
    if (options.json) {
        printJson(result, options.top);
    } else if (options.output.empty()) {
        printText(result, options.top);
    }
    return success;
}

} // namespace

std::function<int()> addInfer(CommandLine& line) {
    Verb verb = line.verb("infer", "run inference with a trained design on files");
    verb.footer(
        "Input files are .npy, IDX (also .gz), images, and folders and lists (.txt) of images. If "
        "the design was trained on movies, the files are read as movies, with the preprocessing of "
        "its data source (size, fit, normalise). Other images are normalised as in the design's "
        "data settings.\nExample: weft infer runs/2026-01-01_120000_lenet --input five.png");
    auto options = std::make_shared<InferOptions>();
    verb.option("FILE", options->file, "the design, or a run: its folder, or HOST:RUN").required();
    verb.option("--input", options->inputs,
                "examples: a file, or a folder of images; for several inputs, LAYER=FILE each")
        .required();
    verb.option("--weights", options->weights,
                "weights, a safetensors file; default: the newest checkpoint of the run");
    verb.option("--output", options->output, "write the outputs of the last layers as .npy");
    verb.option("--element", options->element,
                "for layers with per_element weights: use the set of this batch element (from 0) "
                "for all examples; default: the sets in turn")
        .notNegative();
    verb.option("--top", options->top, "number of classes to print per example")
        .showsDefault()
        .positive();
    verb.flag("--json", options->json, "print JSON");
    addDeviceList(verb, options->devices, "devices to use: cpu:0,cpu:1");
    verb.option("--backend", options->backend,
                "use this backend's kernels instead of the devices' own");
    return [options] { return apply(*options); };
}

} // namespace weft
