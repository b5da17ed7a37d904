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

// Of a copy for another processor ("_ZN4weft3sumEv.avx2") the function that it is a copy of; empty
// for what is none of ours.
std::string demangled(const std::string& symbol) {
    if (symbol.find("4weft") == std::string::npos) {
        return {};
    }
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol.substr(0, symbol.find('.')).c_str(), nullptr, nullptr, &status),
        &std::free);
    return status == 0 ? std::string(name.get()) : std::string();
}

// Whether somebody wrote it where it lies: no copy of what a header defines, no lambda, none of
// what the compiler adds of its own.
bool isWritten(char type, const std::string& name) {
    return (type == 'T' || type == 't' || type == 'i') && name.starts_with("weft::") &&
           name.find("{lambda") == std::string::npos;
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
        return isWritten(symbol.type, name) && !called.contains(name);
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
    std::vector<std::string> findings;
    std::set<std::string> excepted;
    for (const UncalledException& exception : exceptions) {
        excepted.insert(exception.name);
        if (exception.reason.empty()) {
            findings.push_back(exception.name + " is excepted without a reason");
        }
        if (std::ranges::find(functions, exception.name, &UncalledFunction::name) ==
            functions.end()) {
            findings.push_back(exception.name + " is excepted, and called or gone");
        }
    }
    for (const UncalledFunction& function : functions) {
        if (!excepted.contains(function.name)) {
            findings.push_back(function.place + ": nothing calls " + function.name);
        }
    }
    return findings;
}

} // namespace weft::house
