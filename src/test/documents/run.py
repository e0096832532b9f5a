#!/usr/bin/env python3
"""Runs the commands in README.md and docs/**/*.md, so that no document shows a command that no longer works.

    src/test/documents/run.py                  every document
    src/test/documents/run.py docs/reference/client.md   one document
    src/test/documents/run.py --list           which commands would run and which would not, without running them

A fenced block with the info string `sh` holds commands. Each document has one bash session, in a directory of its own that holds
what a checkout holds (target, docs, openapi, src) and stand-ins for the reader's programs (job.sh, model). Commands that call a
service have a Berth of their own, just installed, whose data directory is `data` there. TOKEN is its administrator's token, except
in README.md, which sets it. Every block must end with status 0 within three minutes, or within
BERTH_DOCUMENTS_PATIENCE seconds on a busy machine. A curl that gets an error from the API fails.

Lines directly above a fence change this:

    <!-- not run: REASON -->       the block is not run
    <!-- fails: STATUS REASON -->  the block must fail: with a problem of this HTTP status, or below 256 with this exit status
    <!-- until: TEXT -->           the block does not end. It runs beside the blocks below it, which start once it has printed TEXT
    <!-- input: TEXT -->           what the reader types. $TOKEN and other variables are expanded
    <!-- file: NAME -->            the block, in any language, is the contents of this executable file, for the blocks below it

A line anywhere in a document asks for more:

    <!-- with: client -->          `berth` is on the PATH and signed in, as docs/reference/client.md describes
    <!-- with: slurm 4 -->         a Slurm of four nodes is running (src/test/slurm/up.sh). Without an installed Slurm no block is run
"""

import argparse
import os
import random
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, NoReturn, Optional

ROOT = Path(__file__).resolve().parents[3]
PORT = 8080
START = "mvn spring-boot:run"
ELSEWHERE = {"mvn verify": ".ci/run runs it"}
PATIENCE = float(os.environ.get("BERTH_DOCUMENTS_PATIENCE", "180"))
PATIENCE_FOR_START = 2 * PATIENCE
PATIENCE_FOR_END = 30.0

FENCE = re.compile(r"^( *)(`{3,})([^`]*)$")
MARKER = re.compile(r"^<!-- (not run|fails|until|input|file): (\S.*) -->$")
WITH = re.compile(r"^<!-- with: (client|slurm [1-9][0-9]*) -->$")
NEEDS_SERVICE = re.compile(r"localhost:8080|berth\.example\.org|TOKEN|admin\.token")

# Gives curl the option that makes errors fail, unless the command has chosen how errors show.
CURL = """#!/bin/bash
for word; do
  if [[ $word == --fail* || $word =~ ^-[gikLNsSv]*f[gikLNsSv]*$ ]]; then exec {curl} "$@"; fi
done
exec {curl} --fail-with-body "$@"
"""


@dataclass
class Block:
    """A fenced block: its language, its text, and the markers above it."""

    line: int
    info: str
    text: str
    markers: Dict[str, str]
    state: str = ""
    detail: str = ""
    seconds: float = 0.0

    def title(self) -> str:
        """Returns the first line that is not a comment, shortened."""
        lines = [line for line in self.text.splitlines() if line and not line.startswith("#")]
        first = lines[0] if lines else ""
        return first if len(first) <= 90 else first[:89] + "…"

    def plan(self) -> None:
        """Sets the state that is known before the block runs."""
        if "not run" in self.markers:
            self.state, self.detail = "not run", self.markers["not run"]
        elif self.text.strip() in ELSEWHERE:
            self.state, self.detail = "elsewhere", ELSEWHERE[self.text.strip()]
        else:
            self.state = "run"


@dataclass
class Document:
    """A document with its blocks of commands and files, in order."""

    name: str
    blocks: List[Block] = field(default_factory=list)
    extras: List[str] = field(default_factory=list)

    def running(self) -> List[Block]:
        """Returns the blocks that a session runs."""
        return [block for block in self.blocks if block.state == "run" and block.text.strip() != START]

    def starts_service(self) -> bool:
        """Returns whether the document itself starts the service."""
        return any(block.state == "run" and block.text.strip() == START for block in self.blocks)

    def needs_service(self) -> bool:
        """Returns whether commands call a service."""
        return "client" in self.extras or any(NEEDS_SERVICE.search(block.text) for block in self.running())

    def slurm_nodes(self) -> int:
        """Returns the number of nodes of the document's Slurm, or 0 if it needs none."""
        return next((int(extra.split()[1]) for extra in self.extras if extra.startswith("slurm ")), 0)


