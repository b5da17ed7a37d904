// SPDX-License-Identifier: Apache-2.0
// packaging/sample draws comments, help texts and identifiers of a commit, the same ones each time.

#include "support/places.h"
#include "support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

class TestSample : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;

    [[nodiscard]] QByteArray start(const QString& program, const QStringList& arguments) const {
        QProcess process;
        process.setWorkingDirectory(dir_.path());
        process.start(program, arguments);
        const bool isDone = process.waitForFinished(120000) && process.exitCode() == 0;
        return isDone ? process.readAllStandardOutput() : QByteArray();
    }

    void write(const std::string& path, const std::string& text) const {
        const fs::path file = fs::path(dir_.path().toStdString()) / path;
        fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }

    void commit() const {
        (void)start("git", {"add", "-A"});
        (void)start("git",
                    {"-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qm", "a"});
    }

    /// The texts of one kind, in order of the alphabet.
    [[nodiscard]] QStringList drawn(const QString& kind) const {
        QStringList texts;
        const QByteArray sample = start("packaging/sample", {"--json"});
        const QJsonArray all = QJsonDocument::fromJson(sample).object().value("drawn").toArray();
        for (const QJsonValue one : all) {
            if (one["kind"].toString() == kind) {
                texts.append(one["text"].toString());
            }
        }
        texts.sort();
        return texts;
    }

private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable("git").isEmpty() ||
            QStandardPaths::findExecutable("python3").isEmpty()) {
            QSKIP("needs git and python3: packaging/install");
        }
        write("engine/a.h",
              "// SPDX-License-Identifier: Apache-2.0\n#pragma once\n"
              "// Counts steps.\nstruct Counter {\n    int steps = 0; ///< since the\n"
              "                   ///< beginning\n    // int old = 0;\n"
              "    void advance();\n};\n");
        write("ui/b.cpp",
              "// SPDX-License-Identifier: Apache-2.0\nint a; // not a \"quoted text\"\n"
              "Info info{.name = \"b\", .help = \"Number of \"\n    \"steps.\"};\n");
        write("tests/c.h", "// What nobody draws.\nstruct Unseen {};\n");
        const fs::path scripts = fs::path(dir_.path().toStdString()) / "packaging";
        fs::create_directories(scripts);
        fs::copy(weft::test::sourceFolder() / "packaging/sample", scripts / "sample");
        (void)start("git", {"init", "-q"});
        commit();
    }

    void drawsCommentsHelpTextsAndIdentifiers() {
        QCOMPARE(drawn("comment"),
                 QStringList({"Counts steps.", "not a \"quoted text\"", "since the beginning"}));
        QCOMPARE(drawn("help"), QStringList({"Number of steps."}));
        QCOMPARE(drawn("identifier"), QStringList({"Counter", "advance", "steps"}));
    }

    void drawsTheSameOfTheSameCommit() {
        const QByteArray first = start("packaging/sample", {});
        QVERIFY(first.contains("engine/a.h:5"));
        write("engine/d.h", "// A change that is not committed.\n");
        QCOMPARE(start("packaging/sample", {}), first);
        commit();
        QVERIFY(start("packaging/sample", {}) != first);
        QCOMPARE(start("packaging/sample", {"HEAD~1"}), first);
    }
};

std::unique_ptr<QObject> makeTestSample() { return std::make_unique<TestSample>(); }

#include "tst_sample.moc"
