// SPDX-License-Identifier: Apache-2.0
#include "device/named_way.h"
#include "stages.h"
#include "support/kernel_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft::proof {

namespace {

using namespace test;

enum class Pass : std::uint8_t { y, dx, dw };

/// A dense layer: x [rows, inputs], w [outputs, inputs], y [rows, outputs].
struct Dense {
    std::int64_t rows, inputs, outputs;
};

struct Ended {
    bool hasBias, hasAddend, hasRelu;
};
constexpr std::array endings{Ended{false, false, false}, Ended{true, false, false},
                             Ended{true, false, true},   Ended{false, true, false},
                             Ended{true, true, false},   Ended{true, true, true},
                             Ended{false, false, true}};

constexpr std::array odd{Dense{1, 1, 1},       Dense{5, 7, 3},     Dense{3, 300, 20},
                         Dense{64, 120, 84},   Dense{129, 33, 65}, Dense{33, 1000, 10},
                         Dense{257, 131, 100}, Dense{1, 513, 1025}};
constexpr std::array large{Dense{1024, 768, 768}, Dense{777, 1024, 2051}, Dense{8192, 256, 65}};
constexpr std::int64_t mostOnStandIn = 20'000;   ///< multiplications, which a host emulates
constexpr std::int64_t largeProduct = 1'000'000; ///< multiplications
/// Products in the attention and dense layers of a language model, and in a classifier's head.
constexpr std::array timed{Dense{8192, 768, 768}, Dense{8192, 768, 3072}, Dense{8192, 3072, 768},
                           Dense{256, 9216, 4096}};

std::string opOf(Pass pass, const Ended& ended) {
    switch (pass) {
    case Pass::dx: return "linear_dx";
    case Pass::dw: return "linear_dw";
    case Pass::y: break;
    }
    return std::string("linear") + (ended.hasBias ? "+bias_add" : "") +
           (ended.hasAddend ? "+add" : "") + (ended.hasRelu ? "+relu" : "");
}

struct Shapes {
    Shape a, b, result;
};
Shapes shapesOf(const Dense& of, Pass pass) {
    const Shape x{of.rows, of.inputs};
    const Shape w{of.outputs, of.inputs};
    const Shape y{of.rows, of.outputs};
    switch (pass) {
    case Pass::dx: return {y, w, x};
    case Pass::dw: return {y, x, w};
    case Pass::y: break;
    }
    return {x, w, y};
}

std::int64_t termsOf(const Dense& of, Pass pass) {
    return pass == Pass::y ? of.inputs : pass == Pass::dx ? of.outputs : of.rows;
}

TensorPart inDouble(TensorPart part) {
    part.dtype = DType::f64;
    return part;
}

/// A product with what follows it, as a request, and what it comes to in double.
class Asked {
public:
    Asked(const Dense& of, Pass pass, const Ended& ended, Precision precision)
        : pass_(pass), ended_(ended), isHalved_(precision == Precision::bf16) {
        const auto [a, b, result] = shapesOf(of, pass);
        made_ = wholePart(DType::f32, result);
        take(a, 1);
        take(b, 1);
        body_.members = {requestOf(opOf(pass, {}), {}, parts_, {made_})};
        body_.reads = {{0, 1}};
        ended.hasBias ? follow("bias_add", {{"dim", std::int64_t{1}}}, take({result[1]}, 0))
                      : void();
        ended.hasAddend ? follow("add", {}, take(result, 2)) : void();
        ended.hasRelu ? follow("relu", {}, -1) : void();
        body_.writes.assign(body_.members.size(), {-1});
        body_.writes.back() = {0};
    }

    [[nodiscard]] KernelRequest request() const {
        KernelRequest asked = requestOf(opOf(pass_, ended_), {}, parts_, {made_}, options());
        if (body_.members.size() > 1) {
            asked.body = std::make_shared<const GroupBody>(body_);
        }
        return asked;
    }
    [[nodiscard]] RunOptions options() const { return {.formats = formats_}; }
    [[nodiscard]] const std::vector<Tensor>& numbers() const { return numbers_; }

