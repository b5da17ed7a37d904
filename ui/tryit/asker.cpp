// SPDX-License-Identifier: GPL-3.0-or-later
#include "tryit/asker.h"

#include <algorithm>

namespace weft::ui {

namespace {

InferenceRequest requestOf(const TrainedNetwork& network, const std::string& layer,
                           const std::filesystem::path& file) {
    InferenceRequest request;
    request.design = network.design;
    request.folder = network.dataFolder;
    request.weights = network.weights;
    request.inputs = {{.layer = layer, .file = file}};
    // One device is enough for one question, and is there.
    request.design.devices.clear();
    request.devices = {"cpu:0"};
    return request;
}

const TensorNumbers* fieldNamed(const Samples& samples, const std::string& name) {
    const auto found = std::ranges::find(samples.fields, name, &TensorNumbers::name);
    return found == samples.fields.end() ? nullptr : &*found;
}

Evaluated evaluationOf(const TrainedNetwork& network, const std::string& layer,
                       const std::string& field, const std::string& label, std::int64_t count,
                       const std::filesystem::path& file) {
    const SampleRequest wanted{network.design.data, network.dataFolder, {}};
    Samples samples = readSamples(wanted, SampleSet::test, 0, count);
    if (samples.set != SampleSet::test) {
        samples = readSamples(wanted, SampleSet::validation, 0, count);
    }
    const TensorNumbers* inputs = fieldNamed(samples, field);
    const TensorNumbers* labels = fieldNamed(samples, label);
    if (inputs == nullptr || labels == nullptr) {
        throw Error(ErrorCode::design, Where{.layer = layer},
                    "its data has no classes to compare with", "feed it from a source with labels");
    }
    saveOutput({inputs->name, inputs->shape, inputs->numbers}, file);
    const InferenceResult result = infer(requestOf(network, layer, file));
    Evaluated evaluated{{}, samples.classNames, *inputs, samples.set};
    for (const InferenceOutput& output : result.outputs) {
        if (evaluated.scores.classes == 0) {
            evaluated.scores = scoreClasses(output, labels->numbers);
        }
    }
    return evaluated;
}

} // namespace

Asker::Asker(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

Asker::~Asker() { pool_.waitForDone(); }

void Asker::setNetwork(TrainedNetwork network) {
    network_ = std::move(network);
    waiting_ = nullptr;
    ++asked_;
}

void Asker::run(Job job) {
    waiting_ = std::move(job);
    ++asked_;
    next();
}

void Asker::next() {
    if (isBusy_ || !waiting_) {
        return;
    }
    isBusy_ = true;
    const int number = asked_;
    pool_.start([this, number, job = std::exchange(waiting_, nullptr)] {
        std::function<void()> tell;
        try {
            tell = job();
        } catch (const std::exception& error) {
            tell = [this, text = QString::fromUtf8(error.what())] { Q_EMIT failed(text); };
        }
        QMetaObject::invokeMethod(
            this,
            [this, number, tell] {
                isBusy_ = false;
                // Whatever came meanwhile is newer.
                if (number == asked_) {
                    tell();
                }
                next();
            },
            Qt::QueuedConnection);
    });
}

void Asker::askPicture(const std::string& layer, const QImage& picture) {
    if (!network_.isThere()) {
        return;
    }
    const std::filesystem::path file =
        folder_.filePath(QStringLiteral("question%1.png").arg(asked_ % 4)).toStdString();
    const QString name = QString::fromStdString(file.string());
    run([this, picture, name, request = requestOf(network_, layer, file)] {
        picture.save(name);
        auto answer = std::make_shared<const InferenceResult>(infer(request));
        return [this, answer] { Q_EMIT answered(answer); };
    });
}

void Asker::askNumbers(const std::string& layer, const Shape& shape, std::vector<float> numbers) {
    if (!network_.isThere()) {
        return;
    }
    const std::filesystem::path file =
        folder_.filePath(QStringLiteral("numbers.npy")).toStdString();
    Shape whole = shape;
    whole.insert(whole.begin(), 1);
    run([this, file, whole, numbers = std::move(numbers),
         request = requestOf(network_, layer, file)] {
        saveOutput({"numbers", whole, numbers}, file);
        auto answer = std::make_shared<const InferenceResult>(infer(request));
        return [this, answer] { Q_EMIT answered(answer); };
    });
}

void Asker::evaluate(const std::string& layer, const std::string& field, const std::string& label,
                     std::int64_t count) {
    if (!network_.isThere()) {
        return;
    }
    const std::filesystem::path file =
        folder_.filePath(QStringLiteral("examples.npy")).toStdString();
    run([this, layer, field, label, count, file, network = network_] {
        auto result = std::make_shared<const Evaluated>(
            evaluationOf(network, layer, field, label, count, file));
        return [this, result] { Q_EMIT evaluated(result); };
    });
}

} // namespace weft::ui
