"""Measures how soon Berth sends events, grants waiting requests, and serves feeds and series.

    TOKEN=<an administrator's> python3 src/test/load/told.py http://localhost:8080 webhooks
    TOKEN=<an administrator's> python3 src/test/load/told.py http://localhost:8080 waiting
    TOKEN=<an administrator's> python3 src/test/load/told.py http://localhost:8080 feed
    TOKEN=<an administrator's> python3 src/test/load/told.py http://localhost:8080 series

webhooks: a hundred accounts have one webhook each, to a receiver in this program. The program makes 500 reservations a second for thirty
seconds, then as many as the service takes for ten seconds. It prints the time from the response to a reservation until its message arrives.
Start the service with BERTH_WEBHOOKS_ALLOW=127.0.0.1/32.

waiting: ten thousand requests wait for room. Twenty times, a cancellation makes room for one of them. Then the program measures how many
reservations a second a cluster takes without and with the waiting requests.

feed: a calendar of a thousand reservations: its size, and the response times if it has changed and if not.

series: a series of 365 occurrences on a cluster with ten thousand live reservations, as a dry run, as a booking, and as single requests.

Use a service that you can throw away. The environment variables ACCOUNTS, RATE, SECONDS, WAITING, ENTRIES, LIVE and OCCURRENCES set the
numbers.
"""
import asyncio
import collections
import datetime
import gzip
import json
import multiprocessing
import os
import sys
import time
import urllib.parse

HOST = urllib.parse.urlparse(sys.argv[1]).netloc
RUN = format(int(time.time()), "x")
DAY = 24 * 3600
NOW = int(time.time())
ACCOUNTS = int(os.environ.get("ACCOUNTS", 100))
RATE = int(os.environ.get("RATE", 500))
SECONDS = int(os.environ.get("SECONDS", 30))
WAITING = int(os.environ.get("WAITING", 10_000))
ENTRIES = int(os.environ.get("ENTRIES", 1_000))
LIVE = int(os.environ.get("LIVE", 10_000))
OCCURRENCES = int(os.environ.get("OCCURRENCES", 365))


class Connection:
    """A connection to the service for one call after the other."""

    reader = writer = None

    async def call(self, method, path, body=None, token=os.environ["TOKEN"], **headers):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(*HOST.split(":"))
        sent = b"" if body is None else json.dumps(body).encode()
        headers |= {"Host": HOST, "Authorization": "Bearer " + token, "Content-Type": "application/json",
                    "Content-Length": len(sent)}
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        self.writer.write(f"{method} /api/v1{path} HTTP/1.1\r\n{lines}\r\n".encode() + sent)
        status = int((await self.reader.readline()).split()[1])
        received = await read_headers(self.reader)
        content = await read_body(self.reader, received, status)
        if received.get("connection") == "close":
            self.writer.close()
            self.writer = None
        return status, received, content

    async def post(self, path, body, **more):
        status, _, content = await self.call("POST", path, body, **more)
        return status, json.loads(content or b"{}")


async def read_headers(reader):
    headers = {}
    while (line := await reader.readline()) not in (b"\r\n", b""):
        name, value = line.decode("latin-1").split(":", 1)
        headers[name.strip().lower()] = value.strip()
    return headers


async def read_body(reader, headers, status=200):
    if status in (204, 304):
        return b""
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", 0)))
    content = b""
    while size := int((await reader.readline()).strip(), 16):
        content += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return content


