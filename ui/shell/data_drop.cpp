// SPDX-License-Identifier: Apache-2.0
#include "shell/data_drop.h"

#include "theme/quantity.h"
#include "workspace/aside.h"
#include <weft/samples.h>

#include <QFileInfo>

namespace weft::ui {

namespace {

struct Dropped {
    DataSettings data;
    SampleSource source;
    QString failure;
};

Dropped searchFolders(const QStringList& files, const std::string& folder) {
    std::vector<std::filesystem::path> paths;
    paths.reserve(static_cast<std::size_t>(files.size()));
    for (const QString& file : files) {
        paths.emplace_back(file.toStdString());
    }
    Dropped dropped;
    try {
        dropped.data = recogniseData(paths);
        if (!dropped.data.source.empty()) {
            dropped.source = describeSamples({.data = dropped.data, .folder = folder});
        }
    } catch (const std::exception& error) {
        dropped.failure = QString::fromUtf8(error.what());
    }
    return dropped;
}

QString nameOf(const QStringList& files) {
    const QString first = QFileInfo(files.front()).fileName();
    return files.size() == 1
               ? first
               : WindowContext::tr("%1 and %n more", nullptr, static_cast<int>(files.size()) - 1)
                     .arg(first);
}

void give(WindowContext& context, OpenDesign& design, const QString& name, const Dropped& dropped) {
    if (!dropped.failure.isEmpty()) {
        Q_EMIT context.notice(dropped.failure, true);
        return;
    }
    if (dropped.data.source.empty()) {
        QStringList known;
        for (const std::string& title : recognisedDataKinds()) {
            known << QString::fromStdString(title);
        }
        Q_EMIT context.notice(WindowContext::tr("%1 is not data that Weft can read: it reads %2")
                                  .arg(name, known.join(QStringLiteral(", "))),
                              false);
        return;
    }
    design.document().edit(WindowContext::tr("Take data from %1").arg(name), [&](Design& target) {
        const std::int64_t batch = target.data.batch;
        target.data = dropped.data;
        target.data.batch = batch;
        feedFrom(target, dropped.source, *context.kinds);
        return Edited{};
    });
    const auto count = [](std::int64_t examples) {
        return quantity::count(static_cast<double>(examples));
    };
    Q_EMIT context.notice(
        WindowContext::tr("%1: %2 examples for training, %3 for testing")
            .arg(name, count(dropped.source.training), count(dropped.source.test)),
        false);
}

} // namespace

void setDesignData(WindowContext& context, const QStringList& files) {
    OpenDesign* design = context.designs.current();
    const QString name = nameOf(files);
    if (design == nullptr) {
        Q_EMIT context.notice(
            WindowContext::tr("Open a design first: %1 becomes its data").arg(name), false);
        return;
    }
    runInBackground(
        design,
        [files, folder = dataFolderOf(design->document()).toStdString()] {
            return searchFolders(files, folder);
        },
        [&context, design, name](const Dropped& dropped) {
            give(context, *design, name, dropped);
        });
}

} // namespace weft::ui
