"""Searches for the calls that are dearest for the service, and measures how much they delay another account.

    python3 src/test/load/hostile.py target/berth.jar

Starts the jar with a heap of 512 MB and a new data directory. With STANDBY=1 it starts two instances on one PostgreSQL, and all calls go
through the standby; psql must be there. It then makes every call of the OpenAPI document as a client, as an agent and without a token, with
each field at each of its extremes, and keeps the variant of each call with the longest response time. The WORST (8) of these calls are
repeated over CONNECTIONS (16) for SECONDS (12) each, while another account reserves every 30 ms. For comparison, the same processor time is
used by processes outside of Berth while that account reserves, in turn with the attack every 3 s. Prints the reserve's response times in ms, the highest use of the heap,
and every response with status 500. Other programs on the machine disturb the figures: only the comparison between an attack and its control
means anything. In the environment also: LOOKS, how many variants of a call are tried at most (60), and PORT (19200), the first of three
ports. The exit status is 1 if the service has ended, or if a delay at p99 exceeds that of its control by more than 250 ms.
"""
import datetime
import http.client
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

JAR = os.path.abspath(sys.argv[1])
PORT = int(os.environ.get("PORT", 19200))
SECONDS = float(os.environ.get("SECONDS", 12))
ROUNDS = 4
CONNECTIONS = int(os.environ.get("CONNECTIONS", 16))
WORST = int(os.environ.get("WORST", 8))
LOOKS = int(os.environ.get("LOOKS", 60))
ADMIN = "token-of-the-administrator"
CLUSTER, QUEUE = "hostile", "queue"
TICKS = os.sysconf("SC_CLK_TCK")
WORK = tempfile.mkdtemp()
services = []


def service(port, **settings):
    log = open(f"{WORK}/service-{len(services)}.log", "w")
    env = dict(os.environ, BERTH_ADMIN_TOKEN=ADMIN, SERVER_PORT=str(port), BERTH_WEBHOOKS_ALLOW="127.0.0.0/8", **settings)
    # no parallel collector by chance: the flags of the image
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
    services.append(subprocess.Popen([java, "-Xmx512m", "-XX:+UseParallelGC", "-XX:MaxNewSize=128m", "-XX:+UseCompactObjectHeaders",
                                      "-XX:+ExitOnOutOfMemoryError", "-jar", JAR], env=env, stdout=log, stderr=log))
    end = time.time() + 180
    while time.time() < end:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/actuator/health/readiness")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        if services[-1].poll() is not None:
            break
        time.sleep(0.3)
    sys.exit(open(log.name).read()[-3000:])


