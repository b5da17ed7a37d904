// SPDX-License-Identifier: Apache-2.0
#pragma once
// The settings of one host as fields. What is typed is kept when its field is left; what is refused
// stays as it was typed, with the reason below its field, until it is mended. A host has its name
// for good once it is added.

#include "panels/hosts/host_fields.h"
#include "session/bench.h"
#include "widgets/attribute_field.h"

#include <QWidget>
#include <map>
#include <vector>

class QLabel;

namespace weft::ui {

class HostForm : public QWidget {
    Q_OBJECT

public:
    explicit HostForm(Bench& bench, QWidget* parent = nullptr);
    void showHost(const Host& host);
    /// One that is yet to be added: it is, once it has a name.
    void showNew();

Q_SIGNALS:
    void added(const QString& name);

private:
    /// A host as its fields have it, beside what is kept of it.
    struct Draft {
        Host kept;
        Host typed;
        QString unread = {};  ///< why what was typed is no value
        QString refusal = {}; ///< why it is not kept
        std::size_t at = 0;   ///< the field that was changed last
    };
    [[nodiscard]] bool isNew() const { return shown_.empty(); }
    void add(const HostField& field, std::size_t at);
    void take(std::size_t at, const AttributeValue& value);
    void keep();
    void fill();
    void sayRefusal();
    void bringRefusal();

    Bench& bench_;
    std::vector<HostField> fields_;
    std::vector<AttributeField*> editors_;
    std::map<std::string, Draft> drafts_;
    std::string shown_; ///< whose draft is shown; empty: the new one's
    QLabel* title_;
    QWidget* refusal_;
    QLabel* mark_;
    QLabel* reason_;
};

} // namespace weft::ui
