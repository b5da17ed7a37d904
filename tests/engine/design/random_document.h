// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random designs as rapidcheck draws and shrinks them: every field of the document, whatever it may
// mean. They keep the promises of verify(); whether they could be trained is another question.

#include <weft/design.h>

#include <rapidcheck.h>

#include <string>

namespace weft::test {

[[nodiscard]] rc::Gen<std::string> anyText();
[[nodiscard]] rc::Gen<AttributeValue> anyAttributeValue();
/// Layers, wires, frames and comments; instances of the groups named.
[[nodiscard]] rc::Gen<Network> anyNetwork(const std::vector<std::string>& groups = {});
[[nodiscard]] rc::Gen<Design> anyDesign();

} // namespace weft::test
