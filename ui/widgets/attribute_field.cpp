// SPDX-License-Identifier: Apache-2.0
#include "widgets/attribute_field.h"

#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/wheel_filter.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

namespace weft::ui {

namespace {

constexpr int labelWidth = 92;

QString helpOf(const AttributeSpec& spec) {
    QString help = "<p>" + htmlOf(QString::fromStdString(spec.help)) + "</p><p>";
    if (spec.required) {
        help += AttributeField::tr("Required");
    } else {
        help += AttributeField::tr("Default %1").arg(textOf(spec.defaultValue).toHtmlEscaped());
    }
    if (spec.least && spec.most) {
        help += AttributeField::tr(", from %1 to %2").arg(*spec.least).arg(*spec.most);
    } else if (spec.least) {
        help += AttributeField::tr(", at least %1").arg(*spec.least);
    } else if (spec.most) {
        help += AttributeField::tr(", at most %1").arg(*spec.most);
    }
    return help + "</p>";
}

template <class T>
QString joined(const std::vector<T>& values) {
    QStringList texts;
    for (const T& value : values) {
        texts << textOf(AttributeValue(value));
    }
    return texts.join(QStringLiteral(", "));
}

} // namespace

QString textOf(const AttributeValue& value) {
    switch (typeOf(value)) {
    case AttributeType::boolean:
        return std::get<bool>(value) ? AttributeField::tr("yes") : AttributeField::tr("no");
    case AttributeType::integer: return QString::number(std::get<std::int64_t>(value));
    case AttributeType::real: return QString::number(std::get<double>(value), 'g', 10);
    case AttributeType::text: return QString::fromStdString(std::get<std::string>(value));
    case AttributeType::integers: return joined(std::get<std::vector<std::int64_t>>(value));
    case AttributeType::reals: return joined(std::get<std::vector<double>>(value));
    }
    return {};
}

QStringList pathsOf(const QMimeData& dragged) {
    QStringList paths;
    for (const QUrl& url : dragged.urls()) {
        if (url.isLocalFile()) {
            paths << url.toLocalFile();
        }
    }
    return paths;
}

QString labelOf(const std::string& name) {
    QString text = QString::fromStdString(name).replace('_', ' ');
    return text.left(1).toUpper() + text.mid(1);
}

std::optional<AttributeValue> valueFrom(const QString& text, AttributeType type) {
    QString plain = text.trimmed();
    bool isNumber = false;
    switch (type) {
    case AttributeType::boolean: return AttributeValue(plain == QLatin1String("true"));
    case AttributeType::text: return AttributeValue(plain.toStdString());
    case AttributeType::integer: {
        const qlonglong number = plain.toLongLong(&isNumber);
        return isNumber ? std::optional<AttributeValue>(std::int64_t{number}) : std::nullopt;
    }
    case AttributeType::real: {
        const double number = plain.toDouble(&isNumber);
        return isNumber ? std::optional<AttributeValue>(number) : std::nullopt;
    }
    case AttributeType::integers:
    case AttributeType::reals: {
        plain.remove('[').remove(']');
        plain.replace('x', ',').replace(QChar(0x00D7), ',');
        std::vector<std::int64_t> whole;
        std::vector<double> real;
        for (const QString& part : plain.split(',', Qt::SkipEmptyParts)) {
            bool isWhole = false;
            whole.push_back(part.trimmed().toLongLong(&isWhole));
            real.push_back(part.trimmed().toDouble(&isNumber));
            if (!(type == AttributeType::integers ? isWhole : isNumber)) {
                return std::nullopt;
            }
        }
        return type == AttributeType::integers ? AttributeValue(whole) : AttributeValue(real);
    }
    }
    return std::nullopt;
}

AttributeField::AttributeField(Look& look, const AttributeSpec& spec, QWidget* parent)
    : QWidget(parent),
      look_(look),
      spec_(spec),
      label_(new QLabel(labelOf(spec.name), this)),
      editor_(makeEditor()),
      unitLabel_(new QLabel(QString::fromStdString(spec.unit), this)) {
    const Sizes& sizes = tokens().sizes;
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(sizes.space.l, 2, sizes.space.l, 2);
    layout->setSpacing(sizes.space.m);
    label_->setFixedWidth(labelWidth);
    label_->setWordWrap(true);
    label_->installEventFilter(this);
    setTier(*label_, Tier::secondary);
    layout->addWidget(label_);
    layout->addWidget(editor_, 1);
    unitLabel_->setFont(Look::mono(sizes.type.small));
    setTier(*unitLabel_, Tier::tertiary);
    unitLabel_->setVisible(!spec.unit.empty());
    layout->addWidget(unitLabel_);
    if (spec.namesFiles()) {
        layout->addWidget(makePicker());
        editor_->setAcceptDrops(false); // QLineEdit would insert the file's path as text
        setAcceptDrops(true);
    }
    setToolTip(helpOf(spec));
    editor_->setAccessibleName(label_->text());
    editor_->setAccessibleDescription(QString::fromStdString(spec.help));
    editor_->setObjectName(QString::fromStdString(spec.name));
    setFocusProxy(editor_);
}

QWidget* AttributeField::makeEditor() {
    if (typeOf(spec_.defaultValue) == AttributeType::boolean) {
        auto* box = new QCheckBox(this);
        connect(box, &QCheckBox::clicked, this,
                [this](bool isOn) { Q_EMIT chosen(AttributeValue(isOn)); });
        return box;
    }
    if (!spec_.choices.empty()) {
        return makeChoice();
    }
    auto* field = new QLineEdit(this);
    if (typeOf(spec_.defaultValue) != AttributeType::text) {
        field->setFont(Look::mono(tokens().sizes.type.body));
    }
    connect(field, &QLineEdit::textEdited, this, &AttributeField::take);
    connect(field, &QLineEdit::returnPressed, this, [this, field] {
        if (!isMissing_ || !field->text().isEmpty()) {
            return;
        }
        if (spec_.namesFiles()) {
            Q_EMIT pickWanted();
        } else {
            Q_EMIT chosen(spec_.defaultValue);
        }
    });
    connect(field, &QLineEdit::editingFinished, this, &AttributeField::finished);
    return field;
}

QWidget* AttributeField::makeChoice() {
    auto* choice = new QComboBox(this);
    WheelFilter::installOn(*choice);
    for (const std::string& word : spec_.choices) {
        const QString text = QString::fromStdString(word);
        choice->addItem(text, text);
    }
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(choice, &QComboBox::activated, this, [this, choice](int index) {
        Q_EMIT chosen(AttributeValue(choice->itemData(index).toString().toStdString()));
    });
    return choice;
}

void AttributeField::nameChoices(const std::vector<ChoiceText>& texts) {
    auto* choice = qobject_cast<QComboBox*>(editor_);
    for (std::size_t i = 0; choice != nullptr && i < texts.size(); ++i) {
        choice->setItemText(static_cast<int>(i), texts[i].title);
        choice->setItemData(static_cast<int>(i), texts[i].help, Qt::ToolTipRole);
    }
}

QToolButton* AttributeField::makePicker() {
    const int side = tokens().sizes.size.hitMinimum;
    auto* picker = new QToolButton(this);
    picker->setObjectName(QString::fromStdString("pick " + spec_.name));
    picker->setAutoRaise(true);
    picker->setFixedSize(side, side);
    picker->setFocusPolicy(Qt::StrongFocus);
    const QString words = spec_.content == TextContent::folder  ? tr("Choose the folder")
                          : spec_.content == TextContent::files ? tr("Choose the files")
                                                                : tr("Choose the file");
    picker->setToolTip(words);
    picker->setAccessibleName(words + ": " + label_->text());
    const auto applyLook = [this, picker] {
        const Theme& theme = look_.theme();
        picker->setIcon(
            symbolIcon(QStringLiteral("actions/open"), theme.text.secondary, theme.text.disabled));
    };
    applyLook();
    connect(&look_, &Look::changed, picker, applyLook);
    connect(picker, &QToolButton::clicked, this, &AttributeField::pickWanted);
    return picker;
}

void AttributeField::take(const QString& text) {
    if (text.trimmed().isEmpty()) {
        // An empty text is a valid text, except for a required attribute, which stays as it is.
        const bool isText = typeOf(spec_.defaultValue) == AttributeType::text && !spec_.required;
        if (isText && spec_.defaultValue == AttributeValue(std::string())) {
            Q_EMIT resetWanted();
        } else if (isText) {
            Q_EMIT chosen(AttributeValue(std::string()));
        }
        return;
    }
    if (const auto value = valueFrom(text, typeOf(spec_.defaultValue))) {
        Q_EMIT chosen(*value);
    } else {
        Q_EMIT typed(text.trimmed());
    }
}

QString AttributeField::placeholder(const FieldValue& value, const QString& shown) const {
    if (isMissing_) {
        return spec_.namesFiles() ? tr("needed") : tr("needed; Enter: %1").arg(shown);
    }
    if (!value.value) {
        return tr("several");
    }
    return spec_.content == TextContent::folder ? tr("beside the design")
           : spec_.namesFiles()                 ? tr("none")
                                                : QString();
}

void AttributeField::show(const FieldValue& value) {
    isDefault_ = value.isDefault;
    isMissing_ = value.isMissing && value.value;
    if (auto* box = qobject_cast<QCheckBox*>(editor_)) {
        box->setTristate(!value.value);
        box->setCheckState(!value.value                   ? Qt::PartiallyChecked
                           : std::get<bool>(*value.value) ? Qt::Checked
                                                          : Qt::Unchecked);
    } else if (auto* choice = qobject_cast<QComboBox*>(editor_)) {
        choice->setCurrentIndex(value.value ? choice->findData(textOf(*value.value)) : -1);
        choice->setPlaceholderText(!value.value                     ? tr("several")
                                   : textOf(*value.value).isEmpty() ? tr("choose one")
                                                                    : textOf(*value.value));
    } else if (auto* field = qobject_cast<QLineEdit*>(editor_)) {
        const QString shown = value.value ? textOf(*value.value) : QString();
        const QString text = isMissing_                   ? QString()
                             : value.expression.isEmpty() ? shown
                                                          : value.expression;
        field->setPlaceholderText(placeholder(value, shown));
        if (!field->hasFocus() || !field->isModified()) {
            field->setText(text);
        }
        if (!value.expression.isEmpty() && value.value) {
            unitLabel_->setText("= " + textOf(*value.value));
            unitLabel_->show();
        } else {
            unitLabel_->setText(QString::fromStdString(spec_.unit));
            unitLabel_->setVisible(!spec_.unit.empty());
        }
    }
    setTier(*unitLabel_, Tier::tertiary);
    update();
}

void AttributeField::showProblem(const QString& text) {
    setToolTip(text.isEmpty() ? helpOf(spec_) : text.toHtmlEscaped());
    hasProblem_ = !text.isEmpty();
    update();
}

bool AttributeField::eventFilter(QObject* watched, QEvent* event) {
    if (watched == label_ && event->type() == QEvent::MouseButtonDblClick && !isDefault_) {
        Q_EMIT resetWanted();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void AttributeField::dragEnterEvent(QDragEnterEvent* event) {
    if (!pathsOf(*event->mimeData()).isEmpty()) {
        isDraggedOver_ = true;
        event->acceptProposedAction();
        update();
    }
}

void AttributeField::dragLeaveEvent(QDragLeaveEvent*) {
    isDraggedOver_ = false;
    update();
}

void AttributeField::dropEvent(QDropEvent* event) {
    isDraggedOver_ = false;
    update();
    event->acceptProposedAction();
    Q_EMIT dropped(pathsOf(*event->mimeData()));
}

void AttributeField::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!isDefault_ || hasProblem_) {
        const Theme& theme = look_.theme();
        painter.fillRect(0, 4, 2, height() - 8,
                         hasProblem_ ? theme.semantic.error : theme.accent.ink);
    }
    if (isDraggedOver_) {
        painter.setPen(look_.theme().accent.ink);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace weft::ui