class Wrong(Exception):
    """A problem that keeps the commands from running."""


def read(path: Path) -> Document:
    """Reads a document. Raises Wrong if it has an unknown marker."""
    document = Document(str(path.relative_to(ROOT)))
    lines = path.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        stripped = lines[number].strip()
        opening = FENCE.match(lines[number])
        if opening is None:
            extra = WITH.match(stripped)
            if extra:
                document.extras.append(extra.group(1))
            elif stripped.startswith("<!-- with"):
                raise Wrong(f"{document.name}:{number + 1}: {stripped} is not a known marker")
            number += 1
            continue
        closing = number + 1
        while closing < len(lines) and lines[closing].strip() != opening.group(2):
            closing += 1
        text = textwrap.dedent("\n".join(lines[number + 1 : closing]) + "\n")
        block = Block(number + 1, opening.group(3).strip(), text, markers_above(document.name, lines, number))
        if block.info == "sh" or "file" in block.markers:
            block.plan()
            document.blocks.append(block)
        number = closing + 1
    return document


def markers_above(name: str, lines: List[str], fence: int) -> Dict[str, str]:
    """Reads the markers on the lines directly above a fence."""
    markers: Dict[str, str] = {}
    number = fence - 1
    while number >= 0 and lines[number].strip().startswith("<!--"):
        marker = MARKER.match(lines[number].strip())
        if marker is None:
            raise Wrong(f"{name}:{number + 1}: {lines[number].strip()} is not a known marker, or has no reason")
        if marker.group(1) == "fails" and not re.match(r"[1-9][0-9]* \S", marker.group(2)):
            raise Wrong(f"{name}:{number + 1}: `fails` needs a status and a reason")
        markers[marker.group(1)] = marker.group(2)
        number -= 1
    return markers


def jdk() -> Optional[Path]:
    """Returns the home of a JDK 25, for the `java` of the documents."""
    candidates = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    candidates += sorted(Path("/usr/lib/jvm").glob("*25*"))
    for home in candidates:
        release = home / "release"
        if release.is_file() and 'JAVA_VERSION="25' in release.read_text(encoding="utf-8"):
            return home
    return None


def free_port() -> int:
    """Returns 8080 if nothing listens there, otherwise another port."""
    for port in (PORT, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("0.0.0.0", port))
                return int(probe.getsockname()[1])
            except OSError:
                continue
    raise Wrong("no port is free")


def end(process: "subprocess.Popen[Any]") -> None:
    """Ends a process and the group that it leads, first politely."""
    for sign, patience in ((signal.SIGTERM, PATIENCE_FOR_END), (signal.SIGKILL, PATIENCE_FOR_END)):
        deadline = time.monotonic() + patience
        try:
            os.killpg(process.pid, sign)
            while time.monotonic() < deadline:
                process.poll()
                os.killpg(process.pid, 0)
                time.sleep(0.05)
        except ProcessLookupError:
            return


def tail(path: Path, lines: int = 30) -> str:
    """Returns the last lines of a log."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    return "\n".join(text.splitlines()[-lines:])


class Service:
    """A running Berth, started by this program or before it."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token
        self.process: Optional["subprocess.Popen[Any]"] = None

    @staticmethod
    def start(work: Path, command: List[str], directory: Path, environment: Dict[str, str]) -> "Service":
        """Starts a Berth with an empty data directory and waits until it is ready."""
        port = free_port()
        log = work.parent / "service.log"
        settings = {"SERVER_PORT": str(port), "BERTH_DATA_DIR": str(work / "data")}
        service = Service(f"http://localhost:{port}", "")
        with log.open("wb") as output:
            service.process = subprocess.Popen(  # pylint: disable=consider-using-with
                command, cwd=directory, env={**environment, **settings}, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
            )
        try:
            service.await_ready(log, work / "data" / "admin.token")
        except BaseException:
            end(service.process)
            raise
        service.token = (work / "data" / "admin.token").read_text(encoding="utf-8").strip()
        return service

    def await_ready(self, log: Path, token: Path) -> None:
        """Waits until the service is ready and has written its token. Without the token, another service may have answered at its port."""
        deadline = time.monotonic() + PATIENCE_FOR_START
        while time.monotonic() < deadline:
            if self.process is not None and self.process.poll() is not None:
                raise Wrong(f"the service ended with {self.process.returncode}:\n{tail(log)}")
            try:
                with urllib.request.urlopen(self.url + "/actuator/health/readiness", timeout=5):
                    if token.exists():
                        return
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.2)
        raise Wrong(f"the service was not ready within {PATIENCE_FOR_START:.0f} s:\n{tail(log)}")

    def stop(self) -> None:
        """Ends the service if this program started it."""
        if self.process is not None:
            end(self.process)


