# SPDX-License-Identifier: Apache-2.0
"""The machine that proves: what was carried, unpacked, and how its programs are started there."""
import json
import os
import pathlib
import signal
import subprocess
import sys


class Skipped(Exception):
    """Not to be had on this machine."""


class Failed(Exception):
    """Not as it should be."""


class TookLonger(Failed):
    """Than it was given."""


class Machine:
    """The unpacked archive, and how its programs are started on this machine."""

    def __init__(self, folder, by_loader, out):
        self.folder = folder
        self.about = json.loads((self.folder / "about.json").read_text())
        self.device = self.about["device"]
        self.is_gpu = self.device.startswith("cuda")
        self.log = open(out / "log.txt", "a", encoding="utf-8")
        self.others = dict(os.environ, PATH=os.environ.get("PATH", "") + ":/usr/local/nvidia/bin:/usr/local/cuda/bin")
        self.paths = [path for path in os.environ.get("LD_LIBRARY_PATH", "").split(":") if path]
        self.paths += [str(path) for path in sorted(pathlib.Path("/usr/local").glob("nvidia/lib*"))]
        self.paths += self.python_libraries()
        # A program started by a loader cannot start itself once more, as weft does to set that count.
        self.own = {"XDG_CACHE_HOME": str(self.folder / "cache"), "LD_LIBRARY_PATH": ":".join(self.paths),
                    "GOMP_SPINCOUNT": "20000"}
        self.environment = {**self.others, **self.own}
        self.by_loader = by_loader or not self.starts_itself()

    def python_libraries(self):
        """Where PyTorch's packages hold cuDNN and NCCL."""
        try:
            done = subprocess.run([sys.executable, "-c", "import nvidia; print(*nvidia.__path__, sep='\\n')"], timeout=20,
                                  capture_output=True, text=True, check=True, env=self.others)
        except (OSError, subprocess.SubprocessError):
            return []
        return [str(path) for folder in done.stdout.split() for path in sorted(pathlib.Path(folder).glob("*/lib"))]

    def starts_itself(self):
        try:
            return subprocess.run([self.folder / "weft", "--version"], capture_output=True, timeout=30,
                                  env=self.environment).returncode == 0
        except (OSError, subprocess.SubprocessError):
            return False

    def program(self, name):
        path = str(self.folder / name)
        if not self.by_loader:
            return [path]
        folders = [str(self.folder / "lib"), str(self.folder / "libc"), *self.paths, *driver_folders()]
        return [str(self.folder / "libc" / "ld-linux-x86-64.so.2"), "--library-path", ":".join(folders), path]

    def start(self, command, environment):
        """Its output goes to a file of its own."""
        self.log.write("\n$ %s\n" % " ".join(command))
        self.log.flush()
        with open(self.folder / "said.txt", "w") as said:
            return subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=said, stderr=subprocess.STDOUT, start_new_session=True)

    def heard(self):
        """Returns the output of the process started last, which goes to the log."""
        text = (self.folder / "said.txt").read_text(encoding="utf-8", errors="replace")
        self.log.write(text[-30000:])
        self.log.flush()
        return text

    def said(self, command, seconds, environment=None):
        """Returns the output of a command, which is ended if it takes too long."""
        process = self.start(command, environment or self.others)
        try:
            process.wait(timeout=max(1, seconds))
        except subprocess.TimeoutExpired:
            end(process)
            self.heard()
            raise TookLonger("took longer than %.0f s: %s" % (seconds, " ".join(command[-4:])))
        text = self.heard()
        if process.returncode != 0:
            raise Failed("%s: %s" % (reason_of(process.returncode), last_line(text)))
        return text

    def weft(self, *arguments, seconds):
        return self.said([*self.program("weft"), *map(str, arguments)], seconds, self.environment)

    def refused(self, *arguments, seconds):
        """Returns the output of a program that must fail."""
        try:
            self.weft(*arguments, seconds=seconds)
        except TookLonger:
            raise
        except Failed:
            return (self.folder / "said.txt").read_text(encoding="utf-8", errors="replace")
        raise Failed("did what it cannot do")

    def design(self, name):
        return self.folder / "projects" / name


def driver_folders():
    try:
        listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return [str(pathlib.Path(line.split()[-1]).parent) for line in listed.splitlines() if "libcuda.so.1" in line]


def end(process):
    """With all that it started; one that the kernel does not let go is left behind."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sent)
            process.wait(timeout=3)
            break
        except (OSError, subprocess.TimeoutExpired):
            continue


def last_line(text):
    """The last that says something, or what our program says of its failure."""
    lines = [line for line in text.splitlines() if any(map(str.isalnum, line))]
    lines = [line for line in lines if line.startswith("weft: ") or '"message":' in line] or lines
    return lines[-1].strip()[:300] if lines else ""


def reason_of(code):
    return "signal %d" % -code if code is not None and code < 0 else "exit code %s" % code


def json_of(text):
    """The JSON that a program of ours prints, whatever it warned of before and after."""
    lines = text.splitlines(keepends=True)
    begin = next((k for k, line in enumerate(lines) if line[0] in "{["), 0)
    return json.JSONDecoder().raw_decode("".join(lines[begin:]))[0]
