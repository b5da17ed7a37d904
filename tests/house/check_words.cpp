// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace weft::house {
namespace {

bool isUnderAny(const SourceFile& file, const std::vector<std::string>& folders) {
    return std::ranges::any_of(folders,
                               [&](const std::string& folder) { return file.isUnder(folder); });
}

// Tells of every line of `file` (without its texts and comments) in which `form` is found.
void search(const SourceFile& file, const std::regex& form, const std::string& text,
            Findings& findings) {
    for (std::size_t i = 0; i < file.withoutTexts.size(); ++i) {
        std::smatch match;
        if (std::regex_search(file.withoutTexts[i], match, form)) {
            findings.push_back({file.path, static_cast<int>(i) + 1, match[0].str() + text});
        }
    }
}

// The words of all weft_list(...) in one CMakeLists.txt.
std::set<std::string> wordsOf(const SourceTree& tree, const std::string& folder) {
    std::set<std::string> words;
    const SourceFile* file = tree.find(folder + "/CMakeLists.txt");
    bool inside = false;
    for (const std::string& line : file == nullptr ? std::vector<std::string>{} : file->lines) {
        if (line.starts_with("weft_list(")) {
            inside = true;
        }
        if (!inside) {
            continue;
        }
        static const std::regex word("(^|[\\s(])([a-z][a-z0-9_/]*)(?=[\\s)]|$)");
        const std::string plain = line.substr(0, line.find('#'));
        for (auto it = std::sregex_iterator(plain.begin(), plain.end(), word);
             it != std::sregex_iterator(); ++it) {
            words.insert((*it)[2]);
        }
        inside = plain.find(')') == std::string::npos;
    }
    words.erase("weft_engine");
    return words;
}

// Returns the entry that the file of a word declares: the word without its subfolder.
std::string entryOf(const std::string& word) { return word.substr(word.rfind('/') + 1); }

// Returns the names of ops, layers and optimizers: the words of their lists, and names declared in
// their files.
std::set<std::string> declaredNames(const SourceTree& tree) {
    static const std::regex form(R"re((list\.add\(\s*\{\.name|\.kind) = "([a-z0-9_]+)")re");
    std::set<std::string> names;
    for (const char* folder : {"engine/ops", "engine/layers", "engine/optimizers"}) {
        for (const std::string& word : wordsOf(tree, folder)) {
            names.insert(entryOf(word));
        }
    }
    for (const SourceFile& file : tree.files) {
        std::string text;
        for (const std::string& line : file.code) {
            text += isUnderAny(file, {"engine/ops", "engine/layers"}) ? line + '\n' : "";
        }
        const std::sregex_iterator end;
        for (auto it = std::sregex_iterator(text.begin(), text.end(), form); it != end; ++it) {
            names.insert((*it)[2]);
        }
    }
    return names;
}

// From the line of a function's head: its body with both braces; empty where it is only declared.
std::string bodyAt(const std::vector<std::string>& code, std::size_t line) {
    std::string body;
    int depth = 0;
    for (; line < code.size(); ++line) {
        for (const char c : code[line]) {
            if (depth == 0 && c == ';') {
                return "";
            }
            depth += c == '{' ? 1 : 0;
            if (depth > 0) {
                body += c;
            }
            if (c == '}' && --depth == 0) {
                return body;
            }
        }
        body += '\n';
    }
    return body;
}

// A call that fails a test, or of a function of this file that does.
class Assertions {
public:
    explicit Assertions(const SourceFile& file) {
        static const std::regex head(R"(^\s*(?:[\w:<>,&*]+\s+)+[&*]*(?:\w+::)?(\w+)\()");
        bool grown = true;
        while (grown) {
            grown = false;
            for (std::size_t i = 0; i < file.withoutTexts.size(); ++i) {
                std::smatch match;
                if (std::regex_search(file.withoutTexts[i], match, head) &&
                    !names_.contains(match[1]) && areIn(bodyAt(file.withoutTexts, i))) {
                    names_.insert(match[1]);
                    grown = true;
                }
            }
        }
    }

