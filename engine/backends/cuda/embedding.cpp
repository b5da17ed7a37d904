// SPDX-License-Identifier: Apache-2.0
// y[n] = table[id_n], zeros where another part has the row; dtable[v] = sum of dy[n] where id_n = v
#include "backends/cuda/embedding.h"

#include "backends/cuda/request.h"

namespace weft::cuda {

void embedding(KernelList& list);

namespace {

Table tableOf(const TensorPart& part) {
    return {.rows = part.shape[0],
            .features = part.shape[1],
            .first = part.begin[0],
            .whole = part.whole[0]};
}

ChoiceOrRefusal chooseEmbedding(const KernelRequest& request) {
    const Table table = tableOf(request.inputs[1]);
    const Number type = integerOf(request.inputs[0]);
    const std::int64_t count = request.inputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchEmbedding(table, {at.inputs[0], type}, count, input<float>(at, 1),
                                        output<float>(at, 0), streamOf(at));
                    }));
}

ChoiceOrRefusal chooseEmbeddingGradient(const KernelRequest& request) {
    const Table table = tableOf(request.outputs[0]);
    const Number type = integerOf(request.inputs[0]);
    const std::int64_t count = request.inputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchEmbeddingGradient(table, {at.inputs[0], type}, count,
                                                input<float>(at, 1), output<float>(at, 0),
                                                streamOf(at));
                    }));
}

} // namespace

void embedding(KernelList& list) {
    list.add({"embedding", "cuda", chooseEmbedding});
    list.add({"embedding_gradient", "cuda", chooseEmbeddingGradient});
}

} // namespace weft::cuda