    [[nodiscard]] KernelCase held(Oracle& reference, std::int64_t terms) const {
        std::vector<Tensor> wide;
        std::vector<TensorPart> parts;
        for (std::size_t k = 0; k < 2; ++k) {
            wide.push_back(numbers_[k].as(DType::f64));
            parts.push_back(inDouble(parts_[k]));
        }
        const TensorPart made = inDouble(made_);
        Tensor y = reference.run(opOf(pass_, {}), {}, wide, parts, {made}).front();
        for (std::size_t member = 1; member < body_.members.size(); ++member) {
            const KernelRequest& next = body_.members[member];
            std::vector<Tensor> operands{y};
            std::vector<TensorPart> partsOfNext{made};
            if (next.inputs.size() > 1) {
                const auto other = static_cast<std::size_t>(body_.reads[member][1]);
                operands.push_back(numbers_[other].as(DType::f64));
                partsOfNext.push_back(inDouble(parts_[other]));
            }
            y = reference.run(next.op, next.attributes, operands, partsOfNext, {made}).front();
        }
        return {.local = {"", parts_, {made_}, numbers_},
                .attributes = {},
                .results = {std::move(y)},
                .length = terms};
    }

private:
    /// Another operand; in bf16 all but the bias are bf16.
    int take(const Shape& shape, int kind) {
        const std::string role = "operand " + std::to_string(parts_.size());
        Tensor drawn = drawNormal(DType::f32, shape, 1, role);
        const Format format = isHalved_ && kind != 0 ? weft::halved({}, shape.size()) : Format{};
        if (format.isHalved()) {
            drawn = fromFormat(toFormat(drawn, format), DType::f32, shape, format);
        }
        parts_.push_back(wholePart(DType::f32, shape));
        numbers_.push_back(std::move(drawn));
        formats_.push_back(format);
        return static_cast<int>(parts_.size()) - 1;
    }
    void follow(const std::string& op, const Attributes& with, int other) {
        std::vector<TensorPart> parts{made_};
        std::vector<int> reads{-static_cast<int>(body_.members.size())};
        if (other >= 0) {
            parts.push_back(parts_[static_cast<std::size_t>(other)]);
            reads.push_back(other);
        }
        body_.members.push_back(requestOf(op, with, parts, {made_}));
        body_.reads.push_back(std::move(reads));
    }

    Pass pass_;
    Ended ended_;
    bool isHalved_;
    std::vector<TensorPart> parts_;
    std::vector<Tensor> numbers_;
    std::vector<Format> formats_;
    TensorPart made_;
    GroupBody body_;
};

/// Memory full of normal numbers: zeros would draw less power, and so compute faster.
void fillNormal(Device& device, Arena& arena, const Format& format) {
    const Shape shape{std::int64_t{1} << 16, 1};
    const std::vector<std::byte> some =
        toFormat(drawNormal(DType::f32, shape, 1, "filled"), format);
    const std::int64_t all = arena.size().count;
    std::vector<std::byte> filled(static_cast<std::size_t>(all));
    for (std::size_t k = 0; k < filled.size(); k += some.size()) {
        std::copy_n(some.begin(), std::min(some.size(), filled.size() - k),
                    filled.begin() + static_cast<std::ptrdiff_t>(k));
    }
    device.copyIn(arena.address(), filled.data(), {all});
}

/// A kernel in a stream of its own, launched again and again.
class Timed {
public:
    Timed(Device& device, const KernelRequest& request, const KernelChoice& choice)
        : stream_(device.makeUnboundStream(0)),
          kernel_(choice.make()),
          begin_(stream_->makeEvent()),
          end_(stream_->makeEvent()),
          scratch_(device.allocate(choice.scratch)) {
        const auto add = [&](const TensorPart& part, const std::vector<Format>& formats,
                             std::size_t k) {
            const Format format = k < formats.size() ? formats[k] : Format{};
            memory_.push_back(device.allocate(bytesIn(format, part.dtype, part.shape)));
            fillNormal(device, *memory_.back(), format);
            return memory_.back()->address();
        };
        for (std::size_t k = 0; k < request.inputs.size(); ++k) {
            inputs_.push_back(add(request.inputs[k], choice.inputFormats, k));
        }
        outputs_.push_back(add(request.outputs[0], choice.outputFormats, 0));
    }

    /// Nanoseconds of one launch, on average.
    [[nodiscard]] double take() {
        constexpr int times = 20;
        for (int round = 0; round < 2; ++round) { // the first only warms up
            stream_->leave(*begin_);
            for (int k = 0; k < times; ++k) {
                kernel_->run({inputs_, outputs_, scratch_->address(), stream_.get()});
            }
            stream_->leave(*end_);
            stream_->finish();
        }
        return static_cast<double>(end_->time() - begin_->time()) / times;
    }

private:
    std::unique_ptr<Stream> stream_;
    std::unique_ptr<Kernel> kernel_;
    std::unique_ptr<DeviceEvent> begin_;
    std::unique_ptr<DeviceEvent> end_;
    std::unique_ptr<Arena> scratch_;
    std::vector<std::unique_ptr<Arena>> memory_;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
};

class Products {
public:
    explicit Products(const Proved& on) : on_(on), device_(*on.backend, on.device, 1) {}

