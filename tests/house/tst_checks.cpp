// SPDX-License-Identifier: Apache-2.0
// The checks of the house, on small trees that break one rule each.

#include "checks.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace weft::house;

namespace {

const std::string licence = "// SPDX-License-Identifier: Apache-2.0\n";
const std::string header = licence + "#pragma once\n// What it is.\n";
const std::string table = "| folder | holds | may include |\n| --- | --- | --- |\n"
                          "| `include/weft` | the face | |\n| `base` | files | |\n"
                          "| `graph` | ops | `base` |\n| `place` | plans | `graph` |\n";

struct File {
    std::string path;
    std::string text;
};

// A tree in a temporary folder; it has a table and, unless given, a source in each of its folders.
class Tree {
public:
    explicit Tree(const std::vector<File>& files) {
        for (const char* folder : {"include/weft", "base", "graph", "place"}) {
            write({"engine/" + std::string(folder) + "/thing.h", header});
        }
        write({"engine/README.md", table});
        for (const File& file : files) {
            write(file);
        }
        tree_ = readTree(dir_.path().toStdString());
    }

    [[nodiscard]] const SourceTree& tree() const { return tree_; }
    [[nodiscard]] FolderMap map() const { return readMap(tree_, "engine"); }

private:
    void write(const File& file) {
        const std::filesystem::path path =
            std::filesystem::path(dir_.path().toStdString()) / file.path;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << file.text;
    }

    QTemporaryDir dir_;
    SourceTree tree_;
};

using Check = Findings (*)(const SourceTree&);
using MapCheck = Findings (*)(const SourceTree&, const FolderMap&);

void expectFinding(const Findings& findings, const std::string& path, int line) {
    QCOMPARE(findings.size(), 1U);
    QCOMPARE(findings[0].path, path);
    QCOMPARE(findings[0].line, line);
    QVERIFY(!findings[0].text.empty());
}

void expectFinding(MapCheck check, const std::vector<File>& files, const std::string& path,
                   int line) {
    const Tree tree(files);
    expectFinding(check(tree.tree(), tree.map()), path, line);
}

void expectFinding(Check check, const std::vector<File>& files, const std::string& path, int line) {
    expectFinding(check(Tree(files).tree()), path, line);
}

void expectNothing(Check check, const std::vector<File>& files) {
    const Findings findings = check(Tree(files).tree());
    QVERIFY2(findings.empty(), findings.empty() ? "" : findings[0].text.c_str());
}

std::string repeated(const std::string& line, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) {
        text += line;
    }
    return text;
}

} // namespace

