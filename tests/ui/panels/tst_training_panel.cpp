// SPDX-License-Identifier: Apache-2.0
#include "panels/training/training_panel.h"
#include "support/test_main.h"
#include "theme/style.h"
#include <weft/catalogue.h>
#include <weft/settings.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::ui;

class TestTrainingPanel : public QObject {
    Q_OBJECT

    struct Scene {
        WindowContext context;
        TrainingPanel panel;
        explicit Scene(Look& look)
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              panel(context) {
            context.designs.setCurrent(&context.designs.add(
                std::make_unique<OpenDesign>(context.kinds, context.previewQueue)));
            panel.resize(340, 800);
            panel.show();
        }
        [[nodiscard]] DesignDocument& document() const {
            return context.designs.current()->document();
        }
        [[nodiscard]] const TrainingSettings& training() const {
            return document().design().training;
        }
        template <class Widget>
        [[nodiscard]] Widget* find(const char* name) const {
            return panel.findChild<Widget*>(QString::fromUtf8(name));
        }
        void choose(const char* setting, const std::string& kind) const {
            document().edit("kind", [&](Design& design) {
                return applySetting(design, std::string("training.") + setting, kind);
            });
        }
        static void type(QLineEdit& field, const char* text) {
            field.selectAll();
            QTest::keyClicks(&field, QString::fromUtf8(text));
            QTest::keyClick(&field, Qt::Key_Return);
        }
    };

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void aBetaOfAdamIsTypedAndTakenBack() {
        Scene scene(look_);
        auto* optimizer = scene.find<QComboBox>("optimizer");
        QTRY_COMPARE(optimizer->currentText(), QStringLiteral("sgd"));
        QTest::keyClick(optimizer, Qt::Key_Down);
        QCOMPARE(scene.training().optimizer, std::string("adam"));
        QTRY_VERIFY(scene.find<QLineEdit>("beta1") != nullptr);
        QCOMPARE(scene.find<QLineEdit>("beta1")->text(), QStringLiteral("0.9"));
        Scene::type(*scene.find<QLineEdit>("beta1"), "0.8");
        QCOMPARE(scene.training().optimizerAttributes.real("beta1"), 0.8);
        scene.document().history().undo();
        QVERIFY(!scene.training().optimizerAttributes.has("beta1"));
        QCOMPARE(scene.training().optimizer, std::string("adam"));
        QTRY_COMPARE(scene.find<QLineEdit>("beta1")->text(), QStringLiteral("0.9"));
    }

    void everyAttributeOfAKindHasItsField_data() {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("kind");
        const std::vector<SettingInfo> table = settings();
        for (const char* key : {"optimizer", "schedule"}) {
            for (const SettingKind& kind :
                 findSetting(table, std::string("training.") + key)->kinds) {
                QTest::addRow("%s %s", key, kind.name.c_str())
                    << QString::fromUtf8(key) << QString::fromStdString(kind.name);
            }
        }
    }
    void everyAttributeOfAKindHasItsField() {
        QFETCH(const QString, setting);
        QFETCH(const QString, kind);
        Scene scene(look_);
        scene.choose(setting.toUtf8().constData(), kind.toStdString());
        const std::vector<SettingInfo> table = settings();
        for (const SettingKind& each :
             findSetting(table, "training." + setting.toStdString())->kinds) {
            if (each.name != kind.toStdString()) {
                continue;
            }
            for (const AttributeSpec& spec : each.attributes) {
                const auto tip = [&] {
                    const auto* field = scene.find<QWidget>(spec.name.c_str());
                    return field == nullptr ? QString() : field->parentWidget()->toolTip();
                };
                // Fields follow the design once the window is idle.
                QTRY_VERIFY2(tip().contains(htmlOf(QString::fromStdString(spec.help))),
                             qPrintable(tip()));
            }
        }
    }

    void anotherOptimizerBringsItsOwnFieldsAndDefaults() {
        Scene scene(look_);
        QTRY_VERIFY(scene.find<QWidget>("nesterov") != nullptr);
        QTRY_COMPARE(scene.find<QLineEdit>("weight_decay")->text(), QStringLiteral("0"));
        scene.choose("optimizer", "adamw");
        QTRY_VERIFY(scene.find<QWidget>("nesterov") == nullptr);
        QCOMPARE(scene.panel.findChildren<QLineEdit*>(QStringLiteral("weight_decay")).size(), 1);
        QCOMPARE(scene.find<QLineEdit>("weight_decay")->text(), QStringLiteral("0.01"));
    }

    void aDoubleClickOnTheLabelBringsTheDefaultBack() {
        Scene scene(look_);
        QTRY_VERIFY(scene.find<QLineEdit>("momentum") != nullptr);
        Scene::type(*scene.find<QLineEdit>("momentum"), "0.75");
        QCOMPARE(scene.training().optimizerAttributes.real("momentum"), 0.75);
        auto* row = scene.find<QLineEdit>("momentum")->parentWidget();
        const QList<QLabel*> labels = row->findChildren<QLabel*>();
        const auto label = std::ranges::find_if(
            labels, [](const QLabel* one) { return one->text() == QStringLiteral("Momentum"); });
        QVERIFY(label != labels.end());
        // A double click has no effect until the panel shows that the value is not the default.
        QTRY_VERIFY((QTest::mouseDClick(*label, Qt::LeftButton),
                     !scene.training().optimizerAttributes.has("momentum")));
    }

    void aValueOutOfRangeIsShownAtItsField() {
        Scene scene(look_);
        QTRY_VERIFY(scene.find<QLineEdit>("momentum") != nullptr);
        Scene::type(*scene.find<QLineEdit>("momentum"), "1.5");
        QTRY_VERIFY(scene.find<QLineEdit>("momentum")
                        ->parentWidget()
                        ->toolTip()
                        .contains(QStringLiteral("from 0 to below 1")));
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestTrainingPanel() { return std::make_unique<TestTrainingPanel>(); }

#include "tst_training_panel.moc"
