// SPDX-License-Identifier: Apache-2.0
#include "tryit/asker.h"

#include <weft/prove.h>

#include <algorithm>

namespace weft::ui {

namespace {

InferenceRequest requestOf(const TrainedNetwork& network, std::vector<InferenceInput> inputs) {
    InferenceRequest request;
    request.design = onOneDevice(network.design); // one device is enough and always present
    request.folder = network.folder;
    request.others = network.others;
    request.weights = network.weights;
    request.inputs = std::move(inputs);
    request.devices = {"cpu:0"};
    return request;
}

const TensorNumbers* fieldNamed(const Samples& samples, const std::string& name) {
    const auto found = std::ranges::find(samples.fields, name, &TensorNumbers::name);
    return found == samples.fields.end() ? nullptr : &*found;
}

/// Returns the shape as a picture for an input that can be drawn; empty if it can't.
Shape pictureOf(const InferenceInputForm& input) {
    const auto isPicture = [&](const Shape& shape) {
        const bool isPlane = shape.size() == 2;
        const bool hasChannels = shape.size() == 3 && (shape[0] == 1 || shape[0] == 3);
        return (isPlane || hasChannels) && elementsOf(shape) == elementsOf(input.shape);
    };
    return input.takesIds                ? Shape()
           : isPicture(input.shape)      ? input.shape
           : isPicture(input.fieldShape) ? input.fieldShape
                                         : Shape();
}

TypicalPicture typicalPictureFor(const TrainedNetwork& network, const InferenceInputForm& input,
                                 const Shape& shape) {
    constexpr std::int64_t examples = 128;
    const TypicalPicture usual =
        mnistPicture(shape.size() == 3 ? static_cast<int>(shape[0]) : 1,
                     static_cast<int>(shape[shape.size() - 2]), static_cast<int>(shape.back()));
    if (input.field.empty()) {
        return usual;
    }
    const Samples samples = readSamples(network.data(), SampleSet::training, 0, examples);
    const TensorNumbers* field = fieldNamed(samples, input.field);
    if (field == nullptr) {
        return usual;
    }
    TensorNumbers pictures{field->name, shape, field->numbers};
    pictures.shape.insert(pictures.shape.begin(), field->shape.front());
    return typicalPictureOf(pictures);
}

NetworkInputs askedOf(const TrainedNetwork& network) {
    NetworkInputs asked{inferenceForm(network.design, network.folder, network.others), {}};
    if (asked.form.inputs.size() == 1) {
        asked.picture = pictureOf(asked.form.inputs.front());
    }
    if (asked.isPicture()) {
        asked.typical = typicalPictureFor(network, asked.form.inputs.front(), asked.picture);
    }
    return asked;
}

EvaluationResult evaluationOf(const TrainedNetwork& network, const InferenceForm& form,
                              std::int64_t count, const std::filesystem::path& folder) {
    const SampleRequest wanted = network.data();
    Samples samples = readSamples(wanted, SampleSet::test, 0, count);
    if (samples.set != SampleSet::test) {
        samples = readSamples(wanted, SampleSet::validation, 0, count);
    }
    const TensorNumbers* labels = fieldNamed(samples, form.labels);
    std::vector<InferenceInput> files;
    const TensorNumbers* shown = nullptr;
    for (const InferenceInputForm& input : form.inputs) {
        const TensorNumbers* field = fieldNamed(samples, input.field);
        if (field == nullptr || labels == nullptr) {
            throw Error(ErrorCode::design, Where{.layer = input.layer},
                        "its data has no classes to compare with",
                        "feed it from a source with labels");
        }
        const auto file = folder / ("examples" + std::to_string(files.size()) + ".npy");
        saveOutput({field->name, field->shape, field->numbers}, file);
        files.push_back({.layer = input.layer, .file = file});
        shown = shown == nullptr || field->shape.size() > shown->shape.size() ? field : shown;
    }
    const InferenceResult result = infer(requestOf(network, std::move(files)));
    EvaluationResult evaluated{{}, samples.classNames, *shown, samples.set};
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

bool NetworkInputs::isText() const {
    return form.inputs.size() == 1 && form.inputs.front().takesIds &&
           form.inputs.front().shape.size() == 1 && !form.classNames.empty();
}

bool Asker::setNetwork(TrainedNetwork network) {
    const bool isOther = !network.hasWeights() || !network_.hasWeights() ||
                         network.design != network_.design || network.folder != network_.folder ||
                         network.others != network_.others;
    network_ = std::move(network);
    waitingJob_ = nullptr;
    ++requestNumber_;
    if (isOther) {
        ++networkNumber_;
        describeNetwork();
    }
    return isOther;
}

void Asker::describeNetwork() {
    if (!network_.hasWeights()) {
        return;
    }
    pool_.start([this, number = networkNumber_, network = network_] {
        std::shared_ptr<const NetworkInputs> asked;
        QString problem;
        try {
            asked = std::make_shared<const NetworkInputs>(askedOf(network));
        } catch (const std::exception& error) {
            problem = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this,
            [this, number, asked, problem] {
                if (number != networkNumber_) {
                    return;
                }
                if (asked != nullptr) {
                    Q_EMIT described(asked);
                } else {
                    Q_EMIT failed(problem);
                }
            },
            Qt::QueuedConnection);
    });
}

void Asker::runJob(Job job) {
    waitingJob_ = std::move(job);
    ++requestNumber_;
    runNextJob();
}

void Asker::runNextJob() {
    if (isBusy_ || !waitingJob_) {
        return;
    }
    isBusy_ = true;
    const int number = requestNumber_;
    pool_.start([this, number, job = std::exchange(waitingJob_, nullptr)] {
        std::function<void()> deliver;
        try {
            deliver = job();
        } catch (const std::exception& error) {
            deliver = [this, text = QString::fromUtf8(error.what())] { Q_EMIT failed(text); };
        }
        QMetaObject::invokeMethod(
            this,
            [this, number, deliver] {
                isBusy_ = false;
                // Drops the result if a newer question has arrived meanwhile.
                if (number == requestNumber_) {
                    deliver();
                }
                runNextJob();
            },
            Qt::QueuedConnection);
    });
}

void Asker::askPicture(const std::string& layer, const QImage& picture) {
    if (!network_.hasWeights()) {
        return;
    }
    const std::filesystem::path file =
        folder_.filePath(QStringLiteral("question%1.png").arg(requestNumber_ % 4)).toStdString();
    const QString name = QString::fromStdString(file.string());
    runJob([this, picture, name, request = requestOf(network_, {{.layer = layer, .file = file}})] {
        picture.save(name);
        auto answer = std::make_shared<const InferenceResult>(infer(request));
        return [this, answer] { Q_EMIT answered(answer); };
    });
}

void Asker::askNumbers(const std::string& layer, const Shape& shape, std::vector<float> numbers) {
    if (!network_.hasWeights()) {
        return;
    }
    const std::filesystem::path file =
        folder_.filePath(QStringLiteral("numbers.npy")).toStdString();
    Shape whole = shape;
    whole.insert(whole.begin(), 1);
    runJob([this, file, whole, numbers = std::move(numbers),
            request = requestOf(network_, {{.layer = layer, .file = file}})] {
        saveOutput({"numbers", whole, numbers}, file);
        auto answer = std::make_shared<const InferenceResult>(infer(request));
        return [this, answer] { Q_EMIT answered(answer); };
    });
}

void Asker::evaluate(const InferenceForm& form, std::int64_t count) {
    if (!network_.hasWeights()) {
        return;
    }
    const std::filesystem::path folder = folder_.path().toStdString();
    runJob([this, form, count, folder, network = network_] {
        auto result =
            std::make_shared<const EvaluationResult>(evaluationOf(network, form, count, folder));
        return [this, result] { Q_EMIT evaluated(result); };
    });
}

} // namespace weft::ui
