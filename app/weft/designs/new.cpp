// SPDX-License-Identifier: Apache-2.0
// weft new: creates a design, empty or from a template.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/templates.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace weft {

namespace {

const DesignTemplate& templateNamed(const std::string& name) {
    const auto all = designTemplates();
    const auto found = std::ranges::find(all, name, &DesignTemplate::name);
    if (found == all.end()) {
        std::vector<std::string_view> names;
        std::ranges::transform(all, std::back_inserter(names), &DesignTemplate::name);
        throw Error(ErrorCode::usage, {}, "there is no template \"" + name + "\"",
                    fmt::format("choose one of {}", fmt::join(names, ", ")));
    }
    return *found;
}

Design begin(const std::string& name) {
    if (name.empty()) {
        return {};
    }
    return parseDesign(templateNamed(name).text, catalogue(), name).design;
}

void list() {
    say("{:<26}{}\n", "(none)", "An empty design.");
    for (const DesignTemplate& each : designTemplates()) {
        say("{:<26}{}\n", each.name, parseDesign(each.text, catalogue()).design.note);
    }
}

} // namespace

std::function<int()> addNew(CommandLine& line) {
    Verb verb = line.verb("new", "create a design, empty or from a template");
    verb.footer("Never overwrites an existing file.\nExample: weft new lenet-mnist my.weft");
    struct Options {
        std::vector<std::string> words;
        bool lists = false;
    };
    auto options = std::make_shared<Options>();
    verb.option("[TEMPLATE] FILE", options->words, "the template, and the file to write")
        .takes(0, 2);
    verb.flag("--list", options->lists, "show the templates");
    return [options] {
        if (options->lists) {
            list();
            return success;
        }
        if (options->words.empty()) {
            throw Error(ErrorCode::usage, {}, "no file is named",
                        "write weft new FILE or weft new TEMPLATE FILE; --list shows templates");
        }
        const std::filesystem::path file = options->words.back();
        Design design = begin(options->words.size() == 2 ? options->words.front() : "");
        if (std::filesystem::exists(file)) {
            throw Error(ErrorCode::file, Where{.file = file.string()}, "already exists",
                        "choose another name, or delete the file first");
        }
        design.name = file.stem().string();
        saveDesign(design, file);
        const std::string shown = printable(file.string());
        say("{}: {} layers; check it with weft check {}, train it with weft run {}\n", shown,
            design.network.layers.size(), shown, shown);
        return success;
    };
}

} // namespace weft
