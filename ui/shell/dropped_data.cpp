// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/dropped_data.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

namespace weft::ui {

namespace {

AttributeValue text(const QString& value) { return {value.toStdString()}; }

QStringList namesIn(const QDir& folder, const QStringList& patterns) {
    return folder.entryList(patterns, QDir::Files, QDir::Name);
}

/// Two zero bytes, the type of the elements, the number of dims.
int idxDimsOf(const QString& path) {
    QFile file(path);
    const QByteArray head = file.open(QIODevice::ReadOnly) ? file.read(4) : QByteArray();
    constexpr char unsignedBytes = 8;
    return head.size() == 4 && head[0] == 0 && head[1] == 0 && head[2] == unsignedBytes ? head[3]
                                                                                        : 0;
}

/// Of the names those that have one of the words, or none of them.
QStringList withWord(const QStringList& names, const QString& words, bool has) {
    const QRegularExpression pattern(words, QRegularExpression::CaseInsensitiveOption);
    QStringList found;
    std::ranges::copy_if(names, std::back_inserter(found), [&](const QString& name) {
        return pattern.match(name).hasMatch() == has;
    });
    return found;
}

const QString testWords = QStringLiteral("test|t10k|valid");

/// Pictures have three dims, labels one; files for testing say so in their names.
DataSettings idxOf(const QDir& folder) {
    QStringList pictures = namesIn(folder, {"*idx3-ubyte", "*idx3-ubyte.gz"});
    QStringList labels = namesIn(folder, {"*idx1-ubyte", "*idx1-ubyte.gz"});
    if (pictures.isEmpty()) {
        for (const QString& name : namesIn(folder, {})) {
            const int dims = idxDimsOf(folder.filePath(name));
            if (dims > 1) {
                pictures << name;
            } else if (dims == 1) {
                labels << name;
            }
        }
    }
    DataSettings data;
    if (pictures.isEmpty()) {
        return data;
    }
    const auto first = [](const QStringList& names, bool isTest) {
        const QStringList fitting = withWord(names, testWords, isTest);
        return text(fitting.isEmpty() ? QString() : fitting.front());
    };
    data.source = "idx";
    data.attributes.set("folder", text(folder.absolutePath()));
    data.attributes.set("train_images", first(pictures, false));
    data.attributes.set("train_labels", first(labels, false));
    data.attributes.set("test_images", first(pictures, true));
    data.attributes.set("test_labels", first(labels, true));
    return data;
}

DataSettings cifarOf(const QDir& folder) {
    const bool isHundred = folder.exists(QStringLiteral("train.bin"));
    const QStringList training = isHundred ? QStringList{QStringLiteral("train.bin")}
                                           : namesIn(folder, {"data_batch_*.bin"});
    const QString test = isHundred ? QStringLiteral("test.bin") : QStringLiteral("test_batch.bin");
    DataSettings data;
    if (training.isEmpty()) {
        return data;
    }
    data.source = "cifar";
    data.attributes.set("folder", text(folder.absolutePath()));
    data.attributes.set("train", text(training.join(QStringLiteral(", "))));
    data.attributes.set("test", text(folder.exists(test) ? test : QString()));
    data.attributes.set("variant",
                        text(isHundred ? QStringLiteral("cifar100") : QStringLiteral("cifar10")));
    return data;
}

/// "x_train.npy" and "x_test.npy" are one field, "x".
QString fieldOf(const QString& name) {
    static const QRegularExpression part(
        QStringLiteral("[._-]?(train|test|valid|validation)[._-]?"),
        QRegularExpression::CaseInsensitiveOption);
    const QString stem = QFileInfo(name).completeBaseName();
    const QString field = QString(stem).remove(part);
    return field.isEmpty() ? stem : field;
}

DataSettings npyOf(const QDir& folder, const QStringList& names) {
    const QString targetWords = QStringLiteral("label|target|class|^y([._-]|$|\\.npy)");
    const auto list = [&](bool isTest, bool isTarget) {
        QStringList words;
        for (const QString& name :
             withWord(withWord(names, testWords, isTest), targetWords, isTarget)) {
            words << fieldOf(name) + "=" + name;
        }
        return text(words.join(QStringLiteral(", ")));
    };
    DataSettings data;
    data.source = "npy";
    data.attributes.set("folder", text(folder.absolutePath()));
    data.attributes.set("inputs", list(false, false));
    data.attributes.set("targets", list(false, true));
    data.attributes.set("test_inputs", list(true, false));
    data.attributes.set("test_targets", list(true, true));
    return data;
}

/// What feeds a network from outside: it has a shape and takes no wire.
bool isInput(const std::vector<LayerKindInfo>& kinds, const Layer& layer) {
    const LayerKindInfo* kind = findKind(kinds, layer.kind);
    return kind != nullptr && kind->inputs.empty() &&
           std::ranges::any_of(kind->attributes,
                               [](const AttributeSpec& spec) { return spec.name == "shape"; });
}

bool takesIds(const Layer& layer) {
    const AttributeValue* dtype = layer.attributes.find("dtype");
    const auto* name = dtype == nullptr ? nullptr : std::get_if<std::string>(dtype);
    return name != nullptr && name->starts_with("i");
}

/// The loss that compares with these classes: what it compares them with has one output for each.
void setClasses(Network& network, LayerId labels, std::int64_t classes) {
    for (const Wire& wire : network.wires) {
        if (wire.from.layer != labels) {
            continue;
        }
        for (const Wire& beside : network.wires) {
            if (beside.to.layer != wire.to.layer || beside.from.layer == labels) {
                continue;
            }
            for (Layer& layer : network.layers) {
                if (layer.id == beside.from.layer && layer.attributes.has("units")) {
                    layer.attributes.set("units", classes);
                }
            }
        }
    }
}

} // namespace

DataSettings dataOf(const QStringList& files) {
    if (files.isEmpty()) {
        return {};
    }
    const QFileInfo info(files.front());
    const QDir folder = info.isDir() ? QDir(files.front()) : info.dir();
    const QString ending = info.suffix().toLower();
    QStringList arrays = info.isDir() ? namesIn(folder, {"*.npy"}) : QStringList();
    for (const QString& file : files) {
        if (file.endsWith(QLatin1String(".npy"), Qt::CaseInsensitive)) {
            arrays << QFileInfo(file).fileName();
        }
    }
    if (!arrays.isEmpty()) {
        return npyOf(folder, arrays);
    }
    if (ending == QLatin1String("txt") || ending == QLatin1String("text")) {
        DataSettings data;
        data.source = "text";
        data.attributes.set("file", text(info.absoluteFilePath()));
        return data;
    }
    const bool isIdx = info.isDir() || info.fileName().contains(QLatin1String("-ubyte")) ||
                       idxDimsOf(info.absoluteFilePath()) > 0;
    DataSettings data = isIdx ? idxOf(folder) : DataSettings{};
    const bool isRecords = info.isDir() || ending == QLatin1String("bin");
    return data.source.empty() && isRecords ? cifarOf(folder) : data;
}

void feedFrom(Design& design, const SampleSource& source, const std::vector<LayerKindInfo>& kinds) {
    design.data.feeds.clear();
    std::vector<const SampleField*> left;
    left.reserve(source.fields.size());
    for (const SampleField& field : source.fields) {
        left.push_back(&field);
    }
    for (Layer& layer : design.network.layers) {
        if (!isInput(kinds, layer)) {
            continue;
        }
        const bool wantsIds = takesIds(layer);
        auto found = std::ranges::find_if(left, [wantsIds](const SampleField* field) {
            return wantsIds == (field->classes > 0 || field->shape.empty());
        });
        if (found == left.end() && !wantsIds) { // a number to come near to
            found = std::ranges::find(left, 0, &SampleField::classes);
        }
        if (found == left.end()) {
            continue;
        }
        const SampleField& field = **found;
        left.erase(found);
        design.data.feeds[layer.name] = field.name;
        layer.attributes.set("shape", AttributeValue(field.shape));
        if (field.classes > 0 && field.shape.empty()) {
            setClasses(design.network, layer.id, field.classes);
        }
    }
}

} // namespace weft::ui
