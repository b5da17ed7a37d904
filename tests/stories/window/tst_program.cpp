// SPDX-License-Identifier: Apache-2.0
// The program as it is started: its words without a display, on a screen of its own with keys and
// clicks from outside, killed and started again, and installed.
#include "screen.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QIODevice>
#include <QMimeDatabase>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace weft::test;

class TestProgram : public QObject {
    Q_OBJECT

    static constexpr int patience = 60'000; // milliseconds

    struct Ended {
        int code = -1;
        QString words;
    };

    static Ended run(const QString& program, const QStringList& arguments,
                     const QProcessEnvironment& environment) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setProcessEnvironment(environment);
        process.start(program, arguments);
        const bool isEnded = process.waitForFinished(patience);
        return {isEnded && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                QString::fromUtf8(process.readAll())};
    }

    static QProcessEnvironment withoutDisplay() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
            environment.remove(QLatin1String(name));
        }
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
        return environment;
    }

    static QString workbench() { return QStringLiteral(WEFT_WORKBENCH); }

    static QString sampleIn(const QTemporaryDir& folder) {
        QString file = folder.filePath(QStringLiteral("lenet.weft"));
        QFile::copy(QString::fromStdString(sourceFolder() / "projects/lenet-mnist/design.weft"),
                    file);
        QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        return file;
    }

    static QByteArray contents(const QString& file) {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

    /// The workbench on a screen, with settings of its own.
    struct Shown {
        Shown(const Screen& screen, const QTemporaryDir& home, const QStringList& arguments) {
            QProcessEnvironment environment = screen.environment();
            environment.insert(QStringLiteral("HOME"), home.path());
            for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"}) {
                environment.remove(QLatin1String(name));
            }
            process.setProcessEnvironment(environment);
            process.setProcessChannelMode(QProcess::ForwardedChannels);
            process.start(workbench(), arguments);
        }
        ~Shown() { end(); }
        void end() {
            process.kill(); // no chance to tidy up
            process.waitForFinished(patience);
        }
        QProcess process;
    };

    static void keep(const QImage& picture, const QString& name) {
        QVERIFY(picture.save(pictureFile(name)));
    }

