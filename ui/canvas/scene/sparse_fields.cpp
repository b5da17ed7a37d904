// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/sparse_fields.h"

#include "theme/quantity.h"

#include <QCoreApplication>
#include <QStringList>

namespace weft::ui {

namespace {

/// Formats an attribute for reading; an expression stays as written. Empty if the attribute is
/// missing.
QString fieldText(const Attributes& with, std::string_view name) {
    const AttributeValue* value = with.find(name);
    if (value == nullptr) {
        return {};
    }
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(value)) {
        return quantity::shape(Shape(list->begin(), list->end()));
    }
    if (const auto* real = std::get_if<double>(value)) {
        return quantity::number(*real);
    }
    return QString::fromStdString(toString(*value));
}

} // namespace

std::vector<std::pair<QString, QString>> sparseCodingFields(const Layer& layer,
                                                            const LayerKindInfo& kind) {
    std::vector<std::pair<QString, QString>> fields;
    if (kind.states.empty()) {
        return fields;
    }
    const Attributes with = completed(layer.attributes, kind.attributes);
    const auto add = [&](const char* name, const QString& value) {
        if (!value.isEmpty()) {
            fields.emplace_back(QCoreApplication::translate("canvas", name), value);
        }
    };
    const QString atoms = fieldText(with, "atoms");
    const QString kernel = fieldText(with, "kernel");
    add("Dictionary",
        atoms.isEmpty() || kernel.isEmpty()
            ? atoms
            : QCoreApplication::translate("canvas", "%1 atoms of %2").arg(atoms, kernel));
    add("Iterations", fieldText(with, "iterations"));
    add("Threshold λ", fieldText(with, "threshold"));
    add("Time constant τ", fieldText(with, "tau"));
    return fields;
}

QString sparseCodingSummary(const Layer& layer, const LayerKindInfo& kind) {
    QStringList said;
    const Attributes with = completed(layer.attributes, kind.attributes);
    const std::pair<const char*, const char*> signs[] = {{"τ", "tau"}, {"λ", "threshold"}};
    for (const auto& [sign, name] : signs) {
        if (const QString value = fieldText(with, name); !value.isEmpty()) {
            said << QString::fromUtf8(sign) + ' ' + value;
        }
    }
    return said.join(QStringLiteral(", "));
}

} // namespace weft::ui
