// SPDX-License-Identifier: Apache-2.0
#pragma once
// What can be typed: a command line of verbs, each with its options. They are said here in plain
// values and overloads because the parser behind them is all templates: only verb.cpp pays for it.
// A variable that an option is bound to has to outlive the reading.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace weft {

/// A handle: what is asked of it holds for the option of the verb.
class Option {
public:
    Option& required();
    /// The value that the variable has now stands in the help.
    Option& showsDefault();
    Option& separatedBy(char separator);
    /// The help shows this in the place of the value.
    Option& shown(const std::string& value);
    /// A list takes so many values together.
    Option& takes(int least, int most);

    Option& positive();
    Option& notNegative();
    Option& between(int least, int most);
    Option& oneOf(const std::vector<std::string>& values);
    /// What `problemOf` says of a value is what is wrong with it; empty: nothing.
    Option& check(const std::function<std::string(const std::string&)>& problemOf);
    Option& excludes(const Option& other);

private:
    friend class Verb;
    explicit Option(CLI::Option* option) : option_(option) {}

    CLI::Option* option_;
};

/// A handle too: one of the program's verbs. An option without dashes is told by its place.
class Verb {
public:
    Option option(const std::string& name, std::string& value, const std::string& help);
    /// A list with dashes takes one value each time its name is given.
    Option option(const std::string& name, std::vector<std::string>& value,
                  const std::string& help);
    Option option(const std::string& name, int& value, const std::string& help);
    Option option(const std::string& name, std::int64_t& value, const std::string& help);
    Option option(const std::string& name, std::size_t& value, const std::string& help);
    Option option(const std::string& name, std::optional<double>& value, const std::string& help);
    Option flag(const std::string& name, bool& value, const std::string& help);
    /// What the help ends with.
    void footer(const std::string& text);

    /// The verb and its options as they were typed, but for those named, a word each. Every value
    /// comes with its name: an option that is given again takes one at a time.
    [[nodiscard]] std::vector<std::string> typed(const std::vector<std::string>& without) const;

private:
    friend class CommandLine;
    explicit Verb(CLI::App* app) : app_(app) {}

    CLI::App* app_;
};

class CommandLine {
public:
    CommandLine(const std::string& program, const std::string& does, const std::string& version);
    ~CommandLine();

    Verb verb(const std::string& name, const std::string& does);
    /// What the help ends with.
    void footer(const std::string& text);

    /// Sets the variables. An exit code when that was all: help and version, or what is wrong with
    /// the words, which it prints.
    [[nodiscard]] std::optional<int> read(int argc, char** argv);
    /// Which verb was read, counted as they were said.
    [[nodiscard]] std::size_t chosen() const;

private:
    std::unique_ptr<CLI::App> app_;
};

} // namespace weft
