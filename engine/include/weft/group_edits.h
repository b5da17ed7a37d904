// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits of several layers as one: groups and their definitions, copies, the clipboard. As in
// edits.h, an edit is applied whole or refused with a reason.

#include <weft/edits.h>

namespace weft {

/// Moves the layers into a new definition and puts one instance in their place. Wires across the
/// border become ports. Parameters of the enclosing group that their expressions use are passed on.
/// `layer()` is the instance, `name` the definition.
Edited makeGroup(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 std::string_view name);
/// Replaces the instances with the layers inside them; a repeat becomes that many copies in
/// sequence. Parameters are substituted in expressions. Unused definitions are removed.
Edited ungroup(Design& design, const NetworkPath& path, const std::vector<LayerId>& instances);

/// Adds an instance of a definition. Refused if the definition would contain itself.
Edited addInstance(Design& design, const NetworkPath& path, const std::string& group, Point at);
Edited setRepeat(Design& design, const NetworkPath& path, LayerId instance, std::int64_t repeat);
Edited setGroup(Design& design, const NetworkPath& path, LayerId instance,
                const std::string& group);
/// Gives the instance its own definition, so that other instances do not change with it.
Edited giveOwnDefinition(Design& design, const NetworkPath& path, LayerId instance);

// Definitions.
Edited renameGroup(Design& design, const std::string& group, std::string_view name);
/// Sets a parameter's default, or adds the parameter. Instances override it as an attribute.
Edited setParameter(Design& design, const std::string& group, const std::string& name,
                    AttributeValue value);
/// Renames the parameter in expressions inside and in the values that instances set.
Edited renameParameter(Design& design, const std::string& group, const std::string& name,
                       const std::string& newName);
/// Refused while an expression inside uses the parameter; instances lose their values for it.
Edited removeParameter(Design& design, const std::string& group, const std::string& name);

enum class PortSide : std::uint8_t { input, output }; ///< inputs or outputs of a group
/// Adds or changes a port that stands for these inner ports; their former wires are removed.
Edited setPort(Design& design, const std::string& group, PortSide side, const std::string& name,
               const std::vector<Endpoint>& inside);
/// Renames the port and the wires at every instance.
Edited renamePort(Design& design, const std::string& group, PortSide side, const std::string& name,
                  const std::string& newName);
/// Removes the port and the wires at every instance.
Edited removePort(Design& design, const std::string& group, PortSide side, const std::string& name);

// Copies.
/// Copies layers under numbered names, moved by `offset`. Copies the wires among them and, if
/// `withInputs`, the wires into them.
Edited duplicate(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 Point offset, bool withInputs = false);
/// Returns the layers with their wires, frames and groups as the text of a design, for the
/// clipboard.
[[nodiscard]] std::string copyText(const Design& design, const NetworkPath& path,
                                   const std::vector<LayerId>& layers);
/// Adds the layers of a design's text, moved by `offset`. Reuses groups that exist in the same
/// form; other groups are added under a free name.
Edited paste(Design& design, const NetworkPath& path, std::string_view text, Point offset);

} // namespace weft
