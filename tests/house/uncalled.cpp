// SPDX-License-Identifier: Apache-2.0
#include "uncalled.h"

#include <cxxabi.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <algorithm>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace weft::house {
namespace {

namespace fs = std::filesystem;

// A line of nm: "0000000000000000 T _ZN4weft3sumEv<tab>/path/sum.cpp:7".
struct Symbol {
    char type = ' ';
    std::string name;
    std::string place;
};

std::vector<Symbol> symbolsOf(const fs::path& file, const QStringList& options) {
    QProcess nm;
    nm.start("nm",
             QStringList{"--defined-only"} + options << QString::fromStdString(file.string()));
    if (!nm.waitForFinished(300000) || nm.exitCode() != 0) {
        throw std::runtime_error("nm " + file.string() + ": " + nm.errorString().toStdString() +
                                 ", " + nm.readAllStandardError().toStdString());
    }
    std::istringstream lines(nm.readAllStandardOutput().toStdString());
    std::vector<Symbol> symbols;
    for (std::string line; std::getline(lines, line);) {
        Symbol symbol;
        std::string address;
        std::istringstream words(line);
        words >> address >> symbol.type >> symbol.name >> symbol.place;
        symbols.push_back(std::move(symbol));
    }
    return symbols;
}

// As one writes it, of a copy for another processor ("_ZN4weft3sumEv.avx2") the function that it is
// a copy of; empty for what is none of ours.
std::string demangled(const std::string& symbol) {
    if (symbol.find("4weft") == std::string::npos) {
        return {};
    }
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol.substr(0, symbol.find('.')).c_str(), nullptr, nullptr, &status),
        &std::free);
    static const std::pair<QString, QString> shorter[] = {
        {"[abi:cxx11]", ""},
        {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
         "std::string"},
        {"std::basic_string_view<char, std::char_traits<char> >", "std::string_view"}};
    QString plain = QString::fromUtf8(status == 0 ? name.get() : "");
    for (const auto& [from, to] : shorter) {
        plain.replace(from, to);
    }
    return plain.toStdString();
}

// What a value has whether or not anybody copies, moves, ends or compares one.
bool isOfEveryValue(const std::string& name) {
    static const std::regex form(
        R"(.*::(~\w+\(\)|(\w+)::\2\(.*\b\2( const&|&&)\)|operator==?\(.*))");
    return std::regex_match(name, form);
}

// Whether somebody wrote it where it lies: no copy of what a header defines, no lambda, none of
// what the compiler adds of its own.
bool isWritten(const Symbol& symbol, const std::string& name) {
    static const std::regex ours("_ZN[VKRO]*4weft.*");
    return (symbol.type == 'T' || symbol.type == 't' || symbol.type == 'i') &&
           std::regex_match(symbol.name, ours) && name.find("{lambda") == std::string::npos &&
           !isOfEveryValue(name);
}

std::set<std::string> namesIn(const std::vector<fs::path>& programs) {
    std::set<std::string> names;
    for (const fs::path& program : programs) {
        for (const Symbol& symbol : symbolsOf(program, {})) {
            names.insert(demangled(symbol.name));
        }
    }
    return names;
}

} // namespace

std::vector<UncalledFunction> uncalledFunctions(const std::vector<fs::path>& objects,
                                                const std::vector<fs::path>& programs,
                                                const fs::path& sources) {
    const std::set<std::string> called = namesIn(programs);
    const auto isUncalled = [&](const Symbol& symbol) {
        const std::string name = demangled(symbol.name);
        return isWritten(symbol, name) && !called.contains(name);
    };
    std::map<std::string, std::string> places;
    for (const fs::path& object : objects) {
        // Places take long to find, and most objects have nothing uncalled.
        if (!std::ranges::any_of(symbolsOf(object, {}), isUncalled)) {
            continue;
        }
        for (const Symbol& symbol : symbolsOf(object, {"--line-numbers"})) {
            if (isUncalled(symbol)) {
                places.try_emplace(demangled(symbol.name),
                                   symbol.place.starts_with(sources.string())
                                       ? symbol.place.substr(sources.string().size() + 1)
                                       : symbol.place);
            }
        }
    }
    std::vector<UncalledFunction> functions;
    functions.reserve(places.size());
    for (const auto& [name, place] : places) {
        functions.push_back({name, place});
    }
    return functions;
}

std::vector<fs::path> objectsOf(const fs::path& build, const std::vector<std::string>& folders) {
    QFile list(QString::fromStdString((build / "compile_commands.json").string()));
    if (!list.open(QIODevice::ReadOnly)) {
        throw std::runtime_error("no " + list.fileName().toStdString());
    }
    static const QRegularExpression output(" -o (\\S+\\.o) ");
    std::vector<fs::path> objects;
    for (const QJsonValue command : QJsonDocument::fromJson(list.readAll()).array()) {
        const auto match = output.match(command.toObject()["command"].toString());
        const std::string object = match.captured(1).toStdString();
        if (match.hasMatch() && std::ranges::any_of(folders, [&](const std::string& folder) {
                return object.starts_with(folder + "/");
            })) {
            objects.push_back(build / object);
        }
    }
    return objects;
}

std::vector<UncalledException> readExceptions(std::string_view text) {
    std::vector<UncalledException> exceptions;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        const std::size_t mark = line.find("  # ");
        exceptions.push_back({line.substr(0, mark),
                              mark == std::string::npos ? std::string() : line.substr(mark + 4)});
    }
    return exceptions;
}

std::vector<std::string> judgeUncalled(const std::vector<UncalledFunction>& functions,
                                       const std::vector<UncalledException>& exceptions) {
    const auto isOf = [](const UncalledException& exception, const UncalledFunction& function) {
        return exception.name == function.name || function.place.starts_with(exception.name + ":");
    };
    std::vector<std::string> findings;
    for (const UncalledException& exception : exceptions) {
        if (exception.reason.empty()) {
            findings.push_back(exception.name + " is excepted without a reason");
        }
        if (std::ranges::none_of(functions, [&](const UncalledFunction& function) {
                return isOf(exception, function);
            })) {
            findings.push_back(exception.name + " is excepted, and called or gone");
        }
    }
    for (const UncalledFunction& function : functions) {
        if (std::ranges::none_of(exceptions, [&](const UncalledException& exception) {
                return isOf(exception, function);
            })) {
            findings.push_back(function.place + ": nothing calls " + function.name);
        }
    }
    return findings;
}

} // namespace weft::house
