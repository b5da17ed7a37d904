// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small design of sparse coding without a loss, on drawn solids, and what its checkpoints hold.

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace weft::test {

struct SparseDesign {
    int count = 40; ///< pictures, of which none are held out
    int batch = 10;
    int steps = 6;
    QString assign = "follow";
    QString lastBatch = "keep";
    bool isFrozen = false;
    QString sets = {}; ///< dictionary options: "\"per_element\": true"
};
void writeSparse(const QString& path, const SparseDesign& design);

/// Returns the checkpoints of a run, oldest first.
[[nodiscard]] QStringList checkpointsIn(const QString& run);
/// Bytes of a tensor of f32; none: it has no such tensor.
[[nodiscard]] QByteArray tensorOf(const QString& checkpoint, const char* name);

} // namespace weft::test
