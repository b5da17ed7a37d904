// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/onednn/primitive.h"

#include <weft/error.h>

#include <fmt/format.h>
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace weft::cpu {

namespace {

using dnnl::memory;
using Kind = dnnl::primitive::kind;

/// Sets the size of this thread's OpenMP team, which oneDNN uses, for the object's lifetime.
class TeamSize {
public:
    explicit TeamSize(int cores) : before_(omp_get_max_threads()) {
        if (cores != before_) {
            omp_set_num_threads(cores);
        }
    }
    ~TeamSize() {
        if (omp_get_max_threads() != before_) {
            omp_set_num_threads(before_);
        }
    }
    TeamSize(const TeamSize&) = delete;
    TeamSize& operator=(const TeamSize&) = delete;

private:
    int before_;
};

/// Some hypervisors report AMX without the CPUID leaf of its tile palettes; oneDNN would use AMX
/// and fail with an illegal instruction.
bool isAmxHollow() {
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned amxTile = 1U << 24U;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & amxTile) == 0) {
        return false;
    }
    return __get_cpuid_count(0x1d, 0, &a, &b, &c, &d) == 0 || a == 0;
#else
    return false;
#endif
}

/// oneDNN accepts the cap once per process, before its first primitive.
bool capInstructionSet() {
#if defined(__x86_64__)
    return !isAmxHollow() ||
           dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx512_core_bf16) == dnnl::status::success;
#else
    return true;
#endif
}

dnnl::engine makeEngine() {
    static const bool isCapped = capInstructionSet();
    ensure(isCapped, "oneDNN is first used after its instruction set was limited");
    return {dnnl::engine::kind::cpu, 0};
}

/// The layouts of maps and weights that oneDNN's convolutions use.
std::span<const std::pair<std::string_view, memory::format_tag>> namedTags() {
    using Tag = memory::format_tag;
    static constexpr std::array<std::pair<std::string_view, Tag>, 9> tags{
        {{"acdb", Tag::acdb},
         {"aBcd16b", Tag::aBcd16b},
         {"aBcd8b", Tag::aBcd8b},
         {"ABcd16b16a", Tag::ABcd16b16a},
         {"ABcd16a16b", Tag::ABcd16a16b},
         {"Acdb16a", Tag::Acdb16a},
         {"Acdb32a", Tag::Acdb32a},
         {"Acdb48a", Tag::Acdb48a},
         {"Acdb64a", Tag::Acdb64a}}};
    return tags;
}

memory::format_tag tagOf(const Format& format, std::size_t rank) {
    using Tag = memory::format_tag;
    if (format.isPlain()) {
        constexpr std::array tags{Tag::undef, Tag::a, Tag::ab, Tag::abc, Tag::abcd, Tag::abcde};
        return rank < tags.size() ? tags[rank] : Tag::undef;
    }
    for (const auto& [name, tag] : namedTags()) {
        if (format.tag == name) {
            return tag;
        }
    }
    return Tag::undef;
}

memory::desc describe(const Shape& shape, const Format& format) {
    return {shape, memory::data_type::f32, tagOf(format, shape.size())};
}

/// Returns the format of a named layout; plain for others.
Format formatOf(const memory::desc& desc) {
    const memory::dims shape = desc.dims();
    for (const auto& [name, tag] : namedTags()) {
        if (shape.size() == 4 && desc == memory::desc(shape, desc.data_type(), tag)) {
            return {std::string(name)};
        }
    }
    return {};
}

std::int64_t roundedUp(std::size_t bytes) {
    return static_cast<std::int64_t>((bytes + 63) / 64 * 64);
}

