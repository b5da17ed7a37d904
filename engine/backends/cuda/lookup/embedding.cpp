// SPDX-License-Identifier: Apache-2.0
// y[n] = table[id_n], zeros if another part has the row; dtable[v] = sum of dy[n] where id_n = v
#include "backends/cuda/lookup/embedding.h"

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
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchEmbedding(table, {arguments.inputs[0], type}, count,
                                        input<float>(arguments, 1), output<float>(arguments, 0),
                                        streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseEmbeddingGradient(const KernelRequest& request) {
    const Table table = tableOf(request.outputs[0]);
    const Number type = integerOf(request.inputs[0]);
    const std::int64_t count = request.inputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchEmbeddingGradient(table, {arguments.inputs[0], type}, count,
                                                input<float>(arguments, 1),
                                                output<float>(arguments, 0), streamOf(arguments));
                    }));
}

} // namespace

void embedding(KernelList& list) {
    list.add({"embedding", "cuda", chooseEmbedding});
    list.add({"embedding_gradient", "cuda", chooseEmbeddingGradient});
}

} // namespace weft::cuda
