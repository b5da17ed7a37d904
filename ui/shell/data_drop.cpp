// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/data_drop.h"

#include <weft/error.h>
#include <weft/samples.h>

#include <QDir>
#include <QFileInfo>
#include <algorithm>

namespace weft::ui {

namespace {

bool holds(const QDir& folder, const char* pattern) {
    return !folder.entryList({QLatin1String(pattern)}, QDir::Files).isEmpty();
}

/// What feeds a network from outside: it has a shape and takes no wire.
bool isInput(const std::vector<LayerKindInfo>& kinds, const Layer& layer) {
    const LayerKindInfo* kind = findKind(kinds, layer.kind);
    return kind != nullptr && kind->inputs.empty() &&
           std::ranges::any_of(kind->attributes,
                               [](const AttributeSpec& spec) { return spec.name == "shape"; });
}

/// Input layers of ids take the field of classes, the others the first field that is none.
void feed(Design& design, const SampleSource& source, const std::vector<LayerKindInfo>& kinds) {
    design.data.feeds.clear();
    for (Layer& layer : design.network.layers) {
        if (!isInput(kinds, layer)) {
            continue;
        }
        const AttributeValue* dtype = layer.attributes.find("dtype");
        const bool wantsIds = dtype != nullptr && std::holds_alternative<std::string>(*dtype) &&
                              std::get<std::string>(*dtype).starts_with("i");
        for (const SampleField& field : source.fields) {
            const bool isUsed = std::ranges::any_of(
                design.data.feeds, [&](const auto& one) { return one.second == field.name; });
            if ((field.classes > 0) == wantsIds && !isUsed) {
                design.data.feeds[layer.name] = field.name;
                layer.attributes.set("shape", AttributeValue(field.shape));
                break;
            }
        }
    }
}

} // namespace

DataSettings dataOf(const QString& file) {
    const QFileInfo info(file);
    const QDir folder = info.isDir() ? QDir(file) : info.dir();
    const auto text = [](const QString& value) { return AttributeValue(value.toStdString()); };
    DataSettings data;
    const QString ending = info.suffix().toLower();
    if (holds(folder, "*idx3-ubyte*")) {
        data.source = "idx";
        data.attributes.set("folder", text(folder.absolutePath()));
    } else if (holds(folder, "data_batch_1.bin")) {
        data.source = "cifar";
        data.attributes.set("folder", text(folder.absolutePath()));
    } else if (ending == QLatin1String("npy")) {
        data.source = "npy";
        data.attributes.set("folder", text(folder.absolutePath()));
        data.attributes.set("inputs", text(info.fileName()));
    } else if (ending == QLatin1String("txt")) {
        data.source = "text";
        data.attributes.set("file", text(info.absoluteFilePath()));
    }
    return data;
}

void takeData(Bench& bench, const QString& file) {
    OpenDesign* design = bench.designs.current();
    const QString name = QFileInfo(file).fileName();
    if (design == nullptr) {
        Q_EMIT bench.notice(Bench::tr("Open a design first: %1 becomes its data").arg(name), false);
        return;
    }
    DataSettings data = dataOf(file);
    if (data.source.empty()) {
        Q_EMIT bench.notice(Bench::tr("%1 is no data that Weft knows: it reads IDX and CIFAR "
                                      "files, .npy and .txt")
                                .arg(name),
                            false);
        return;
    }
    data.batch = design->document().design().data.batch;
    try {
        const SampleSource source = describeSamples(
            {.data = data, .folder = dataFolderOf(design->document()).toStdString()});
        design->document().edit(Bench::tr("Take data from %1").arg(name), [&](Design& target) {
            target.data = data;
            feed(target, source, *bench.kinds);
            return Edited{};
        });
        Q_EMIT bench.notice(Bench::tr("%1: %2 examples for training, %3 for testing")
                                .arg(name)
                                .arg(source.training)
                                .arg(source.test),
                            false);
    } catch (const Error& error) {
        Q_EMIT bench.notice(QString::fromStdString(error.what()), true);
    }
}

} // namespace weft::ui