class TestChecks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findNothingInAGoodTree() {
        const Tree good(
            {{"engine/place/plan.cpp", licence + "#include \"base/thing.h\"\n#include <vector>\n"},
             {"app/weft/main.cpp",
              licence + "#include \"verbs/thing.h\"\n#include <weft/thing.h>\n"},
             {"app/weft/verbs/thing.h", licence + "#pragma once\n// A thing.\n"}});
        for (const MapCheck check : {checkTable, checkRows, checkIncludes}) {
            QVERIFY(check(good.tree(), good.map()).empty());
        }
        for (const Check check :
             {checkCircles, checkFace, checkThirdPartyInHeaders, checkTopLevel, checkLicences,
              checkHeaders, checkLengths, checkNames, checkTypesAreOne, checkMarks, checkQt,
              checkPreprocessor, checkProcess, checkComparisons, checkDeclaredNames, checkIcons,
              checkTestsCanFail}) {
            QVERIFY(check(good.tree()).empty());
        }
    }

    void findAnIncludeUpwards() {
        expectFinding(checkIncludes,
                      {{"engine/base/a.cpp", licence + "#include \"graph/thing.h\"\n"}},
                      "engine/base/a.cpp", 2);
    }
    void findAnIncludeOfNothing() {
        expectFinding(checkIncludes, {{"engine/base/a.cpp", licence + "#include \"base/no.h\"\n"}},
                      "engine/base/a.cpp", 2);
    }
    void findAProgramThatLooksInside() {
        expectFinding(checkIncludes,
                      {{"app/weft/a.cpp", licence + "\n#include \"base/thing.h\"\n"}},
                      "app/weft/a.cpp", 3);
    }
    void overlookIncludesInCommentsAndTexts() {
        const Tree tree({{"engine/base/a.cpp",
                          licence + "// #include \"graph/thing.h\"\n/*\n#include \"no.h\"\n*/\n"
                                    "const char* a = R\"(\n#include \"no.h\"\n)\";\n"}});
        QVERIFY(checkIncludes(tree.tree(), tree.map()).empty());
    }

    void findAFolderWithoutRow() {
        expectFinding(checkTable, {{"engine/extra/a.cpp", licence}}, "engine/extra/a.cpp", 0);
    }
    void findARowWithoutFolder() {
        expectFinding(checkRows, {{"engine/README.md", table + "| `gone` | nothing | |\n"}},
                      "engine/README.md", 7);
    }
    void findARowThatNamesAnUnknown() {
        expectFinding(checkTable,
                      {{"engine/README.md", table + "| `place/x` | x | `what` |\n"},
                       {"engine/place/x/a.cpp", licence}},
                      "engine/README.md", 7);
    }
    void findACircleInTheTable() {
        const Tree tree(
            {{"engine/README.md", table + "| `low` | x | `high` |\n| `high` | x | `low` |\n"}});
        QCOMPARE(tree.map().findings.size(), 2U);
    }
    void findAMissingTable() {
        expectFinding(readMap(SourceTree{}, "engine").findings, "engine/README.md", 0);
    }
    void findACircleOfHeaders() {
        expectFinding(checkCircles,
                      {{"engine/base/a.h", header + "#include \"base/b.h\"\n"},
                       {"engine/base/b.h", header + "#include \"base/a.h\"\n"}},
                      "engine/base/b.h", 4);
    }

    void findThirdPartiesInTheFace() {
        expectFinding(checkFace,
                      {{"engine/include/weft/a.h", header + "#include <nlohmann/json_fwd.hpp>\n"}},
                      "engine/include/weft/a.h", 4);
    }
    void findThirdPartiesInASharedHeader() {
        const File sharing{"engine/graph/a.cpp", licence + "#include \"base/a.h\"\n"};
        expectFinding(checkThirdPartyInHeaders,
                      {{"engine/base/a.h", header + "#include <Eigen/Core>\n"}, sharing},
                      "engine/base/a.h", 4);
        expectNothing(checkThirdPartyInHeaders,
                      {{"engine/base/a.h", header + "#include <tl/expected.hpp>\n"}, sharing});
        expectNothing(checkThirdPartyInHeaders,
                      {{"engine/base/a.h", header + "#include <Eigen/Core>\n"}});
    }
    void findAFolderOfTooManySources() {
        std::vector<File> files{{"engine/base/more/a.cpp", licence}};
        for (int k = 0; k < 25; ++k) {
            files.push_back({"engine/base/a" + std::to_string(k) + ".cpp", licence});
        }
        QVERIFY(checkFolderSizes(Tree(files).tree()).empty());
        files.push_back({"engine/base/b.cu", licence});
        expectFinding(checkFolderSizes(Tree(files).tree()), "engine/base", 0);
    }
    void findAStrangerAtTheTop() {
        expectFinding(checkTopLevel, {{"notes/a.txt", "a\n"}}, "notes", 0);
        expectNothing(checkTopLevel, {{"build/a.txt", "a\n"}, {"runs/a/log.txt", "a\n"}});
    }

    void findAQuoteThatHasAged() {
        const File quoted{"engine/base/a.cpp", licence + "int a;\n"};
        const std::string head = table + "\nSee `engine/base/a.cpp`:\n\n```cpp\n" + licence;
        expectNothing(checkQuotes, {quoted, {"engine/README.md", head + "int a;\n```\n"}});
        expectFinding(checkQuotes, {quoted, {"engine/README.md", head + "int b;\n```\n"}},
                      "engine/README.md", 10);
        expectFinding(checkQuotes, {{"engine/README.md", head + "int a;\n```\n"}},
                      "engine/README.md", 10);
    }

    void findAFileWithoutLicence() {
        expectFinding(checkLicences, {{"engine/base/a.cpp", "int a;\n"}}, "engine/base/a.cpp", 1);
        expectNothing(checkLicences, {{"ui/canvas/a.cpp", licence}});
        expectFinding(checkLicences,
                      {{"ui/canvas/a.cpp", "// SPDX-License-Identifier: GPL-3.0-or-later\n"}},
                      "ui/canvas/a.cpp", 1);
        expectFinding(checkLicences, {{"packaging/do", "#!/bin/sh\ntrue\n"}}, "packaging/do", 1);
    }
    void findAHeaderThatSaysNothing() {
        expectFinding(checkHeaders,
                      {{"engine/base/a.h", licence + "#pragma once\n\n#include <vector>\n"}},
                      "engine/base/a.h", 4);
        expectFinding(checkHeaders, {{"engine/base/a.h", licence + "// A thing.\n#pragma once\n"}},
                      "engine/base/a.h", 2);
    }
    void findWhatIsTooLong() {
        expectFinding(checkLengths, {{"engine/base/a.h", header + repeated("\n", 398)}},
                      "engine/base/a.h", 401);
        expectFinding(checkLengths, {{"engine/include/weft/a.h", header + repeated("\n", 248)}},
                      "engine/include/weft/a.h", 251);
        expectFinding(checkLengths, {{"engine/base/a.cpp", licence + repeated("\n", 900)}},
                      "engine/base/a.cpp", 901);
        expectNothing(checkLengths, {{"engine/base/a.cpp", licence + repeated("\n", 899)}});
        expectNothing(checkLengths, {{"engine/base/a.cpp",
                                      licence + "// Table: primes.\n" + repeated("\n", 1200)}});
    }
    void findNamesThatSayNothing() {
        expectFinding(checkNames, {{"engine/base/file_utils.h", header}},
                      "engine/base/file_utils.h", 0);
        expectFinding(checkNames, {{"engine/base/FileName.h", header}}, "engine/base/FileName.h",
                      0);
        expectFinding(checkNames, {{"engine/base/a.h", header + "class RunManager;\n"}},
                      "engine/base/a.h", 4);
        expectNothing(checkNames, {{"engine/base/simple.h",
                                    header + "class Database;\n// class RunManager\n"}});
    }
    void findMarksOfUnfinishedWork() {
        const std::string mark = std::string("TO") + "DO";
        expectFinding(checkMarks, {{"engine/base/a.cpp", licence + "int a; // " + mark + "\n"}},
                      "engine/base/a.cpp", 2);
        expectFinding(checkMarks, {{"engine/base/a.cpp", licence + "# if" + " 0\n"}},
                      "engine/base/a.cpp", 2);
    }

    void findQtInTheEngine() {
        expectFinding(checkQt, {{"engine/base/a.cpp", licence + "#include <QString>\n"}},
                      "engine/base/a.cpp", 2);
        expectFinding(checkQt, {{"app/weft/a.cpp", licence + "class QString;\n"}}, "app/weft/a.cpp",
                      2);
        expectNothing(checkQt, {{"engine/base/a.cpp",
                                 licence + "// QString\nint Query; const char* a = \"QString\";\n"},
                                {"ui/a.cpp", licence + "#include <QString>\n"}});
    }
    void findTheRuntimeOfGpusOutsideItsSource() {
        expectFinding(
            checkRuntimeOfGpus,
            {{"engine/backends/cuda/runtime/device.cpp", licence + "int a = cudaMalloc(x);\n"}},
            "engine/backends/cuda/runtime/device.cpp", 2);
        expectFinding(
            checkRuntimeOfGpus,
            {{"engine/backends/cuda/runtime/runtime.cpp", licence + "int a = cudnnCreate(x);\n"}},
            "engine/backends/cuda/runtime/runtime.cpp", 2);
        expectFinding(checkRuntimeOfGpus,
                      {{"engine/backends/cuda/runtime/runtime.cpp",
                        licence + "int a = cublasLtCreate(x);\n"}},
                      "engine/backends/cuda/runtime/runtime.cpp", 2);
        expectNothing(
            checkRuntimeOfGpus,
            {{"engine/backends/cuda/runtime/runtime.cpp", licence + "int a = cudaMalloc(x);\n"},
             {"engine/backends/cuda/cudnn/cudnn_plans.cpp", licence + "int a = cudnnCreate(x);\n"},
             {"engine/backends/cuda/cublaslt/cublaslt_products.cpp",
              licence + "int a = cublasLtCreate(x);\n"},
             {"engine/backends/backends.cpp", licence + "Backend cudaBackend();\n"}});
        expectFinding(
            checkRuntimeOfGpus,
            {{"engine/backends/cuda/runtime/runtime.cpp", licence + "int a = ncclSend(x);\n"}},
            "engine/backends/cuda/runtime/runtime.cpp", 2);
        expectNothing(checkRuntimeOfGpus,
                      {{"engine/comm/nccl/library.cpp", licence + "int a = ncclSend(x);\n"}});
    }
    void findConditionsAndMacros() {
        expectFinding(checkPreprocessor,
                      {{"engine/base/a.cpp", licence + "#ifdef WITH_CUDA\n#endif\n"}},
                      "engine/base/a.cpp", 2);
        expectFinding(checkPreprocessor,
                      {{"engine/base/a.cpp", licence + "#define TWICE(x) x x\n"}},
                      "engine/base/a.cpp", 2);
        expectNothing(checkPreprocessor,
                      {{"engine/backends/cuda/a.cpp", licence + "#ifdef X\n#endif\n"}});
    }
    void findTheEndOfTheProcess() {
        expectFinding(checkProcess,
                      {{"engine/graph/a.cpp", licence + "void f() { std::exit(1); }\n"}},
                      "engine/graph/a.cpp", 2);
        expectFinding(checkProcess,
                      {{"engine/graph/a.cpp", licence + "void f() { std::cerr << 1; }\n"}},
                      "engine/graph/a.cpp", 2);
        expectNothing(checkProcess,
                      {{"engine/graph/a.cpp",
                        licence + "virtual void abort();\nvoid f() { communicator.abort(); }\n"}});
    }
    void findAComparisonWithAKind() {
        const File list{"engine/ops/CMakeLists.txt",
                        "weft_list(weft_engine OpList NAMESPACE weft::ops\n    unary/relu)\n"};
        const File layer{"engine/layers/a.cpp", licence + "Info a{.kind = \"wave\"};\n"};
        const File op{"engine/ops/a.cpp", licence + "list.add(\n    {.name = \"heads\"});\n"};
        for (const char* text :
             {"n.name() != \"relu\"", "layer.kind == \"wave\"", "op == \"heads\""}) {
            expectFinding(checkComparisons,
                          {list, layer, op, {"engine/place/a.cpp", licence + text + "\n"}},
                          "engine/place/a.cpp", 2);
        }
        const File optimizers{
            "engine/optimizers/CMakeLists.txt",
            "weft_list(weft_engine OptimizerList NAMESPACE weft::optimizers sgd)\n"};
        expectFinding(
            checkComparisons,
            {optimizers,
             {"engine/transform/a.cpp", licence + "bool a = training_.optimizer == \"sgd\";\n"}},
            "engine/transform/a.cpp", 2);
        expectNothing(checkComparisons,
                      {list,
                       {"engine/place/a.cpp", licence + "bool a = kind == \"loss\";\n"},
                       {"engine/transform/a.cpp", licence + "bool a = op == \"relu\";\n"}});
    }
    void findTwoTypesOfOneName() {
        const std::string head = licence + "#pragma once\n// What it is.\nnamespace weft {\n";
        const File first{"engine/base/a.h", head + "struct Row {\n};\n"};
        expectFinding(checkTypesAreOne,
                      {first, {"engine/graph/b.h", head + "class Row final {\n};\n"}},
                      "engine/graph/b.h", 5);
        expectNothing(checkTypesAreOne, {first,
                                         {"engine/graph/b.h", head + "class Row;\n"},
                                         {"engine/graph/c.h", licence + "namespace weft::cpu {\n"
                                                                        "struct Row {\n};\n"}});
    }
    void findAFileThatDeclaresAnother() {
        const File list{"engine/ops/CMakeLists.txt",
                        "weft_list(weft_engine OpList NAMESPACE weft::ops unary/relu)\n"};
        expectFinding(checkDeclaredNames,
                      {list, {"engine/ops/unary/relu.cpp", licence + "Op a{.name = \"tanh\"};\n"}},
                      "engine/ops/unary/relu.cpp", 0);
        expectNothing(checkDeclaredNames,
                      {list, {"engine/ops/unary/relu.cpp", licence + "Op a{.name = \"relu\"};\n"}});
    }
    void findAMissingIcon() {
        const File layer{"engine/layers/a.cpp", licence + "Layer a{.icon = \"wave\"};\n"};
        expectFinding(checkIcons, {layer, {"resources/icons/other.svg", ""}}, "engine/layers/a.cpp",
                      2);
        expectNothing(checkIcons, {layer, {"resources/icons/wave.svg", ""}});
    }
    void findATestThatCannotFail() {
        const std::string head = licence + "class TestA : public QObject {\nprivate slots:\n";
        expectFinding(checkTestsCanFail,
                      {{"tests/tst_a.cpp", head + "    void runs() { work(); }\n};\n"}},
                      "tests/tst_a.cpp", 4);
        expectFinding(checkTestsCanFail,
                      {{"tests/tst_a.cpp", head + "    void runs();\n};\nvoid TestA::runs() {}\n"}},
                      "tests/tst_a.cpp", 4);
        expectFinding(
            checkTestsCanFail,
            {{"tests/tst_a.cpp", head + "    void runs() { QSKIP(\"\"); QVERIFY(a); }\n};\n"}},
            "tests/tst_a.cpp", 4);
        expectNothing(
            checkTestsCanFail,
            {{"tests/tst_a.cpp", licence + "void holds(int a) {\n    QCOMPARE(a, 1);\n}\n" +
                                     head.substr(licence.size()) +
                                     "    void init() {}\n    void runs() { holds(1); }\n};\n"}});
    }
};

std::unique_ptr<QObject> makeTestChecks() { return std::make_unique<TestChecks>(); }

#include "tst_checks.moc"