class Session:
    """The bash of one document."""

    def __init__(self, document: Document, work: Path, environment: Dict[str, str]) -> None:
        self.document, self.work, self.environment = document, work, environment
        self.steps = work.parent / "steps"

    def script(self, url: Optional[str], writer: int) -> str:
        """Returns the script of the session. It reports to a file descriptor which block begins and how it ended."""
        parts = ["set -euo pipefail", f'_report() {{ echo "$*" >&{writer}; }}']
        if "client" in self.document.extras:
            parts += [
                f'curl -sSo ~/bin/berth.py {url}/client/berth.py',
                "chmod +x ~/bin/berth.py && cp ~/bin/berth.py ~/bin/berth",
                f'berth login --url {url} <<<"$TOKEN" >{self.steps}/login 2>&1',
            ]
        for number, block in enumerate(self.document.running()):
            step = self.steps / str(number)
            step.write_text(self.addressed(block.text, url), encoding="utf-8")
            parts += [f"_report begin {number}"] + self.commands(block, shlex.quote(str(step)), number, writer)
        return "\n".join(parts) + "\n"

    @staticmethod
    def commands(block: Block, step: str, number: int, writer: int) -> List[str]:
        """Returns the commands that run a block, according to its markers."""
        given = '<<<"' + block.markers["input"].replace('"', '\\"') + '"' if "input" in block.markers else "</dev/null"
        streams = f"{given} >{step}.out 2>&1 {writer}>&-"
        if "file" in block.markers:
            name = shlex.quote(block.markers["file"])
            return [f"cp {step} {name}; chmod +x {name}", f"_report end {number} 0"]
        if "until" in block.markers:
            seen = f"grep -qF -- {shlex.quote(block.markers['until'])} {step}.out"
            return [
                f"( . {step} ) {streams} &",
                f"until {seen}; do kill -0 $! 2>>{step}.out || {seen}; sleep 0.2; done",
                f"_report end {number} 0",
            ]
        if "fails" in block.markers:
            return ["set +e", f"( set -e; . {step} ) {streams}", f"_report end {number} $?", "set -e"]
        return [f". {step} {streams}", f"_report end {number} 0"]

    @staticmethod
    def addressed(text: str, url: Optional[str]) -> str:
        """Replaces the addresses in a text by the address of the service."""
        if url is None:
            return text
        text = text.replace("https://berth.example.org", url).replace(f"http://localhost:{PORT}", url)
        return text.replace(f"localhost:{PORT}", url.split("://", 1)[1])

    def run(self, url: Optional[str]) -> None:
        """Runs the blocks until one fails, because later blocks depend on earlier ones."""
        self.steps.mkdir()
        script = self.work.parent / "session.sh"
        reports, writer = os.pipe()
        script.write_text(self.script(url, writer), encoding="utf-8")
        try:
            process = subprocess.Popen(  # pylint: disable=consider-using-with
                ["bash", "--noprofile", "--norc", str(script)], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=(self.work.parent / "session.log").open("wb"), start_new_session=True,
                pass_fds=[writer],
            )
        finally:
            os.close(writer)
        try:
            self.follow(process, reports)
        finally:
            os.close(reports)
            end(process)

    def follow(self, process: "subprocess.Popen[Any]", reports: int) -> None:
        """Reads the reports of the session, and sets the blocks' states."""
        blocks, current, begun, rest = self.document.running(), -1, time.monotonic(), b""
        for block in blocks:
            block.state = "not reached"
        while True:
            if not select.select([reports], [], [], max(0.0, begun + PATIENCE - time.monotonic()))[0]:
                self.fail(blocks, current, f"did not end within {PATIENCE:.0f} s")
                return
            data = os.read(reports, 4096)
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                word, number, *status = line.decode().split()
                if word == "begin":
                    current, begun = int(number), time.monotonic()
                    blocks[current].state = "begun"
                    continue
                blocks[current].seconds = time.monotonic() - begun
                if not self.is_expected(blocks[current], current, int(status[0])):
                    self.fail(blocks, current, f"ended with {status[0]}, but its marker is `fails: {blocks[current].markers['fails']}`")
                    return
                blocks[current].state = "ok"
        status_of_all = process.wait()
        if current < 0 or blocks[current].state != "ok":
            self.fail(blocks, current, f"ended with {status_of_all}")

    def is_expected(self, block: Block, number: int, status: int) -> bool:
        """Returns whether a block ended as its marker says."""
        if "fails" not in block.markers:
            return status == 0
        expected = int(block.markers["fails"].split()[0])
        output = (self.steps / f"{number}.out").read_text(encoding="utf-8", errors="replace")
        return status == expected if expected < 256 else status != 0 and re.search(rf'"status" ?: ?{expected}\b', output) is not None

    def fail(self, blocks: List[Block], current: int, what: str) -> None:
        """Records that a block failed, with its output."""
        if current < 0:
            raise Wrong(f"the session {what} before its first block:\n{tail(self.work.parent / 'session.log')}\n{tail(self.steps / 'login')}")
        log = tail(self.steps / f"{current}.out") or tail(self.work.parent / "session.log")
        blocks[current].state, blocks[current].detail = "FAILED", f"{what}\n{log}"


