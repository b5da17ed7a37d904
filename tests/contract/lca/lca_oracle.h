// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sparse coding told in two languages, the layer's and that of tests/oracle/lca.py, and what each
// makes of the same pictures and dictionary.

#include "contract/layers/lowered_alone.h"
#include "support/evaluate.h"
#include "support/tensor.h"
#include <weft/attributes.h>

#include <QDir>
#include <QJsonObject>
#include <QString>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::test {

inline constexpr std::int64_t codedAtoms = 7;
inline constexpr std::int64_t codedRounds = 9;

/// One case in both languages: what the layer is told, and what the oracle is.
struct LcaCase {
    Attributes layer;
    QJsonObject oracle;
    bool begins = false;
    double rate = 0.1;
};

/// Seven atoms of 6 x 4, nine rounds, soft, warm.
[[nodiscard]] LcaCase usualCase();
/// With adaptive steps by that rule.
[[nodiscard]] LcaCase adaptiveCase(const char* rule);
/// The same key on both sides.
void say(LcaCase& to, const char* key, double value);
void say(LcaCase& to, const char* key, const char* word);
void sayWhether(LcaCase& to, const char* key, bool is);

/// Inputs of both implementations, in double.
struct LcaShown {
    Tensor pictures;   ///< [steps, elements, channels, rows, columns]
    Tensor dictionary; ///< [atoms, channels, rows, columns]; of several sets before that
    Tensor begins;     ///< [steps, elements]
};
/// Returns random numbers of this shape.
[[nodiscard]] Tensor drawnDictionary(const Shape& shape);

[[nodiscard]] bool hasNumpy();
[[nodiscard]] std::vector<double> numbersIn(const QString& path);
void writeDoubles(const QString& path, const Tensor& tensor);
/// Its results lie in the folder then; a text: what went wrong.
[[nodiscard]] QString askOracle(const QDir& folder, LcaCase of, const LcaShown& shown);

/// Over so many steps, each array one behind the other.
using Course = std::map<std::string, std::vector<double>>;

/// The layer alone, in double, learning.
class LcaWalk {
public:
    LcaWalk(const LcaCase& of, const Shape& pictures);

    [[nodiscard]] const std::vector<std::string>& refusals() const { return alone_.refusals; }
    [[nodiscard]] Course run(const LcaShown& shown);

private:
    LcaCase case_;
    Lowerings lowerings_;
    Oracle oracle_;
    Alone alone_;
};

/// Where the course leaves what the oracle left in the folder; empty: nowhere.
[[nodiscard]] QString differenceOf(const Course& course, const QDir& folder, const LcaCase& of);

} // namespace weft::test
