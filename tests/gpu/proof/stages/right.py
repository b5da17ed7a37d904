# SPDX-License-Identifier: Apache-2.0
"""Does the device compute what it should? In five minutes, heaviest doubts first."""
import importlib.metadata
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

from machine import Failed, Skipped, json_of, last_line
from proof import Proof
from table import shown


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def facts(proof, stage):
    """Which chip, driver and packages these are, for the head of the table."""
    machine = proof.machine
    fields = "name,driver_version,memory.total,compute_cap,clocks.max.sm,clocks.max.mem,power.limit"

    def asked():
        try:
            return {"says": last_line(machine.said(["nvidia-smi", "--query-gpu=" + fields, "--format=csv,noheader"], 30))}
        except (OSError, Failed) as error:
            raise Skipped(str(error)) from error

    def packages():
        found = {name: version_of(name) for name in ("torch", "triton", "nvidia-cudnn-cu13", "nvidia-nccl-cu13")}
        return {"says": "Python %s, %s" % (sys.version.split()[0], shown({k: v for k, v in found.items() if v}) or
                                           "no PyTorch")}

    proof.case(stage, "nvidia-smi", asked)
    proof.case(stage, "packages", packages)
    proof.case(stage, "how programs start", lambda: {"by_loader": machine.by_loader,
                                                     **{key: machine.about[key] for key in ("device", "version", "revision")}})


def device(proof):
    facts(proof, "device")
    proof.prove("device")
    if not proof.machine.is_gpu:
        proof.case("device", "what is planted is found", lambda: planted(proof))


