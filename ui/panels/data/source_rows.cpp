// SPDX-License-Identifier: Apache-2.0
#include "panels/data/source_rows.h"

#include "widgets/attribute_field.h"
#include "workspace/pick_data.h"
#include <weft/data_edits.h>

namespace weft::ui {

SourceRows::SourceRows(WindowContext& context, Part part, QWidget* parent)
    : AttributeRows(context, *findSetting(settings(), "data.source"), nullptr, parent),
      part_(part) {}

bool SourceRows::has(const AttributeSpec& spec) const {
    const bool isPlace =
        spec.content == TextContent::folder || (spec.namesFiles() && spec.required);
    return isPlace == (part_ == Part::files);
}

void SourceRows::added(AttributeField& field) {
    connect(&field, &AttributeField::pickWanted, this, [this, &field] {
        if (design() != nullptr) {
            pickPaths(context(), *design(), field.spec().name, *this);
        }
    });
    connect(&field, &AttributeField::dropped, this, [this, &field](const QStringList& paths) {
        if (design() != nullptr) {
            takePaths(context(), *design(), field.spec().name, paths);
        }
    });
}

Edited SourceRows::set(Design& target, const std::string& name,
                       const std::optional<AttributeValue>& value) const {
    return value ? setSourceAttribute(target, name, *value) : resetSourceAttribute(target, name);
}

} // namespace weft::ui
