// SPDX-License-Identifier: Apache-2.0
// Every code that a diagnostic can have. E: the design cannot run; W: it can, but something is odd;
// N: worth knowing.
// A code that is given up is not used again.
#include <weft/diagnostics.h>

#include <array>

namespace weft {

namespace {

constexpr auto codes = std::to_array<DiagnosticCode>({
    // Layers and wires.
    {"E001", "unknown layer kind", "Write one of the kinds that `weft layers` lists."},
    {"E002", "unknown attribute", "Take it out, or write it as the kind's help names it."},
    {"E003", "attribute of the wrong type", "Give it the type that the kind's help names."},
    {"E004", "attribute out of range", "Choose a number within the range."},
    {"E005", "attribute that is no choice", "Write one of the words that it knows."},
    {"E006", "attribute missing", "Set it: it has no sensible default."},
    {"E007", "name that cannot be, or that two have",
     "Names are unique in their network and hold no /, [, ], -> or control characters."},
    {"E008", "wire to a port that is not there", "Use a port that the kind or group has."},
    {"E009", "input without wire", "Wire an output to it, or mute the layer."},
    {"E010", "two wires into one port", "Take one out, or join both by an add layer."},
    {"E011", "cycle", "Take out a wire of the circle: a network is computed from front to back."},
    {"E013", "element type that does not fit",
     "Set the dtype of the input layer it comes from as the fix says."},
    {"E012", "shapes that do not fit", "Change the shape before it, or insert what the fix says."},
    {"E014", "shared weights of a layer that is not there, or has none of its own",
     "Name a layer that has the same parameters, or let it have its own."},
    {"E015", "unknown scheme of a wire", "Write whole, or leave it out for the cheapest."},
    {"E016", "more wires into a layer than it can have", "Join them in several steps."},
    // Groups and expressions.
    {"E020", "expression that cannot be evaluated",
     "Expressions hold numbers, + - * /, brackets and the parameters of their group."},
    {"E021", "instance of a group that is not defined", "Define it, or choose one that is."},
    {"E022", "group that contains itself", "Take the instance out, or repeat the group."},
    {"E023", "repeat without a way through",
     "Every output of a repeated group feeds the input of the same place: give it one."},
    {"E024", "group port that stands for nothing", "Choose the port inside that it stands for."},
    {"E025", "design that grows too large", "Repeat less: copies multiply along nested groups."},
    // Devices and assignments.
    {"E030", "device that is not declared", "Declare it, or assign the layer elsewhere."},
    {"E031", "device named twice in one assignment", "Name every device once."},
    {"E032", "unknown word of an assignment",
     "Words are follow, data, batch, model.stack, model.add, space.rows, space.columns, "
     "replicate."},
    {"E033", "more words than mesh axes", "Give a mesh with an axis per word, or fewer words."},
    {"E034", "mesh that does not hold its devices",
     "The product of its extents is the number of devices."},
    {"E035", "mesh of too many axes", "Arrange devices along one or two axes."},
    {"E036", "device declared twice", "Give every device a name of its own."},
    {"E037", "data sheet that is not there, or not of such a device",
     "Name one that `weft devices --sheets` lists, and one for all workers of a chip."},
    {"E038", "device that cannot be",
     "Name it as a machine has it: cpu:0, cuda:0/1. It has as many cores as the message says at "
     "most, and a GPU none."},
    {"E039", "more devices than a design can have", "Use fewer: the message says how many."},
    {"E040", "no loss", "Add a loss layer: nothing tells the network what to learn."},
    {"E041", "data for a layer that takes none", "Feed input layers, by their names."},
    {"E042", "input that no field of the data feeds", "Name a field for it under data, feeds."},
    {"E043", "input of another shape than its field",
     "Choose data of that shape, or set its shape to that of the field."},
    {"E044", "more classes than a layer knows", "Give the layers before it so many units or rows."},
    {"E045", "attributes that the data source refuses", "Set them as the message says."},
    {"E046", "pictures that do not make the frames that are asked for",
     "Set the source's size, fit or channels so that they do."},
    // Training.
    {"E061", "unknown optimizer", "Write one of those that the message lists."},
    {"E062", "unknown schedule", "Write one of those that the message lists."},
    {"E063", "unknown order of execution, or precision",
     "Write one of those that the message lists."},
    {"E064", "learning rate that is not above 0, or is beyond single precision",
     "Set it to a small positive number."},
    {"E065", "setting below its least value or beyond its most", "Set it as the message says."},
    {"E066", "number of a setting out of range", "Choose one within what the message says."},
    {"E067", "target that no evaluation reaches",
     "Name a metric or loss layer, what a layer tells (code.dead), or loss, or energy where there "
     "is no loss."},
    {"E068", "period or sync out of range", "Choose what the message says."},
    {"E069", "short last batch of layers that remember their examples or have weights for each",
     "Set data.last_batch to wrap or drop."},
    // Placements.
    {"E070", "device that this run has not", "Start the run with it, or assign elsewhere."},
    {"E071", "device named twice", "Name each device once."},
    {"E072", "devices that cannot be arranged so", "Give sizes whose product is their number."},
    {"E073", "more words than the mesh has axes", "Give a mesh with an axis per word."},
    {"E074", "assignment that the layer cannot have",
     "The message says why; choose another word, or follow."},
    {"E075", "data on a layer whose elements are networks of their own", "Say batch instead."},
    {"E076", "unknown room, or one in which the devices cannot meet",
     "Write chosen, host or devices; chosen is had everywhere."},
    {"E077", "device that does not compute in what the training asks for",
     "Set training.precision exact, or take devices that do: the message says what this one "
     "lacks."},
    // Content of a file. What cannot be read is kept as it is.
    {"E101", "value of the wrong type in the file", "Write what the message says is taken there."},
    {"E102", "entry of the file that cannot be read", "Write it as the format's page shows."},
    {"E103", "name in the file of something that is not there", "Add it, or take the name out."},
    {"E201", "edit that is refused", "The message says what stands in its way."},
    // Data.
    {"E501", "unknown data source", "Choose one that the message lists."},
    {"E504", "batch below 1", "Set it to 1 or more."},
    {"E505", "share held out that is none", "Choose a share from 0 to below 1."},
    {"E506", "unknown order of examples", "Write shuffled or file."},
    {"E507", "unknown word for the short last batch", "Write keep, drop or wrap."},
    // Warnings.
    {"W001", "layer that stands alone", "Wire it, or remove it."},
    {"W045", "data that is not there, or cannot be read",
     "Choose where it lies: the message says where it was looked for."},
    {"W046", "potentials that no film's begin brings to rest",
     "Feed an input by the field begins, and wire it to the layer; or begin each step at rest."},
    {"W070", "device whose memory overflows",
     "Do what the fix says, which was worked out: devices of one host share its memory."},
    {"W071", "more cores or chips taken of a host than it has",
     "Run on no more devices than it has cores or chips, or on more hosts: those beyond take turns "
     "on cores, and on a chip that is theirs together; a chip that is not there is not opened."},
    {"W072", "setting of the training, or attribute or word of a layer, that changes nothing here",
     "Leave it, or set what the message says."},
    {"W074", "word of the design that divides none of its layers",
     "Say one that they can take, or words for single layers."},
    {"W075", "device that waits for its data",
     "Nothing it computes faster makes the step shorter: take one with a faster bus, give each "
     "less "
     "of the batch, or a smaller example."},
    {"W101", "layer id that stood twice", "Save the design: the second has a new one."},
    {"W102", "key that means nothing here",
     "It is kept; mend it if it is a slip, leave it if it is from a newer version."},
    {"W103", "frame that names a layer that is not there", "Take the name out."},
    {"W104", "more problems than are listed", "Mend those that are: the others come after them."},
    // Notes.
    {"N045", "order of the data that its source overrules",
     "Choose it among the source's attributes; data.order file says the same as films in order."},
});

} // namespace

std::span<const DiagnosticCode> diagnosticCodes() { return codes; }

} // namespace weft
