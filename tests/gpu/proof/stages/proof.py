# SPDX-License-Identifier: Apache-2.0
"""The stages of a proof, the time that each has, and what they told."""
import datetime
import json
import time

from machine import Failed, Skipped, TookLonger, end, last_line, reason_of
from table import written

RESERVE = 0.05  # fraction of the time, for stages that end late and for the table
SILENCE = 25  # seconds without a word after which a process hangs
LATE = 3  # seconds after the share of a stage in which the case that runs may end
RESTARTS = 12  # most restarts of a stage whose cases crash the process
TIME_UP, DEVICE_FAILED = "time was up while it ran", "the device failed"


class Proof:
    """The stages, their time, and what they told."""

    def __init__(self, machine, out, seconds, stages, begin=None):
        """`stages`: by name a share of the seconds and what proves it, in their order. What a stage leaves
        of its share goes to those after it. `begin`: since when the seconds count."""
        self.machine, self.out, self.stages = machine, out, stages
        self.lines, self.took = [], {}
        self.ops, self.peer = {}, None  # for the benches: times of ops by design, and PyTorch's process
        self.begin, self.date = begin or time.monotonic(), datetime.date.today().isoformat()
        self.until = self.begin
        self.scale = seconds * (1 - RESERVE) / sum(share for share, _ in stages.values())
        self.file = open(out / "prove.jsonl", "w", encoding="utf-8")

    def left(self):
        return self.until - time.monotonic()

    def tell(self, stage, case, verdict, text="", figures=None):
        line = {"bench": "gpu", "date": self.date, "stage": stage, "case": case, "verdict": verdict}
        if text:
            line["text"] = text
        if figures:
            line["figures"] = figures
        self.lines.append(line)
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()
        print("%6.1f s  %-8s %-10s %s%s%s" % (time.monotonic() - self.begin, verdict, stage, case,
                                              ": " + text if text else "",
                                              "  " + json.dumps(figures) if figures else ""), flush=True)

    def case(self, stage, name, run):
        """`run` returns figures."""
        if self.left() <= 0:
            self.tell(stage, name, "skipped", "no time was left for it")
            return None
        try:
            figures = run()
            self.tell(stage, name, "passed", "", figures)
            return figures
        except Skipped as reason:
            self.tell(stage, name, "skipped", str(reason))
        except Exception as error:  # the rest goes on, whatever it was
            is_late = isinstance(error, TookLonger) and self.left() <= 0
            self.tell(stage, name, "skipped" if is_late else "failed", str(error) or type(error).__name__)
        return None

    def run(self):
        written(self)  # so that one that is ended from outside names what it has not reached
        for stage, (share, prove) in self.stages.items():
            self.until += share * self.scale
            begin = time.monotonic()
            try:
                prove(self)
            except Exception as error:  # a fault of this script ends one stage, not the rest
                self.tell(stage, "the stage", "failed", "%s: %s" % (type(error).__name__, error))
            self.took[stage] = time.monotonic() - begin
            try:
                written(self)  # whatever becomes of the rest
            except Exception as error:
                self.tell(stage, "the table", "failed", "%s: %s" % (type(error).__name__, error))
        if self.peer is not None:
            self.peer.close()

    def prove(self, stage, of=None, under=(), options=(), silence=SILENCE):
        """A stage of weft-gpu-prove, started again behind each case that ends the process."""
        after = []
        for _ in range(RESTARTS):
            lines, why = self.prove_once(of or stage, under, [*options, *after], silence)
            unfinished = None
            for line in lines:
                unfinished = line["case"] if line["verdict"] == "began" else None
                if line["verdict"] != "began":
                    self.tell(stage, line["case"], line["verdict"], line.get("text", ""), line.get("figures"))
            if unfinished:
                self.tell(stage, unfinished, "skipped" if why == TIME_UP else "failed", why)
            elif why not in ("", TIME_UP, DEVICE_FAILED) and lines:
                self.tell(stage, "the end of the process", "failed", why)
            if not why:
                return
            if not lines:
                self.tell(stage, "the stage", "failed", why)
                return
            if self.left() <= 0 or why == TIME_UP:
                return
            after = ["--after", lines[-1]["case"]]
        self.tell(stage, "the rest", "skipped", "too many cases ended the process")

    def prove_once(self, stage, under, options, silence):
        """Returns its output, and why it ended early."""
        told = self.machine.folder / "told.jsonl"
        told.write_text("")
        command = [*under, *self.machine.program("weft-gpu-prove"), self.machine.device, stage, "--log", str(told),
                   "--seconds", "%.1f" % max(0.1, self.left()), *options]
        process = self.machine.start(command, self.machine.environment)
        size, heard, why = 0, time.monotonic(), ""
        while process.poll() is None:
            time.sleep(0.05)
            if told.stat().st_size != size:
                size, heard = told.stat().st_size, time.monotonic()
            if time.monotonic() > self.until + LATE:
                why = TIME_UP
            elif time.monotonic() > heard + silence:
                why = "said nothing for %d s and was ended" % silence
            if why:
                end(process)
                break
        said = self.machine.heard()
        if not why and process.returncode not in (0, 1):
            why = DEVICE_FAILED if process.returncode == 3 and told.stat().st_size > 0 else \
                ": ".join(filter(None, [reason_of(process.returncode), last_line(said)]))
        return [json.loads(line) for line in told.read_text().splitlines() if line.endswith("}")], why