    [[nodiscard]] bool areIn(const std::string& body) const {
        static const std::regex known(
            R"(\b(QVERIFY|QCOMPARE|QFAIL|QTRY_|RC_|rc::check|(check|expect|verify)\w*\s*[<(]))");
        static const std::regex call(R"((\w+)\s*\()");
        if (std::regex_search(body, known)) {
            return true;
        }
        return std::any_of(std::sregex_iterator(body.begin(), body.end(), call),
                           std::sregex_iterator(),
                           [&](const std::smatch& match) { return names_.contains(match[1]); });
    }

private:
    std::set<std::string> names_;
};

} // namespace

Findings checkQt(const SourceTree& tree) {
    static const std::regex form(R"(\bQ[A-Z][A-Za-z]+\b|\bQ_[A-Z]+\b|\bqt_\w+)");
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!isUnderAny(file, {"engine", "app/weft"})) {
            continue;
        }
        search(file, form, " is Qt, which the engine does not know", findings);
    }
    return findings;
}

Findings checkPreprocessor(const SourceTree& tree) {
    static const std::regex form(R"(^\s*#\s*(if|ifdef|ifndef|elif|define)\b)");
    Findings findings;
    for (const SourceFile& file : tree.files) {
        // nvcc reads engine/functions too.
        if (!isUnderAny(file, {"engine/backends", "engine/comm", "engine/functions"})) {
            search(file, form, ": no conditions and no macros outside backends and comm", findings);
        }
    }
    return findings;
}

Findings checkProcess(const SourceTree& tree) {
    static const std::regex form(
        R"(\bstd::(cerr|clog|exit|quick_exit|terminate|abort)\b|(^|[;{}])\s*(::)?(_exit|exit|abort)\()");
    Findings findings;
    for (const SourceFile& file : tree.files) {
        // ensure() ends a dev build, MPI_Abort a job, a child of fork() itself.
        if (file.isUnder("engine") && !isUnderAny(file, {"engine/base", "engine/comm"})) {
            search(file, form, ": the engine throws Error and reports events", findings);
        }
    }
    return findings;
}

Findings checkRuntimeOfGpus(const SourceTree& tree) {
    struct Library {
        std::regex names;
        std::vector<std::string> sources; ///< those that name it
    };
    static const std::string plans = "engine/backends/cuda/cudnn/cudnn_plans.cpp";
    static const std::string products = "engine/backends/cuda/cublaslt/cublaslt_products.cpp";
    static const std::string ofProducts = "engine/backends/cuda/cublaslt/cublaslt_library.h";
    static const Library libraries[] = {
        // Plans and products are made for the device that the thread uses.
        {std::regex("\\bcuda[A-Z]\\w*"),
         {"engine/backends/cuda/runtime/runtime.cpp", plans, products, ofProducts}},
        {std::regex("\\bcublas[A-Z]\\w*"),
         {products, ofProducts, "engine/backends/cuda/cublaslt/cublaslt_library.cpp"}},
        {std::regex("\\bcudnn[A-Z]\\w*"),
         {plans, "engine/backends/cuda/cudnn/cudnn_library.h",
          "engine/backends/cuda/cudnn/cudnn_library.cpp", "engine/backends/cuda/cudnn/cudnn_ways.h",
          "engine/backends/cuda/cudnn/cudnn_ways.cpp"}},
        {std::regex("\\bnccl[A-Z]\\w*"), {"engine/comm/nccl/library.cpp"}}};
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (const Library& library : libraries) {
            if (isUnderAny(file, {"engine", "app", "ui"}) &&
                std::ranges::find(library.sources, file.path) == library.sources.end()) {
                search(file, library.names,
                       ": it is named in " + library.sources.front() + " alone", findings);
            }
        }
    }
    std::erase_if(findings, [](const Finding& one) { return one.text.starts_with("cudaBackend"); });
    return findings;
}