dnnl::primitive_attr ownScratch() {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

dnnl::primitive_attr ownScratch(const Epilogue& epilogue, const memory::desc& y) {
    dnnl::primitive_attr attributes = ownScratch();
    dnnl::post_ops operations;
    if (epilogue.addend) {
        operations.append_binary(dnnl::algorithm::binary_add, y);
    }
    if (epilogue.hasRelu) {
#if DNNL_VERSION_MAJOR >= 3
        operations.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
#else
        operations.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
#endif
    }
    attributes.set_post_ops(operations);
    return attributes;
}

void check(dnnl_status_t status, const char* what) {
    if (status != dnnl_success) {
        throw Error(ErrorCode::device, {}, fmt::format("oneDNN: {} failed", what),
                    "run with the reference kernels, or report the design");
    }
}

using Arguments = std::vector<std::pair<int, memory::desc>>;

/// A primitive with prepared arguments, so that a call only sets addresses.
class Call {
public:
    Call(const dnnl::engine& engine, dnnl::primitive primitive, const Arguments& arguments)
        : primitive_(std::move(primitive)) {
        memories_.reserve(arguments.size());
        void* const none = DNNL_MEMORY_NONE;
        for (const auto& [argument, desc] : arguments) {
            memories_.emplace_back(desc, engine, none);
            arguments_.push_back({argument, memories_.back().get()});
        }
    }
    /// Addresses in the order of the arguments.
    void run(const dnnl::stream& stream, std::span<void* const> addresses) {
        for (std::size_t k = 0; k < addresses.size(); ++k) {
            check(dnnl_memory_set_data_handle(arguments_[k].memory, addresses[k]),
                  "setting the address of an operand");
        }
        check(dnnl_primitive_execute(primitive_.get(), stream.get(),
                                     static_cast<int>(arguments_.size()), arguments_.data()),
              "executing a primitive");
    }

private:
    dnnl::primitive primitive_;
    std::vector<memory> memories_;
    std::vector<dnnl_exec_arg_t> arguments_;
};

/// A reorder of an operand to or from the layout of the primitive.
struct Conversion {
    std::optional<dnnl::reorder::primitive_desc> description;
    std::int64_t scratch = 0; ///< scratch bytes of the reorder itself
    std::int64_t offset = 0;  ///< position of the converted operand in the scratch

    [[nodiscard]] Call make(const dnnl::engine& engine) const {
        return {engine, dnnl::reorder(*description),
                Arguments{{DNNL_ARG_FROM, description->src_desc()},
                          {DNNL_ARG_TO, description->dst_desc()},
                          {DNNL_ARG_SCRATCHPAD, description->scratchpad_desc()}}};
    }
};

} // namespace

struct PrimitiveChoice::State {
    dnnl::engine engine = makeEngine();
    int cores = 1;
    std::string implementation;
    std::int64_t scratch = 0; ///< total bytes
    std::int64_t ownOffset = 0;
    std::function<dnnl::primitive()> compile;
    Arguments arguments;
    std::array<Conversion, 3> conversions; ///< two inputs, one output
    std::array<Format, 3> preferred;       ///< formats of converted operands

    /// Reserves `bytes` of scratch and returns the offset.
    std::int64_t book(std::size_t bytes) {
        const std::int64_t offset = scratch;
        scratch += roundedUp(bytes);
        return offset;
    }
    void convert(std::size_t operand, const memory::desc& kept, const memory::desc& wanted);
    template <class Kind>
    void finish(const typename Kind::primitive_desc& description, Arguments operands);
};

void PrimitiveChoice::State::convert(std::size_t operand, const memory::desc& kept,
                                     const memory::desc& wanted) {
    if (kept == wanted) {
        return;
    }
    preferred[operand] = formatOf(wanted);
    const bool isOutput = operand == 2;
    Conversion& conversion = conversions[operand];
    conversion.description.emplace(engine, isOutput ? wanted : kept, engine,
                                   isOutput ? kept : wanted, ownScratch());
    conversion.offset = book(wanted.get_size());
    conversion.scratch = book(conversion.description->scratchpad_desc().get_size());
}

template <class Kind>
void PrimitiveChoice::State::finish(const typename Kind::primitive_desc& description,
                                    Arguments operands) {
    const memory::desc own = description.scratchpad_desc();
    arguments = std::move(operands);
    arguments.emplace_back(DNNL_ARG_SCRATCHPAD, own);
    ownOffset = book(own.get_size());
    compile = [description] { return Kind(description); };
    implementation = std::string("onednn:") + description.impl_info_str();
}

