// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shows and edits the selected layers, with one field per attribute of the catalogue. Typing edits
// the design immediately; several layers are edited together.

#include "workspace/panel.h"

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace weft::ui {

class AttributeField;
struct FieldValue;

class InspectorPanel : public Panel {
    Q_OBJECT

public:
    explicit InspectorPanel(WindowContext& context, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;

private:
    void build();
    void buildHeader(QVBoxLayout& layout, const QString& icon, const QString& category,
                     const QString& name, const QString& kind, const QString& help);
    void buildLayers(QVBoxLayout& layout);
    void buildGroup(QVBoxLayout& layout, const Layer& layer);
    void buildWire(QVBoxLayout& layout, const Wire& wire);
    void buildDesign(QVBoxLayout& layout);
    void addField(QVBoxLayout& layout, const AttributeSpec& spec);
    void addFact(QVBoxLayout& layout, const QString& label, const QString& name);
    void showValues();
    void showFacts();
    void showStep(const CheckedDesign& known, const std::vector<const Layer*>& chosen);
    void showFact(const char* name, const QString& words, bool isOlder = false);
    [[nodiscard]] FieldValue valueOf(const AttributeSpec& spec) const;
    [[nodiscard]] std::vector<const Layer*> selectedLayers() const;
    /// Returns the group whose ports and parameters are shown; empty: none.
    [[nodiscard]] std::string shownGroup() const;
    void changeAttribute(AttributeField& field,
                         const std::function<Edited(Design&, const NetworkPath&, LayerId)>& edit);

    QWidget* content_ = nullptr;
    QString builtKey_; ///< key of the layers and attributes that the content was built for
    std::vector<AttributeField*> fields_;
    std::map<QString, QLabel*> factLabels_; ///< by the name of the fact
};

} // namespace weft::ui
