// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/npy.h"
#include "data/arrays/png.h"
#include "engine/data/raises.h"
#include "observed.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/infer.h>
#include <weft/session.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <span>

using namespace weft;
using namespace weft::test;

class TestInfer : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    Design design_;

    [[nodiscard]] std::filesystem::path at(const char* name) const {
        return folder_.filePath(name).toStdString();
    }

    [[nodiscard]] InferenceRequest requestFor(const std::filesystem::path& input) const {
        return {.design = design_,
                .weights = at("run/checkpoints/step-000000012.safetensors"),
                .inputs = {{.layer = "", .file = input}},
                .devices = {"reference:0"}};
    }

    [[nodiscard]] QString refusalOf(const InferenceRequest& request) const {
        try {
            (void)infer(request);
        } catch (const Error& error) {
            return {error.what()};
        }
        return {};
    }

    /// So many pictures, each of one grey.
    [[nodiscard]] std::filesystem::path greys(const char* name, std::int64_t count) const {
        std::vector<float> pixels(static_cast<std::size_t>(count * 28 * 28));
        for (std::size_t k = 0; k < pixels.size(); ++k) {
            const std::size_t picture = k / (28 * 28);
            pixels[k] = static_cast<float>(picture) / static_cast<float>(count);
        }
        writeNpy(at(name), DType::f32, {count, 1, 28, 28}, std::as_bytes(std::span(pixels)));
        return at(name);
    }