    void prove(Report& report) {
        for (const Precision precision : {Precision::exact, Precision::tf32, Precision::bf16}) {
            const KernelList* const makers = makersOf(precision);
            for (const Pass pass : {Pass::y, Pass::dx, Pass::dw}) {
                for (const Ended& ended : endings) {
                    if (makers != nullptr && (pass == Pass::y || &ended == &endings.front())) {
                        report.run(fmt::format("{} in {}", opOf(pass, ended), nameOf(precision)),
                                   [&](Case& trial) {
                                       compareAll(trial, *makers, pass, ended, precision);
                                   });
                    }
                }
            }
        }
        if (on_.hasTimes) {
            rates(report);
        }
    }

private:
    [[nodiscard]] const KernelList* makersOf(Precision precision) const {
        const auto rounding = on_.backend->rounding.find(precision);
        if (precision == Precision::exact) {
            return &on_.backend->kernels;
        }
        return rounding == on_.backend->rounding.end() ? nullptr : &rounding->second;
    }

    void compareAll(Case& trial, const KernelList& makers, Pass pass, const Ended& ended,
                    Precision precision) {
        for (const Dense& of : odd) {
            if (on_.hasTimes || of.rows * of.inputs * of.outputs <= mostOnStandIn) {
                compare(trial, makers, of, pass, ended, precision);
            }
        }
        for (const Dense& of : large) {
            if (on_.hasTimes && !on_.isSmall) {
                compare(trial, makers, of, pass, ended, precision);
            }
        }
    }

    void compare(Case& trial, const KernelList& makers, const Dense& of, Pass pass,
                 const Ended& ended, Precision precision) {
        const Asked asked(of, pass, ended, precision);
        const KernelRequest request = asked.request();
        const KernelCase held = asked.held(reference_, termsOf(of, pass));
        for (const KernelMaker& maker : makers.of(request.op)) {
            const std::string name = fmt::format("{} x {} to {} by {}", of.rows, of.inputs,
                                                 of.outputs, maker.implementation);
            const ChoiceOrRefusal choice = maker.choose(request);
            if (!choice) {
                continue;
            }
            tellWay(trial, *choice, name, of.rows * of.inputs * of.outputs >= largeProduct);
            const auto y = device_.run(request, *choice, asked.numbers(), asked.options());
            const auto again = device_.run(request, *choice, asked.numbers(), asked.options());
            const std::string fault = faultIn(held, y, again, precision);
            trial.require(fault.empty(), name + ": " + fault);
        }
    }

    /// The way of a kernel that names it; a library that refuses a large product is a fault.
    static void tellWay(Case& trial, const KernelChoice& choice, const std::string& name,
                        bool isLarge) {
        const auto kernel = choice.make();
        const auto* const named = dynamic_cast<const NamedWay*>(kernel.get());
        if (named != nullptr) {
            trial.note(name, named->way());
            trial.require(!isLarge || !named->way().starts_with("Weft's own"),
                          name + ": " + named->way());
        }
    }

    void rates(Report& report) {
        const auto device = on_.backend->open(on_.device, 1);
        for (const Dense& of : timed) {
            for (const Precision precision : {Precision::exact, Precision::tf32, Precision::bf16}) {
                for (const Pass pass : {Pass::y, Pass::dx, Pass::dw}) {
                    const KernelList* const makers = makersOf(precision);
                    if (makers != nullptr && !on_.isSmall) {
                        report.run(fmt::format("{} x {} to {}: {} in {}", of.rows, of.inputs,
                                               of.outputs, opOf(pass, {}), nameOf(precision)),
                                   [&](Case& trial) {
                                       rate(trial, *device, *makers, of, pass, precision);
                                   });
                    }
                }
            }
        }
    }

    static void rate(Case& trial, Device& device, const KernelList& makers, const Dense& of,
                     Pass pass, Precision precision) {
        const bool isHalved = precision == Precision::bf16;
        const auto [a, b, result] = shapesOf(of, pass);
        KernelRequest request =
            requestOf(opOf(pass, {}), {}, {wholePart(DType::f32, a), wholePart(DType::f32, b)},
                      {wholePart(DType::f32, result)});
        for (TensorPart& part : request.inputs) {
            part.format = isHalved ? weft::halved({}, 2) : Format{};
        }
        const double operations = 2.0 * static_cast<double>(of.rows) *
                                  static_cast<double>(of.inputs) * static_cast<double>(of.outputs);
        for (const KernelMaker& maker : makers.of(request.op)) {
            const ChoiceOrRefusal choice = maker.choose(request);
            if (choice && (!isHalved || maker.takesBf16)) {
                const double nanoseconds = Timed(device, request, *choice).take();
                trial.note(maker.implementation + ", TFLOP/s", operations / nanoseconds * 1e-3);
            }
        }
    }

    const Proved& on_;
    Oracle device_;
    Oracle reference_;
};

} // namespace

void proveProducts(const Proved& on, Report& report) { Products(on).prove(report); }

} // namespace weft::proof