def planted(proof):
    """Does this script see what it is there to see? Each case that breaks something is told so, and those
    behind it have their turn."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Proof(proof.machine, pathlib.Path(folder), 60, {"planted": (1, None)})
        scratch.until = time.monotonic() + 30
        scratch.prove("planted", silence=3)
        scratch.file.close()
    found = {line["case"]: line["verdict"] for line in scratch.lines}
    wanted = {"holds": "passed", "differs": "failed", "loses the device": "failed", "ends the process": "failed",
              "hangs": "failed", "holds again": "passed"}
    if found != wanted:
        raise Failed("found %s" % json.dumps(found))
    return {"cases": len(found)}


def streams(proof):
    proof.prove("streams", options=["--repeats", "1000" if proof.machine.is_gpu else "10"])


def products(proof):
    proof.prove("products")


def kernels(proof):
    # Those of the stand-in are held to all samples elsewhere.
    proof.prove("kernels", options=[] if proof.machine.is_gpu else ["--small", "yes"])


def layers(proof):
    proof.prove("layers")


def losses(proof, design, name, steps, *more):
    machine = proof.machine
    return json_of(machine.weft("bench", machine.design(design), "--devices", name, "--steps", steps, "--warmup", 0,
                                "--batches", min(steps, 10), *more, seconds=proof.left()))["losses"]


def apart(losses_, others):
    """The largest difference, relative; one that is no number is no small one."""
    return max(float("%.2g" % (abs(a - b) / max(abs(a), 1e-3))) if a == a and b == b else float("inf")
               for a, b in zip(losses_, others))


def training(proof):
    """The same steps on the processor and on the device: the same losses, and the same bits again."""
    def compared(design, steps):
        there = losses(proof, design, proof.machine.device, steps)
        if there != losses(proof, design, proof.machine.device, steps):
            raise Failed("gives other losses when run again")
        two = losses(proof, design, proof.machine.device, steps, "--set", "training.streams=2")
        here = losses(proof, design, "cpu:0", steps)
        figures = {"steps": steps, "difference": apart(here, there), "two_streams": apart(two, there), "first": there[0],
                   "last": there[-1]}
        if not max(figures["difference"], figures["two_streams"]) <= 1e-4:
            raise Failed("losses differ from the processor's, or on two streams: %s" % json.dumps(figures))
        return figures

    designs = ["mlp/bench.weft", "lenet-mnist/bench.weft", "quickstart-digits/design.weft", "tiny-gpt/bench.weft",
               "cifar-quick/bench.weft", "lca/bench.weft", "lca-classify/design.weft", "two-tower-fusion/bench.weft",
               "resnet18-cifar/bench.weft"]
    for design in designs if proof.machine.is_gpu else designs[:1]:
        proof.case("training", design, lambda design=design: compared(design, 50 if proof.machine.is_gpu else 2))


def assigned(machine, name, word):
    """The design with one word for all layers, beside the one that was carried."""
    design = json.loads(machine.design(name).read_text())
    design["assign"] = word
    path = machine.design(name).with_name("spread-%s.weft" % word)
    path.write_text(json.dumps(design))
    return path


def proved(proof, path, devices, *more):
    """A few steps spread over the devices, beside the same on one."""
    done = json_of(proof.machine.weft("prove", path, "--devices", ",".join(devices), "--json", *more,
                                      seconds=proof.left()))
    if not done["spread"]:
        raise Failed("was not spread")
    return {"values": done["values"], "loss": done["loss"]}


def workers(proof):
    """Several workers on one chip, that meet there or in a communicator of the host; and the chip beside the
    processor, through pinned memory."""
    machine = proof.machine
    on_chip = ["%s/%d" % (machine.device, k) for k in range(4)]
    cases = [("lenet-mnist/bench.weft", "data", on_chip[:2], ["training.communicator=devices"]),
             ("lenet-mnist/bench.weft", "data", on_chip[:2], ["training.communicator=host"]),
             ("lenet-mnist/bench.weft", "data", [machine.device, "cpu:0"], []),
             ("tiny-gpt/bench.weft", "model.stack", on_chip[:3], []),
             ("cifar-quick/bench.weft", "space.rows", on_chip[:2], []),
             ("tiny-gpt/bench.weft", "data", [machine.device, "cpu:0"], [])]
    for design, word, devices, settings in cases if machine.is_gpu else cases[:3]:
        more = [part for setting in settings for part in ("--set", setting)]
        proof.case("workers", " ".join([design, word, "over", *devices, *settings]),
                   lambda: proved(proof, assigned(machine, design, word), devices, *more))
    if machine.is_gpu:
        proof.case("workers", "alexnet by its own assignment over four", lambda: proved(
            proof, machine.design("alexnet-one-weird-trick/bench.weft"), on_chip, "--steps", "1"))


def memory(proof):
    """A run that does not fit is refused before it begins, with both amounts; the device stays usable."""
    machine = proof.machine
    design, small = machine.design("quickstart-digits/design.weft"), ["--set", "training.steps=1", "--json"]

    def refused():
        said = machine.refused("run", design, "--devices", machine.device, "--set", "conv1.filters=3000000", *small,
                               seconds=proof.left())
        message = json_of(said[said.index("{"):]).get("message", "") if "{" in said else said
        wanted = (machine.device, "data.batch", " of memory, and ", " are there")
        if not all(part in message for part in wanted):
            raise Failed("is not refused by its memory: " + last_line(said))
        return {"says": message[:200]}

    proof.case("memory", "too large a run is refused", refused)
    proof.case("memory", "the next run is not", lambda: ran(proof, design, *small))


def ran(proof, design, *more):
    machine = proof.machine
    done = json_of(machine.weft("run", design, "--devices", machine.device, "--json", *more, seconds=proof.left()))
    if done["state"] != "finished":
        raise Failed(json.dumps(done)[:300])
    return {"steps": done["steps"], "loss": done["loss"], "evaluation": done["evaluation"]}


def losses_of(run):
    """By step, the last that was told of each."""
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines() if line.endswith("}")]
    return {line["step"]: line["loss"] for line in lines if line["split"] == "train"}


def resume(proof):
    """A run that is killed goes on from its last checkpoint to the very losses of one that was not."""
    machine = proof.machine
    steps, every = (300, 20) if machine.is_gpu else (30, 5)
    design = machine.design("quickstart-digits/design.weft")
    settings = ["--set", "training.steps=%d" % steps, "--set", "training.checkpoint_every=%d" % every]

    def killed():
        whole, broken = machine.folder / "whole", machine.folder / "broken"
        machine.weft("run", design, "--devices", machine.device, "--run", whole, "--json", *settings,
                     seconds=proof.left())
        process = machine.start([*machine.program("weft"), "run", str(design), "--devices", machine.device, "--run",
                                 str(broken), "--json", *settings], machine.environment)
        while process.poll() is None and proof.left() > 0 and len(list(broken.glob("checkpoints/*.safetensors"))) < 2:
            time.sleep(0.01)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            pass
        process.wait()
        machine.heard()
        before = max(losses_of(broken), default=0)
        if before >= steps:
            raise Skipped("the run ended before it was killed")
        machine.weft("resume", broken, "--devices", machine.device, "--json", seconds=proof.left())
        if losses_of(broken) != losses_of(whole):
            raise Failed("after the resume losses differ from those of a run that was not killed")
        return {"steps": steps, "killed_after": before}

    proof.case("resume", "a killed run", killed)


def program(proof):
    """The program as one uses it."""
    machine = proof.machine

    def there():
        machine.weft("devices", seconds=30)  # into the log
        if said := machine.weft("devices", "--need", machine.device, seconds=30).strip():
            raise Failed(last_line(said))

    short = [] if machine.is_gpu else ["--set", "training.steps=2"]
    proof.case("program", "devices", there)
    for name in ["quickstart-digits/design.weft", "lca-classify/design.weft"][:2 if machine.is_gpu else 1]:
        proof.case("program", "run " + name, lambda: ran(proof, machine.design(name), *short))


def sanitizer(machine):
    """compute-sanitizer: the one carried, or the machine's."""
    places = [str(machine.folder / "sanitizer/bin/compute-sanitizer"), shutil.which("compute-sanitizer"),
              *sorted(map(str, pathlib.Path("/usr/local").glob("cuda*/**/compute-sanitizer")), key=len)]
    return next((place for place in places if place and os.access(place, os.X_OK) and os.path.isfile(place)), None)


