#!/usr/bin/env python3
"""Makes the database of a release that later versions must read: fixture.py JAR FILE.zip

Starts two Berths, has every kind of thing recorded in the first, and exports it. Takes two and a half minutes.
ReleaseIT reads the file, and says which kinds of things are not in it.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

NOW = datetime.now(timezone.utc).replace(microsecond=0)


def at(**ahead):
    """An instant, so far from when this began."""
    return (NOW + timedelta(**ahead)).isoformat()


def soon(seconds):
    """An instant, so many seconds from now."""
    return (datetime.now(timezone.utc).replace(microsecond=0) + timedelta(seconds=seconds)).isoformat()


def day(ahead, time_of_day="22:00"):
    return f"{(NOW + timedelta(days=ahead)).date()}T{time_of_day}"


def usd(amount):
    return {"amount": amount, "currency": "USD"}


class Berth:
    """A service on a data directory of its own."""

    def __init__(self, command, directory, **settings):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.command = command
        self.data = directory
        self.environment = {**os.environ, **settings, "BERTH_DATA_DIR": str(directory), "SERVER_PORT": str(self.port)}
        self.process = subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{self.port}"
        self.admin = None

    def await_start(self):
        for _ in range(600):
            try:
                urllib.request.urlopen(self.url + "/actuator/health", timeout=2).close()
                break
            except OSError:
                if self.process.poll() is not None:
                    sys.exit(f"The service ended with {self.process.returncode} before it was ready. See its log above.")
                time.sleep(1)
        self.admin = Account(self, (self.data / "admin.token").read_text().strip())

    def run(self, *arguments):
        subprocess.run([*self.command, *arguments], env=self.environment, check=True)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class Account:
    """Who makes calls."""

    def __init__(self, berth, token):
        self.berth = berth
        self.token = token

    def call(self, method, path, body=None, expect=(200, 201, 202, 204), **headers):
        request = urllib.request.Request(
            self.berth.url + "/api/v1" + path,
            None if body is None else json.dumps(body).encode(),
            {"Authorization": "Bearer " + self.token, "Content-Type": "application/json", **headers},
            method=method,
        )
        for _ in range(20):
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    status, text = response.status, response.read()
            except urllib.error.HTTPError as error:
                status, text = error.code, error.read()
            if status != 503:
                break
            time.sleep(6)  # on a busy machine the other Berth is asked in vain now and then
        if status not in expect:
            sys.exit(f"{method} {path} {json.dumps(body)}: {status} {text.decode()}")
        return json.loads(text) if text else {}

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body=None, **more):
        return self.call("POST", path, {} if body is None else body, **more)

    def put(self, path, body):
        return self.call("PUT", path, body)

    def patch(self, path, body):
        return self.call("PATCH", path, body)

    def reserve(self, cluster, pes, duration, ready=None, deadline=None, terms=None, **more):
        """Reserves; the terms may say more, and so may the request."""
        wanted = {"pes": pes, "duration": duration, "readyTime": ready, "deadline": deadline, **(terms or {})}
        expect = more.pop("expect", (201, 202))
        return self.post("/reservations", {"cluster": cluster, "terms": present(wanted), **more}, expect=expect)

    def act(self, reservation, action, body=None, **more):
        return self.post(f"/reservations/{reservation['id']}/{action}", body, **more)

    def until(self, reservation, *states):
        """Waits until it is in one of these states."""
        for _ in range(240):
            found = self.get("/reservations/" + reservation["id"])
            if found["state"] in states:
                return found
            time.sleep(0.5)
        sys.exit(f"Still {found}")


def present(fields):
    return {name: value for name, value in fields.items() if value is not None}


def accounts(berth):
    def account(name, role="CLIENT", **more):
        made = berth.admin.post("/accounts", {"name": name, "role": role, **more})
        return Account(berth, made["token"])

    limits = {"activeReservations": 500, "pes": 4096, "peHours": 100000, "jobs": 50, "holds": 9, "maxHold": "PT1H"}
    ada = account("ada", serviceClass="PREMIUM", priority=8, limits=limits, leads=["PT1H", "P1D"])
    bob = account("bob")
    account("vic", "VIEWER")
    gone = account("gone")
    gone.reserve("main", 1, "PT1H", at(days=9))
    berth.admin.call("DELETE", "/accounts/gone")
    agent = account("slurm-sp2", "AGENT", cluster="sp2")
    return ada, bob, agent


def clusters(berth):
    post = berth.admin.post
    load = [{"above": 0.8, "factor": 1.5}]
    tariff = {"loadProfile": load, "cancellation": {"freeUntil": "P1D", "share": 0.5}}
    labels = {"gpu": "a100", "os": "linux"}
    post("/clusters", {"id": "main", "pes": 32, "labels": labels, "tariff": tariff}, **{"Idempotency-Key": "main"})
    post("/clusters", {"id": "tight", "pes": 4, "policy": {"juggling": "LEAST_MOVES", "notice": "PT0S"}})
    post("/clusters", {"id": "claims", "pes": 4, "rating": 2, "policy": {"claimWithin": "PT2S"}})
    enforced = {"enforcement": "REPORTED", "jobs": "OUTSIDE", "visibility": "NAMES"}
    post("/clusters", {"id": "sp2", "pes": 8, "granule": 2, "peNames": "n[1-4]", "binding": "EARLY", "policy": enforced})
    post("/clusters", {"id": "queue", "pes": 8, "policy": {"availability": "WHAT_IF", "placement": "PE_BEST_FIT"}})
    post("/clusters", {"id": "parts", "pes": 2})
    post("/clusters", {"id": "rounds", "pes": 4, "intake": {"order": "DPSAR", "window": "PT2S"}})
    post("/clusters", {"id": "later", "pes": 4, "intake": {"order": "DPSAR", "window": "PT1H"}})
    berth.admin.patch("/clusters/main", {"pes": 40, "policy": {"limits": {"leadTime": "PT0S", "maxDuration": "P30D"}}})


def projects(berth, ada, bob):
    post = berth.admin.post
    post("/projects", {"id": "climate", "name": "Climate models", "mode": "ENFORCE"})
    post("/projects", {"id": "archive", "name": "Archive"})
    for project, name, role in (("climate", "ada", "OWNER"), ("climate", "bob", "VIEWER"), ("archive", "bob", "MEMBER")):
        berth.admin.put(f"/projects/{project}/members/{name}", {"role": role})
    post("/projects/climate/grants", {"id": "q1", "amount": usd("300.00"), "creditLimit": usd("5.00"), "until": at(days=120)})
    post("/projects/climate/grants", {"id": "over", "amount": usd("1.00"), "until": at(days=120)})
    berth.admin.call("DELETE", "/projects/climate/grants/over")
    post("/projects/archive/grants", {"id": "hours", "amount": {"peHours": 1000}, "until": at(days=120)})
    ada.reserve("main", 30, "PT3H", at(days=3), fixed(3, 3), project="climate", name="most of the budget")
    refused = ada.reserve("main", 30, "PT3H", at(days=4), project="climate", expect=(403,))
    assert refused["code"] == "budget-exceeded", refused
    ada.reserve("main", 2, "PT1S", project="climate", name="charged")
    bob.reserve("main", 4, "PT2H", at(days=5), project="archive")
    bob.reserve("main", 4, "PT2H", at(days=5), project="a label")


def fixed(days, hours):
    return at(days=days, hours=hours)


def terms(berth, ada, bob):
    ada.reserve("main", 4, "PT2H", at(days=1), at(days=2), name="flexible", users=["ada", "bob"], terms={"budget": usd("80.00")})
    shapes = {"runtimes": {"8": "PT4H", "16": "PT2H"}}
    ada.reserve("main", None, None, at(days=1), at(days=3), terms={"moldability": shapes, "requires": {"gpu": "a100"}})
    curve = {"speedup": "AMDAHL", "serialFraction": 0.25, "allowedPes": "POWERS_OF_TWO"}
    split = {"maxParts": 3, "step": 0.25, "moldableParts": True}
    several = {"minPes": 2, "maxPes": 8, "moldability": curve, "preemption": split, "fixAfter": 0.5, "fixBefore": "PT1H"}
    bob.reserve("main", None, "PT4H", at(days=1), at(days=4), terms=several)
    chosen = at(days=2)
    bob.reserve("main", 2, "PT1H", start=chosen, name="chosen")

    changed = ada.reserve("main", 4, "PT2H", at(days=6), at(days=8))
    ada.act(changed, "renegotiations", {"terms": {"deadline": at(days=9), "pes": 6}})
    proposed = [bob.reserve("main", 2, "PT1H", at(days=6), at(days=8)) for _ in range(3)]
    offer = {"terms": {"deadline": at(days=10)}, "incentive": usd("0.50"), "expiresAt": at(days=1)}
    for reservation, answer in zip(proposed, ("accept", "decline", None)):
        number = berth.admin.act(reservation, "renegotiations", offer)["number"]
        if answer:
            bob.act(reservation, f"renegotiations/{number}/{answer}")
    bob.act(bob.reserve("main", 2, "PT1H", at(days=6), at(days=8)), "fix")


def lives(berth, ada, bob):
    """What becomes of reservations."""
    ada.reserve("main", 1, "PT2S", name="kept to its end")
    running = ada.reserve("main", 1, "PT20H", name="runs")
    early = ada.reserve("main", 1, "PT1H", name="ends early")
    ada.reserve("main", 1, "PT1H", at(days=1), hold="PT10M", name="held")
    expired = ada.reserve("main", 1, "PT1H", at(days=1), hold="PT1S", name="expires")
    confirmed = bob.reserve("main", 1, "PT1H", at(days=1), hold="PT10M", name="held and confirmed")
    bob.act(confirmed, "confirm")
    late = bob.reserve("main", 1, "PT1H", at(hours=2), name="given up late", project="archive")
    bob.act(late, "cancel")
    bob.act(bob.reserve("main", 1, "PT1H", at(days=9), name="given up in time"), "cancel")
    ada.until(running, "RUNNING")
    ada.act(running, "extend", {"by": "PT1H"})
    ada.until(early, "RUNNING")
    ada.act(early, "complete")
    ada.until(expired, "EXPIRED")

    goes_on = {"autoExtend": {"step": "PT1M", "until": at(minutes=30)}}
    ada.reserve("main", 1, "PT62S", name="goes on", terms=goes_on)
    cannot = ada.reserve("tight", 4, "PT62S", name="cannot go on", terms=goes_on)
    begins = ada.until(cannot, "RUNNING")["placement"]["end"]
    next_one = bob.reserve("tight", 4, "PT1M", start=begins, name="is in its way")
    ada.until(cannot, "COMPLETED")
    bob.until(next_one, "COMPLETED", "RUNNING")

    unclaimed = bob.reserve("claims", 1, "PT10M", name="not claimed")
    claimed = bob.reserve("claims", 1, "PT10M", name="claimed")
    bob.until(claimed, "RUNNING")
    bob.act(claimed, "claim")
    bob.until(unclaimed, "CANCELLED")

    # runs before another one and behind it
    bob.reserve("parts", 2, "PT3S", start=soon(20), name="between two parts")
    split = {"preemption": {"maxParts": 2, "step": 0.5}}
    paused = ada.reserve("parts", 2, "PT6S", soon(17), soon(40), name="pauses", terms=split)
    assert len(paused["placement"]["parts"]) == 2, paused
    ada.until(paused, "COMPLETED")


def moves(berth, ada, bob):
    moved = ada.reserve("tight", 4, "PT1H", at(days=1), at(days=1, hours=3), name="moved")
    bob.reserve("tight", 4, "PT1H", at(days=1), at(days=1, hours=1), name="moves it")
    assert ada.get("/reservations/" + moved["id"])["flags"] == ["moved"]
    failed = bob.reserve("tight", 4, "PT1H", at(days=3), at(days=3, hours=1), name="loses its PEs", project="archive")
    path = "/clusters/tight/outages"
    berth.admin.post(path, {"pes": 4, "from": at(days=3), "to": at(days=3, hours=2), "reason": "rack 3"})
    assert bob.get("/reservations/" + failed["id"])["state"] == "FAILED"
    ended = berth.admin.post(path, {"pes": 1, "from": at(days=20), "to": at(days=21)})
    berth.admin.call("DELETE", f"{path}/{ended['id']}")
    berth.admin.post("/clusters/main/outages", {"pes": 1, "reason": "open"})
    pair = [{"cluster": name, "terms": {"duration": "PT1H", "pes": 4, "readyTime": at(days=12)}} for name in ("tight", "main")]
    ada.post("/coallocations", {"parts": pair, "name": "degraded"})
    time.sleep(1)
    berth.admin.post(path, {"pes": 4, "from": at(days=12), "to": at(days=12, hours=2)})


def elsewhere(berth, there, ada, bob):
    there.admin.post("/clusters", {"id": "rack", "pes": 8})
    peer = {"url": there.url, "token": there.admin.token, "cluster": "rack"}
    berth.admin.post("/clusters", {"id": "far", "peer": peer})
    ada.reserve("far", 2, "PT1H", at(days=1), name="at another Berth")
    bob.act(bob.reserve("far", 2, "PT1H", at(days=1), name="given up at another Berth"), "cancel")
    pair = [{"cluster": name, "terms": {"duration": "PT1H", "pes": 2, "readyTime": at(days=2)}} for name in ("main", "far")]
    made = ada.post("/coallocations", {"parts": pair, "name": "pair"})
    for _ in range(60):
        if ada.get("/coallocations/" + made["id"])["state"] == "CONFIRMED":
            break
        time.sleep(0.5)
    given_up = bob.post("/coallocations", {"parts": pair})
    bob.post(f"/coallocations/{given_up['id']}/cancel")
    ada.reserve("far", 8, "PT1H", at(days=5), fixed(5, 1))
    ada.reserve("far", 8, "PT1H", at(days=5), fixed(5, 1), expect=(409,))
    # collected for all clusters, and not decided soon
    ada.post("/reservations", {"terms": {"duration": "PT1H", "pes": 2}, "name": "anywhere"}, expect=(202,))


def batch(berth, ada, bob):
    submit = lambda who, pes, estimate: who.post("/clusters/queue/jobs", {"name": "sweep", "pes": pes, "estimate": estimate})
    first, second, third = submit(ada, 4, "PT2H"), submit(ada, 4, "PT3H"), submit(bob, 8, "PT1H")
    submit(bob, 8, "PT4H")
    time.sleep(2)
    ada.post(f"/clusters/queue/jobs/{first['id']}/complete")
    bob.post(f"/clusters/queue/jobs/{third['id']}/cancel")
    berth.admin.post("/clusters/queue/outages", {"pes": 7, "to": soon(5)})
    assert second["id"]
    bob.reserve("queue", 2, "PT1H", at(days=1), name="beside jobs")


def machine(berth, agent, ada):
    """A cluster that something outside follows."""
    jobs = [
        {"name": "4711", "owner": "eve", "peIds": "0-1", "estimate": "PT12H", "submittedAt": at(hours=-2), "startedAt": at(hours=-1)},
        {"name": "4712", "pes": 8, "estimate": "PT1H", "submittedAt": at(hours=-1)},
    ]
    agent.put("/clusters/sp2/jobs", {"jobs": jobs})
    agent.put("/clusters/sp2/outages/nodes", {"outages": [{"peIds": "6-7", "reason": "drained"}]})
    placed = ada.reserve("sp2", 2, "PT1H", at(days=1), fixed(1, 1), name="in place", users=["ada"])
    not_placed = ada.reserve("sp2", 2, "PT1H", at(days=1), fixed(1, 1), name="not in place")
    where = placed["placement"]
    told = [
        {"id": placed["id"], "state": "MATERIALISED", "handle": "berth.sp2.0", "nodes": "n2",
         "start": where["start"], "end": where["end"], "peIds": where["peIds"]},
        {"id": not_placed["id"], "state": "FAILED", "detail": "no such user"},
    ]
    agent.put("/clusters/sp2/enforcement", {"agent": "head1", "version": "7", "sequence": 1, "reservations": told})
    berth.admin.get("/clusters/sp2/enforcement")


def collected(ada, bob):
    granted = ada.reserve("rounds", 4, "PT1H", at(days=1), fixed(1, 1), name="granted in a round", project="a label")
    refused = bob.reserve("rounds", 4, "PT1H", at(days=1), fixed(1, 1), name="refused in a round")
    ada.until(granted, "CONFIRMED")
    bob.until(refused, "REJECTED")
    withdrawn = bob.reserve("later", 2, "PT1H", at(days=1), name="withdrawn")
    bob.act(withdrawn, "cancel")
    leeway = {"maxPhi": 0.5, "earlier": True}
    ada.reserve("later", 2, "PT1H", at(days=1), name="pending", acceptAlternatives=leeway, project="a label")


def waiting(ada, bob):
    in_the_way = bob.reserve("tight", 4, "PT1H", at(days=40), fixed(40, 1))
    room = {"readyTime": at(days=40), "deadline": fixed(40, 1), "duration": "PT1H", "pes": 4}
    wait = lambda who, **more: who.post("/reservations", {"cluster": "tight", "terms": room, **more}, expect=(202,))
    granted = wait(ada, wait={}, name="waited and granted")
    bob.act(in_the_way, "cancel")
    ada.until(granted, "CONFIRMED")
    wait(bob, wait={}, name="waits")
    bob.act(wait(bob, wait={}), "cancel")
    bob.until(wait(bob, wait={"until": soon(2)}, name="waited in vain"), "EXPIRED")
    ada.reserve("tight", 4, "PT1H", at(days=40), fixed(40, 1), expect=(409,))


def series(berth, ada, bob):
    def make(rule, ahead, more, **terms_too):
        recurrence = {"rrule": rule, "dtstart": day(ahead), "zone": "UTC"}
        body = {"cluster": "main", "terms": {"duration": "PT2H", "pes": 3, **terms_too}, "recurrence": recurrence, **more}
        return bob.post("/series", body, **{"Idempotency-Key": more["name"].replace(" ", "-")})

    make("FREQ=WEEKLY;BYDAY=TU", 7, {"count": 30, "name": "goes on", "window": {"slack": "PT2H"}, "project": "archive"})
    berth.admin.reserve("main", 38, "PT2H", day(51) + ":00Z", name="in its way", terms={"deadline": day(52, "00:00") + ":00Z"})
    some = make("FREQ=DAILY;COUNT=3", 50, {"onConflict": "ANY", "name": "refused on a day"})
    assert [one["state"] for one in some["occurrences"]].count("REFUSED") == 1, some
    ended = make("FREQ=DAILY;COUNT=4", 60, {"name": "ends"})
    bob.post(f"/series/{ended['id']}/end", {"from": day(62)[:10]})
    monthly = {"rrule": "FREQ=MONTHLY;BYDAY=1TU", "dtstart": day(30, "08:00"), "zone": "Europe/Berlin"}
    body = {"pes": 2, "duration": "PT8H", "reason": "patch day", "count": 12, "recurrence": monthly}
    berth.admin.post("/clusters/main/maintenances", body)


def listeners(berth, ada, bob):
    ada.post("/webhooks", {"url": "http://127.0.0.1:9/", "types": ["confirmed", "starting"], "leads": ["PT1H"], "format": "THIN"})
    bob.post("/webhooks", {"url": "http://127.0.0.1:9/", "project": "climate"})
    silent = berth.admin.post("/webhooks", {"url": "http://127.0.0.1:9/", "format": "CLOUDEVENTS"})
    berth.admin.post(f"/webhooks/{silent['id']}/secret")
    berth.admin.patch(f"/webhooks/{silent['id']}", {"enabled": False})
    ada.post("/accounts/ada/feeds", {})
    ada.post("/accounts/ada/feeds", {"project": "climate"})


# what tells the kinds of things apart
KINDS = ("binding", "code", "format", "kind", "mode", "owed", "role", "source", "state", "type", "unit")


def tightly(file):
    """Compresses the export as tightly as it can be, and writes beside it how many things of each kind are in it."""
    with zipfile.ZipFile(file) as loose:
        entries = {entry.filename: loose.read(entry) for entry in loose.infolist()}
    with zipfile.ZipFile(file, "w") as tight:
        for name, content in entries.items():
            tight.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
    counts = {}
    for table in json.loads(entries["manifest.json"])["tables"]:
        lines = entries[table["name"] + ".copy"].decode().splitlines()
        counts[table["name"]] = {"rows": len(lines)}
        for column, *values in zip(table["columns"], *(line.split("\t") for line in lines)):
            if column in KINDS:
                counts[table["name"]][column] = dict(sorted(Counter(value for value in values if value != r"\N").items()))
    file.with_suffix(".json").write_text(json.dumps(counts, indent=1) + "\n")
    print("Nothing is in", ", ".join(table for table, count in counts.items() if not count["rows"]))


def main(command, file):
    file.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        there = Berth(command, Path(directory, "there"))
        settings = {"BERTH_WEBHOOKS_ALLOW": "127.0.0.0/8", "BERTH_BROKER_INTAKE_ORDER": "DPSAR", "BERTH_BROKER_INTAKE_WINDOW": "PT1H"}
        berth = Berth(command, Path(directory, "here"), **settings)
        try:
            there.await_start()
            berth.await_start()
            clusters(berth)
            ada, bob, agent = accounts(berth)
            projects(berth, ada, bob)
            listeners(berth, ada, bob)
            terms(berth, ada, bob)
            moves(berth, ada, bob)
            elsewhere(berth, there, ada, bob)
            batch(berth, ada, bob)
            machine(berth, agent, ada)
            collected(ada, bob)
            waiting(ada, bob)
            series(berth, ada, bob)
            lives(berth, ada, bob)
            berth.run("export", "--out", str(file))
        finally:
            berth.stop()
            there.stop()
    tightly(file)
    print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(["java", "-jar", sys.argv[1]], Path(sys.argv[2]).absolute())
