// SPDX-License-Identifier: Apache-2.0
// Every colour and size of the window has one source, and nothing there is wanted or left over.
#include "support/places.h"
#include "support/test_main.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "theme/theme.h"
#include <weft/catalogue.h>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QIODevice>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QStyleOption>
#include <QTest>
#include <cmath>

using namespace weft::ui;

namespace {

double luminance(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

double contrast(const QColor& one, const QColor& other) {
    const double a = luminance(one) + 0.05;
    const double b = luminance(other) + 0.05;
    return std::max(a, b) / std::min(a, b);
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void longTextIsWrapped() {
        QCOMPARE(paragraphs(QStringLiteral("a < b\nc\n\nd")),
                 QStringLiteral("<p>a &lt; b<br>c</p><p>d</p>"));
        QCOMPARE(paragraphs({}), QString());
    }

    void everyTokenIsTakenAndNoneIsMissing() {
        QCOMPARE(tokens().faults, QStringList());
        QCOMPARE(tokens().unread, QStringList());
    }

    void tellsWhatIsMissingAndWhatNobodyKnows() {
        const Tokens spoilt = readTokens(R"({"theme": {"dark": {"surface": {"window": "red!"}}},)"
                                         "\"mood\": 3}");
        QVERIFY(spoilt.faults.contains("theme.dark.surface.window is not a colour"));
        QVERIFY(spoilt.faults.contains("theme.light is not an object"));
        QVERIFY(spoilt.unread.contains("mood"));
        QVERIFY(readTokens("[").faults.size() > 10);
    }

    void theBoxThatClosesATabIsOneOfOurs() {
        const Style style([]() -> const Theme& { return tokens().light; });
        const auto drawn = [&](QStyle::State state) {
            QImage image(style.pixelMetric(QStyle::PM_TabCloseIndicatorWidth, nullptr, nullptr),
                         style.pixelMetric(QStyle::PM_TabCloseIndicatorHeight, nullptr, nullptr),
                         QImage::Format_RGB32);
            image.fill(tokens().light.surface.dock);
            QPainter painter(&image);
            QStyleOption option;
            option.rect = image.rect();
            option.state = state;
            style.drawPrimitive(QStyle::PE_IndicatorTabClose, &option, &painter, nullptr);
            return image;
        };
        const QImage quiet = drawn(QStyle::State_Enabled);
        const QImage over = drawn(QStyle::State_Enabled | QStyle::State_MouseOver);
        QVERIFY(quiet != over);
        for (const QImage& image : {quiet, over}) {
            bool isDrawn = false;
            for (int i = 0; i < image.width() * image.height(); ++i) {
                const QColor colour = image.pixelColor(i % image.width(), i / image.width());
                isDrawn = isDrawn || colour != tokens().light.surface.dock;
                QVERIFY2(colour.hsvSaturation() < 64, qPrintable(colour.name())); // hue is devices
            }
            QVERIFY(isDrawn);
        }
    }

    void textIsReadable_data() {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
    void textIsReadable() {
        QFETCH(bool, isDark);
        const Theme& theme = isDark ? tokens().dark : tokens().light;
        const auto& s = theme.surface;
        for (const QColor& ground : {s.canvas, s.dock, s.node, s.field, s.overlay, s.raised}) {
            for (const QColor& ink : {theme.text.primary, theme.text.secondary, theme.text.tertiary,
                                      theme.semantic.error}) {
                QVERIFY2(contrast(ground, ink) >= 4.5,
                         qPrintable(ink.name() + " on " + ground.name()));
            }
        }
        for (int slot = 0; slot < Theme::deviceColours; ++slot) {
            QVERIFY(contrast(theme.ofDevice(slot), theme.digitOn(slot)) >= 3);
        }
    }

    void devicesBeyondTheTwelfthRepeat() {
        QCOMPARE(tokens().dark.ofDevice(13), tokens().dark.ofDevice(1));
    }

    void everyKindHasItsIcon() {
        const QColor ink = tokens().dark.text.primary;
        for (const weft::LayerKindInfo& kind : weft::catalogue()) {
            const QString name =
                "kinds/" + QString::fromStdString(kind.icon.empty() ? kind.category : kind.icon);
            const QImage drawn = symbol(name, 16, ink, 2).toImage();
            QCOMPARE(drawn.size(), QSize(32, 32));
            bool isDrawn = false;
            for (int y = 0; y < 32; ++y) {
                for (int x = 0; x < 32; ++x) {
                    isDrawn = isDrawn || drawn.pixelColor(x, y).alpha() > 200;
                }
            }
            QVERIFY2(isDrawn, qPrintable(name));
        }
    }

    void noOtherFileHoldsAColour() {
        const QString folder = QString::fromStdString((weft::test::sourceFolder() / "ui").string());
        static const QRegularExpression literal(
            "\"#[0-9a-fA-F]{6}\"|QColor\\(\\s*\\d|"
            "Qt::(red|blue|green|gray|darkGray|lightGray|yellow|white|black)\\b");
        int files = 0;
        for (QDirIterator it(folder, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
             it.hasNext();) {
            QFile file(it.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto match = literal.match(QString::fromUtf8(file.readAll()));
            QVERIFY2(!match.hasMatch(), qPrintable(file.fileName() + ": " + match.captured(0)));
            ++files;
        }
        QVERIFY(files > 10);
    }
};

std::unique_ptr<QObject> makeTestTheme() { return std::make_unique<TestTheme>(); }

#include "tst_theme.moc"
