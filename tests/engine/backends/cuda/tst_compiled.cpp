// SPDX-License-Identifier: Apache-2.0
// Compiler reports on the kernels: a second compiler gives no warnings, and with the first no
// kernel takes more registers than let enough blocks run at the same time, or spills any. The few
// kernels that may do so have limits of their own.

#include "compiled_kernels.h"
#include "support/places.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <map>
#include <set>
#include <vector>

using namespace weft::test;

namespace {

struct Resources {
    int registers = 0;
    int spilled = 0; ///< bytes stored
};

/// By chip and kernel, such as "sm_90 attentionKernel".
using Taken = std::map<QString, Resources>;

constexpr int blockThreads = 256;
constexpr int registersOfMultiprocessor = 65536;

/// What kernels may take. Their registers must let `blocks` blocks of 256 threads run on one
/// multiprocessor at the same time.
struct Limit {
    QString source;
    QString kernel;
    int blocks = 4;
    int spilled = 0;

    /// The compiler gives registers in steps of eight.
    [[nodiscard]] int registers() const {
        return std::min(255, registersOfMultiprocessor / (blocks * blockThreads) / 8 * 8);
    }
};

/// Kernels that need more, most of them because each thread keeps a tile of sums in registers. All
/// other kernels have the limits of Limit{}.
const std::vector<Limit>& limits() {
    static const std::vector<Limit> list{
        {"attention.cu", "attentionKernel", 3},
        {"attention.cu", "queryGradientKernel", 3},
        {"attention.cu", "keyGradientKernel", 4, 32},
        {"attention_rounded.cu", "roundedAttentionKernel", 1, 64},
        {"pooling.cu", "averagePoolGradientKernel", 3},
        {"product.cu", "productKernel", 2},
        {"product.cu", "wideProductKernel", 2, 256},
    };
    return list;
}

Limit limitOf(const QString& source, const QString& kernel) {
    const auto found = std::ranges::find_if(limits(), [&](const Limit& limit) {
        return limit.source == source && limit.kernel == kernel.section('<', 0, 0);
    });
    return found == limits().end() ? Limit{} : *found;
}

QString folder() {
    return QString::fromStdString((sourceFolder() / "engine/backends/cuda").string());
}

QStringList kernels() { return QString(WEFT_CUDA_KERNELS).split(' ', Qt::SkipEmptyParts); }

/// Reads ptxas' report of each kernel of a source.
Taken takenIn(const QString& text) {
    static const QRegularExpression line(
        "Compiling entry function '(\\w+)' for '(\\w+)'|(\\d+) bytes spill stores|Used (\\d+) "
        "registers");
    Taken taken;
    Resources* of = nullptr;
    for (auto at = line.globalMatch(text); at.hasNext();) {
        const QRegularExpressionMatch match = at.next();
        if (match.hasCaptured(1)) {
            of = &taken[match.captured(2) + ' ' + shortName(match.captured(1))];
        } else if (of != nullptr && match.hasCaptured(3)) {
            of->spilled = match.captured(3).toInt();
        } else if (of != nullptr) {
            of->registers = match.captured(4).toInt();
        }
    }
    return taken;
}

QStringList includes() {
    const QString root = QString::fromStdString(sourceFolder().string());
    return {"-I" + root + "/engine", "-I" + root + "/engine/include"};
}

} // namespace

class TestCompiled : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsToItsRegisters_data() {
        QTest::addColumn<QString>("source");
        for (const QString& source : kernels()) {
            QTest::newRow(qPrintable(source)) << source;
        }
    }
    void keepsToItsRegisters() {
        QFETCH(QString, source);
        const QString name = QFileInfo(source).fileName();
        Taken taken;
        for (const char* const chip : {"sm_80", "sm_90"}) {
            const Said said =
                told(WEFT_NVCC,
                     includes() + QStringList{"-std=c++20", "--expt-relaxed-constexpr",
                                              QString("-arch=") + chip, "-cubin", "-Xptxas", "-v",
                                              "-o", "/dev/null", folder() + '/' + source});
            QVERIFY2(said.code == 0, qPrintable(said.text));
            taken.merge(takenIn(said.text));
        }
        QVERIFY2(!taken.empty(), "the compiler reports no kernel");
        QStringList worse;
        std::set<QString> names;
        for (const auto& [kernel, resources] : taken) {
            const Limit limit = limitOf(name, kernel.section(' ', 1));
            names.insert(kernel.section(' ', 1).section('<', 0, 0));
            if (resources.registers == 0 || resources.registers > limit.registers() ||
                resources.spilled > limit.spilled) {
                worse += QString("%1 takes %2 registers and spills %3 bytes; %4 and %5 are allowed")
                             .arg(kernel)
                             .arg(resources.registers)
                             .arg(resources.spilled)
                             .arg(limit.registers())
                             .arg(limit.spilled);
            }
        }
        for (const Limit& limit : limits()) {
            if (limit.source == name && !names.contains(limit.kernel)) {
                worse += "there is no " + limit.kernel + ", but it has a limit";
            }
        }
        QVERIFY2(worse.isEmpty(), qPrintable(worse.join('\n')));
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
