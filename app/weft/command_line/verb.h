// SPDX-License-Identifier: Apache-2.0
#pragma once
// The command line: verbs and their options, declared with plain values and overloads. The parser
// library consists of templates, so only verb.cpp includes it. A variable bound to an option must
// outlive the parsing.

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

/// A handle of one option of a verb.
class Option {
public:
    Option& required(); ///< the option must be given
    /// Shows the variable's current value as the default in the help.
    Option& showsDefault();              ///< current value of the variable, in the help
    Option& separatedBy(char separator); ///< splits one argument into values
    /// Sets the placeholder that the help shows for the value.
    Option& shown(const std::string& value); ///< the placeholder for its value in the help
    /// A list takes between `least` and `most` values at once.
    Option& takes(int least, int most); ///< number of values of a list

    Option& positive();                                    ///< refuses other numbers
    Option& notNegative();                                 ///< refuses negative numbers
    Option& between(int least, int most);                  ///< refuses numbers outside
    Option& oneOf(const std::vector<std::string>& values); ///< refuses other values
    /// `problemOf` returns what is wrong with a value, or an empty text.
    Option& check(const std::function<std::string(const std::string&)>& problemOf);
    Option& excludes(const Option& other); ///< both cannot be given

private:
    friend class Verb;
    explicit Option(CLI::Option* option) : option_(option) {}

    CLI::Option* option_; ///< the parser library's option
};

/// A handle of one verb of the program. An option without dashes is positional.
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
    void footer(const std::string& text); ///< sets the text at the end of the help

    /// Returns the verb and its options as typed, except the options in `without`, one word each.
    /// Every value has its option's name before it, because a repeated option takes one value at a
    /// time.
    [[nodiscard]] std::vector<std::string> typed(const std::vector<std::string>& without) const;

private:
    friend class CommandLine;
    explicit Verb(CLI::App* app) : app_(app) {}

    CLI::App* app_; ///< the parser library's subcommand
};

class CommandLine {
public:
    CommandLine(const std::string& program, const std::string& does, const std::string& version);
    ~CommandLine();

    Verb verb(const std::string& name, const std::string& does); ///< `does`: help
    void footer(const std::string& text); ///< sets the text at the end of the help

    /// Parses the command line and sets the variables. Returns an exit code if nothing is left to
    /// do: after help, version or a usage error, which are printed.
    [[nodiscard]] std::optional<int> read(int argc, char** argv);
    /// Returns the index of the chosen verb, in the order in which the verbs were added.
    [[nodiscard]] std::size_t chosen() const; ///< index of the verb

private:
    std::unique_ptr<CLI::App> app_; ///< the parser library's parser
};

} // namespace weft
