// SPDX-License-Identifier: Apache-2.0
// Files dropped on the window: data of every sort becomes the design's, what is broken is a
// message.
#include "stories/window_story.h"
#include "support/test_main.h"

#include <QSignalSpy>

using namespace weft;
using namespace weft::test;

class TestDropping : public QObject {
    Q_OBJECT

    static QString write(const WindowStory& story, const QString& name, const QByteArray& bytes) {
        QFile file(story.folder() + "/" + name);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            qFatal("%s cannot be written", qPrintable(name));
        }
        return file.fileName();
    }

    /// As IDX has it: big-endian sizes, then a byte for each element.
    static QByteArray idx(const QList<int>& sizes, const QByteArray& elements) {
        QByteArray bytes{"\0\0\x08", 3};
        bytes.append(static_cast<char>(sizes.size()));
        for (const int size : sizes) {
            for (const int shift : {24, 16, 8, 0}) {
                bytes.append(static_cast<char>(size >> shift));
            }
        }
        return bytes + elements;
    }

    static QByteArray npy(const QByteArray& type, const QByteArray& shape, qsizetype elementBytes) {
        QByteArray head =
            "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
        constexpr qsizetype headBytes = 118;
        head = head.leftJustified(headBytes - 1) + "\n";
        return QByteArray("\x93NUMPY\x01\x00", 8) + static_cast<char>(headBytes) + '\0' + head +
               QByteArray(elementBytes, '\0');
    }

    /// A sample of pictures and digits; what it was before is compared with what it becomes.
    struct Scene : WindowStory {
        Scene() : notices(&window().context(), &ui::WindowContext::notice) {
            openSample(QStringLiteral("lenet-mnist"));
            before = design();
        }
        [[nodiscard]] const Layer& input(const std::string& field) {
            for (const auto& [layer, fed] : design().data.feeds) {
                if (fed == field) {
                    return *findLayer(design().network, std::string_view(layer));
                }
            }
            qFatal("nothing is fed by %s", field.c_str());
        }
        [[nodiscard]] bool tells(const QString& part, bool isFailure) {
            return QTest::qWaitFor([&] {
                return std::ranges::any_of(notices, [&](const QList<QVariant>& notice) {
                    return notice[0].toString().contains(part) && notice[1].toBool() == isFailure;
                });
            });
        }
        Design before;
        QSignalSpy notices;
    };

