// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows for the attributes of the data source. Files and folders can be typed, picked or dropped.

#include "workspace/attribute_rows.h"

namespace weft::ui {

class SourceRows : public AttributeRows {
    Q_OBJECT

public:
    /// files: the folder and required files; others: all other attributes.
    enum class Part : std::uint8_t { files, others };

    SourceRows(WindowContext& context, Part part, QWidget* parent = nullptr);

protected:
    [[nodiscard]] bool has(const AttributeSpec& spec) const override;
    void added(AttributeField& field) override;
    Edited set(Design& target, const std::string& name,
               const std::optional<AttributeValue>& value) const override;

private:
    Part part_;
};

} // namespace weft::ui