private Q_SLOTS:
    void initTestCase() {
        design_ = parseDesign(digitsDesign("replicate"), catalogue()).design;
        SessionRequest request{.design = design_};
        request.devices = {"reference:0"};
        request.run = at("run");
        Session session(std::move(request));
        QCOMPARE(session.wait().state, SessionState::finished);
    }

    void givesTheLastLayersNumbersForEveryExample() {
        const InferenceResult result = infer(requestFor(greys("greys.npy", 17)));
        QCOMPARE(result.examples, 17);
        QCOMPARE(result.outputs.size(), std::size_t{1});
        QCOMPARE(result.outputs[0].name, std::string("fc2.y"));
        QVERIFY((result.outputs[0].shape == Shape{17, 10}));
        QCOMPARE(result.outputs[0].numbers.size(), std::size_t{170});
        // One by one they are the same: batches of 12 and 5 mix nothing.
        const InferenceResult fewer = infer(requestFor(greys("fewer.npy", 1)));
        for (std::size_t k = 0; k < 10; ++k) {
            QVERIFY(std::abs(fewer.outputs[0].numbers[k] - result.outputs[0].numbers[k]) < 1e-5F);
        }
    }

    void isTheSameOnSeveralDevices() {
        const auto input = greys("spread.npy", 7);
        const InferenceResult one = infer(requestFor(input));
        InferenceRequest spread = requestFor(input);
        spread.design = parseDesign(digitsDesign("model.stack"), catalogue()).design;
        spread.devices = {"reference:0", "reference:1"};
        const InferenceResult two = infer(spread);
        QCOMPARE(two.outputs[0].numbers.size(), one.outputs[0].numbers.size());
        for (std::size_t k = 0; k < one.outputs[0].numbers.size(); ++k) {
            QVERIFY(std::abs(one.outputs[0].numbers[k] - two.outputs[0].numbers[k]) < 1e-4F);
        }
    }

    void takesAPictureAsItsBytesSay() {
        Array picture{.dtype = DType::u8, .shape = {1, 28, 28}, .bytes = {}};
        picture.bytes.assign(28 * 28, std::byte{51});
        writePng(at("grey.png"), picture);
        const std::vector<float> same(28 * 28, 0.2F);
        writeNpy(at("grey.npy"), DType::f32, {1, 1, 28, 28}, std::as_bytes(std::span(same)));
        const auto a = infer(requestFor(at("grey.png"))).outputs[0].numbers;
        const auto b = infer(requestFor(at("grey.npy"))).outputs[0].numbers;
        for (std::size_t k = 0; k < a.size(); ++k) {
            QVERIFY(std::abs(a[k] - b[k]) < 1e-5F);
        }
    }

    void takesAPictureAsTheFramesItWasTrainedOn() {
        Array picture{.dtype = DType::u8, .shape = {1, 28, 28}, .bytes = {}};
        std::vector<float> same;
        for (int k = 0; k < 28 * 28; ++k) {
            picture.bytes.push_back(k % 2 == 0 ? std::byte{20} : std::byte{220});
            same.push_back(k % 2 == 0 ? -1.0F : 1.0F);
        }
        writePng(at("frame.png"), picture);
        writeNpy(at("frame.npy"), DType::f32, {1, 1, 28, 28}, std::as_bytes(std::span(same)));
        InferenceRequest request = requestFor(at("frame.png"));
        request.design.data.source = "frames";
        request.design.data.attributes = {{"normalise", std::string("deviation")}};
        const auto a = infer(request).outputs[0].numbers;
        request.inputs[0].file = at("frame.npy");
        const auto b = infer(request).outputs[0].numbers;
        for (std::size_t k = 0; k < a.size(); ++k) {
            QVERIFY(std::abs(a[k] - b[k]) < 1e-5F);
        }
    }

    /// In colour and of another format, as a source of frames reads it too.
    void takesPicturesOfEveryFormat() {
        Array picture{.dtype = DType::u8, .shape = {3, 28, 28}, .bytes = {}};
        std::string grey = "P5 28 28 1000\n";
        for (int k = 0; k < 28 * 28; ++k) {
            picture.bytes.push_back(k < 392 ? std::byte{200} : std::byte{0}); // red
            const int luma = k < 392 ? 2345 * 100 / 1000 : 0;                 // 0.299 * 200 / 255
            grey += {static_cast<char>(luma >> 8), static_cast<char>(luma)};
        }
        picture.bytes.resize(3 * 28 * 28, std::byte{0});
        writePng(at("red.png"), picture);
        writeBytes(at("red.pgm"), grey);
        const auto a = infer(requestFor(at("red.png"))).outputs[0].numbers;
        const auto b = infer(requestFor(at("red.pgm"))).outputs[0].numbers;
        const auto none = infer(requestFor(greys("black.npy", 1))).outputs[0].numbers;
        float apart = 0;
        for (std::size_t k = 0; k < a.size(); ++k) {
            QVERIFY(std::abs(a[k] - b[k]) < 1e-2F);
            apart = std::max(apart, std::abs(a[k] - none[k]));
        }
        QVERIFY(apart > 0.05F);
        writeBytes(at("film.gif"), "GIF89a");
        QVERIFY(refusalOf(requestFor(at("film.gif"))).contains("ffmpeg"));
    }

    /// Where films begin is no question to anybody: what is asked is one film.
    void takesWhatIsAskedForOneFilm() {
        Design films =
            loadDesign(sourceFolder() / "projects/lca-movies/design.weft", catalogue()).design;
        films.data.attributes.set("count", std::int64_t{8});
        films.data.attributes.set("films", std::int64_t{2});
        films.data.batch = 2;
        films.training.steps = 1;
        SessionRequest training{.design = films};
        training.devices = {"cpu:0"};
        training.run = at("films");
        Session session(std::move(training));
        QCOMPARE(session.wait().state, SessionState::finished);
        const InferenceForm form = inferenceForm(films, at("films"));
        QCOMPARE(form.inputs.size(), std::size_t{1});
        QCOMPARE(form.inputs[0].layer, std::string("picture"));
        const std::vector<float> pixels(3 * 32 * 32, 0.5F);
        writeNpy(at("film.npy"), DType::f32, {3, 1, 32, 32}, std::as_bytes(std::span(pixels)));
        InferenceRequest request{.design = films,
                                 .weights = at("films/checkpoints/step-000000001.safetensors"),
                                 .inputs = {{.layer = "picture", .file = at("film.npy")}},
                                 .devices = {"cpu:0"}};
        const InferenceResult one = infer(request);
        QCOMPARE(one.examples, 3);
        const std::vector<float> none(3, 0.0F);
        writeNpy(at("none.npy"), DType::f32, {3}, std::as_bytes(std::span(none)));
        request.inputs.push_back({.layer = "begins", .file = at("none.npy")});
        QVERIFY(infer(request) == one);
    }

    void ordersClassesByConfidence() {
        const InferenceResult result = infer(requestFor(greys("classes.npy", 2)));
        const auto guesses = likeliestClasses(result, result.outputs[0], 1, 10);
        QCOMPARE(guesses.size(), std::size_t{10});
        double sum = 0;
        for (std::size_t k = 0; k < guesses.size(); ++k) {
            sum += guesses[k].confidence;
            QVERIFY(k == 0 || guesses[k].confidence <= guesses[k - 1].confidence);
        }
        QVERIFY(std::abs(sum - 1) < 1e-6);
    }

    void saysWhatDoesNotFit() {
        const std::vector<float> wrong(30, 0);
        writeNpy(at("wrong.npy"), DType::f32, {3, 10}, std::as_bytes(std::span(wrong)));
        const QString shape = refusalOf(requestFor(at("wrong.npy")));
        QVERIFY2(shape.contains("wrong.npy") && shape.contains("picture"), qPrintable(shape));
        InferenceRequest unknown = requestFor(greys("some.npy", 1));
        unknown.inputs[0].layer = "sound";
        QVERIFY(refusalOf(unknown).contains("sound"));
        InferenceRequest other = requestFor(greys("some.npy", 1));
        other.design.network.layers[2].name = "first";
        const QString missing = refusalOf(other);
        QVERIFY2(missing.contains("first.weight"), qPrintable(missing));
    }
};

std::unique_ptr<QObject> makeTestInfer() { return std::make_unique<TestInfer>(); }
#include "tst_infer.moc"