def start():
    if not os.environ.get("STANDBY"):
        service(PORT, BERTH_DATA_DIR=WORK + "/data")
        return PORT
    service(PORT + 2, BERTH_DATA_DIR=WORK + "/data")
    password = open(WORK + "/data/postgresql.password").read().strip()
    port = open(WORK + "/data/postgresql/postmaster.pid").read().split("\n")[3]
    subprocess.run(["psql", "-q", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-c", "create database many"], check=True,
                   env=dict(os.environ, PGPASSWORD=password))
    for number in 0, 1:
        service(PORT + number, BERTH_INSTANCES_MODE="MANY", BERTH_SECRETS_KEY="5e" * 32, BERTH_DATA_DIR=f"{WORK}/instance-{number}",
                BERTH_INSTANCES_URL=f"http://127.0.0.1:{PORT + number}", SPRING_DATASOURCE_USERNAME="postgres",
                SPRING_DATASOURCE_URL=f"jdbc:postgresql://127.0.0.1:{port}/many", SPRING_DATASOURCE_PASSWORD=password)
    return PORT + 1


class Client:
    def __init__(self, port, token=None, timeout=60):
        self.port, self.token, self.timeout = port, token, timeout
        self.connection = None

    def call(self, method, path, body=None, headers=()):
        """Returns the status, the time in seconds, and the response; status 0 if there is none."""
        sent = {"Content-Type": "application/json"} if body is not None else {}
        if self.token:
            sent["Authorization"] = "Bearer " + self.token
        sent.update(headers)
        began = time.perf_counter()
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
            self.connection.request(method, path, body if body is None or isinstance(body, (str, bytes)) else json.dumps(body), sent)
            answer = self.connection.getresponse()
            return answer.status, time.perf_counter() - began, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection = None
            return 0, time.perf_counter() - began, b""

    def made(self, method, path, body=None):
        status, _, text = self.call(method, path, body)
        if status not in (200, 201, 202):
            sys.exit(f"{method} {path}: {status} {text[:500]!r}")
        return json.loads(text)


def instant(seconds):
    return datetime.datetime.fromtimestamp(time.time() + seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def shapes(number):
    return {"runtimes": {str(pes): f"PT{3600 + 7 * (number - pes)}S" for pes in range(1, number + 1)}}


def furnish(port):
    """Makes clusters and accounts, and much that can be read. Returns the callers and what paths may name."""
    admin = Client(port, ADMIN)
    for cluster, pes in (CLUSTER, 4096), (QUEUE, 256):
        admin.made("POST", "/api/v1/clusters", {"id": cluster, "pes": pes})
    token = {}
    for name, more in ("attacker", {"role": "CLIENT"}), ("victim", {"role": "CLIENT"}), ("agent", {"role": "AGENT", "cluster": QUEUE}):
        token[name] = admin.made("POST", "/api/v1/accounts", {"name": name, **more})["token"]
    client = Client(port, token["attacker"])
    admin.made("POST", "/api/v1/projects", {"id": "project", "name": "Project"})
    admin.made("PUT", "/api/v1/projects/project/members/attacker", {"role": "OWNER"})
    found = {"name": "attacker", "account": "attacker", "project": "project"}
    for i in range(600):
        ready = 3600 + i * 3600
        terms = {"readyTime": instant(ready), "deadline": instant(ready + 4 * 86400), "moldability": shapes(255)}
        status, _, text = client.call("POST", "/api/v1/reservations", {"cluster": CLUSTER, "terms": terms, "project": "project"})
        if status != 201:
            print("not reserved:", status, text[:300])
            break
        found["reservation"] = json.loads(text)["id"]
    for i in range(2000):
        status, _, text = client.call("POST", f"/api/v1/clusters/{QUEUE}/jobs", {"pes": 1 + i % 256, "estimate": f"PT{600 + i}S"})
        if status != 201:
            print("not submitted:", status, text[:300])
            break
        found["job"] = json.loads(text)["id"]
    status, _, text = client.call("POST", "/api/v1/series", {
        "cluster": CLUSTER, "terms": {"duration": "PT1H", "pes": 1},
        "recurrence": {"rrule": "FREQ=DAILY", "dtstart": instant(86400)[:16], "zone": "UTC"}, "count": 60})
    found["series"] = json.loads(text)["id"] if status in (200, 201) else None
    status, _, text = client.call("POST", "/api/v1/webhooks", {"url": "http://127.0.0.1:9/"})
    found["webhook"] = json.loads(text)["id"] if status == 201 else None
    status, _, text = client.call("POST", "/api/v1/accounts/attacker/feeds", {})
    found["feed"] = json.loads(text)["id"] if status == 201 else None
    found["secret"] = re.search(r"/feeds/([^\"]*)\.ics", text.decode()) and re.search(r"/feeds/([^\"]*)\.ics", text.decode()).group(1)
    return token, found


# ---- the variants of a call

LONG = "x" * 20_000
TEXTS = ["", "0", "x", LONG, "\u00e9" * 9000, "9" * 9000]
NUMBERS = [0, -1, 1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 63, 1e300, 0.000001]
LISTS = 1, 20, 256, 1000


def resolved(document, schema):
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    for word in "anyOf", "oneOf", "allOf":
        if word in schema:
            return resolved(document, next(one for one in schema[word] if one.get("type") != "null"))
    return schema


def kind(schema):
    kinds = schema.get("type", "string" if "enum" in schema else "object")
    return next(one for one in ([kinds] if isinstance(kinds, str) else kinds) if one != "null")


def good(document, name, schema, depth=0):
    """Returns an ordinary value."""
    schema = resolved(document, schema)
    given = {"cluster": CLUSTER, "clusters": [CLUSTER], "readyTime": instant(7200), "deadline": instant(86400 * 8), "duration": "PT1H",
             "pes": 2, "from": instant(3600), "to": instant(86400 * 7), "until": instant(86400 * 7), "project": "project",
             "zone": "UTC", "dtstart": instant(86400)[:16], "rrule": "FREQ=DAILY", "count": 5, "url": "http://127.0.0.1:9/"}
    if name in given:
        return given[name]
    if kind(schema) == "object":
        fields = schema.get("properties", {})
        wanted = set(schema.get("required", [])) | (set(fields) & {"terms", "recurrence", "cluster", "duration", "pes", "readyTime", "deadline", "dryRun"})
        return {field: good(document, field, fields[field], depth + 1) for field in fields if field in wanted and depth < 4}
    if kind(schema) == "array":
        return [good(document, name, schema.get("items", {}), depth + 1)]
    if kind(schema) == "boolean":
        return True
    examples = schema.get("examples") or schema.get("enum")
    return examples[0] if examples else 1 if kind(schema) in ("integer", "number") else "x"


def extremes(document, name, schema, depth=0):
    """Returns the values at the ends of what a field may have, and some beyond."""
    schema = resolved(document, schema)
    what = kind(schema)
    if what == "object":
        base = good(document, name, schema, depth)
        return [dict(base, **{field: value}) for field, inner in schema.get("properties", {}).items() if depth < 4
                for value in extremes(document, field, inner, depth + 1)] + [shapes(255)] * (name == "moldability")
    if what == "array":
        item = good(document, name, schema.get("items", {}), depth)
        most = schema.get("maxItems")
        return [[item] * n for n in {*LISTS, most or 1}] + [[value] for value in extremes(document, name, schema.get("items", {}), depth + 1)]
    if what == "boolean":
        return [False, True]
    if what in ("integer", "number"):
        return [*NUMBERS, *(schema[end] for end in ("minimum", "maximum") if end in schema)]
    if "enum" in schema:
        return schema["enum"]
    if schema.get("format") == "date-time":
        return ["1970-01-01T00:00:00Z", "2020-01-01T00:00:00Z", instant(86400 * 89), "9999-12-31T23:59:59Z"]
    if schema.get("pattern", "").startswith("^P("):
        return ["PT0S", "PT1S", "PT1M", "P1D", "P89D", "P999999999D"]
    if name == "rrule":
        return ["FREQ=DAILY", "FREQ=SECONDLY", "FREQ=DAILY;INTERVAL=1000", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
                "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3;BYMINUTE=59", "FREQ=YEARLY;INTERVAL=1000;BYYEARDAY=366",
                "FREQ=DAILY;BYSETPOS=-366;BYDAY=MO,TU,WE,TH,FR,SA,SU"]
    if "peids" in name.lower():
        return ["0", "0-4095", "0-99999999", ",".join(str(2 * i) for i in range(2000)), ",".join(["0-4095"] * 2000)]
    return [*TEXTS, *schema.get("examples", []), "a" * schema.get("maxLength", 1)]


def variants(document, path, method, operation, found):
    names = {"cluster": QUEUE if "/jobs" in path or "enforcement" in path else CLUSTER, "id": None, **found}
    last = path.split("/")[3] if path.count("/") > 2 else ""
    names["id"] = {"reservations": found.get("reservation"), "clusters": CLUSTER, "projects": "project", "series": found.get("series"),
                   "webhooks": found.get("webhook")}.get(last) or "00000000-0000-0000-0000-000000000000"
    address = re.sub(r"\{(\w+)\}", lambda name: urllib.parse.quote(str(names.get(name[1]) or "1")), path)
    queries, bodies = [{}], [None]
    for parameter in operation.get("parameters", []):
        parameter = parameter if "in" in parameter else resolved_parameter(document, parameter)
        if parameter["in"] == "query":
            values = extremes(document, parameter["name"], parameter.get("schema", {}))
            if parameter["name"] == "limit":
                values = ["500"]
            queries += [{parameter["name"]: value} for value in values]
    queries += [{"limit": "500"}, {"from": "2020-01-01T00:00:00Z", "to": instant(86400 * 365 * 9), "limit": "500"},
                {"from": instant(0), "to": instant(86400 * 365), "step": "PT1H", "groupBy": "OWNER"}]
    content = operation.get("requestBody", {}).get("content", {})
    if content:
        schema = next(iter(content.values()))["schema"]
        bodies = [good(document, "", schema)] + extremes(document, "", schema)
        known = resolved(document, schema).get("properties", {})
        if "terms" in known:
            bodies.insert(1, {**bodies[0], "terms": {"readyTime": instant(7200), "deadline": instant(86400 * 60), "moldability": shapes(255)}})
        if "dryRun" in known:
            bodies = [dict(body, dryRun=True) for body in bodies if isinstance(body, dict)]
        if "jobs" in known:
            job = good(document, "", resolved(document, known["jobs"])["items"])
            named = "name" if "name" in job else "id"
            bodies.insert(1, {**bodies[0], "jobs": [{**job, named: str(i)} for i in range(5000)]})
        queries = [{}]
    listed = [(address + ("?" + urllib.parse.urlencode(query) if query else ""), body) for query in queries for body in bodies]
    random.Random(7).shuffle(rest := listed[6:])
    return [(method.upper(), *one) for one in listed[:6] + rest[:max(0, LOOKS - 6)]]


def resolved_parameter(document, parameter):
    return document["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[1]]


def search(port, token, found):
    """Returns the dearest variant of each call and caller, the dearest first."""
    document = json.loads(Client(port).call("GET", "/openapi")[2])
    dearest, tried, failures = {}, 0, {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method not in ("get", "post", "put", "patch", "delete") or path.endswith("/stream") or path == "/api/v1/backups":
                continue
            listed = variants(document, path, method, operation, found)
            for caller, secret in ("client", token["attacker"]), ("agent", token["agent"]), ("nobody", None):
                client = Client(port, secret, 30)
                status, _, _ = client.call(*listed[0])
                # one look is enough for a caller without the right
                for variant in listed[:1] if status in (401, 403) or method == "delete" else listed:
                    tried += 1
                    status, seconds, text = client.call(*variant)
                    if seconds > 0.02:
                        seconds = min([seconds] + [client.call(*variant)[1] for _ in range(2)])
                    if status == 500:
                        failures.setdefault((method, path), (variant, text[:200]))
                    if seconds > dearest.get((method, path, caller), (0,))[0]:
                        dearest[method, path, caller] = seconds, status, secret, variant
    for (method, path), (variant, text) in failures.items():
        print("status 500:", variant, text)
    print(f"{tried} variants tried, {len(failures)} calls with status 500")
    return sorted(dearest.items(), key=lambda entry: -entry[1][0])


# ---- attacks

def attack(port, secret, variant, connections, until):
    def loop():
        client = Client(port, secret)
        while time.time() < until:
            status, _, _ = client.call(*variant)
            if status == 0:
                time.sleep(0.05)
    threads = [threading.Thread(target=loop) for _ in range(connections)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]


def burn(share, until):
    while time.time() < until:
        end = time.perf_counter() + 0.02 * share
        while time.perf_counter() < end:
            pass
        time.sleep(max(0, 0.02 * (1 - share)))


def ours(pids):
    """Returns the seconds of processor time that processes and all below them have used."""
    children, times = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(name))
            times[int(name)] = sum(map(int, fields[11:15])) / TICKS
    seen, todo = set(), list(pids)
    while todo:
        pid = todo.pop()
        if pid not in seen:
            seen.add(pid)
            todo += children.get(pid, [])
    return sum(times.get(pid, 0) for pid in seen)


def victim(port, secret, seconds):
    """Returns the sorted response times of an account that reserves every 30 ms, and how many calls failed."""
    times, failed = [], 0
    client, health, end = Client(port, secret, 30), Client(port, None, 30), time.time() + seconds
    while time.time() < end:
        ready = random.randint(3600, 80 * 86400)
        status, took, _ = client.call("POST", "/api/v1/reservations", {"cluster": CLUSTER, "terms": {
            "pes": 1, "duration": "PT1H", "readyTime": instant(ready), "deadline": instant(ready + 3600 * 24)}})
        times.append(took * 1000)
        failed += status != 201
        if len(times) % 10 == 0:
            status, took, _ = health.call("GET", "/actuator/health/liveness")
            failed += status != 200
        time.sleep(max(0, 0.03 - took))
    return sorted(times), failed


def heap(port):
    text = Client(port, ADMIN).call("GET", "/actuator/prometheus")[2].decode()
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.split("\n") if line.startswith('jvm_memory_used_bytes{area="heap"')) / 2 ** 20


def p(times, share):
    return times[min(len(times) - 1, int(len(times) * share))] if times else float("nan")


def measured(port, token, name, secret, variant, ports):
    pids = [one.pid for one in services]
    before, _ = victim(port, token["victim"], SECONDS / ROUNDS)
    peak, over = [0.0], threading.Event()

    def watch():
        while not over.wait(1):
            peak[0] = max(peak[0], *(heap(one) for one in ports))

    watcher = threading.Thread(target=watch)
    watcher.start()
    during, control, failed, cores = [], [], 0, []
    # in short rounds, so that other programs disturb the attack and its control alike
    for _ in range(ROUNDS):
        end = time.time() + SECONDS / ROUNDS + 0.5
        attackers = [multiprocessing.Process(target=attack, args=(port, secret, variant, CONNECTIONS // 2, end)) for _ in range(2)]
        [one.start() for one in attackers]
        time.sleep(0.5)
        began, used = time.time(), ours(pids + [one.pid for one in attackers])
        times, failures = victim(port, token["victim"], SECONDS / ROUNDS)
        # the victim's own work is done in the control, too
        share = min(1, (ours(pids + [one.pid for one in attackers]) - used) / (time.time() - began) / 2)
        [one.join(60) for one in attackers]
        time.sleep(0.5)
        burners = [multiprocessing.Process(target=burn, args=(share, time.time() + SECONDS / ROUNDS)) for _ in range(2)]
        [one.start() for one in burners]
        control += victim(port, token["victim"], SECONDS / ROUNDS)[0]
        [one.join() for one in burners]
        during += times
        failed += failures
        cores.append(2 * share)
    over.set()
    watcher.join()
    during.sort()
    control.sort()
    print(f"{name:62} {p(before, .5):6.0f} {p(before, .99):6.0f} {p(during, .5):7.0f} {p(during, .99):6.0f} {p(control, .5):8.0f} {p(control, .99):6.0f}"
          f" {sum(cores) / ROUNDS:6.2f} {peak[0]:6.0f} {len(during):6} {failed:6}", flush=True)
    return p(during, 0.99) - p(control, 0.99)


def main():
    port = start()
    ports = [PORT] if not os.environ.get("STANDBY") else [PORT, PORT + 1]
    token, found = furnish(port)
    dearest = search(port, token, found)
    print("\nThe dearest calls, in ms:")
    for (method, path, caller), (seconds, status, _, variant) in dearest[:25]:
        print(f"{seconds * 1000:7.0f} {status} {method.upper():6} {path} as {caller}: {variant[1][:100]} {json.dumps(variant[2])[:160]}")
    print(f"\n{'':62} before        during          control        cores heap MB reserves failed")
    print(f"{'':62} {'p50':>6} {'p99':>6} {'p50':>7} {'p99':>6} {'p50':>8} {'p99':>6}")
    victim(port, token["victim"], 10)
    worst = 0.0
    openapi = ("GET", "/openapi", None, {"Accept-Encoding": "gzip"})
    chosen = [(f"{method.upper()} {path} as {caller}", secret, variant)
              for (method, path, caller), (_, _, secret, variant) in dearest[:WORST]]
    chosen += [("GET /openapi without a token", None, openapi), ("GET /api/v1/me without a token", None, ("GET", "/api/v1/me")),
               ("POST /api/v1/webhooks/{id}/redeliver as client", token["attacker"], ("POST", f"/api/v1/webhooks/{found['webhook']}/redeliver"))]
    for name, secret, variant in chosen:
        worst = max(worst, measured(port, token, name, secret, variant, ports))
        if any(one.poll() is not None for one in services):
            print("The service has ended:", open(services[-1].args and f"{WORK}/service-{len(services) - 1}.log").read()[-2000:])
            return 1
    print(f"\nThe greatest delay at p99 beside the control: {worst:.0f} ms")
    return 1 if worst > 250 else 0


if __name__ == "__main__":
    code = 1
    try:
        code = main()
    finally:
        for one in reversed(services):
            one.send_signal(signal.SIGTERM)
            one.wait(60)
        shutil.rmtree(WORK, ignore_errors=True)
    sys.exit(code)
