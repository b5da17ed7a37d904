// SPDX-License-Identifier: Apache-2.0
#pragma once
// Form with the settings of one host. A field is saved when it loses the focus; a refused text
// stays in its field with the reason below. The name is fixed once the host is added.

#include "panels/hosts/host_fields.h"
#include "widgets/attribute_field.h"
#include "workspace/window_context.h"

#include <QWidget>
#include <map>
#include <vector>

class QLabel;

namespace weft::ui {

class HostForm : public QWidget {
    Q_OBJECT

public:
    explicit HostForm(WindowContext& context, QWidget* parent = nullptr);
    void showHost(const Host& host);
    void showNew(); ///< shows an empty form; the host is added once it has a name

Q_SIGNALS:
    void added(const QString& name);

private:
    /// The host as entered in the fields, which may differ from the saved one.
    struct Draft {
        Host saved;                ///< as in the settings
        Host entered;              ///< as in the fields
        QString parseFault = {};   ///< why a text could not be parsed
        QString refusal = {};      ///< why the host is not saved
        std::size_t lastField = 0; ///< index of the field changed last
    };
    [[nodiscard]] bool isNew() const { return shownName_.empty(); }
    void add(const HostField& field, std::size_t at);
    void takeInput(std::size_t at, const AttributeValue& value);
    void saveDraft();
    void fillFields();
    void showRefusal();
    void scrollToRefusal();

    WindowContext& context_;
    std::vector<HostField> fields_;
    std::vector<AttributeField*> editors_;
    std::map<std::string, Draft> drafts_; ///< by host name; empty: the new host
    std::string shownName_;               ///< name of the shown draft's host; empty: the new host
    QLabel* title_;
    QWidget* refusalRow_;
    QLabel* refusalIcon_;
    QLabel* refusalText_;
};

} // namespace weft::ui