def instant(second):
    return datetime.datetime.fromtimestamp(second, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def run(cluster, pes, ready, deadline, duration):
    return {"cluster": cluster, "terms": {"pes": pes, "duration": f"PT{duration}S", "readyTime": instant(ready),
                                          "deadline": instant(deadline)}}


def print_times(what, seconds):
    times = sorted(one * 1000 for one in seconds)
    at = lambda share: times[min(len(times) - 1, int(len(times) * share))]
    print(f"{what}: {len(times)}, median {at(0.5):.1f} ms, 99 % {at(0.99):.1f} ms, most {times[-1]:.1f} ms", flush=True)


# ---- webhooks


def receiver(port, results):
    """Answers every message at once, and records its time of arrival."""
    arrived = {}

    async def serve(reader, writer):
        while line := await reader.readline():
            content = await read_body(reader, await read_headers(reader))
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            if line.startswith(b"GET"):
                results.put(dict(arrived))
            elif b'"confirmed"' in content:
                at = content.index(b'"reservation":"') + 15
                arrived.setdefault(content[at:at + 36].decode(), time.time())

    async def listen():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port.put(server.sockets[0].getsockname()[1])
        async with server:
            await server.serve_forever()

    asyncio.run(listen())


async def reserve(cluster, tokens, seconds, rate, connections):
    """Makes reservations at a rate, or as fast as the service takes them; returns the time of each response."""
    answered, number, began = {}, 0, time.time()

    async def work(connection):
        nonlocal number
        while time.time() < began + seconds:
            mine, number = number, number + 1
            if rate:
                await asyncio.sleep(began + mine / rate - time.time())
            ready = NOW + DAY + mine % 1000 * 60
            status, body = await connection.post(
                "/reservations", run(cluster, 1, ready, ready + 3600, 600), token=tokens[mine % len(tokens)])
            if status == 201:
                answered[body["id"]] = time.time()

    await asyncio.gather(*(work(Connection()) for _ in range(connections)))
    return answered, time.time() - began


async def arrivals(port, results, answered):
    """Waits for the messages of all these reservations, and returns their times of arrival."""
    while True:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await writer.drain()
        arrived = await asyncio.to_thread(results.get)
        writer.close()
        if answered.keys() <= arrived.keys():
            return arrived
        await asyncio.sleep(1)


async def webhooks():
    ports, results = multiprocessing.Queue(), multiprocessing.Queue()
    process = multiprocessing.Process(target=receiver, args=(ports, results), daemon=True)
    process.start()
    port, admin, cluster = ports.get(), Connection(), "told-" + RUN
    await admin.post("/clusters", {"id": cluster, "pes": 100_000})
    tokens = []
    for i in range(ACCOUNTS):
        _, account = await admin.post("/accounts", {"name": f"told-{RUN}-{i}", "role": "CLIENT"})
        tokens.append(account["token"])
        status, hook = await Connection().post("/webhooks", {"url": f"http://127.0.0.1:{port}/{i}"}, token=tokens[-1])
        if status != 201:
            raise SystemExit(hook)
    for what, seconds, rate, connections in (("warming up", 15, RATE, 16), (f"{RATE}/s", SECONDS, RATE, 16), ("as many as it takes", 10, None, 48)):
        answered, took = await reserve(cluster, tokens, seconds, rate, connections)
        arrived = await arrivals(port, results, answered)
        last = max(arrived[one] for one in answered) - min(answered.values())
        print(f"{what}: {len(answered) / took:.0f} reservations/s made, {len(answered) / last:.0f}/s sent to {ACCOUNTS} webhooks")
        print_times("  from the response until the message arrives", [max(0, arrived[one] - at) for one, at in answered.items()])
    process.terminate()


# ---- the waiting list


async def throughput(cluster, seconds, connections, and_cancel):
    """Returns the reservations a second that find room. No waiting request fits into that room, but Berth checks whenever room becomes free."""
    done, end = 0, time.time() + seconds

    async def work(connection):
        nonlocal done
        while time.time() < end:
            status, body = await connection.post("/reservations", run(cluster, 1, NOW + DAY, NOW + 2 * DAY, 600))
            if status != 201:
                raise SystemExit(body)
            done += 1
            if and_cancel:
                await connection.post(f"/reservations/{body['id']}/cancel", None)

    await asyncio.gather(*(work(Connection()) for _ in range(connections)))
    return done / seconds


async def waiting():
    admin, clusters = Connection(), [f"{name}-{RUN}" for name in ("alone", "crowded")]
    for cluster in clusters:
        await admin.post("/clusters", {"id": cluster, "pes": 20_000})
    crowded = clusters[1]
    # all but 10,000 PEs are taken for two days, so that no waiting request finds room
    for cluster in clusters:
        await admin.post("/reservations", run(cluster, 10_000, NOW + DAY, NOW + 2 * DAY, DAY))
    full = [(await admin.post("/reservations", run(crowded, 20_000, NOW + 3 * DAY + i * 3600, NOW + 3 * DAY + (i + 1) * 3600, 3600)))[1]["id"] for i in range(24)]
    # an account may have a thousand requests waiting
    tokens = [(await admin.post("/accounts", {"name": f"waits-{RUN}-{i}", "role": "CLIENT"}))[1]["token"] for i in range(-(-WAITING // 1000))]
    began = time.time()
    numbers = iter(range(WAITING))

    async def queue(connection):
        for number in numbers:
            # every second request waits for a time in which reservations of one PE come and go, the others for a time without changes
            ready = NOW + DAY if number % 2 else NOW + 3 * DAY
            wish = run(crowded, 15_000 if number % 2 else 20_000, ready, ready + DAY, 3600 if number % 2 == 0 else DAY)
            status, body = await connection.post(
                "/reservations", wish | {"wait": {"until": instant(ready)}}, token=tokens[number % len(tokens)])
            if status != 202:
                raise SystemExit(body)

    await asyncio.gather(*(queue(Connection()) for _ in range(16)))
    print(f"{WAITING} requests wait, {WAITING / (time.time() - began):.0f}/s")
    took = []
    for one in full[:20]:
        granted = asyncio.create_task(first_grant(crowded))
        await asyncio.sleep(1)
        await admin.post(f"/reservations/{one}/cancel", None)
        began = time.time()
        took.append(max(0, await granted - began))
    print_times("from the response to a cancellation until the event that grants the longest-waiting request", took)
    for and_cancel in (False, True):
        for what in ("warming up", "measured"):
            figures = [await throughput(cluster, 8, 48, and_cancel) for cluster in clusters]
        deed = "reserved and cancelled" if and_cancel else "reserved"
        print(f"{deed}: {figures[0]:.0f}/s alone, {figures[1]:.0f}/s with waiting requests: {figures[1] / figures[0]:.2f}")


async def first_grant(cluster):
    """Returns the time at which the stream of events reports that a request of the cluster is granted."""
    reader, writer = await asyncio.open_connection(*HOST.split(":"))
    writer.write((f"GET /api/v1/events/stream HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {os.environ['TOKEN']}\r\n"
                  "Accept: text/event-stream\r\n\r\n").encode())
    while line := await reader.readline():
        if line.startswith(b"data:") and b'"granted"' in line and f'"{cluster}"'.encode() in line:
            writer.close()
            return time.time()


# ---- a feed


async def feed():
    admin, cluster, name = Connection(), "feed-" + RUN, "feed-" + RUN
    await admin.post("/clusters", {"id": cluster, "pes": 1_000})
    _, account = await admin.post("/accounts", {"name": name, "role": "CLIENT"})
    for i in range(ENTRIES):
        ready = NOW + DAY + i * 600
        await admin.post("/reservations", run(cluster, 1, ready, ready + 3600, 600), token=account["token"])
    _, made = await admin.post(f"/accounts/{name}/feeds", {}, token=account["token"])
    path = made["path"].removeprefix("/api/v1")
    whole, unchanged = [], []
    # a feed may be read about 60 times an hour, so read it only a few times
    for i in range(5):
        began = time.perf_counter()
        status, received, content = await admin.call("GET", path, Accept_Encoding="gzip")
        whole.append(time.perf_counter() - began)
        began = time.perf_counter()
        again, _, _ = await admin.call("GET", path, If_None_Match=received["etag"])
        unchanged.append(time.perf_counter() - began)
    plain = gzip.decompress(content) if received.get("content-encoding") == "gzip" else content
    print(f"{status}, {plain.count(b'BEGIN:VEVENT')} entries, {len(plain)} bytes, {len(content)} on the wire; unchanged: {again}")
    print_times("whole", whole)
    print_times("unchanged", unchanged)


# ---- a series


async def series():
    admin, cluster = Connection(), "series-" + RUN
    await admin.post("/clusters", {"id": cluster, "pes": 1024, "policy": {"horizon": "P400D"}})
    numbers = iter(range(LIVE))

    async def fill(connection):
        for number in numbers:
            ready = NOW + DAY + number * 37 % 370 * DAY + number * 7919 % DAY
            await connection.post("/reservations", run(cluster, 1 + number % 64, ready, ready + 2 * DAY, 600 + number % 7 * 1800))

    await asyncio.gather(*(fill(Connection()) for _ in range(16)))
    first = datetime.datetime.fromtimestamp(NOW + 2 * DAY, datetime.timezone.utc).strftime("%Y-%m-%dT22:00")
    wish = {"cluster": cluster, "terms": {"duration": "PT2H", "pes": 128}, "window": {"slack": "PT1H"}, "count": OCCURRENCES, "onConflict": "ANY",
            "recurrence": {"rrule": "FREQ=DAILY", "dtstart": first, "zone": "Europe/Berlin"}}
    ways = {"tried": [], "booked": [], "ended": [], "as single requests": []}
    for _ in range(6):
        began = time.perf_counter()
        await admin.post("/series", wish | {"dryRun": True})
        ways["tried"].append(time.perf_counter() - began)
        began = time.perf_counter()
        status, made = await admin.post("/series", wish)
        ways["booked"].append(time.perf_counter() - began)
        booked = [one for one in made["occurrences"] if one["state"] == "BOOKED"]
        began = time.perf_counter()
        await admin.post(f"/series/{made['id']}/end", {})
        ways["ended"].append(time.perf_counter() - began)
        began, singles = time.perf_counter(), []
        for i in range(OCCURRENCES):
            ready = NOW + 2 * DAY + i * DAY
            singles.append(await admin.post("/reservations", run(cluster, 128, ready, ready + 3 * 3600, 7200)))
        ways["as single requests"].append(time.perf_counter() - began)
        for status, one in singles:
            if status == 201:
                await admin.post(f"/reservations/{one['id']}/cancel", None)
    print(f"{LIVE} live reservations, {len(booked)} of {OCCURRENCES} occurrences booked; the first round is left out")
    for what, took in ways.items():
        print_times(what, took[1:])


asyncio.run({"series": series, "webhooks": webhooks, "waiting": waiting, "feed": feed}[sys.argv[2]]())