private Q_SLOTS:
    void itsWordsNeedNoDisplay() {
        const Ended help = run(workbench(), {"--help"}, withoutDisplay());
        QVERIFY2(help.code == 0, qPrintable(help.words));
        QVERIFY(help.words.contains(QStringLiteral("FILE.weft")));
        QVERIFY(help.words.contains(QStringLiteral("designs to open")));
        const Ended version = run(workbench(), {"--version"}, withoutDisplay());
        QVERIFY2(version.code == 0, qPrintable(version.words));
        QVERIFY(version.words.startsWith(QStringLiteral("weft ")));
    }

    void anUnknownOptionIsRefused() {
        QProcessEnvironment environment = withoutDisplay();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        const Ended ended = run(workbench(), {"--nonsense"}, environment);
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.words.contains(QStringLiteral("nonsense")), qPrintable(ended.words));
    }

    void aSampleIsEditedAndSavedOnAScreen() {
        if (!Screen::missing().isEmpty()) {
            QSKIP(qPrintable("not there: " + Screen::missing().join(QStringLiteral(", "))));
        }
        const Screen screen({1600, 1000});
        QVERIFY(screen.isThere());
        const QTemporaryDir home;
        const QString file = sampleIn(home);
        const Shown shown(screen, home, {file});
        QVERIFY(screen.waitForWindow(QStringLiteral("lenet.weft")));
        screen.click({800, 500});
        screen.key(QStringLiteral("ctrl+a"));
        screen.key(QStringLiteral("m"));
        screen.key(QStringLiteral("ctrl+s"));
        QTRY_VERIFY_WITH_TIMEOUT(contents(file).contains("muted"), patience);
        const QImage picture = screen.picture();
        QCOMPARE(picture.size(), QSize(1600, 1000));
        // Words, icons and layers all over it, however letters are drawn here.
        QSet<QRgb> colours;
        for (int y = 0; y < picture.height(); y += 2) {
            for (int x = 0; x < picture.width(); x += 2) {
                colours.insert(picture.pixel(x, y));
            }
        }
        QVERIFY2(colours.size() > 200, qPrintable(QString::number(colours.size())));
        keep(picture, QStringLiteral("screen"));
    }

    void whatAKilledOneHadIsRestored() {
        if (!Screen::missing().isEmpty()) {
            QSKIP(qPrintable("not there: " + Screen::missing().join(QStringLiteral(", "))));
        }
        const Screen screen({1366, 768});
        QVERIFY(screen.isThere());
        const QTemporaryDir home;
        const QString file = sampleIn(home);
        const QByteArray before = contents(file);
        {
            Shown shown(screen, home, {file});
            QVERIFY(screen.waitForWindow(QStringLiteral("lenet.weft")));
            screen.click({600, 400});
            screen.key(QStringLiteral("ctrl+a"));
            screen.key(QStringLiteral("m"));
            const QString folder = home.filePath(QStringLiteral(".local/share/weft/weft/recover"));
            QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder).entryList({QStringLiteral("*.json")}).isEmpty(),
                                     patience);
            shown.end();
        }
        QCOMPARE(contents(file), before);
        const Shown again(screen, home, {});
        QVERIFY(screen.waitForWindow(QStringLiteral("^Weft$")));
        QTRY_VERIFY_WITH_TIMEOUT(qGray(screen.picture().pixel(2, 760)) > 0, patience); // painted
        screen.click({900, 20});
        screen.key(QStringLiteral("ctrl+shift+p"));
        screen.type(QStringLiteral("restore unsaved"));
        keep(screen.picture(), QStringLiteral("restore"));
        screen.key(QStringLiteral("Return"));
        QVERIFY(screen.waitForWindow(QStringLiteral("lenet.weft")));
        screen.click({600, 400});
        screen.key(QStringLiteral("ctrl+s"));
        QTRY_VERIFY_WITH_TIMEOUT(contents(file).contains("muted"), patience);
    }

    void installingPutsEverythingInPlace() {
        const QTemporaryDir prefix;
        const Ended installed =
            run(QStringLiteral(WEFT_CMAKE),
                {"--install", QString::fromStdString(buildFolder()), "--prefix", prefix.path()},
                QProcessEnvironment::systemEnvironment());
        QVERIFY2(installed.code == 0, qPrintable(installed.words));
        for (const char* program : {"weft", "weft-workbench"}) {
            const Ended version = run(prefix.filePath(QStringLiteral("bin/") + program),
                                      {"--version"}, withoutDisplay());
            QVERIFY2(version.code == 0, qPrintable(version.words));
            QVERIFY(QFileInfo::exists(
                prefix.filePath(QStringLiteral("share/bash-completion/completions/") + program)));
        }
        QVERIFY(QFileInfo::exists(
            prefix.filePath("share/weft/projects/quickstart-digits/design.weft")));
        QSettings entry(prefix.filePath("share/applications/weft-workbench.desktop"),
                        QSettings::IniFormat);
        entry.beginGroup(QStringLiteral("Desktop Entry"));
        const QString program = entry.value("Exec").toString().section(' ', 0, 0);
        QVERIFY(QFileInfo(prefix.filePath("bin/" + program)).isExecutable());
        const QString icon = entry.value("Icon").toString();
        QVERIFY(QFileInfo::exists(
            prefix.filePath("share/icons/hicolor/scalable/apps/" + icon + ".svg")));
        const QByteArray types = contents(prefix.filePath("share/mime/packages/weft.xml"));
        QVERIFY(types.contains("type=\"" + entry.value("MimeType").toString().toLatin1() + "\""));
        QVERIFY(types.contains("*.weft"));
    }

    void aDesktopKnowsADesignByItsName() {
        if (QStandardPaths::findExecutable(QStringLiteral("update-mime-database")).isEmpty()) {
            QSKIP("not there: update-mime-database");
        }
        const QTemporaryDir data;
        QVERIFY(QDir().mkpath(data.filePath("mime/packages")));
        QVERIFY(QFile::copy(QString::fromStdString(sourceFolder() / "packaging/desktop/weft.xml"),
                            data.filePath("mime/packages/weft.xml")));
        const Ended updated = run(QStringLiteral("update-mime-database"), {data.filePath("mime")},
                                  QProcessEnvironment::systemEnvironment());
        QVERIFY2(updated.code == 0, qPrintable(updated.words));
        QVERIFY(
            contents(data.filePath("mime/globs2")).contains("application/x-weft-design:*.weft"));
    }

    void completionsAreThoseOfBothPrograms() {
        const Ended ended =
            run(QStringLiteral("bash"),
                {"-c", "source '" + QString::fromStdString(sourceFolder()) +
                           "/packaging/completions/weft.bash' && complete -p weft weft-workbench"},
                QProcessEnvironment::systemEnvironment());
        QVERIFY2(ended.code == 0, qPrintable(ended.words));
    }
};

std::unique_ptr<QObject> makeTestProgram() { return std::make_unique<TestProgram>(); }

#include "tst_program.moc"