Findings checkComparisons(const SourceTree& tree) {
    static const std::regex form(
        R"re((\w*(?:[kK]ind|[oO]p|[nN]ame|[oO]ptimizer_?))(\(\))?\s*[!=]=\s*"([a-z0-9_]+)")re");
    const std::set<std::string> names = declaredNames(tree);
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!isUnderAny(file, {"engine", "app", "ui"})) {
            continue;
        }
        const bool mayNameOps = isUnderAny(file, {"engine/layers", "engine/ops", "engine/backends",
                                                  "engine/transform", "engine/exchange"});
        for (std::size_t i = 0; i < file.code.size(); ++i) {
            std::smatch match;
            if (!std::regex_search(file.code[i], match, form)) {
                continue;
            }
            const bool isOptimizer = match[1].str().find("ptimizer") != std::string::npos;
            if (names.contains(match[3]) && (isOptimizer || !mayNameOps)) {
                findings.push_back(
                    {file.path, static_cast<int>(i) + 1,
                     match[0].str() +
                         ": what a kind is, its declaration says; nobody asks for its name"});
            }
        }
    }
    return findings;
}

Findings checkDeclaredNames(const SourceTree& tree) {
    Findings findings;
    for (const char* folder : {"engine/ops", "engine/layers", "engine/optimizers"}) {
        for (const std::string& word : wordsOf(tree, folder)) {
            const SourceFile* file = tree.find(std::string(folder) + "/" + word + ".cpp");
            // Or it declares what the rows of a table say.
            const auto declares = [name = '"' + entryOf(word) + '"'](const std::string& line) {
                return line.find(name) != std::string::npos ||
                       line.find("::forEach(") != std::string::npos;
            };
            if (file != nullptr && std::ranges::none_of(file->code, declares)) {
                findings.push_back({file->path, 0, "declares nothing named " + entryOf(word)});
            }
        }
    }
    return findings;
}

Findings checkIcons(const SourceTree& tree) {
    static const std::regex form(R"re(\.icon\s*=\s*"([a-z0-9_-]+)")re");
    const std::filesystem::path icons = tree.root / "resources/icons";
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!file.isUnder("engine/layers") || !std::filesystem::is_directory(icons)) {
            continue;
        }
        for (std::size_t i = 0; i < file.code.size(); ++i) {
            std::smatch match;
            if (std::regex_search(file.code[i], match, form) &&
                !std::filesystem::exists(icons / (match[1].str() + ".svg"))) {
                findings.push_back({file.path, static_cast<int>(i) + 1,
                                    "no resources/icons/" + match[1].str() + ".svg"});
            }
        }
    }
    return findings;
}

Findings checkTestsCanFail(const SourceTree& tree) {
    static const std::regex slot(R"(^\s+void (\w+)\(\))");
    static const std::regex border(R"(^(public|private|protected|signals)\b.*:|^\};)");
    static const std::set<std::string> round = {"initTestCase", "cleanupTestCase", "init",
                                                "cleanup"};
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!file.isUnder("tests") || !file.stem().starts_with("tst_")) {
            continue;
        }
        const Assertions assertions(file);
        bool slots = false;
        for (std::size_t i = 0; i < file.code.size(); ++i) {
            const std::string& line = file.code[i];
            if (std::regex_search(line, border)) {
                slots = line.starts_with("private slots:");
            }
            std::smatch match;
            if (!slots || !std::regex_search(line, match, slot)) {
                continue;
            }
            const std::string name = match[1];
            std::string body = bodyAt(file.withoutTexts, i);
            const std::regex outside("::" + name + "\\(\\)");
            for (std::size_t at = 0; body.empty() && at < file.code.size(); ++at) {
                body =
                    std::regex_search(file.code[at], outside) ? bodyAt(file.withoutTexts, at) : "";
            }
            if (!name.ends_with("_data") && !round.contains(name) && !assertions.areIn(body)) {
                findings.push_back({file.path, static_cast<int>(i) + 1,
                                    name + " asserts nothing and cannot fail"});
            }
        }
        for (std::size_t i = 0; i < file.code.size(); ++i) {
            if (std::regex_search(file.code[i], std::regex(R"re(QSKIP\(\s*"")re"))) {
                findings.push_back({file.path, static_cast<int>(i) + 1, "skips without a reason"});
            }
        }
    }
    return findings;
}

} // namespace weft::house
