// SPDX-License-Identifier: Apache-2.0
// A chain of elementwise ops in one launch; intermediate results stay in registers unless others
// read them.
#include "backends/cuda/elementwise.h"

#include <algorithm>
#include <optional>

namespace weft::cuda {

void chain(KernelList& list);

namespace {

/// One step: the operand that it reads besides the chain, and the output that others read.
struct Link {
    ChainFunction f;
    int reads = -1;
    int writes = -1;
};

struct Links {
    std::size_t first = 0; ///< operand index of the value with which the chain begins
    std::vector<Link> links = {};

    /// Adds the steps of a member; operand `at` is the previous result.
    bool add(const KernelRequest& member, const std::vector<int>& reads, std::size_t at) {
        if (member.op == "add") {
            for (std::size_t k = 0; k < reads.size(); ++k) {
                k == at ? void() : links.push_back({{.binary = Binary::add}, reads[k]});
            }
            return at < 2; // otherwise the sum would have another order of terms
        }
        const PerElement* const op = perElement(member.op);
        if (op == nullptr || !op->isForChains) {
            return false;
        }
        ChainFunction f{.numbers = numbersOf(*op, member.attributes)};
        if (const auto* unary = std::get_if<Unary>(&op->function)) {
            f.isUnary = true;
            f.unary = *unary;
            links.push_back({f});
            return true;
        }
        f.binary = std::get<Binary>(op->function);
        f.isSwapped = at == 1;
        links.push_back({f, reads[1 - at]});
        return true;
    }
};

std::optional<Links> linksOf(const GroupBody& body) {
    Links chain{.first = static_cast<std::size_t>(body.reads[0][0])};
    for (std::size_t m = 0; m < body.members.size(); ++m) {
        const std::vector<int>& reads = body.reads[m];
        const auto from = m == 0 ? reads.begin() : std::ranges::find(reads, -static_cast<int>(m));
        if (from == reads.end() ||
            !chain.add(body.members[m], reads, static_cast<std::size_t>(from - reads.begin()))) {
            return std::nullopt;
        }
        chain.links.back().writes = body.writes[m][0];
    }
    return chain;
}

/// Returns the chain with the addresses of a call.
template <class Kept>
Chain<Kept> chainOf(const Links& chain, const KernelArguments& arguments) {
    Chain<Kept> call{.first = input<Kept>(arguments, chain.first)};
    for (const auto& [f, reads, writes] : chain.links) {
        call.steps[static_cast<std::size_t>(call.count++)] = {
            reads < 0 ? nullptr : input<Kept>(arguments, static_cast<std::size_t>(reads)),
            writes < 0 ? nullptr : output<Kept>(arguments, static_cast<std::size_t>(writes)), f};
    }
    return call;
}

ChoiceOrRefusal chooseChain(const KernelRequest& request) {
    const std::optional<Links> links = linksOf(*request.body);
    if (!links || links->links.size() > Chain<float>::most) {
        return refuse("one kernel launch cannot compute this chain");
    }
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!format) {
        return refuse("operands have different memory formats");
    }
    const std::int64_t n = request.outputs[0].elements();
    const auto callOfKept = [&]<class Kept>(Kept) {
        return choiceOf([=](const KernelArguments& arguments) {
            launchChain(chainOf<Kept>(*links, arguments), n, streamOf(arguments));
        });
    };
    return inOneFormat(request, *format, asKept(*format, callOfKept));
}

} // namespace

void chain(KernelList& list) {
    std::vector<std::string> ops{"add"};
    for (const PerElement& one : perElementOps()) {
        if (one.isForChains) {
            ops.push_back(one.op);
        }
    }
    list.addForChains(
        std::move(ops),
        {.op = "+", .implementation = "cuda", .choose = chooseChain, .takesBf16 = true});
}

} // namespace weft::cuda
