// SPDX-License-Identifier: Apache-2.0
// Files and folders that were picked or dropped, as the design holds them: one step each.
#include "support/test_main.h"
#include "workspace/mend.h"
#include "workspace/pick_data.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestPickData : public QObject {
    Q_OBJECT

    struct Scene {
        QTemporaryDir folder;
        WindowContext context;
        QWidget window;
        explicit Scene(Look& look, const char* source)
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())) {
            context.designs.setCurrent(&context.designs.add(
                std::make_unique<OpenDesign>(context.kinds, context.previewQueue)));
            Design begun;
            begun.data.source = source;
            design().document().setDesign(begun, true);
            design().document().saveAs(folder.filePath("design.weft"));
        }
        [[nodiscard]] OpenDesign& design() const { return *context.designs.current(); }
        [[nodiscard]] const Attributes& attributes() const {
            return design().document().design().data.attributes;
        }
        QString write(const QString& name, const QByteArray& bytes = "x") const {
            QString path = folder.filePath(name);
            QDir().mkpath(QFileInfo(path).path());
            QFile file(path);
            QTest::qVerify(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size(),
                           "written", qPrintable(name), __FILE__, __LINE__);
            return path;
        }
        /// Until the step is done that was asked for.
        [[nodiscard]] bool steps(int count) const {
            return QTest::qWaitFor([&] { return design().document().history().index() == count; });
        }
    };

private Q_SLOTS:
    void initTestCase() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        look_.applyLook(*qApp);
    }

    void whatLiesBelowTheDesignIsSeenFromIt_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("seen");
        QTest::newRow("below") << "/a/b"
                               << "/a/b/c/d"
                               << "c/d";
        QTest::newRow("itself") << "/a/b"
                                << "/a/b"
                                << ".";
        QTest::newRow("above") << "/a/b"
                               << "/a"
                               << "/a";
        QTest::newRow("beside") << "/a/b"
                                << "/a/bc"
                                << "/a/bc";
        QTest::newRow("two dots in a name") << "/a/b"
                                            << "/a/b/..c"
                                            << "..c";
        QTest::newRow("a design without a file") << ""
                                                 << "/a/b"
                                                 << "/a/b";
    }
    void whatLiesBelowTheDesignIsSeenFromIt() {
        QFETCH(QString, folder);
        QFETCH(QString, path);
        QFETCH(QString, seen);
        QCOMPARE(storedPathOf(folder, path), seen);
    }

    void aFolderTakesTheNamesOfItsFiles() {
        Scene scene(look_, "idx");
        scene.write("mnist/train-images-idx3-ubyte.gz");
        scene.write("mnist/train-labels-idx1-ubyte.gz");
        takePaths(scene.context, scene.design(), "folder", {scene.folder.filePath("mnist")});
        QVERIFY(scene.steps(1));
        QCOMPARE(scene.attributes().text("folder"), std::string("mnist"));
        QCOMPARE(scene.attributes().text("train_images"),
                 std::string("train-images-idx3-ubyte.gz"));
        // There are none for testing.
        QCOMPARE(scene.attributes().text("test_images"), std::string());
        scene.design().document().history().undo();
        QVERIFY(scene.attributes() == Attributes());
    }

    void aFolderOfOtherDataIsTheFolderAlone() {
        Scene scene(look_, "idx");
        scene.write("other/x_train.npy");
        const QString file = scene.folder.filePath("other/x_train.npy");
        takePaths(scene.context, scene.design(), "folder", {file}); // dropped: its folder
        QVERIFY(scene.steps(1));
        QVERIFY(scene.attributes() == (Attributes{{"folder", std::string("other")}}));
    }

    void filesAreSeenFromTheirFolder() {
        Scene scene(look_, "cifar");
        const QString one = scene.write("set/one.bin");
        const QString two = scene.write("set/two.bin");
        takePaths(scene.context, scene.design(), "folder", {scene.folder.filePath("set")});
        QVERIFY(scene.steps(1));
        takePaths(scene.context, scene.design(), "train", {one, two});
        QVERIFY(scene.steps(2));
        QCOMPARE(scene.attributes().text("train"), std::string("one.bin, two.bin"));
        const QString away = scene.write("away.bin");
        takePaths(scene.context, scene.design(), "test", {away});
        QVERIFY(scene.steps(3));
        QCOMPARE(scene.attributes().text("test"), away.toStdString());
    }

    void whatAListCannotHoldIsSaid() {
        Scene scene(look_, "cifar");
        QSignalSpy notices(&scene.context, &WindowContext::notice);
        takePaths(scene.context, scene.design(), "train", {scene.write("a,b.bin")});
        QVERIFY(QTest::qWaitFor([&] { return notices.count() == 1; }));
        QVERIFY(notices[0][0].toString().contains(QStringLiteral("comma")));
        takePaths(scene.context, scene.design(), "train", {scene.folder.path()});
        QVERIFY(QTest::qWaitFor([&] { return notices.count() == 2; }));
        QVERIFY(scene.attributes() == Attributes());
        // No attribute of files.
        takePaths(scene.context, scene.design(), "scale", {scene.folder.path()});
        QCOMPARE(pickPaths(scene.context, scene.design(), "scale", scene.window), nullptr);
    }

    void theProblemOpensThePickerAndAFileMendsIt() {
        Scene scene(look_, "text");
        scene.write("poem.txt", QByteArray("all that is gold does not glitter\n").repeated(40));
        const auto asking = [&]() -> std::optional<Diagnostic> {
            for (const Diagnostic& problem : problemsOf(scene.design())) {
                if (!problem.fix.asks.empty()) {
                    return problem;
                }
            }
            return {};
        };
        QTRY_VERIFY(asking());
        QVERIFY(canMend(*asking()));
        // Without somebody to answer there is nothing to do.
        QVERIFY(!mend(scene.design().document(), *asking()));
        QVERIFY(mendOrAsk(scene.context, scene.design(), *asking(), scene.window));
        auto* dialog = scene.window.findChild<QFileDialog*>(QStringLiteral("pickData"));
        QVERIFY(dialog != nullptr && dialog->fileMode() == QFileDialog::ExistingFile);
        QCOMPARE(dialog->directory().absolutePath(), QDir(scene.folder.path()).absolutePath());
        dialog->selectFile(scene.folder.filePath("poem.txt"));
        QMetaObject::invokeMethod(dialog, "accept");
        QVERIFY(scene.steps(1));
        QCOMPARE(scene.attributes().text("file"), std::string("poem.txt"));
        QTRY_VERIFY(!asking());
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestPickData() { return std::make_unique<TestPickData>(); }

#include "tst_pick_data.moc"