class Runner:
    """Runs documents, one after the other."""

    def __init__(self, given: Optional[Service]) -> None:
        self.given = given
        self.home = jdk()

    def run(self, document: Document) -> None:
        """Runs a document. If its session cannot begin, its blocks have failed."""
        blocks = [block for block in document.blocks if block.state == "run"]
        try:
            self.run_all(document)
        except Wrong as e:
            for block in blocks:
                block.state = "not reached"
            blocks[0].state, blocks[0].detail = "FAILED", str(e)

    def run_all(self, document: Document) -> None:
        """Runs a document, with its service and its Slurm."""
        with tempfile.TemporaryDirectory(prefix="berth-documents-", ignore_cleanup_errors=True) as name:
            place = Path(name)
            place.chmod(0o755)
            work, environment = self.prepared(place)
            nodes = document.slurm_nodes()
            if nodes and not self.start_slurm(place, nodes, environment):
                for block in document.running():
                    block.state, block.detail = "not run", "Slurm is not installed"
                return
            service = self.service(document, work, environment)
            try:
                self.in_session(document, work, environment, service)
            finally:
                if service is not None:
                    service.stop()
                if nodes:
                    subprocess.run([ROOT / "src/test/slurm/down.sh"], env={**environment, "DIR": str(place / "slurm")},
                                   stdout=subprocess.DEVNULL, check=False)

    def prepared(self, place: Path) -> "tuple[Path, Dict[str, str]]":
        """Makes the directory of a document, and returns it with the environment of its commands."""
        work, programs = place / "berth", place / "programs"
        for directory in (work / "target", work / "bin", programs):
            directory.mkdir(parents=True)
        for copied in ("docs", "openapi"):
            shutil.copytree(ROOT / copied, work / copied)
        for jar in ("berth.jar", "berth-lab.jar"):
            for link in (jar, f"target/{jar}"):
                (work / link).symlink_to(ROOT / "target" / jar)
        for link in ("src", "target/test-classes"):
            (work / link).symlink_to(ROOT / link)
        for program in ("job.sh", "model"):
            (work / program).write_text('#!/bin/sh\necho "the job of ${BERTH_RESERVATION:-nobody}"\n', encoding="utf-8")
            (work / program).chmod(0o755)
        (programs / "curl").write_text(CURL.replace("{curl}", shutil.which("curl") or "curl"), encoding="utf-8")
        (programs / "curl").chmod(0o755)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("BERTH_", "SPRING_", "SLURM_", "SBATCH_"))}
        path = [str(programs), str(work / "bin")]
        if self.home is not None:
            path.append(str(self.home / "bin"))
            environment["JAVA_HOME"] = str(self.home)
        environment.update(HOME=str(work), PATH=":".join(path + [os.environ["PATH"], "/usr/sbin"]), PYTHONDONTWRITEBYTECODE="1")
        return work, environment

    def service(self, document: Document, work: Path, environment: Dict[str, str]) -> Optional[Service]:
        """Starts the service of a document as the document says, otherwise from the jar, if it needs one."""
        if self.given is not None:
            (work / "data").mkdir()
            (work / "data" / "admin.token").write_text(self.given.token + "\n", encoding="utf-8")
            for block in document.blocks:
                if block.text.strip() == START:
                    block.state, block.detail = "not run", "another service was given by --url"
            return self.given
        if document.starts_service():
            inherited = {key: value for key, value in os.environ.items() if not key.startswith(("BERTH_", "SPRING_"))}
            begun = time.monotonic()
            service = Service.start(work, START.split(), ROOT, inherited)
            for block in document.blocks:
                if block.text.strip() == START:
                    block.state, block.seconds = "ok", time.monotonic() - begun
            return service
        return Service.start(work, ["java", "-jar", "berth.jar"], work, environment) if document.needs_service() else None

    @staticmethod
    def in_session(document: Document, work: Path, environment: Dict[str, str], service: Optional[Service]) -> None:
        """Runs the blocks while the service is running."""
        if service is None:
            Session(document, work, environment).run(None)
            return
        if document.name != "README.md":
            environment["TOKEN"] = service.token
        if not service.url.endswith(f":{PORT}"):
            print(f"Port {PORT} is taken: the commands of {document.name} call {service.url} instead.")
            environment["BERTH_URL"] = service.url
        Session(document, work, environment).run(service.url)

    @staticmethod
    def start_slurm(place: Path, nodes: int, environment: Dict[str, str]) -> bool:
        """Starts a Slurm, and returns whether one is installed."""
        directory = place / "slurm"
        settings = {"DIR": str(directory), "NODES": str(nodes), "CPUS": "1", "PORT": str(random.randrange(20000, 30000))}
        started = subprocess.run([ROOT / "src/test/slurm/up.sh"], env={**environment, **settings}, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if started.returncode not in (0, 77):
            raise Wrong(f"Slurm did not start:\n{started.stdout}")
        environment["SLURM_CONF"] = str(directory / "slurm.conf")
        return started.returncode == 0


def show(document: Document) -> None:
    """Prints the outcome of each block of a document."""
    print(f"\n{document.name}")
    for block in document.blocks:
        took = f"  ({block.seconds:.1f} s)" if block.seconds else ""
        print(f"  {block.state:11} {block.line:4}  {block.title()}{took}")
        if block.detail:
            print(textwrap.indent(block.detail, " " * 19))
    sys.stdout.flush()


def table(documents: List[Document]) -> None:
    """Prints how many blocks of each document ran."""
    states = ["ok", "elsewhere", "not run", "FAILED", "not reached"]
    states = ["run"] + states[1:3] if any(block.state == "run" for document in documents for block in document.blocks) else states
    rows = [["document"] + states]
    for document in documents:
        rows.append([document.name] + [str(sum(block.state == state for block in document.blocks)) for state in states])
    rows.append(["all"] + [str(sum(int(row[column]) for row in rows[1:])) for column in range(1, len(states) + 1)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(states) + 1)]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) if column == 0 else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths))))


