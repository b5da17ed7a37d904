// SPDX-License-Identifier: Apache-2.0
#include "compiled_kernels.h"

#include <cxxabi.h>

#include <QProcess>
#include <QRegularExpression>
#include <cstdlib>
#include <memory>

namespace weft::test {

Said told(const QString& program, const QStringList& words) {
    constexpr int patience = 300'000;
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, words);
    const bool hasEnded = process.waitForFinished(patience);
    return {hasEnded ? process.exitCode() : -1, QString::fromUtf8(process.readAll())};
}

QString shortName(const QString& mangled) {
    static const QRegularExpression typeOfNumber("\\(\\w+\\)(?=\\d)");
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> whole(
        abi::__cxa_demangle(mangled.toUtf8().constData(), nullptr, nullptr, &status), &std::free);
    QString name = status == 0 ? QString(whole.get()) : mangled;
    name.remove("(anonymous namespace)::").remove("weft::cuda::").remove("void ");
    name.remove(typeOfNumber);
    return name.left(name.indexOf('('));
}

} // namespace weft::test
