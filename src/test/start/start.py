#!/usr/bin/env python3
"""Measures second starts of Berth beside an empty application with the same Spring starters, in turn.

    src/test/start/start.py target/berth.jar [ROUNDS] [--java FLAG]... [--other OLD.jar]

"cached" is the jar as bin/berth starts it, with its cache of classes and its own flags.

Needs Maven, a JDK of Berth's (JAVA_HOME), and PostgreSQL with initdb (Debian: postgresql). Makes everything in a temporary directory.
Prints for each program the medians of ROUNDS (5): the seconds from the start of Java to the first answer (of a probe; of a list of
one table), the processor time that Java used until then, and its resident memory then. The last lines are ratios of the medians.
"""
import argparse
import glob
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
TICK = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Database:
    """A PostgreSQL that runs before the empty application starts."""

    def __init__(self, work):
        self.bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.data = f"{work}/postgresql"
        self.port = free_port()
        os.mkdir(self.data)
        shutil.chown(self.data, "postgres", "postgres")
        self.run("initdb", "-A", "trust", "-E", "UTF8", "-D", self.data)
        self.run("pg_ctl", "-w", "-D", self.data, "-l", f"{self.data}/log", "-o", f"-p {self.port} -k ''", "start")

    def run(self, program, *args):
        subprocess.run(["runuser", "-u", "postgres", "--", f"{self.bin}/{program}", *args], check=True, cwd="/",
                       stdout=subprocess.DEVNULL)

    def stop(self):
        self.run("pg_ctl", "-w", "-m", "fast", "-D", self.data, "stop")


class Program:
    def __init__(self, name, command, environment, ask):
        self.name, self.command, self.environment, self.ask = name, command, environment, ask
        self.port = free_port()
        self.figures = {"clock s": [], "processor s": [], "resident MB": []}

    def start(self, log):
        began = time.monotonic()
        process = subprocess.Popen([*self.command, f"--server.port={self.port}"], stdout=log, stderr=log,
                                   env={**os.environ, **self.environment})
        while not self.answers():
            if process.poll() is not None:
                sys.exit(f"{self.name} ended:\n{pathlib.Path(log.name).read_text()}")
            time.sleep(0.02)
        return process, time.monotonic() - began

    def answers(self):
        try:
            with urllib.request.urlopen(self.ask(self.port), timeout=5) as answer:
                return answer.status == 200
        except (OSError, FileNotFoundError, urllib.error.URLError):
            return False

    def measure(self, log):
        process, clock = self.start(log)
        with open(f"/proc/{process.pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        with open(f"/proc/{process.pid}/status") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        for name, value in zip(self.figures, (clock, (int(fields[11]) + int(fields[12])) / TICK, resident / 1024)):
            self.figures[name].append(value)
        process.terminate()
        process.wait()


def probe(data):
    def ask(port):
        token = pathlib.Path(data, "admin.token").read_text().strip()
        return urllib.request.Request(
            f"http://127.0.0.1:{port}/api/v1/probes",
            json.dumps({"terms": {"duration": "PT2H", "pes": 32}, "clusters": ["demo"]}).encode(),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    return ask


def main():
    options = argparse.ArgumentParser()
    options.add_argument("jar")
    options.add_argument("rounds", type=int, nargs="?", default=5)
    options.add_argument("--java", action="append", default=[], metavar="FLAG", help="a flag for each Java")
    options.add_argument("--other", metavar="OLD.jar", help="an older jar of Berth")
    given = options.parse_args()
    subprocess.run(["mvn", "-B", "-ntp", "-q", "-f", HERE / "empty", "package"], check=True)
    with tempfile.TemporaryDirectory() as work, open(f"{work}/log", "w") as log:
        os.chmod(work, 0o755)
        database = Database(work)
        try:
            java = [os.path.join(os.environ["JAVA_HOME"], "bin/java") if "JAVA_HOME" in os.environ else "java",
                    *given.java, "-jar"]
            programs = [Program("empty", [*java, HERE / "../../../target/empty/empty.jar"], {
                "SPRING_DATASOURCE_URL": f"jdbc:postgresql://127.0.0.1:{database.port}/postgres",
                "SPRING_DATASOURCE_USERNAME": "postgres"}, lambda port: f"http://127.0.0.1:{port}/things")]
            cache = f"{work}/cache"
            for name, command in (("berth", [*java, given.jar]), ("cached", [HERE / "../../../bin/berth"]),
                                  ("older", [*java, given.other] if given.other else [])):
                if command:
                    data = f"{work}/{name}"
                    programs.append(Program(name, command, {
                        "BERTH_DATA_DIR": data, "BERTH_JAR": given.jar, "BERTH_CACHE_DIR": cache,
                        "BERTH_CACHE_AFTER": "0"}, probe(data)))
            for program in programs:
                process, _ = program.start(log)
                while program.name == "cached" and not glob.glob(f"{cache}/*/*/berth.aot"):
                    time.sleep(1)
                process.terminate()
                process.wait()
            for _ in range(given.rounds):
                for program in programs:
                    program.measure(log)
        finally:
            database.stop()
    medians = {program.name: {name: statistics.median(values) for name, values in program.figures.items()}
               for program in programs}
    for name, figures in medians.items():
        print(f"{name:8}", *(f"{figure} {value:.1f}" for figure, value in figures.items()), sep="  ")
    for name in list(medians)[1:]:
        print(f"{name}/empty", *(f"{figure} {value / medians['empty'][figure]:.2f}"
                                 for figure, value in medians[name].items()), sep="  ")


if __name__ == "__main__":
    main()
