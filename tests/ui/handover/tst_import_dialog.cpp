// SPDX-License-Identifier: Apache-2.0
#include "handover/import_dialog.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/look.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace weft;
using namespace weft::ui;

namespace {

/// A field of a protobuf message: text or a message, or a number; all shorter than 128.
std::string field(int number, const std::string& content) {
    return std::string{static_cast<char>(number * 8 + 2), static_cast<char>(content.size())} +
           content;
}
std::string field(int number, int value) {
    return {static_cast<char>(number * 8), static_cast<char>(value)};
}

/// h = relu(x), and the node `last` computes y from h; x is [N, 4].
std::string model(const std::string& last) {
    const std::string dims = field(1, field(2, "N")) + field(1, field(1, 4));
    const std::string x = field(1, "x") + field(2, field(1, field(1, 1) + field(2, dims)));
    const auto node = [](const std::string& in, const std::string& out, const std::string& op) {
        return field(1, field(1, in) + field(2, out) + field(4, op));
    };
    const std::string graph =
        node("x", "h", "Relu") + node("h", "y", last) + field(11, x) + field(12, field(1, "y"));
    return field(1, 8) + field(7, graph) + field(8, field(2, 17));
}

} // namespace

class TestImportDialog : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;
    Look look_;

    [[nodiscard]] QString file(const QString& name, const std::string& bytes) const {
        const QString path = dir_.filePath(name);
        QFile file(path);
        const bool isWritten = file.open(QIODevice::WriteOnly) &&
                               file.write(bytes.data(), static_cast<qint64>(bytes.size())) ==
                                   static_cast<qint64>(bytes.size());
        return isWritten ? path : QString();
    }
    static QPushButton* button(const ImportDialog& dialog, const QString& text) {
        for (auto* each : dialog.findChildren<QPushButton*>()) {
            if (each->text() == text) {
                return each;
            }
        }
        return nullptr;
    }
    static void press(const ImportDialog& dialog, const QString& text) {
        QVERIFY(button(dialog, text)->isEnabled());
        QTest::mouseClick(button(dialog, text), Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase() {
        look_.applyLook(*qApp);
        if (!readsOnnx()) {
            QSKIP("this build reads no ONNX models");
        }
    }

    void aModelBecomesADesignWithItsWeights() {
        ImportDialog dialog(look_, file("small.onnx", model("Sigmoid")));
        dialog.show();
        QTRY_VERIFY(!dialog.isBusy());
        QCOMPARE(dialog.folder(), dir_.filePath("small"));
        const QSignalSpy imported(&dialog, &ImportDialog::imported);
        press(dialog, "Import");
        QTRY_COMPARE(imported.size(), 1);
        const Design design =
            loadDesign(imported.front().front().toString().toStdString(), catalogue()).design;
        QCOMPARE(design.network.layers.size(), std::size_t{3});
        QCOMPARE(design.network.layers.back().kind, std::string("sigmoid"));
    }

    void aModelWithARefusedNodeEndsBeforeIt() {
        ImportDialog dialog(look_, file("partly.onnx", model("Tan")));
        dialog.show();
        QTRY_VERIFY(!dialog.isBusy());
        QVERIFY(!button(dialog, "Import")->isEnabled());
        auto* list = dialog.findChild<QTreeWidget*>();
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("refused"));
        test::saveBothThemes(look_, dialog, "import-refused");
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualItemRect(list->topLevelItem(0)).center());
        press(dialog, "End here");
        QTRY_VERIFY(!dialog.isBusy());
        const QSignalSpy imported(&dialog, &ImportDialog::imported);
        press(dialog, "Import");
        QTRY_COMPARE(imported.size(), 1);
        const Design design =
            loadDesign(imported.front().front().toString().toStdString(), catalogue()).design;
        QCOMPARE(design.network.layers.back().kind, std::string("relu"));
    }

    void aDamagedModelIsNamedAndNothingIsWritten() {
        ImportDialog dialog(look_, file("damaged.onnx", model("Tan").substr(0, 20)));
        QTRY_VERIFY(!dialog.isBusy());
        QVERIFY(dialog.findChild<QLabel*>()->text().contains("damaged.onnx"));
        QVERIFY(!button(dialog, "Import")->isEnabled());
    }

    void aFolderThatIsNotEmptyIsRefused() {
        const QString taken = file("small.onnx", model("Sigmoid"));
        ImportDialog dialog(look_, taken);
        dialog.show();
        QTRY_VERIFY(!dialog.isBusy());
        dialog.setFolder(dir_.path());
        const QSignalSpy imported(&dialog, &ImportDialog::imported);
        press(dialog, "Import");
        QTRY_VERIFY(!dialog.isBusy());
        QCOMPARE(imported.size(), 0);
        QVERIFY(dialog.findChild<QLabel*>()->text().contains(dir_.path()));
        dialog.setFolder(dir_.filePath("free"));
        press(dialog, "Import");
        QTRY_COMPARE(imported.size(), 1);
    }
};

std::unique_ptr<QObject> makeTestImportDialog() { return std::make_unique<TestImportDialog>(); }
#include "tst_import_dialog.moc"
