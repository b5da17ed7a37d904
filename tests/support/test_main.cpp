// SPDX-License-Identifier: Apache-2.0
#include "support/test_main.h"

#include <sys/mman.h>
#include <unistd.h>

#include <QByteArray>
#include <QFile>
#include <QIODevice>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <algorithm>
#include <cstdio>
#include <string_view>

namespace weft::test {
namespace {

// Qt Test tells failures from the rest by its result, skips only in its output: a second copy of
// the output goes to memory, and its lines are counted there.
class OutputCopy {
public:
    OutputCopy() : descriptor_(memfd_create("weft-test", 0)) {}
    ~OutputCopy() { close(descriptor_); }
    OutputCopy(const OutputCopy&) = delete;
    OutputCopy& operator=(const OutputCopy&) = delete;

    [[nodiscard]] QString path() const {
        return QStringLiteral("/proc/self/fd/%1").arg(descriptor_);
    }

    [[nodiscard]] bool tellsOfSkips() const {
        QFile file(path());
        if (!file.open(QIODevice::ReadOnly)) {
            return false;
        }
        const QList<QByteArray> lines = file.readAll().split('\n');
        return std::ranges::any_of(lines,
                                   [](const QByteArray& line) { return line.startsWith("SKIP "); });
    }

private:
    int descriptor_;
};

struct Outcome {
    int failures = 0;
    bool skipped = false;
};

Outcome runOne(const TestClass& testClass, const QStringList& arguments) {
    const OutputCopy copy;
    const std::unique_ptr<QObject> object = testClass.make();
    QStringList all{QString::fromLatin1(testClass.name)};
    all << QStringLiteral("-o") << QStringLiteral("-,txt");
    all << QStringLiteral("-o") << copy.path() + QStringLiteral(",txt");
    all << arguments;
    Outcome outcome;
    outcome.failures = QTest::qExec(object.get(), all);
    outcome.skipped = copy.tellsOfSkips();
    return outcome;
}

} // namespace

int runTests(std::span<const TestClass> classes, int argc, char** argv) {
    // Tests must neither read nor overwrite measured rates of this machine and the user's hosts.
    const QTemporaryDir own;
    for (const char* what : {"cache", "config", "data"}) {
        qputenv(QByteArray("XDG_" + QByteArray(what).toUpper() + "_HOME").constData(),
                QFile::encodeName(own.filePath(what)));
    }
    const std::string_view wanted = argc > 1 ? argv[1] : "";
    QStringList arguments;
    for (int i = 2; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
    }
    int failures = 0;
    int found = 0;
    bool skipped = false;
    for (const TestClass& testClass : classes) {
        if (!wanted.empty() && wanted != testClass.name) {
            continue;
        }
        ++found;
        const Outcome outcome = runOne(testClass, arguments);
        failures += outcome.failures;
        skipped = skipped || outcome.skipped;
    }
    // Background work needs the application, which is destroyed at the end of main.
    QThreadPool::globalInstance()->clear();
    QThreadPool::globalInstance()->waitForDone();
    if (found == 0) {
        std::fprintf(stderr, "no test class %s here; there are:\n", argc > 1 ? argv[1] : "");
        for (const TestClass& testClass : classes) {
            std::fprintf(stderr, "  %s\n", testClass.name);
        }
        return 2;
    }
    if (failures > 0) {
        return std::min(failures, skippedExitCode - 1);
    }
    return skipped ? skippedExitCode : 0;
}

} // namespace weft::test