def stopped(_signal: int, _frame: object) -> NoReturn:
    """Ends the runner and the programs that it started."""
    sys.exit("stopped")


def main() -> int:
    """Runs or lists the documents that the command line names."""
    parser = argparse.ArgumentParser(description="Runs the commands of the documents.")
    parser.add_argument("document", nargs="*", type=Path, help="document to run (default: README.md and docs/**/*.md)")
    parser.add_argument("--list", action="store_true", help="only show which commands would run, and why the others would not")
    parser.add_argument("--url", help="address of a running service, for trying a document; all documents share it")
    parser.add_argument("--token", help="token of an administrator of that service")
    options = parser.parse_args()
    if (options.url is None) != (options.token is None):
        parser.error("--url and --token need each other: give both or neither")
    signal.signal(signal.SIGTERM, stopped)
    begun = time.monotonic()
    paths = [path.resolve() for path in options.document] or [ROOT / "README.md"] + sorted((ROOT / "docs").rglob("*.md"))
    failed = False
    try:
        documents = [document for document in map(read, paths) if document.blocks]
        runner = Runner(Service(options.url.rstrip("/"), options.token) if options.url else None)
        if not options.list and not (ROOT / "target" / "berth.jar").exists():
            raise Wrong("target/berth.jar does not exist. Build it with mvn package.")
        for document in documents:
            if not options.list and (document.running() or document.starts_service()):
                runner.run(document)
            show(document)
    except Wrong as e:
        sys.exit(str(e))
    table(documents)
    if not options.list:
        failed = any(block.state in ("FAILED", "not reached") for document in documents for block in document.blocks)
        print(f"{'Some commands failed' if failed else 'Every command works'}; {time.monotonic() - begun:.0f} s in all.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
