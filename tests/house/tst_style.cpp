// SPDX-License-Identifier: Apache-2.0
// packaging/style --check, on small repositories that break one rule each.

#include "support/places.h"
#include "support/test_main.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace {

const std::string licenceLine = "// SPDX-License-Identifier: Apache-2.0\n";

struct Outcome {
    int code = -1;
    QString output;
};

Outcome start(const QString& folder, const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(120000)) {
        return {};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

struct NewFile {
    std::string path;
    std::string text;
    bool executable = false;
};

// A repository with the style's own files and these.
Outcome styleOf(const std::vector<NewFile>& files) {
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    fs::create_directories(root / "packaging");
    for (const char* own : {"packaging/style", "packaging/words", "packaging/wording",
                            "packaging/retired", ".clang-format"}) {
        fs::copy(weft::test::sourceFolder() / own, root / own);
    }
    for (const NewFile& file : files) {
        fs::create_directories((root / file.path).parent_path());
        std::ofstream(root / file.path, std::ios::binary) << file.text;
        if (file.executable) {
            fs::permissions(root / file.path, fs::perms::owner_exec, fs::perm_options::add);
        }
    }
    start(dir.path(), "git", {"init", "-q"});
    start(dir.path(), "git", {"add", "-A"});
    return start(dir.path(), "packaging/style", {"--check"});
}

} // namespace

class TestStyle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        for (const char* program : {"git", "clang-format-14", "codespell"}) {
            if (QStandardPaths::findExecutable(program).isEmpty()) {
                QSKIP("needs git, clang-format-14 and codespell: packaging/install");
            }
        }
    }

    void isContentWithWhatIsInForm() {
        const Outcome outcome = styleOf({{"engine/a.cpp", licenceLine + "\nint a = 1;\n"}});
        // Without a build there is no list of what to tidy, and that is told as wrong.
        const QString expected = "clang-tidy:\nno build/dev/compile_commands.json: "
                                 "cmake --preset dev first\n";
        QVERIFY2(outcome.output.endsWith(expected), qPrintable(outcome.output));
        QCOMPARE(outcome.output.count(":\n"), 1);
        QCOMPARE(outcome.code, 1);
    }

    void tellsWhatIsNotInForm() {
        const std::string script = "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n";
        const std::string typo = std::string("rec") + "ieve\n"; // in halves: this file has none
        const Outcome outcome = styleOf({{"engine/form.cpp", licenceLine + "int  a;\n"},
                                         {"ends.md", "a\r\n"},
                                         {"blanks.md", "a \n"},
                                         {"tabs.md", "a\tb\n"},
                                         {"newline.md", "a"},
                                         {"executable.md", "a\n", true},
                                         {"packaging/plain", script},
                                         {"engine/licenceLine.cpp", "int a;\n"},
                                         {"size.md", std::string(1000001, 'a') + "\n"},
                                         {"typo.md", typo}});
        for (const char* told : {"not in form (packaging/style mends it):\nengine/form.cpp:",
                                 "\nline ends of another system:\nends.md\n",
                                 "\nblanks at the end of a line:\nblanks.md:1:",
                                 "\ntabs:\ntabs.md:1:", "\nno newline at the end:\nnewline.md\n",
                                 "\nexecutable.md: is executable and does not start with #!\n",
                                 "\npackaging/plain: starts with #! and is not executable\n",
                                 "\nno SPDX in the first two lines:\nengine/licenceLine.cpp\n",
                                 "\nover 1 MB:\nsize.md\n", "holds the exceptions):\ntypo.md:1:"}) {
            QVERIFY2(outcome.output.contains(told), qPrintable(told + ("\n" + outcome.output)));
        }
        QCOMPARE(outcome.code, 1);
    }

    void findsCommentsThatOpenWithARetiredWord() {
        const Outcome outcome = styleOf(
            {{"engine/a.h", licenceLine + "\n// Of a step.\nint a;\n/// What of it lasts.\nint b;\n"
                                          "int c; ///< of a step\n"},
             {"ui/b.cpp", licenceLine + "\nint a; // Of a step\n"},
             // A line that goes on, a text and a word that only begins alike.
             {"engine/good.cpp", licenceLine + "\n// The number\n// of steps.\nint a;\n"
                                               "const char* b = \"// Of a step\";\n"
                                               "// Office hours.\nint c; ///< often\n"}});
        const QString heading = "retired words (packaging/retired):\n";
        QVERIFY2(outcome.output.contains(heading + "engine/a.h:3: a comment opens with \"Of\": "),
                 qPrintable(outcome.output));
        for (const char* place : {"engine/a.h:5: a comment opens with \"What of\": ",
                                  "engine/a.h:7: a comment opens with \"of\": ",
                                  "ui/b.cpp:3: a comment opens with \"Of\": "}) {
            QVERIFY2(outcome.output.contains(place), qPrintable(place + ("\n" + outcome.output)));
        }
        QVERIFY2(!outcome.output.contains("good.cpp"), qPrintable(outcome.output));
        QCOMPARE(outcome.code, 1);
    }

    void findsRetiredIdentifiersWhereTheyMeanTheRetiredThing() {
        const Outcome outcome =
            styleOf({{"engine/run/a.cpp", licenceLine + "\nclass StagedRoom;\n"
                                                        "bool b = step.isSaidAnew;\n"},
                     {"engine/layers/b.cpp", licenceLine + "\nint b = spec.fallback;\n"},
                     {"engine/remote/c.cpp", licenceLine + "\nstruct Letter;\n"},
                     // Other things of these names, comments and texts.
                     {"engine/place/good.cpp",
                      licenceLine + "\nstruct Letter; // a Verdict\nint a = request.fallback;\n"
                                    "const char* b = \"Verdict\";\n"}});
        for (const char* told : {"engine/run/a.cpp:3: StagedRoom is retired: ...Communicator\n",
                                 "engine/run/a.cpp:4: isSaidAnew is retired: isCapturable, ",
                                 "engine/layers/b.cpp:3: fallback is retired: .defaultValue\n",
                                 "engine/remote/c.cpp:3: Letter is retired: Packet "}) {
            QVERIFY2(outcome.output.contains(told), qPrintable(told + ("\n" + outcome.output)));
        }
        QVERIFY2(!outcome.output.contains("good.cpp"), qPrintable(outcome.output));
        QCOMPARE(outcome.code, 1);
    }
};

std::unique_ptr<QObject> makeTestStyle() { return std::make_unique<TestStyle>(); }

#include "tst_style.moc"
