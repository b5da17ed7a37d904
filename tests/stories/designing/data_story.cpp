// SPDX-License-Identifier: Apache-2.0
#include "data_story.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>

namespace weft::test {

DataStory::DataStory(QSize size) : WindowStory(size) {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
}

void DataStory::choose(const QString& box, const QString& text) {
    auto& combo = shown<QComboBox>(box);
    QTest::mouseClick(&combo, Qt::LeftButton);
    QAbstractItemView* list = combo.view();
    QVERIFY(QTest::qWaitFor([&] { return list->isVisible(); }));
    const int row = combo.findText(text);
    QVERIFY2(row >= 0, qPrintable(text));
    const QModelIndex at = combo.model()->index(row, 0);
    list->scrollTo(at);
    // A list that just opened takes no click, but from a hand that has moved to a line.
    QTest::mouseMove(list->viewport(), list->visualRect(at).center());
    QVERIFY(QTest::qWaitFor([&] { return list->currentIndex() == at; }));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(at).center());
    QVERIFY(QTest::qWaitFor([&] { return !list->isVisible(); }));
}

QFileDialog* DataStory::picker() {
    (void)QTest::qWaitFor(
        [&] { return qobject_cast<QFileDialog*>(QApplication::activeModalWidget()); });
    return qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
}

void DataStory::pick(const QString& path) {
    QFileDialog* dialog = picker();
    QVERIFY(dialog != nullptr);
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    name->setText(path); // letter by letter it would be completed to something else
    auto* buttons = dialog->findChild<QDialogButtonBox*>();
    QTest::mouseClick(buttons->button(QDialogButtonBox::Open), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([] { return QApplication::activeModalWidget() == nullptr; }));
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
}

void DataStory::dropOn(QWidget& at, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    const QPoint place = at.rect().center();
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&at, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(place, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&at, &drop);
}

} // namespace weft::test
