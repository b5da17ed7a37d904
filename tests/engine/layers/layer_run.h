// SPDX-License-Identifier: Apache-2.0
#pragma once
// A layer lowered alone and computed in double from slots and inputs written down in a test.

#include "contract/layers/lowered_alone.h"
#include "support/evaluate.h"

#include <map>
#include <string>
#include <vector>

namespace weft::test {

class LayerRun {
public:
    LayerRun(const std::string& kind, const Attributes& attributes,
             const std::vector<Tensor>& inputs, Mode mode = Mode::train);

    [[nodiscard]] const Graph& graph() const { return alone_.graph; }
    [[nodiscard]] const std::vector<std::string>& refusals() const { return alone_.refusals; }
    [[nodiscard]] const Slot& slot(const std::string& name) const;
    /// Slots that are not given are drawn.
    void give(const std::string& name, const std::vector<double>& numbers);
    /// The value behind the output port.
    [[nodiscard]] Tensor output(const std::string& port = "y");
    /// Returns the value that a training step writes into the slot.
    [[nodiscard]] Tensor next(const std::string& name);
    /// Returns the slot's value.
    [[nodiscard]] Tensor held(const std::string& name);
    [[nodiscard]] Tensor result(ResultKind kind);

private:
    [[nodiscard]] Tensor value(ValueId id);

    Lowerings lowerings_;
    Alone alone_;
    std::map<ValueId, Tensor> given_;
    std::map<ValueId, Tensor> values_;
};

[[nodiscard]] Tensor tensor(const Shape& shape, const std::vector<double>& numbers);
/// Normal numbers of that shape.
[[nodiscard]] Tensor drawn(const Shape& shape, const std::string& role);

} // namespace weft::test
