# SPDX-License-Identifier: Apache-2.0
"""Formats the report of a proof as a page."""
import datetime


def figures_of(proof, stage):
    return [(line["case"], line["figures"]) for line in proof.lines if line["stage"] == stage and "figures" in line]


def shown(value):
    if isinstance(value, float):
        return "%.4g" % value
    if isinstance(value, dict):
        return ", ".join("%s %s" % (key, shown(each)) for key, each in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value).replace("|", "/").replace("\n", " ")


def table(head, rows):
    lines = ["| %s |" % " | ".join(head), "|%s" % (" --- |" * len(head))]
    return lines + ["| %s |" % " | ".join(shown(cell) for cell in row) for row in rows] + [""]


def bench_rows(proof):
    compiled = {case: figures.get("peer_ms", {}) for case, figures in figures_of(proof, "compiled")}
    for case, figures in figures_of(proof, "benches"):
        yield [case, figures["batch"], figures["predicted_ms"], figures["weft_ms"],
               {**figures.get("peer_ms", {}), **compiled.get(case, {})} or "-", figures.get("ratio", "-")]


def written(proof):
    machine = proof.machine
    facts = {case: figures for case, figures in figures_of(proof, "device")}
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 -->",
             "# %s, proved on %s" % (facts.get("is there", {}).get("model", machine.device),
                                     datetime.date.today().isoformat()), ""]
    lines += ["What `tests/gpu/prove` came to. Weft %s (%s) on %s; of the processor, its C library: %s." % (
        machine.about["version"], machine.about["revision"], machine.device,
        "that of the machine" if not machine.by_loader else "the one carried"), ""]
    says = [(case, figures["says"]) for case, figures in facts.items() if "says" in figures]
    lines += table(["", ""], says) if says else []
    count = lambda stage, verdict: sum(line["stage"] == stage and line["verdict"] == verdict for line in proof.lines)
    lines += table(["stage", "passed", "failed", "skipped", "seconds"],
                   [(stage, count(stage, "passed"), count(stage, "failed"), count(stage, "skipped"),
                     round(proof.took[stage], 1) if stage in proof.took else "not reached") for stage in proof.stages])
    for verdict in ("failed", "skipped"):
        rows = [(line["stage"], line["case"], line.get("text", "")) for line in proof.lines if line["verdict"] == verdict]
        if rows:
            lines += ["## What was %s" % verdict if verdict == "skipped" else "## What failed", ""]
            lines += table(["stage", "case", "why"], rows)
    rows = list(bench_rows(proof))
    if rows:
        lines += ["## Steps, in ms: predicted, taken, and PyTorch's in the same precision on the same device", ""]
        lines += table(["design", "batch", "predicted", "weft", "PyTorch", "weft over PyTorch's fastest"], rows)
    for stage in ("device", "streams", "workers", "memory", "resume", "training", "program", "choice", "counters"):
        rows = [row for row in figures_of(proof, stage) if "says" not in row[1]]
        if rows:
            lines += ["## Figures of stage %s" % stage, ""] + table(["case", "figures"], rows)
    differences = sorted(((figures["difference"] or 0, case) for case, figures in figures_of(proof, "layers")), reverse=True)
    if differences:
        lines += ["## Layers that differ most from the reference after three steps", ""]
        lines += table(["layer", "difference"], [(case, difference) for difference, case in differences[:5]])
    (proof.out / "prove.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
