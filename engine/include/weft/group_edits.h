// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits of several layers as one: groups and what defines them, copies, the clipboard. The same
// rules hold as in edits.h: all or nothing, with a reason.

#include <weft/edits.h>

namespace weft {

/// The layers become the inside of a new definition and one instance of it takes their place. Wires
/// that crossed the border become ports. Parameters of the surrounding group that their expressions
/// use are handed on. `layer()` is the instance, `name` the definition.
Edited makeGroup(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 std::string_view name);
/// The instances' insides take their place, a repeat as so many copies in a row; parameters are put
/// into the expressions that use them. A definition that nothing uses any more goes.
Edited ungroup(Design& design, const NetworkPath& path, const std::vector<LayerId>& instances);

/// An instance of a definition; refused where the definition would contain itself.
Edited addInstance(Design& design, const NetworkPath& path, const std::string& group, Point at);
Edited setRepeat(Design& design, const NetworkPath& path, LayerId instance, std::int64_t repeat);
Edited setGroup(Design& design, const NetworkPath& path, LayerId instance,
                const std::string& group);
/// Gives the instance a definition of its own, so that changing it leaves other instances alone.
Edited makeSingle(Design& design, const NetworkPath& path, LayerId instance);

// Definitions.
Edited renameGroup(Design& design, const std::string& group, std::string_view name);
/// The default, or a new parameter with it; instances override it as an attribute.
Edited setParameter(Design& design, const std::string& group, const std::string& name,
                    AttributeValue value);
/// Expressions inside follow, and what instances set for it.
Edited renameParameter(Design& design, const std::string& group, const std::string& name,
                       const std::string& newName);
/// Refused while an expression inside uses it; instances lose what they set for it.
Edited removeParameter(Design& design, const std::string& group, const std::string& name);

enum class PortSide : std::uint8_t { input, output };
/// Stands for these ports inside, which it takes over from whatever fed them; made when new.
Edited setPort(Design& design, const std::string& group, PortSide side, const std::string& name,
               const std::vector<Endpoint>& inside);
/// Wires at every instance follow.
Edited renamePort(Design& design, const std::string& group, PortSide side, const std::string& name,
                  const std::string& newName);
/// Wires at every instance go.
Edited removePort(Design& design, const std::string& group, PortSide side, const std::string& name);

// Copies.
/// Copies with names made by counting, moved by `offset`; wires among them are copied, wires into
/// them where `withInputs`.
Edited duplicate(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 Point offset, bool withInputs = false);
/// The layers with the wires and frames among them and the groups they use, as the text of a
/// design: what the clipboard holds.
[[nodiscard]] std::string copyText(const Design& design, const NetworkPath& path,
                                   const std::vector<LayerId>& layers);
/// Adds the layers of a design's text, moved by `offset`. Groups that are here already in the same
/// form are used, others come along under a name that is free.
Edited paste(Design& design, const NetworkPath& path, std::string_view text, Point offset);

} // namespace weft
