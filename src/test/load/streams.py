"""Measures what open streams of events cost, and how soon they receive events.

    TOKEN=<an administrator's> python3 src/test/load/streams.py http://localhost:8080 500 PROCESS

opens 500 streams of viewers, who receive all events: a hundred per account, twenty at a time. It then books ten runs a second for twenty
seconds, and prints how long after each response the streams received the event. PROCESS is the process id of the service, for its memory
and threads. Use a service that you can throw away. With QUIET=60 the streams belong to clients without reservations, and the program only
keeps them open, for 60 seconds.
"""
import asyncio
import datetime
import json
import os
import sys
import time
import urllib.parse
import urllib.request

URL, NUMBER, PROCESS = sys.argv[1], int(sys.argv[2]), sys.argv[3]
HOST = urllib.parse.urlparse(URL).netloc
QUIET = int(os.environ.get("QUIET", 0))
RUN = format(int(time.time()), "x")
CLUSTER = "streams-" + RUN
RATE, SECONDS = 10, 20


def post(path, body, token=os.environ["TOKEN"]):
    request = urllib.request.Request(URL + "/api/v1" + path, json.dumps(body).encode(),
                                     {"Authorization": "Bearer " + token, "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def service():
    with open(f"/proc/{PROCESS}/status") as lines:
        status = dict(line.split(":", 1) for line in lines)
    return f"resident {int(status['VmRSS'].split()[0]) // 1024} MB, {status['Threads'].strip()} threads"


class Stream:
    def __init__(self, token):
        self.token, self.received, self.is_open = token, {}, False

    async def listen(self):
        host, port = HOST.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write((f"GET /api/v1/events/stream HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {self.token}\r\n"
                      "Accept: text/event-stream\r\n\r\n").encode())
        while line := await reader.readline():
            if line.startswith(b"HTTP/1.1 ") and not line.startswith(b"HTTP/1.1 200"):
                raise SystemExit(line.decode())
            self.is_open |= line.startswith(b"id:")
            if line.startswith(b"data:") and b'"confirmed"' in line:
                at = line.index(b'"reservation":"') + 15
                self.received[line[at:at + 36].decode()] = time.time()


async def main():
    role = "CLIENT" if QUIET else "VIEWER"
    tokens = [post("/accounts", {"name": f"{role.lower()}-{RUN}-{i}", "role": role})["token"] for i in range(-(-NUMBER // 100))]
    post("/clusters", {"id": CLUSTER, "pes": 100000})
    client = post("/accounts", {"name": f"books-{RUN}", "role": "CLIENT"})["token"]
    print("before:", service())
    streams = [Stream(tokens[i // 100]) for i in range(NUMBER)]
    listening = []
    for i in range(0, NUMBER, 20):
        listening += [asyncio.create_task(stream.listen()) for stream in streams[i:i + 20]]
        while not all(stream.is_open for stream in streams[i:i + 20]):
            await asyncio.sleep(0.05)
    print(f"{NUMBER} open:", service(), flush=True)
    if QUIET:
        await asyncio.sleep(QUIET)
        return
    answered = {}
    begin = time.time()
    ready = datetime.datetime.fromtimestamp(begin + 86400, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    for i in range(RATE * SECONDS):
        await asyncio.sleep(max(0, begin + i / RATE - time.time()))
        booked = await asyncio.to_thread(
            post, "/reservations", {"cluster": CLUSTER, "terms": {"pes": 1, "duration": "PT1H", "readyTime": ready}}, client)
        answered[booked["id"]] = time.time()
    await asyncio.sleep(3)
    delays = sorted(1000 * (stream.received[id] - at) for stream in streams for id, at in answered.items() if id in stream.received)
    missed = NUMBER * len(answered) - len(delays)
    of = lambda share: delays[min(len(delays) - 1, int(share * len(delays)))]
    print(f"{len(answered)} booked, {len(delays)} events received, {missed} missed; after the response: median {of(0.5):.0f} ms, "
          f"p95 {of(0.95):.0f} ms, p99 {of(0.99):.0f} ms, most {of(1):.0f} ms")
    print("after:", service())
    for task in listening:
        task.cancel()


asyncio.run(main())
