// SPDX-License-Identifier: Apache-2.0
#include "command_line/verb.h"

#include "command_line/command.h"
#include "command_line/say.h"
#include <weft/error.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <utility>

namespace weft {

namespace {

/// Returns a check of a number. A text that is not a number is refused when the option is parsed.
std::function<std::string(const std::string&)> problemUnless(bool (*isIt)(double),
                                                             const char* what) {
    return [isIt, what](const std::string& text) {
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        const bool isRight = end == text.c_str() || (std::isfinite(number) && isIt(number));
        return isRight ? std::string() : text + " is not " + what;
    };
}

} // namespace

Option& Option::required() {
    option_->required();
    return *this;
}

Option& Option::showsDefault() {
    option_->capture_default_str();
    return *this;
}

Option& Option::separatedBy(char separator) {
    option_->delimiter(separator);
    return *this;
}

Option& Option::shown(const std::string& value) {
    option_->type_name(value);
    return *this;
}

Option& Option::takes(int least, int most) {
    option_->expected(least, most);
    return *this;
}

Option& Option::positive() {
    option_->check(problemUnless([](double number) { return number > 0; }, "above 0"));
    return *this;
}

Option& Option::notNegative() {
    option_->check(problemUnless([](double number) { return number >= 0; }, "0 or more"));
    return *this;
}

Option& Option::between(int least, int most) {
    option_->check(CLI::Range(least, most));
    return *this;
}

Option& Option::oneOf(const std::vector<std::string>& values) {
    option_->check(CLI::IsMember(values));
    return *this;
}

Option& Option::check(const std::function<std::string(const std::string&)>& problemOf) {
    option_->check(problemOf);
    return *this;
}

Option& Option::excludes(const Option& other) {
    option_->excludes(other.option_);
    return *this;
}

Option Verb::option(const std::string& name, std::string& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::option(const std::string& name, std::vector<std::string>& value,
                    const std::string& help) {
    CLI::Option* option = app_->add_option(name, value, help);
    if (name.starts_with('-')) {
        // An argument after the value belongs to another option, for example a file name.
        option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    return Option(option);
}

Option Verb::option(const std::string& name, int& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::option(const std::string& name, std::int64_t& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::option(const std::string& name, std::size_t& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::option(const std::string& name, std::optional<double>& value,
                    const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::flag(const std::string& name, bool& value, const std::string& help) {
    return Option(app_->add_flag(name, value, help));
}

void Verb::footer(const std::string& text) { app_->footer(text); }

std::vector<std::string> Verb::typed(const std::vector<std::string>& without) const {
    std::vector<std::string> words{app_->get_name()};
    for (const CLI::Option* option : std::as_const(*app_).get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || std::ranges::find(without, name) != without.end()) {
            continue;
        }
        if (option->get_expected_max() == 0) { // a flag
            words.push_back(name);
            continue;
        }
        for (const std::string& value : option->results()) {
            if (!option->get_positional()) {
                words.push_back(name);
            }
            words.push_back(value);
        }
    }
    return words;
}

CommandLine::CommandLine(const std::string& program, const std::string& does,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(does, program)) {
    app_->set_version_flag("--version", version);
    app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::verb(const std::string& name, const std::string& does) {
    return Verb(app_->add_subcommand(name, does));
}

void CommandLine::footer(const std::string& text) { app_->footer(text); }

std::optional<int> CommandLine::read(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        std::ostringstream refused;
        const int code = app_->exit(error, out, refused);
        printOut(out.str());
        fmt::print(stderr, "{}", printable(refused.str(), true));
        return code == 0 ? success : usageError;
    }
    return std::nullopt;
}

std::size_t CommandLine::chosen() const {
    const auto verbs = app_->get_subcommands({});
    return static_cast<std::size_t>(std::ranges::find_if(verbs, &CLI::App::parsed) - verbs.begin());
}

} // namespace weft