PrimitiveChoice::PrimitiveChoice(std::shared_ptr<const State> state) : state_(std::move(state)) {}
const std::string& PrimitiveChoice::implementation() const { return state_->implementation; }
Bytes PrimitiveChoice::scratch() const { return {state_->scratch}; }
const Format& PrimitiveChoice::preferred(std::size_t operand) const {
    return state_->preferred[operand];
}

struct Primitive::State {
    std::shared_ptr<const PrimitiveChoice::State> chosen;
    dnnl::stream stream;
    Call call;
    std::array<std::optional<Call>, 3> conversions = {};
};

Primitive PrimitiveChoice::make() const {
    const TeamSize team(state_->cores);
    const dnnl::engine& engine = state_->engine;
    try {
        auto made = std::make_unique<Primitive::State>(
            Primitive::State{.chosen = state_,
                             .stream = dnnl::stream(engine),
                             .call = {engine, state_->compile(), state_->arguments}});
        for (std::size_t k = 0; k < made->conversions.size(); ++k) {
            if (state_->conversions[k].description) {
                made->conversions[k] = state_->conversions[k].make(engine);
            }
        }
        return Primitive(std::move(made));
    } catch (const dnnl::error& error) {
        throw Error(ErrorCode::device, {}, fmt::format("oneDNN: {}", error.what()),
                    "run with the reference kernels, or report the design");
    }
}

Primitive::Primitive(std::unique_ptr<State> state) : state_(std::move(state)) {}
Primitive::Primitive(Primitive&&) noexcept = default;
Primitive& Primitive::operator=(Primitive&&) noexcept = default;
Primitive::~Primitive() = default;

void Primitive::run(std::span<const void* const> inputs, void* output, void* scratch) {
    const PrimitiveChoice::State& chosen = *state_->chosen;
    const TeamSize team(chosen.cores);
    auto* const room = static_cast<std::byte*>(scratch);
    const std::array<void*, 3> operands{const_cast<void*>(inputs[0]), const_cast<void*>(inputs[1]),
                                        output};
    std::array<void*, 6> addresses{};
    const auto convert = [&](std::size_t k, void* from, void* to) {
        state_->conversions[k]->run(
            state_->stream,
            std::array{from, to, static_cast<void*>(room + chosen.conversions[k].scratch)});
    };
    for (std::size_t k = 0; k < 3; ++k) {
        const bool isConverted = state_->conversions[k].has_value();
        addresses[k] = isConverted ? room + chosen.conversions[k].offset : operands[k];
        if (isConverted && k < 2) {
            convert(k, operands[k], addresses[k]);
        }
    }
    // The operands of the epilogue follow, and the scratch is last.
    const std::size_t last = chosen.arguments.size() - 1;
    for (std::size_t k = 3; k < last; ++k) {
        addresses[k] = const_cast<void*>(inputs[k - 1]);
    }
    addresses[last] = room + chosen.ownOffset;
    state_->call.run(state_->stream, std::span<void* const>(addresses).first(last + 1));
    if (state_->conversions[2]) {
        convert(2, addresses[2], output);
    }
}

namespace {

memory::desc weightsOf(const Convolution& c, const Format* format) {
    Shape shape = c.w;
    if (c.groups > 1) {
        shape[0] /= c.groups;
        shape.insert(shape.begin(), c.groups);
    }
    return {shape, memory::data_type::f32,
            format == nullptr ? memory::format_tag::any : tagOf(*format, shape.size())};
}

/// oneDNN counts dilation from zero.
memory::dims fromZero(const Shape& dilation) { return {dilation[0] - 1, dilation[1] - 1}; }

struct ConvolutionParts {
    memory::desc x, w, y;
    memory::desc xKept, wKept, yKept;
};

ConvolutionParts partsOf(const Convolution& c) {
    const auto map = [&](const Shape& shape) {
        return c.isWinograd ? memory::desc(shape, memory::data_type::f32, memory::format_tag::any)
                            : describe(shape, c.mapFormat);
    };
    return {map(c.x),
            weightsOf(c, nullptr),
            map(c.y),
            describe(c.x, c.xFormat),
            weightsOf(c, &c.wFormat),
            describe(c.y, c.yFormat)};
}

void addEpilogue(const Epilogue& epilogue, const memory::desc& bias, const memory::desc& y,
                 Arguments& arguments) {
    if (epilogue.bias) {
        arguments.emplace_back(DNNL_ARG_BIAS, bias);
    }
    if (epilogue.addend) {
        arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, y);
    }
}

