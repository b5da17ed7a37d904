// SPDX-License-Identifier: Apache-2.0
// All diagnostic codes. E: the design cannot run; W: it can, but something is unusual; N:
// information. Retired codes are never reused.
#include <weft/diagnostics.h>

#include <array>

namespace weft {

namespace {

constexpr auto codes = std::to_array<DiagnosticCode>({
    // Layers and wires.
    {"E001", "unknown layer kind", "Use one that `weft layers` lists."},
    {"E002", "unknown attribute", "Remove it, or use a name from the help of the layer kind."},
    {"E003", "attribute of the wrong type", "Use the type given in the help of the layer kind."},
    {"E004", "attribute out of range", "Use a number within the range."},
    {"E005", "invalid choice for an attribute", "Use one of the listed choices."},
    {"E006", "required attribute missing", "Set the attribute: it has no default."},
    {"E007", "invalid or duplicate name",
     "Names must be unique in their network and must not contain /, [, ], -> or control "
     "characters."},
    {"E008", "wire to an unknown port", "Use a port of the layer kind or group."},
    {"E009", "unconnected input", "Connect an output to it, or mute the layer."},
    {"E010", "two wires into one port", "Remove one, or combine both with an add layer."},
    {"E011", "cycle", "Remove a wire of the cycle: the network must be a directed acyclic graph."},
    {"E013", "element type mismatch",
     "Set the dtype of the input layer that the value comes from, as the fix says."},
    {"E012", "shape mismatch",
     "Change the shape of the input, or insert the layer that the fix names."},
    {"E014", "weight tying with a missing layer, or with one that has no parameters of its own",
     "Name a layer with the same parameters, or leave `share` empty."},
    {"E015", "unknown scheme of a wire",
     "Remove the scheme, so that the cheapest way to communicate is used, or write whole."},
    {"E016", "too many wires into a layer",
     "Combine the wires in several steps, such as by add or concat layers."},
    // Groups and expressions.
    {"E020", "expression that cannot be evaluated",
     "Expressions may contain numbers, + - * /, brackets and the parameters of their group."},
    {"E021", "instance of an undefined group", "Define the group, or choose an existing one."},
    {"E022", "group that contains itself", "Remove the instance, or use `repeat`."},
    {"E023", "repeat without matching inputs and outputs",
     "Each output of a repeated group feeds the input at the same position: add the missing one."},
    {"E024", "group port that maps to nothing",
     "Choose the inner port that the group port maps to."},
    {"E025", "design too large after expansion",
     "Use fewer copies of groups: copies of nested groups multiply."},
    // Devices and assignments.
    {"E030", "undeclared device", "Declare it, or assign the layer to another device."},
    {"E031", "device named twice in one assignment", "Name every device once."},
    {"E032", "unknown assignment",
     "Assignments are follow, data, batch, model.stack, model.add, space.rows, space.columns, "
     "replicate."},
    {"E033", "more assignments than mesh axes",
     "Give a mesh with one axis per assignment, or fewer assignments."},
    {"E034", "mesh size does not match the number of devices",
     "The product of the mesh sizes must be the number of devices."},
    {"E035", "mesh with too many axes", "Use one or two axes."},
    {"E036", "device declared twice", "Give every device a unique name."},
    {"E037", "unknown data sheet, or one of another kind of device",
     "Use one that `weft devices --sheets` lists, the same for all workers of a chip."},
    {"E038", "invalid device",
     "Device names are cpu:0, cuda:0, or cuda:0/1 for the second worker on a GPU. The message says "
     "how many cores a CPU can have; a GPU has no cores."},
    {"E039", "too many devices", "Use fewer: the message gives the limit."},
    {"E040", "no loss", "Add a loss layer."},
    {"E041", "data for a layer that is not an input", "Name only input layers in data.feeds."},
    {"E042", "input without data", "Name a field of the data for it in data.feeds."},
    {"E043", "input of another shape than its field",
     "Choose data of that shape, or set its shape to that of the field."},
    {"E044", "more classes than outputs",
     "Give the layer before it as many units or rows as there are classes."},
    {"E045", "invalid attributes of the data source", "Set the attributes as the message says."},
    {"E046", "images that cannot be brought to the frame size",
     "Set size, fit or channels of the source."},
    // Training.
    {"E061", "unknown optimizer", "Use one that the message lists."},
    {"E062", "unknown schedule", "Use one that the message lists."},
    {"E063", "unknown execution order or precision", "Use one that the message lists."},
    {"E064", "learning rate not positive, or out of the range of f32",
     "Set it to a small positive number."},
    {"E065", "setting out of range", "Use a value within the range that the message gives."},
    {"E066", "number out of range", "Use a value within the range that the message gives."},
    {"E067", "target metric that validation does not compute",
     "Name a metric or loss layer, a metric of a layer (code.dead), `loss`, or `energy` if there "
     "is no "
     "loss."},
    {"E068", "period or sync out of range", "Use a value within the range that the message gives."},
    {"E069", "short last batch, in a design with state or weights per batch element",
     "Set data.last_batch to wrap or drop."},
    // Placements.
    {"E070", "device that the run does not have",
     "Start the run with it, or assign to another device."},
    {"E071", "device named twice", "Name each device once."},
    {"E072", "devices that do not fill the mesh",
     "Give mesh sizes whose product is the number of devices."},
    {"E073", "more assignments than mesh axes", "Give a mesh with one axis per assignment."},
    {"E074", "assignment that the layer does not support",
     "The message says why; choose another assignment, or follow."},
    {"E075", "assignment data on a layer with state per batch element", "Use batch instead."},
    {"E076", "unknown communicator, or one that cannot connect these devices",
     "Use chosen, host or devices; chosen always works."},
    {"E077", "device that does not support training.precision",
     "Set training.precision to exact, or use other devices: the message says what this one "
     "lacks."},
    // Content of a file. Parts that cannot be read are kept unchanged.
    {"E101", "value of the wrong type in the file", "Use the type that the message names."},
    {"E102", "entry of the file that cannot be read", "Write it as in projects/README.md."},
    {"E103", "reference to something that does not exist", "Add it, or remove the reference."},
    {"E201", "edit refused", "The message says why."},
    // Data.
    {"E501", "unknown data source", "Use one that the message lists."},
    {"E504", "batch below 1", "Set it to 1 or more."},
    {"E505", "invalid validation fraction", "Use a number from 0 to below 1."},
    {"E506", "unknown order of examples", "Use shuffled or file."},
    {"E507", "unknown setting for the short last batch", "Use keep, drop or wrap."},
    // Warnings.
    {"W001", "unconnected layer", "Connect it, or remove it."},
    {"W045", "data that is missing or cannot be read",
     "Set its folder: the message says where Weft looked."},
    {"W046", "state that is never reset at the start of a movie",
     "Feed an input with the field begins and connect it to the layer, or set start to rest."},
    {"W047", "examples of the data that are left out",
     "Correct the files that the message names, or leave them out of the data."},
    {"W070", "device out of memory",
     "Apply the fix, which was computed for this design. Devices of one host share its memory."},
    {"W071", "more cores or GPUs requested than the host has",
     "Use at most as many devices as the host has cores or GPUs, or more hosts. Additional devices "
     "would share cores and GPUs; a GPU that does not exist is not opened."},
    {"W072", "setting, attribute or assignment without effect",
     "Leave it, or change what the message names."},
    {"W074", "assignment of the design that splits none of its layers",
     "Use one that the layers support, or assign single layers."},
    {"W075", "device waits for its data",
     "The input pipeline limits the step: use a device with a faster bus, give each device less of "
     "the batch, or use smaller examples."},
    {"W101", "duplicate layer id", "Save the design: the second layer has a new id."},
    {"W102", "unknown key",
     "The key is kept. Correct it if it is misspelt; leave it if it is from a newer version."},
    {"W103", "frame that names a missing layer", "Remove the name."},
    {"W104", "more problems than are listed", "Fix the listed ones first; the others follow."},
    // Notes.
    {"N045", "data.order overridden by the data source",
     "Set the order in the attributes of the source."},
});

} // namespace

std::span<const DiagnosticCode> diagnosticCodes() { return codes; }

} // namespace weft
