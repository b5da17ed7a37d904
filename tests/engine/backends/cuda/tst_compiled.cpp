// SPDX-License-Identifier: Apache-2.0
// Compiler reports on the kernels: a second compiler gives no warnings, and with the first no
// kernel uses or spills more registers than listed in resources.txt.

#include "compiled_kernels.h"
#include "support/places.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace weft::test;

namespace {

struct Resources {
    int registers = 0;
    int spilled = 0; ///< bytes stored
};

/// By chip, source and kernel, as a line of the list begins.
using Taken = std::map<QString, Resources>;

QString folder() {
    return QString::fromStdString((sourceFolder() / "engine/backends/cuda").string());
}

QStringList kernels() { return QString(WEFT_CUDA_KERNELS).split(' ', Qt::SkipEmptyParts); }

/// Reads ptxas' report of each kernel of a source.
void addTaken(const QString& source, const QString& text, Taken& taken) {
    static const QRegularExpression line(
        "Compiling entry function '(\\w+)' for '(\\w+)'|(\\d+) bytes spill stores|Used (\\d+) "
        "registers");
    Resources* of = nullptr;
    for (auto at = line.globalMatch(text); at.hasNext();) {
        const QRegularExpressionMatch match = at.next();
        if (match.hasCaptured(1)) {
            of = &taken[match.captured(2) + ' ' + source + ' ' + shortName(match.captured(1))];
        } else if (of != nullptr && match.hasCaptured(3)) {
            of->spilled = match.captured(3).toInt();
        } else if (of != nullptr) {
            of->registers = match.captured(4).toInt();
        }
    }
}

QString listOf(const QString& version, const Taken& taken) {
    QString text =
        "# What a kernel takes: registers, bytes spilled, chip, source, kernel.\n" + version + "\n";
    for (const auto& [kernel, resources] : taken) {
        text += QString("%1 %2 %3\n").arg(resources.registers).arg(resources.spilled).arg(kernel);
    }
    return text;
}

struct Known {
    QString version;
    Taken taken;
};

Known known() {
    QFile file(QString::fromStdString(
        (sourceFolder() / "tests/engine/backends/cuda/resources.txt").string()));
    Known made;
    if (!file.open(QIODevice::ReadOnly)) {
        return made;
    }
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    made.version = lines.value(1);
    for (const QString& line : lines.mid(2)) {
        made.taken[line.section(' ', 2)] = {line.section(' ', 0, 0).toInt(),
                                            line.section(' ', 1, 1).toInt()};
    }
    return made;
}

QStringList includes() {
    const QString root = QString::fromStdString(sourceFolder().string());
    return {"-I" + root + "/engine", "-I" + root + "/engine/include"};
}

} // namespace

class TestCompiled : public QObject {
    Q_OBJECT

    [[nodiscard]] static QString version() {
        static const QRegularExpression release("release [\\d.]+, V([\\d.]+)");
        return "nvcc " + release.match(told(WEFT_NVCC, {"--version"}).text).captured(1);
    }

private Q_SLOTS:
    void takesNoMoreThanIsKnown() {
        const Known before = known();
        const QString now = version();
        if (before.version != now) {
            QSKIP(qPrintable("the list is of " + before.version + ", here is " + now));
        }
        Taken taken;
        for (const QString& source : kernels()) {
            for (const char* const chip : {"sm_80", "sm_90"}) {
                const Said said = told(
                    WEFT_NVCC,
                    includes() + QStringList{"-std=c++20", "--expt-relaxed-constexpr",
                                             QString("-arch=") + chip, "-cubin", "-Xptxas", "-v",
                                             "-o", "/dev/null", folder() + '/' + source});
                QVERIFY2(said.code == 0, qPrintable(said.text));
                addTaken(QFileInfo(source).fileName(), said.text, taken);
            }
        }
        QStringList worse;
        for (const auto& [kernel, resources] : taken) {
            const auto was = before.taken.find(kernel);
            if (was == before.taken.end()) {
                worse += kernel + " is not in the list";
            } else if (resources.registers > was->second.registers ||
                       resources.spilled > was->second.spilled) {
                worse += QString("%1 takes %2 registers and spills %3 bytes; it took %4 and %5")
                             .arg(kernel)
                             .arg(resources.registers)
                             .arg(resources.spilled)
                             .arg(was->second.registers)
                             .arg(was->second.spilled);
            }
        }
        for (const auto& [kernel, resources] : before.taken) {
            if (!taken.contains(kernel)) {
                worse += kernel + " is in the list, and there is none";
            }
        }
        QFile made(QString::fromStdString((buildFolder() / "resources.txt").string()));
        QVERIFY(made.open(QIODevice::WriteOnly));
        made.write(listOf(now, taken).toUtf8());
        QVERIFY2(worse.isEmpty(),
                 qPrintable(worse.join('\n') + "\nas it is now: " + made.fileName()));
    }

    void satisfiesASecondCompiler() {
        const QString clang = QStandardPaths::findExecutable("clang++-16");
        if (clang.isEmpty()) {
            QSKIP("there is no clang++-16");
        }
        const QTemporaryDir gone; // headers that newer toolkits no longer have
        for (const char* const name :
             {"texture_fetch_functions.h", "texture_indirect_functions.h"}) {
            QVERIFY(QFile(gone.filePath(name)).open(QIODevice::WriteOnly));
        }
        for (const QString& source : kernels()) {
            const Said said =
                told(clang, includes() + QStringList{"-x", "cuda", "-std=c++20",
                                                     "--cuda-gpu-arch=sm_90", "--cuda-device-only",
                                                     QString("--cuda-path=") + WEFT_CUDA_ROOT,
                                                     "-isystem", gone.path(), "-Wall", "-Wextra",
                                                     "-Werror", "-Wno-unknown-cuda-version", "-S",
                                                     "-o", "/dev/null", folder() + '/' + source});
            QVERIFY2(said.code == 0, qPrintable(source + ":\n" + said.text));
        }
    }
};

std::unique_ptr<QObject> makeTestCompiled() { return std::make_unique<TestCompiled>(); }
#include "tst_compiled.moc"