/// Describes the bias; empty if there is none.
memory::desc biasOf(const Epilogue& epilogue, const Shape& shape) {
    return epilogue.bias ? describe(shape, {}) : memory::desc();
}

dnnl::algorithm algorithmOf(const Convolution& c) {
    return c.isWinograd ? dnnl::algorithm::convolution_winograd
                        : dnnl::algorithm::convolution_direct;
}

#if DNNL_VERSION_MAJOR >= 3
auto forwardOf(const dnnl::engine& engine, const Convolution& c, const ConvolutionParts& p) {
    return dnnl::convolution_forward::primitive_desc(
        engine, dnnl::prop_kind::forward_training, algorithmOf(c), p.x, p.w,
        biasOf(c.epilogue, {c.y[1]}), p.y, c.stride, fromZero(c.dilation), c.padBefore, c.padAfter,
        ownScratch(c.epilogue, p.y));
}
auto inputGradientOf(const dnnl::engine& engine, const Convolution& c, const ConvolutionParts& p) {
    return dnnl::convolution_backward_data::primitive_desc(
        engine, algorithmOf(c), p.x, p.w, p.y, c.stride, fromZero(c.dilation), c.padBefore,
        c.padAfter, forwardOf(engine, c, p), ownScratch());
}
auto weightsGradientOf(const dnnl::engine& engine, const Convolution& c,
                       const ConvolutionParts& p) {
    return dnnl::convolution_backward_weights::primitive_desc(
        engine, algorithmOf(c), p.x, p.w, p.y, c.stride, fromZero(c.dilation), c.padBefore,
        c.padAfter, forwardOf(engine, c, p), ownScratch());
}
auto productOf(const dnnl::engine& engine, const memory::desc& a, const memory::desc& b,
               const memory::desc& c, const memory::desc& bias, const Epilogue& epilogue) {
    return dnnl::matmul::primitive_desc(engine, a, b, bias, c, ownScratch(epilogue, c));
}
#else
auto forwardOf(const dnnl::engine& engine, const Convolution& c, const ConvolutionParts& p) {
    return dnnl::convolution_forward::primitive_desc(
        {dnnl::prop_kind::forward_training, algorithmOf(c), p.x, p.w, biasOf(c.epilogue, {c.y[1]}),
         p.y, c.stride, fromZero(c.dilation), c.padBefore, c.padAfter},
        ownScratch(c.epilogue, p.y), engine);
}
auto inputGradientOf(const dnnl::engine& engine, const Convolution& c, const ConvolutionParts& p) {
    return dnnl::convolution_backward_data::primitive_desc(
        {algorithmOf(c), p.x, p.w, p.y, c.stride, fromZero(c.dilation), c.padBefore, c.padAfter},
        ownScratch(), engine, forwardOf(engine, c, p));
}
auto weightsGradientOf(const dnnl::engine& engine, const Convolution& c,
                       const ConvolutionParts& p) {
    return dnnl::convolution_backward_weights::primitive_desc(
        {algorithmOf(c), p.x, p.w, p.y, c.stride, fromZero(c.dilation), c.padBefore, c.padAfter},
        ownScratch(), engine, forwardOf(engine, c, p));
}
auto productOf(const dnnl::engine& engine, const memory::desc& a, const memory::desc& b,
               const memory::desc& c, const memory::desc& bias, const Epilogue& epilogue) {
    return dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, bias, c), ownScratch(epilogue, c),
                                        engine);
}
#endif

