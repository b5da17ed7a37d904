// SPDX-License-Identifier: Apache-2.0
#include "sparse_design.h"

#include "data/arrays/safetensors.h"
#include "weft_process.h"

#include <QDir>
#include <span>

namespace weft::test {

void writeSparse(const QString& path, const SparseDesign& design) {
    const QString text = QStringLiteral(R"({"weft": 1, "name": "sparse", "assign": "%1",
 "data": {"source": {"kind": "solids", "with": {"count": %2, "test_count": 10}},
          "feeds": {"picture": "colours"}, "batch": %3, "last_batch": "%4"},
 "training": {"learning_rate": 0.2, "steps": %5},
 "run": {"checkpoint_every": 3},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [3, 64, 64]}},
  {"id": 2, "name": "code", "kind": "lca", "with": {"atoms": 6, "kernel": 8, "stride": 8,
   "iterations": 5, "tau": 10, "threshold": 0.2, "two_sided": true, "frozen": %6%7}}],
 "wires": ["picture.y -> code.x"]})")
                             .arg(design.assign)
                             .arg(design.count)
                             .arg(design.batch)
                             .arg(design.lastBatch)
                             .arg(design.steps)
                             .arg(QLatin1String(design.isFrozen ? "true" : "false"))
                             .arg(design.sets.isEmpty() ? QString() : ", " + design.sets);
    writeBytes(path, text.toUtf8());
}

QStringList checkpointsIn(const QString& run) {
    const QDir folder(run + "/checkpoints");
    QStringList paths;
    for (const QString& name : folder.entryList({"*.safetensors"}, QDir::Files, QDir::Name)) {
        paths += folder.filePath(name);
    }
    return paths;
}

QByteArray tensorOf(const QString& checkpoint, const char* name) {
    const SafetensorsReader reader(checkpoint.toStdString());
    const TensorEntry* entry = reader.find(name);
    if (entry == nullptr) {
        return {};
    }
    QByteArray bytes(static_cast<qsizetype>(elementsOf(entry->shape)) * 4, 0);
    reader.read(*entry, std::as_writable_bytes(std::span(bytes.data(), bytes.size())));
    return bytes;
}

} // namespace weft::test
