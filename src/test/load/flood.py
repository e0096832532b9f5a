"""Measures how long a rejection with alternatives takes, and how long other clients wait while one account sends impossible requests.

    TOKEN=<an administrator's> python3 src/test/load/flood.py http://localhost:8080

Makes a cluster of 1,024 PEs with 10,000 reservations that have not started, and three accounts: use a service that you can throw
away. It takes about two minutes.
"""
import collections
import datetime
import http.client
import json
import multiprocessing
import os
import random
import sys
import time
import urllib.parse

HOST = urllib.parse.urlparse(sys.argv[1]).netloc
RUN = format(int(time.time()), "x")
CLUSTER = "flood-" + RUN
HOUR, DAY = 3600, 24 * 3600
NOW = int(time.time())


class Client:
    def __init__(self, token):
        self.token, self.connection = token, http.client.HTTPConnection(HOST, timeout=60)

    def post(self, path, body):
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        began = time.perf_counter()
        self.connection.request("POST", "/api/v1" + path, json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, time.perf_counter() - began, text


def reservation(pes, duration, ready, slack):
    instant = lambda second: datetime.datetime.fromtimestamp(second, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"cluster": CLUSTER, "terms": {"pes": pes, "duration": f"PT{duration}S", "readyTime": instant(ready),
                                          "deadline": instant(ready + duration + slack)}}


def ready():
    return NOW + HOUR + int(random.random() * 79 * DAY)


def usual():
    duration = int(600 * 48 ** random.random())
    slack = random.choice([0, random.randint(0, min(DAY, 4 * duration))])
    return reservation(2 ** random.randint(0, 8), duration, ready(), slack)


def impossible():
    return reservation(random.choice([1024, 900, 700]), 8 * HOUR, ready(), random.randint(0, DAY))


def small():
    return reservation(1, 600, ready(), 2 * HOUR)


def ask(token, request, seconds):
    client, end, answers = Client(token), time.time() + seconds, []
    while time.time() < end:
        answers.append(client.post("/reservations", request())[:2])
    return answers


def flood(token, seed, results):
    random.seed(seed)
    results.put(ask(token, impossible, 22))


def print_times(what, answers):
    times = sorted(seconds * 1000 for _, seconds in answers)
    at = lambda share: times[min(len(times) - 1, int(len(times) * share))]
    codes = dict(collections.Counter(status for status, _ in answers))
    print(f"{what}: {codes}, median {at(0.5):.1f} ms, 99 % {at(0.99):.1f} ms, most {times[-1]:.1f} ms", flush=True)


def main():
    random.seed(1)
    admin = Client(os.environ["TOKEN"])
    admin.post("/clusters", {"id": CLUSTER, "pes": 1024})
    filler, flooder, other = (
        json.loads(admin.post("/accounts", {"name": f"{name}-{RUN}", "role": "CLIENT"})[2])["token"]
        for name in ("filler", "flooder", "other"))
    client, waiting = Client(filler), 0
    while waiting < 10_000:
        waiting += client.post("/reservations", usual())[0] == 201
    for what in ("warming up, ", ""):
        print_times(what + "impossible requests, one after the other", ask(flooder, impossible, 20))
        print_times(what + "another client alone", ask(other, small, 8))
    results = multiprocessing.Queue()
    flooders = [multiprocessing.Process(target=flood, args=(flooder, seed, results)) for seed in range(8)]
    for process in flooders:
        process.start()
    time.sleep(1)
    during = ask(other, small, 20)
    print_times("impossible requests, eight at a time", [answer for _ in flooders for answer in results.get()])
    print_times("another client meanwhile", during)


if __name__ == "__main__":
    main()
