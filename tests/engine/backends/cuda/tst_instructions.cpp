// SPDX-License-Identifier: Apache-2.0
// No kernel takes more instructions per element than it declares (instructions.txt). Counted is
// what nvcc made for chips of 9.0: of the innermost loops of a kernel the one that loads the most
// bytes of global memory. Its instructions, times the bytes that are loaded for an element, divided
// by the bytes that the loop loads, are those of an element. (Instructions of which a predicate
// chooses some count as all; what comes before and after the loop does not count.)

#include "compiled_kernels.h"
#include "support/places.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <algorithm>
#include <map>
#include <vector>

using namespace weft::test;

namespace {

struct Instruction {
    int address = 0;
    QString text;
};
using Code = std::vector<Instruction>;

struct Loop {
    int begin = 0, end = 0; ///< addresses of its first and its last instruction
    [[nodiscard]] bool contains(const Loop& other) const {
        return begin <= other.begin && other.end <= end &&
               (begin != other.begin || end != other.end);
    }
};

struct Counted {
    int instructions = 0;
    int bytes = 0; ///< loaded
};

struct Bound {
    double most = 0;
    int bytes = 0; ///< that are loaded for an element
    QString source, kernel;
};

/// Returns the code of kernels by name, parsed from the output of cuobjdump.
std::map<QString, Code> codeIn(const QString& text) {
    static const QRegularExpression line(R"(Function : (\w+)|^\s+/\*([0-9a-f]{4,})\*/\s+([^;]*);)",
                                         QRegularExpression::MultilineOption);
    std::map<QString, Code> code;
    Code* of = nullptr;
    for (auto at = line.globalMatch(text); at.hasNext();) {
        const QRegularExpressionMatch match = at.next();
        if (!match.captured(1).isEmpty()) {
            of = &code[shortName(match.captured(1))];
        } else if (of != nullptr) {
            of->push_back({match.captured(2).toInt(nullptr, 16), match.captured(3)});
        }
    }
    return code;
}

/// Loops that contain no other: jumps backwards end them.
std::vector<Loop> innermostLoops(const Code& code) {
    static const QRegularExpression jump(R"(\bBRA\b.*?0x([0-9a-f]+))");
    std::vector<Loop> loops;
    for (const Instruction& one : code) {
        const QRegularExpressionMatch match = jump.match(one.text);
        const int target = match.hasMatch() ? match.captured(1).toInt(nullptr, 16) : one.address;
        if (target < one.address) {
            loops.push_back({target, one.address});
        }
    }
    std::vector<Loop> innermost;
    std::ranges::copy_if(loops, std::back_inserter(innermost), [&](const Loop& loop) {
        return std::ranges::none_of(loops, [&](const Loop& other) { return loop.contains(other); });
    });
    return innermost;
}

int bytesLoaded(const QString& instruction) {
    static const QRegularExpression load(R"(\bLDG\.E(?:\.(\w+))?)");
    static const std::map<QString, int> sizes{{"128", 16}, {"64", 8}, {"U16", 2},
                                              {"S16", 2},  {"U8", 1}, {"S8", 1}};
    const QRegularExpressionMatch match = load.match(instruction);
    if (!match.hasMatch()) {
        return 0;
    }
    const auto size = sizes.find(match.captured(1));
    return size == sizes.end() ? 4 : size->second;
}

Counted mainLoopOf(const Code& code) {
    Counted most;
    for (const Loop& loop : innermostLoops(code)) {
        Counted counted;
        for (const Instruction& one : code) {
            if (one.address >= loop.begin && one.address <= loop.end) {
                ++counted.instructions;
                counted.bytes += bytesLoaded(one.text);
            }
        }
        most = counted.bytes > most.bytes ? counted : most;
    }
    return most;
}

std::vector<Bound> bounds() {
    QFile file(QString::fromStdString(
        (sourceFolder() / "tests/engine/backends/cuda/instructions.txt").string()));
    std::vector<Bound> all;
    if (!file.open(QIODevice::ReadOnly)) {
        return all;
    }
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)) {
        const QStringList cells = line.split(" | ");
        if (!line.startsWith('#') && cells.size() == 4) {
            all.push_back({cells[0].toDouble(), cells[1].toInt(), cells[2], cells[3]});
        }
    }
    return all;
}

QString tool(const QString& name) {
    const QString beside =
        QStandardPaths::findExecutable(name, {QFileInfo(WEFT_NVCC).absolutePath()});
    return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

} // namespace

class TestInstructions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The count is that of a loop written down: two loads of 16 bytes in four instructions.
    void countsTheLoopThatLoadsMost() {
        const auto code = codeIn("Function : _Z1kPf\n"
                                 "        /*0000*/  MOV R1, c[0x0][0x28] ;\n"
                                 "        /*0010*/  LDG.E R2, [R4.64] ;\n"
                                 "        /*0020*/  @P1 BRA 0x10 ;\n"
                                 "        /*0030*/  LDG.E.128 R2, [R4.64] ;\n"
                                 "        /*0040*/  LDG.E.128.CONSTANT R2, [R4.64] ;\n"
                                 "        /*0050*/  FADD R2, R2, R3 ;\n"
                                 "        /*0060*/  @!P0 BRA 0x30 ;\n"
                                 "        /*0070*/  @P2 BRA 0x0 ;\n");
        QCOMPARE(code.size(), std::size_t{1});
        const Counted counted = mainLoopOf(code.begin()->second);
        QCOMPARE(counted.instructions, 4);
        QCOMPARE(counted.bytes, 32);
    }

    void takeNoMoreThanIsDeclared() {
        const QString cuobjdump = tool("cuobjdump");
        const QString nvdisasm = tool("nvdisasm");
        if (cuobjdump.isEmpty() || nvdisasm.isEmpty()) {
            QSKIP("there is no cuobjdump with nvdisasm");
        }
        const QString path = qEnvironmentVariable("PATH");
        qputenv("PATH", (path + ':' + QFileInfo(nvdisasm).absolutePath()).toLocal8Bit());
        const std::vector<Bound> declared = bounds();
        QVERIFY(!declared.empty());
        QStringList worse;
        for (const QString& object : QString(WEFT_CUDA_OBJECTS).split(' ', Qt::SkipEmptyParts)) {
            const QString source = QFileInfo(object).completeBaseName();
            const auto isOfSource = [&](const Bound& bound) { return bound.source == source; };
            if (std::ranges::none_of(declared, isOfSource)) {
                continue;
            }
            const Said said = told(cuobjdump, {"-sass", "-arch", "sm_90", object});
            QVERIFY2(said.code == 0, qPrintable(said.text));
            const auto code = codeIn(said.text);
            for (const Bound& bound : declared) {
                const auto found = code.find(bound.kernel);
                if (!isOfSource(bound)) {
                    continue;
                }
                if (found == code.end()) {
                    worse += bound.source + " has no " + bound.kernel;
                    continue;
                }
                const Counted counted = mainLoopOf(found->second);
                const double each = counted.bytes == 0
                                        ? 1e9
                                        : 1.0 * counted.instructions * bound.bytes / counted.bytes;
                if (each > bound.most) {
                    worse += QString("%1, %2 takes %3 instructions per element; it declares %4")
                                 .arg(bound.source, bound.kernel)
                                 .arg(each)
                                 .arg(bound.most);
                }
            }
        }
        QVERIFY2(worse.isEmpty(), qPrintable(worse.join('\n')));
    }
};

std::unique_ptr<QObject> makeTestInstructions() { return std::make_unique<TestInstructions>(); }
#include "tst_instructions.moc"
