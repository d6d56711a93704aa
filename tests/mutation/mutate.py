#!/usr/bin/env python3
"""Mutation check: changes one small thing of the product, and a test must fail.

All mutants of a file are compiled at once, without optimisation (mutants.py), and linked in front
of the libraries of an existing build. The work tree stays as it is, and a mutant costs one run of
its tests. Settings (environment): MUTATE_COUNT (300), MUTATE_SEED (1), MUTATE_FILES (parts of
paths, separated by commas; all), MUTATE_JOBS (processors), MUTATE_TIMEOUT (seconds for one run of
the tests, 60), MUTATE_BUILD (build/release).
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time

from mutants import Mutator
from parts import PARTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
EQUIVALENT = ROOT / "tests/mutation/equivalent.txt"


def setting(name, default):
    return os.environ.get(f"MUTATE_{name}") or default


class Build:
    """Commands of a configured build directory."""

    def __init__(self, folder):
        self.folder = folder
        commands = json.loads((folder / "compile_commands.json").read_text())
        self.compile = {str(pathlib.Path(c["file"]).relative_to(ROOT)): c["command"]
                        for c in commands if c["file"].startswith(f"{ROOT}/")}

    def compile_command(self, path, source, output):
        words, kept, skip = shlex.split(self.compile[path]), [], False
        for word in words[1 if words[0].endswith("ccache") else 0:]:
            if skip or word in ("-o", "-c", "-MF", "-MT", "-include"):
                skip = not skip
            elif not word.startswith(("-O", "-g", "-MD", "-W", "-fpch")):
                kept.append(word)
        return kept + ["-O0", "-w", "-fmax-errors=50", "-o", str(output), "-c", str(source)]

    def link_command(self, part):
        """Compiler and the objects of the part's tests; libraries; what has to be built."""
        text = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", part.target],
                              check=True, capture_output=True, text=True).stdout
        line = [l for l in text.split("\n") if f"/{part.target} " in l and " -o " in l][-1]
        words = shlex.split(line.split("&&")[1])
        wanted = {pathlib.PurePath(t).name + ".o" for t in part.tests}
        tests = [w for w in words if w.endswith(".o")
                 and (not wanted or pathlib.PurePath(w).name in wanted)]
        libraries = words[words.index("-o") + 2:]
        inputs = [w for w in libraries if w.endswith(".a") and not w.startswith("/")]
        return [words[0], *tests], libraries, tests + inputs


class Program:
    """The tests of a part with all mutants of one file in them."""

    def __init__(self, build, part, path, work):
        self.part, self.path, self.folder = part, path, build.folder
        self.mutator = Mutator(path, (ROOT / path).read_text())
        self.plain = set()  # statements whose mutants do not compile together
        self.file = work / (path.replace("/", "_") + ".tests")
        source, output = self.file.with_suffix(".cc"), self.file.with_suffix(".o")
        for _ in range(12):
            text, lines = self.mutator.text(self.plain)
            source.write_text(text)
            done = subprocess.run(build.compile_command(path, source, output), cwd=build.folder,
                                  capture_output=True, text=True)
            if done.returncode == 0:
                break
            wrong = {lines[int(n)] for n in re.findall(rf"{source}:(\d+):\d+: error", done.stderr)
                     if int(n) in lines}
            for name in re.findall(r"error: .(\w+). was not declared", done.stderr):
                wrong |= {line for line, text, _ in self.mutator.pieces
                          if re.search(rf"\b{name}\b[;,({{]", text)}
            if not wrong - self.plain:
                sys.exit(f"{path}: does not compile:\n{done.stderr[-3000:]}")
            self.plain |= wrong
        head, libraries, _ = build.link_command(part)
        linked = subprocess.run([*head, str(output), "-o", str(self.file), "-fuse-ld=gold",
                                 *libraries], cwd=build.folder, capture_output=True, text=True)
        if linked.returncode != 0:
            sys.exit(f"{part.name}: does not link:\n{linked.stderr[-2000:]}")
        begin = time.monotonic()
        if not self.passes(0, 300):
            sys.exit(f"{path}: the tests fail without a change")
        self.limit = min(float(setting("TIMEOUT", 60)), 10 + 10 * (time.monotonic() - begin))

    def candidates(self, known):
        return [(self, n) for n, m in enumerate(self.mutator.mutants, 1)
                if m.line not in self.plain and (self.path, m.before, m.after) not in known]

    def passes(self, number, limit):
        """Runs the tests with one mutant; past the limit they count as failed."""
        command = ["nice", str(self.file), "--gtest_fail_fast", "--gtest_brief=1",
                   f"--gtest_filter={self.part.filter}"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True,
                              env={**os.environ, "EMPTOR_MUTANT": str(number)}) as process:
            try:
                return process.wait(limit) == 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return False


def read_equivalent():
    """Blocks of path, "- before", "+ after" and a reason, separated by empty lines."""
    known = {}
    for block in EQUIVALENT.read_text().split("\n\n"):
        lines = [l.strip() for l in block.split("\n") if l.strip() and not l.startswith("#")]
        if len(lines) >= 4:
            known[(lines[0], lines[1][2:].strip(), lines[2][2:].strip())] = " ".join(lines[3:])
    return known


def main():
    build, work = Build(ROOT / setting("BUILD", "build/release")), ROOT / "build/mutate"
    work.mkdir(parents=True, exist_ok=True)
    jobs = int(setting("JOBS", os.cpu_count()))
    wanted = setting("FILES", "").split(",")
    chosen = [(part, path) for part in PARTS for path in part.sources
              if any(w in path for w in wanted)]
    if not chosen:
        sys.exit("MUTATE_FILES: no file of tests/mutation/parts.py has such a path")
    needed = sorted({i for part, _ in chosen for i in build.link_command(part)[2]})
    subprocess.run(["ninja", "-C", build.folder, f"-j{jobs}", *needed], check=True,
                   stdout=subprocess.DEVNULL)
    known, survivors, counts = read_equivalent(), [], {path: [0, 0] for _, path in chosen}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        programs = list(pool.map(lambda c: Program(build, *c, work), chosen))
        places = [c for program in programs for c in program.candidates(known)]
        seed = setting("SEED", 1)  # what is listed as equivalent later does not change the draw
        places.sort(key=lambda c: random.Random(f"{seed} {c[0].path} {c[1]}").random())
        drawn = places[:int(setting("COUNT", 300))]

        def one(place):
            program, number = place
            survived = program.passes(number, program.limit)
            counts[program.path][survived] += 1
            if survived:
                survivors.append(program.mutator.mutants[number - 1])
                print(f"survived: {survivors[-1]}", flush=True)

        list(pool.map(one, drawn))
    print(f"{len(drawn)} of {len(places)} mutants: {len(drawn) - len(survivors)} killed, "
          f"{len(survivors)} survived")
    for path, (killed, survived) in counts.items():
        print(f"  {path}: {killed} killed, {survived} survived")


if __name__ == "__main__":
    main()
