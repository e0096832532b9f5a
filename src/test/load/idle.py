"""Measures the processor time that a service takes while nobody calls it.

    python3 src/test/load/idle.py target/berth.jar [--beside OLD.jar] [--clusters 10 1000] [--rest 120] [--for 60] [--threads]

starts each jar in turn with a new data directory, creates clusters up to each number, lets the service rest, and prints the percentage of
a core that Java and the embedded PostgreSQL then take. With --threads it also prints the threads of Java that take most. JAVA_OPTS has
options for Java.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time
import urllib.request

TICK = os.sysconf("SC_CLK_TCK")


def ticks(process):
    """Processor time of a process and of its children that have ended, in ticks."""
    return [int(field) for field in pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[11:15]]


def server(postmaster):
    """Processor time of PostgreSQL's processes that run and of those that have ended."""
    running = pathlib.Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return sum(ticks(postmaster)) + sum(sum(ticks(child)[:2]) for child in running)


def threads(process):
    """Seconds of processor time by thread."""
    tasks = pathlib.Path(f"/proc/{process}/task").iterdir()
    return {f"{(task / 'comm').read_text().strip()} {task.name}": int((task / "schedstat").read_text().split()[0]) / 1e9 for task in tasks}


def create(url, token, cluster):
    urllib.request.urlopen(urllib.request.Request(url + "/api/v1/clusters", json.dumps({"id": cluster, "pes": 128}).encode(),
                                                  {"Authorization": "Bearer " + token, "Content-Type": "application/json"})).close()


def is_ready(url):
    try:
        return urllib.request.urlopen(url + "/actuator/health/readiness").status == 200
    except OSError:
        return False


def measure(jar, given):
    with tempfile.TemporaryDirectory() as work:
        data, port = pathlib.Path(work, "data"), random.randrange(20000, 30000)
        url = f"http://127.0.0.1:{port}"
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
        with open(os.path.join(work, "log"), "w") as log:
            service = subprocess.Popen([java, *os.environ.get("JAVA_OPTS", "").split(), "-jar", jar, f"--server.port={port}",
                                        f"--berth.data-dir={data}"], stdout=log, stderr=log)
        try:
            while not is_ready(url):
                assert service.poll() is None, pathlib.Path(work, "log").read_text()
                time.sleep(0.2)
            token = (data / "admin.token").read_text().strip()
            postmaster = (data / "postgresql" / "postmaster.pid").read_text().split()[0]
            made = 1
            for clusters in given.clusters:
                for made in range(made, clusters):
                    create(url, token, f"idle-{made}")
                made = clusters
                time.sleep(given.rest)
                before = time.monotonic(), sum(ticks(service.pid)), server(postmaster), threads(service.pid)
                time.sleep(given.seconds)
                after = time.monotonic(), sum(ticks(service.pid)), server(postmaster), threads(service.pid)
                percent = [100 * (after[i] - before[i]) / TICK / (after[0] - before[0]) for i in (1, 2)]
                print(f"{jar}: {clusters} clusters: Java {percent[0]:.2f} %, PostgreSQL {percent[1]:.2f} %", flush=True)
                if given.threads:
                    used = {name: seconds - before[3].get(name, 0) for name, seconds in after[3].items()}
                    for name in sorted(used, key=used.get, reverse=True)[:20]:
                        print(f"    {name}: {used[name] * 1000:.0f} ms", flush=True)
        finally:
            service.terminate()
            service.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jar")
    parser.add_argument("--beside", metavar="OLD.jar", help="a jar to measure as well")
    parser.add_argument("--clusters", type=int, nargs="+", default=[10, 1000])
    parser.add_argument("--rest", type=int, default=120, help="seconds")
    parser.add_argument("--for", type=int, default=60, dest="seconds", help="seconds")
    parser.add_argument("--threads", action="store_true")
    arguments = parser.parse_args()
    for jar in filter(None, (arguments.beside, arguments.jar)):
        measure(jar, arguments)