def checked(proof, tool):
    """The kernels that changed since a chip was proved last, on small samples, under compute-sanitizer."""
    machine, found = proof.machine, sanitizer(proof.machine)
    changed = machine.about.get("changed", [])
    options = ["--small", "yes", *(["--ops", ",".join(changed)] if changed else [])]
    if not machine.is_gpu:
        proof.prove(tool, "kernels", options=[*options, "--seconds", "1"])
    if not found or not machine.is_gpu:
        proof.tell(tool, "the stage", "skipped", "no compute-sanitizer" if not found else "the device stands in for one")
        return
    under = [found, "--tool", tool, "--target-processes", "all", "--log-file", str(machine.folder / (tool + ".%p"))]
    proof.prove(tool, "kernels", under, options)
    text = "".join(path.read_text(errors="replace") for path in sorted(machine.folder.glob(tool + ".*")))
    (proof.out / (tool + ".txt")).write_text(text[-4_000_000:])
    told = [line for line in text.splitlines() if "SUMMARY:" in line]
    wrong = [line for line in told if not any(fine in line for fine in (": 0 errors", ": 0 hazards"))]
    if not told:
        proof.tell(tool, "what the tool found", "failed", "it said nothing: %s" % last_line(text))
    else:
        proof.tell(tool, "what the tool found", "failed" if wrong else "passed", "; ".join(wrong or told[:1])[:300])


# Stage: seconds, and what proves it. An H200 took 76 s for all kernels and 55 s for all trainings.
STAGES = {"device": (8, device), "streams": (14, streams), "workers": (30, workers), "memory": (8, memory),
          "resume": (12, resume), "kernels": (75, kernels), "products": (20, products), "layers": (15, layers),
          "training": (55, training), "program": (15, program), "memcheck": (48, lambda proof: checked(proof, "memcheck"))}
SECONDS = 300