private Q_SLOTS:
    void idxFilesAreTakenWithTheirShapeAndClasses() {
        Scene scene;
        const QByteArray pixels(20 * 12 * 10, '\x40');
        QByteArray labels;
        for (int i = 0; i < 20; ++i) {
            labels.append(static_cast<char>(i % 7));
        }
        const QString pictures = write(scene, "train-images-idx3-ubyte", idx({20, 12, 10}, pixels));
        write(scene, "train-labels-idx1-ubyte", idx({20}, labels));
        scene.drop({pictures});
        QVERIFY(scene.tells(QStringLiteral("20 examples for training"), false));
        const Design& now = scene.design();
        QCOMPARE(now.data.source, std::string("idx"));
        QCOMPARE(now.data.batch, scene.before.data.batch);
        QVERIFY(*scene.input("images").attributes.find("shape") ==
                AttributeValue(Shape{1, 12, 10}));
        QVERIFY(scene.input("labels").attributes.text("dtype").starts_with("i"));
        const auto isSeven = [](const Layer& layer) {
            const AttributeValue* units = layer.attributes.find("units");
            return units != nullptr && *units == AttributeValue(std::int64_t{7});
        };
        QCOMPARE(std::ranges::count_if(now.network.layers, isSeven), 1);
        // All of it is one step.
        scene.command("edit.undo");
        QVERIFY(scene.design() == scene.before);
    }

    void aFolderOfCifarIsTaken() {
        Scene scene;
        const QString folder = scene.folder() + "/cifar";
        QVERIFY(QDir().mkpath(folder));
        write(scene, "cifar/data_batch_1.bin", QByteArray(4 * 3073, '\x05'));
        write(scene, "cifar/data_batch_2.bin", QByteArray(2 * 3073, '\x05'));
        scene.drop({folder});
        QVERIFY(scene.tells(QStringLiteral("6 examples for training"), false));
        QCOMPARE(scene.design().data.source, std::string("cifar"));
        QVERIFY(*scene.input("images").attributes.find("shape") ==
                AttributeValue(Shape{3, 32, 32}));
    }

    void arraysAreInputsAndTargetsByTheirNames() {
        Scene scene;
        const QString x = write(scene, "x_train.npy", npy("<f4", "(6, 1, 9, 8)", 6 * 72 * 4));
        const QString y = write(scene, "y_train.npy", npy("<i8", "(6,)", 6 * 8));
        const QString test = write(scene, "x_test.npy", npy("<f4", "(2, 1, 9, 8)", 2 * 72 * 4));
        const QString answers = write(scene, "y_test.npy", npy("<i8", "(2,)", 2 * 8));
        scene.drop({x, y, test, answers});
        QVERIFY(scene.tells(QStringLiteral("6 examples for training, 2 for testing"), false));
        QCOMPARE(scene.design().data.attributes.text("inputs"), std::string("x=x_train.npy"));
        QCOMPARE(scene.design().data.attributes.text("targets"), std::string("y=y_train.npy"));
        QVERIFY(*scene.input("x").attributes.find("shape") == AttributeValue(Shape{1, 9, 8}));
        QVERIFY(scene.input("y").attributes.text("dtype").starts_with("i"));
    }

    void aTextFeedsASequence() {
        Scene scene;
        scene.openSample(QStringLiteral("tiny-gpt"));
        const QString text = write(scene, "poem.txt", QByteArray("all that is gold ").repeated(40));
        scene.drop({text});
        QVERIFY(scene.tells(QStringLiteral("poem.txt"), false));
        QCOMPARE(scene.design().data.attributes.text("file"), text.toStdString());
        QCOMPARE(scene.design().data.feeds.size(), std::size_t{2});
    }

    void whatIsNoDataIsSaidAndChangesNothing() {
        Scene scene;
        scene.drop({write(scene, "noise.dat", QByteArray(300, '\x5a'))});
        QVERIFY(scene.tells(QStringLiteral("noise.dat is not data that Weft can read"), false));
        QVERIFY(scene.design() == scene.before);
    }

    void aTruncatedFileIsAFailureAndChangesNothing() {
        Scene scene;
        const QByteArray whole = idx({20, 12, 10}, QByteArray(20 * 12 * 10, '\x40'));
        const QString pictures =
            write(scene, "train-images-idx3-ubyte", whole.left(whole.size() / 2));
        scene.drop({pictures});
        QVERIFY(scene.tells(QStringLiteral("train-images-idx3-ubyte"), true));
        QVERIFY(scene.design() == scene.before);
        QVERIFY(!scene.page().design().document().isModified());
    }

    void aFileThatIsNotThereIsAFailure() {
        Scene scene;
        scene.drop({scene.folder() + "/gone.npy"});
        QVERIFY(scene.tells(QStringLiteral("gone.npy"), true));
        QVERIFY(scene.design() == scene.before);
    }

    void withoutADesignDataWaitsForOne() {
        WindowStory story;
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.drop({write(story, "poem.txt", "all that is gold")});
        QCOMPARE(notices.count(), 1);
        QVERIFY(notices[0][0].toString().contains(QStringLiteral("Open a design first")));
    }

    void designsOpenAndABrokenOneIsToldOf() {
        WindowStory story;
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.drop({write(story, "broken.weft", R"({"weft": 1, "layers": [)")});
        QCOMPARE(notices.count(), 1);
        QVERIFY(notices[0][1].toBool());
        QVERIFY(story.window().page() == nullptr);
        story.drop({write(story, "whole.weft",
                          R"({"weft": 1, "name": "whole",
                              "layers": [{"id": 1, "name": "a", "kind": "nonsense"}]})")});
        QVERIFY(story.window().page() != nullptr);
        QCOMPARE(story.design().network.layers.size(), std::size_t{1});
    }
};

std::unique_ptr<QObject> makeTestDropping() { return std::make_unique<TestDropping>(); }

#include "tst_dropping.moc"
