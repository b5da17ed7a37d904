// SPDX-License-Identifier: Apache-2.0
#pragma once
// A canvas with a small network under a test's hands: real mouse and key events.

#include "canvas/view/canvas_view.h"
#include "support/places.h"
#include <weft/design_file.h>

#include <QTest>

namespace weft::test {

struct CanvasFixture {
    ui::DesignDocument document{std::make_shared<const std::vector<LayerKindInfo>>(catalogue())};
    ui::PreviewQueue previewQueue;
    ui::LiveCheck check{document, previewQueue};
    ui::Selection selection{document};
    ui::Look look;
    LayerId input, fc, relu;
    ui::CanvasView view{document, selection, check, look};

    CanvasFixture() {
        input = add("input", {0, 0});
        fc = add("dense", {0, 120});
        relu = add("relu", {0, 300});
        connect({input, "y"}, {fc, "x"});
        view.resize(800, 600);
        view.show();
        view.camera().zoomTo(1, {});
        view.camera().frame(view.list().bounds());
    }
    LayerId add(const char* kind, Point at) {
        return document
            .edit("Add",
                  [&](Design& design) {
                      return addLayer(design, {}, {.kind = kind, .position = at});
                  })
            .layer();
    }
    /// A sample instead, on two devices that share the batch.
    bool openSample() {
        Design design =
            loadDesign(sourceFolder() / "projects/quickstart-digits/design.weft").design;
        declareDevice(design, {.name = "cpu:0"});
        declareDevice(design, {.name = "cpu:1"});
        design.assignment.words = {AxisWord::data};
        document.setDesign(std::move(design), false);
        view.camera().frame(view.list().bounds());
        return waitForCheck();
    }
    /// One whose elements are networks of their own, on so many devices.
    bool openDictionary(int devices) {
        Design design = loadDesign(sourceFolder() / "projects/lca-dictionary/design.weft").design;
        for (int device = 0; device < devices; ++device) {
            declareDevice(design, {.name = "cpu:" + std::to_string(device)});
        }
        design.assignment.words = {AxisWord::batch};
        document.setDesign(std::move(design), false);
        view.camera().frame(view.list().bounds());
        return waitForCheck();
    }
    bool set(const char* key, const char* value) {
        document.edit("Set", [&](Design& design) { return applySetting(design, key, value); });
        return waitForCheck();
    }
    [[nodiscard]] LayerId named(std::string_view name) const {
        return findLayer(network(), name)->id;
    }
    [[nodiscard]] const ui::NodeView& node(std::string_view name) const {
        return *view.list().node(named(name));
    }
    void connect(const Endpoint& from, const Endpoint& to) {
        document.edit("Connect",
                      [&](Design& design) { return weft::connect(design, {}, from, to); });
    }
    [[nodiscard]] const Network& network() const { return document.design().network; }
    [[nodiscard]] QPoint at(QPointF scene) const {
        return view.viewport().toLogical(scene).toPoint();
    }
    [[nodiscard]] QPoint centre(LayerId id) const { return at(view.list().node(id)->box.center()); }
    [[nodiscard]] QPoint port(LayerId id, bool isInput) const {
        for (const ui::PortView& port : view.list().node(id)->ports) {
            if (port.isInput == isInput) {
                return at(port.at);
            }
        }
        return {};
    }
    [[nodiscard]] Point position(LayerId id) const { return *findLayer(network(), id)->position; }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {},
              Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(&view, button, modifiers, from);
        move(from, to, modifiers, button);
        QTest::mouseRelease(&view, button, modifiers, to);
    }
    /// Ten moves with the button down.
    void move(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {},
              Qt::MouseButton button = Qt::LeftButton) {
        for (int i = 1; i <= 10; ++i) {
            const QPointF here = from + (to - from) * i / 10;
            QMouseEvent event(QEvent::MouseMove, here, view.mapToGlobal(here), Qt::NoButton, button,
                              modifiers);
            QApplication::sendEvent(&view, &event);
        }
    }
    /// To its last part.
    bool waitForCheck() {
        return QTest::qWaitFor([this] { return check.isWhole(); }, 60'000);
    }
    void undo() { document.history().undo(); }
};

} // namespace weft::test