void chooseForward(PrimitiveChoice::State& state, const Convolution& c) {
    const ConvolutionParts parts = partsOf(c);
    const auto description = forwardOf(state.engine, c, parts);
    state.convert(0, parts.xKept, description.src_desc());
    state.convert(1, parts.wKept, description.weights_desc());
    state.convert(2, parts.yKept, description.dst_desc());
    Arguments arguments{{DNNL_ARG_SRC, description.src_desc()},
                        {DNNL_ARG_WEIGHTS, description.weights_desc()},
                        {DNNL_ARG_DST, description.dst_desc()}};
    addEpilogue(c.epilogue, biasOf(c.epilogue, {c.y[1]}), parts.y, arguments);
    state.finish<dnnl::convolution_forward>(description, std::move(arguments));
}

void chooseInputGradient(PrimitiveChoice::State& state, const Convolution& c) {
    const ConvolutionParts parts = partsOf(c);
    const auto description = inputGradientOf(state.engine, c, parts);
    state.convert(0, parts.yKept, description.diff_dst_desc());
    state.convert(1, parts.wKept, description.weights_desc());
    state.convert(2, parts.xKept, description.diff_src_desc());
    state.finish<dnnl::convolution_backward_data>(
        description, {{DNNL_ARG_DIFF_DST, description.diff_dst_desc()},
                      {DNNL_ARG_WEIGHTS, description.weights_desc()},
                      {DNNL_ARG_DIFF_SRC, description.diff_src_desc()}});
}

void chooseWeightsGradient(PrimitiveChoice::State& state, const Convolution& c) {
    const ConvolutionParts parts = partsOf(c);
    const auto description = weightsGradientOf(state.engine, c, parts);
    state.convert(0, parts.xKept, description.src_desc());
    state.convert(1, parts.yKept, description.diff_dst_desc());
    state.convert(2, parts.wKept, description.diff_weights_desc());
    state.finish<dnnl::convolution_backward_weights>(
        description, {{DNNL_ARG_SRC, description.src_desc()},
                      {DNNL_ARG_DIFF_DST, description.diff_dst_desc()},
                      {DNNL_ARG_DIFF_WEIGHTS, description.diff_weights_desc()}});
}

/// Runs `describe` on a new state; oneDNN's refusal becomes the reason.
template <class Describe>
PrimitiveOrReason choose(int cores, const Describe& describe) {
    const TeamSize team(cores);
    auto state = std::make_shared<PrimitiveChoice::State>();
    state->cores = cores;
    try {
        describe(*state);
    } catch (const dnnl::error& error) {
        return tl::unexpected(fmt::format("oneDNN: {}", error.what()));
    }
    return PrimitiveChoice(std::move(state));
}

} // namespace

PrimitiveOrReason chooseConvolution(const Convolution& convolution, int cores) {
    return choose(cores, [&](PrimitiveChoice::State& state) {
        switch (convolution.pass) {
        case ConvolutionPass::forward: chooseForward(state, convolution); return;
        case ConvolutionPass::inputGradient: chooseInputGradient(state, convolution); return;
        case ConvolutionPass::weightsGradient: chooseWeightsGradient(state, convolution); return;
        }
    });
}

PrimitiveOrReason chooseProduct(const Product& product, int cores) {
    return choose(cores, [&](PrimitiveChoice::State& state) {
        const auto operand = [&](std::int64_t rows, std::int64_t columns, const Shape& steps) {
            Shape shape{rows, columns};
            if (product.batch > 0) {
                shape.insert(shape.begin(), product.batch);
            }
            return memory::desc(shape, memory::data_type::f32, steps);
        };
        const memory::desc a = operand(product.m, product.k, product.aSteps);
        const memory::desc b = operand(product.k, product.n, product.bSteps);
        const memory::desc c = operand(product.m, product.n, product.cSteps);
        const memory::desc bias = biasOf(product.epilogue, {1, product.n});
        const auto description = productOf(state.engine, a, b, c, bias, product.epilogue);
        Arguments arguments{{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
        addEpilogue(product.epilogue, bias, c, arguments);
        state.finish<dnnl::matmul>(description, std::move(arguments));
    });
}

} // namespace weft::cpu
