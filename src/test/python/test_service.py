"""Tests of the client with the running Berth at BERTH_TEST_URL. BERTH_TEST_TOKEN is the token of an administrator."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

from test_berth import CLIENT, berth, command, inside

URL = os.environ["BERTH_TEST_URL"]
UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000"


def administrator():
    return berth.Berth(URL, os.environ["BERTH_TEST_TOKEN"])


class Service(unittest.TestCase):
    """Base of the tests. Each test has its own cluster and client."""

    def setUp(self):
        name = f"t{time.time_ns()}"
        self.admin = administrator()
        self.cluster = self.admin.call("POST", "/clusters", {"id": name, "pes": 64, "policy": self.policy()})["id"]
        self.token = self.admin.call("POST", "/accounts", {"name": name, "role": "CLIENT"})["token"]
        self.environment = {"BERTH_URL": URL, "BERTH_TOKEN": self.token}
        self.berth = berth.Berth(URL, self.token)
        self.addCleanup(self.admin.close)
        self.addCleanup(self.berth.close)

    def policy(self):
        return {"visibility": "NAMES"}

    def do(self, *words, code=0, **more):
        return command(*words, code=code, environment={**self.environment, **more})

    def reserve(self, *words):
        return self.do("reserve", "--cluster", self.cluster, "--pes", "4", "--for", "1h", "-o", "id", *words).stdout.strip()

    def state(self, id_):
        return self.berth.reservation(id_)["state"]


class Commands(Service):
    def test_a_client_probes_reserves_and_cancels(self):
        window = ("--pes", "4", "--for", "1h", "--ready", "tomorrow 14:00", "--deadline", "tomorrow 20:00")
        found = json.loads(self.do("probe", "--cluster", self.cluster, *window, "-o", "json").stdout)
        id_ = self.reserve(*window[4:], "--name", "first run", "--project", "climate", "--user", "ada")
        there = self.berth.reservation(id_)
        self.assertEqual(there["placement"]["start"], found["slots"][0]["start"])
        tomorrow = (datetime.now(timezone.utc) + timedelta(days=1)).strftime("%Y-%m-%dT14:00:00Z")
        self.assertEqual(there["terms"]["readyTime"], tomorrow)
        self.assertEqual((there["project"], there["users"]), ("climate", ["ada"]))
        listed = self.do("list").stdout.splitlines()
        self.assertEqual(len(listed), 2)
        self.assertIn(id_[-12:], listed[1])
        for named in (id_, id_[-6:], "first run"):
            self.assertIn(f"id             {id_}", self.do("show", named).stdout)
        self.assertIn("4 first run", self.do("plan", "--for", "3d").stdout)
        self.assertIn(self.do("account", "-o", "id").stdout.strip()[:10], self.do("plan", "--for", "3d", "--cluster", self.cluster).stdout)
        self.assertEqual(self.do("cancel", "first run", "-o", "id").stdout.strip(), id_)
        self.assertEqual(self.do("list").stdout, "")
        self.assertEqual(self.do("list", "--all", "-o", "id").stdout.strip(), id_)
        self.assertIn("CANCELLED", self.do("list", "--state", "CANCELLED").stdout)
        self.assertEqual(json.loads(self.do("cancel", id_, "-o", "json", code=7).stderr)["code"], "wrong-state")
        other = self.reserve(*window[4:])
        # the output has the cancellations before the failure
        output = self.do("cancel", other, UNKNOWN_ID, "-o", "id", code=5)
        self.assertEqual(output.stdout.strip(), other)

    def test_a_repeated_command_reserves_once(self):
        words = ("--ready", "tomorrow 10:00", "--key", "monday")
        self.assertEqual(self.reserve(*words), self.reserve(*words))
        refused = self.do("reserve", "--cluster", self.cluster, "--pes", "5", "--for", "1h", "--key", "monday", code=2)
        self.assertIn("key", refused.stderr)

    def test_a_hold_is_confirmed(self):
        id_ = self.reserve("--ready", "+2h", "--hold", "5m")
        self.assertIn("held 4m", self.do("list").stdout)
        self.do("wait", id_, "--for", "confirmed", "--timeout", "1s", code=6)
        self.do("confirm", id_)
        self.assertEqual(self.do("wait", id_, "--for", "confirmed", "-o", "id").stdout.strip(), id_)

    def test_a_client_changes_the_terms(self):
        id_ = self.reserve("--ready", "+2h", "--deadline", "+10h")
        output = self.do("renegotiate", id_, "--for", "2h", "--dry-run")
        self.assertRegex(output.stdout, r"(?m)^price +\S+ \S+ (\u2192|->) ")
        self.assertEqual(self.berth.reservation(id_)["terms"]["duration"], "PT1H")
        self.do("renegotiate", id_, "--for", "2h", "--deadline", "+12h")
        self.assertEqual(self.berth.reservation(id_)["terms"]["duration"], "PT2H")
        agreed = json.loads(self.do("extend", id_, "--by", "1h", "--at-least", "30m", "-o", "json").stdout)
        self.assertEqual(agreed["reservation"]["terms"]["duration"], "PT3H")
        self.do("fix", id_, "--dry-run")
        self.assertTrue(self.berth.reservation(id_)["movable"])
        self.do("fix", id_)
        self.assertIn("final", self.do("list").stdout)
        kinds = [event["type"] for event in json.loads(self.do("events", id_, "-o", "json").stdout)]
        self.assertEqual(kinds[0], "confirmed")
        self.assertIn("renegotiated", kinds)
        rows = list(csv.DictReader(io.StringIO(self.do("events", "-o", "csv").stdout)))
        self.assertEqual({row["reservation"] for row in rows}, {id_})
        self.do("cancel", id_)
        followed = [json.loads(line)["type"] for line in self.do("events", id_, "--follow", "-o", "json").stdout.splitlines()]
        self.assertEqual((followed[: len(kinds)], followed[-1]), (kinds, "cancelled"))

    def test_a_client_sees_why_a_request_was_refused(self):
        self.do("reserve", "--cluster", self.cluster, "--pes", "65", "--for", "1h", code=2)
        found = []
        while not found:
            time.sleep(0.1)
            found = self.berth.refusals(cluster=self.cluster, code="never-fits")
        self.assertEqual([each["terms"]["pes"] for each in found], [65])
        self.assertIn("never-fits", self.do("refusals", "--since=-1h").stdout)

    def test_a_client_changes_the_users(self):
        id_ = self.reserve("--ready", "+2h", "--user", "ada")
        self.assertIn("users          bob carol", self.do("users", id_, "--user", "bob", "--user", "carol").stdout)
        self.assertEqual(self.berth.reservation(id_)["users"], ["bob", "carol"])
        self.assertEqual(self.do("users", id_, "--owner", "-o", "id").stdout.strip(), id_)
        self.assertEqual(self.berth.reservation(id_)["users"], [])
        self.do("users", id_, code=2)
        self.assertIn("--user: must be the name of a user", self.do("users", id_, "--user", "a b", code=2).stderr)

    def test_an_operator_manages_clusters_accounts_and_outages(self):
        as_admin = {"BERTH_TOKEN": os.environ["BERTH_TEST_TOKEN"]}
        big, name = self.cluster + "-b", self.cluster + "-a"
        self.do("admin", "cluster", "create", big, "--pes", "32", "--granule", "8", "--set", "policy.horizon=30d", code=4)
        self.do("admin", "cluster", "create", big, "--pes", "32", "--granule", "8", "--nodes", "n[1-4]", "--set", "policy.horizon=30d", **as_admin)
        self.do("admin", "cluster", "create", big, "--pes", "32", code=7, **as_admin)
        self.assertRegex(self.do("admin", "cluster", **as_admin).stdout, rf"{big} +32 +8 +OPEN +1.00 USD +30d ")
        self.do("admin", "cluster", "change", big, "--closed", "--dry-run", **as_admin)
        self.do("admin", "cluster", "change", big, "--price", "cheap", code=2, **as_admin)
        made = self.do("admin", "account", "create", name, "--max-pes", "16", **as_admin)
        token = {"BERTH_TOKEN": made.stdout.split()[-1]}
        self.assertEqual(self.do("account", "-o", "id", **token).stdout.strip(), name)
        self.do("reserve", "--cluster", big, "--gpus", "24", "--for", "1h", code=4, **token)
        self.do("admin", "account", "change", name, "--max-pes", "none", **as_admin)
        id_ = self.do("reserve", "--cluster", big, "--gpus", "24", "--for", "1h", "--ready", "+2h", "--slack", "6h", "-o", "id", **token).stdout.strip()
        outage = ("admin", "outage", "create", "--cluster", big, "--pes", "16", "--from", "+1h", "--for", "4h")
        self.assertIn("1 reservation would move", self.do(*outage, "--dry-run", **as_admin).stderr)
        self.assertEqual(self.do("admin", "outage", "--cluster", big, "-o", "id", **as_admin).stdout, "")
        recorded = self.do(*outage, "-o", "id", **as_admin).stdout.strip()
        self.assertIn("PES_LOST", self.do("events", id_, **token).stdout)
        self.do("admin", "outage", "end", "--cluster", big, recorded[-6:], **as_admin)
        window = ("--pes", "8", "--at", "+40d", "--for", "1h", "--rrule", "FREQ=WEEKLY", "--count", "2")
        kept = self.do("admin", "maintenance", "create", "--cluster", big, *window, "-o", "id", TZ="Europe/Berlin", **as_admin).stdout.strip()
        self.assertIn("FREQ=WEEKLY", self.do("admin", "maintenance", "--cluster", big, **as_admin).stdout)
        self.do("admin", "maintenance", "end", "--cluster", big, kept, **as_admin)
        old = token
        token = {"BERTH_TOKEN": self.do("admin", "account", "token", name, **as_admin).stdout.split()[-1]}
        self.assertIn("berth login --url", self.do("account", code=4, **old).stderr)
        self.do("admin", "account", "delete", name, **as_admin)
        self.do("account", code=4, **token)

    def test_what_is_free_is_shown(self):
        self.assertRegex(self.do("free", "--cluster", self.cluster).stdout, rf"{self.cluster} +64 +64 +-")
        self.reserve("--terms", '{"pes":40}')
        self.assertRegex(self.do("free", "--cluster", self.cluster).stdout, rf"{self.cluster} +64 +16\+ +32 at .*, 64 at ")

    def test_the_version_is_shown(self):
        output = self.do("version").stdout
        self.assertRegex(output, rf"(?m)^Berth \S+ at {URL}$")
        self.assertIn("is the file that this service offers", output)

    def test_a_client_answers_proposals(self):
        id_ = self.reserve("--ready", "+2h", "--deadline", "+10h")
        self.do("accept", id_, code=7)
        later = berth.iso_instant("+12h")
        offer = {"terms": {"deadline": later}, "incentive": {"amount": "1.00", "currency": "USD"}, "expiresAt": berth.iso_instant("+1h")}
        self.admin.act(id_, "renegotiations", offer)
        self.assertIn("proposal", self.do("show", id_).stdout)
        self.do("accept", id_)
        self.assertEqual(self.berth.reservation(id_)["terms"]["deadline"][:16], later[:16])

    def test_a_rejection_shows_the_changes_that_would_fit(self):
        self.reserve("--start", "+3h", "--terms", '{"pes":64}')
        window = ("--cluster", self.cluster, "--pes", "64", "--for", "1h", "--ready", "+3h", "--deadline", "+4h10m")
        refused = self.do("reserve", *window, code=3)
        self.assertIn("Any one of these changes is enough: ", refused.stderr)
        self.assertIn("Slots outside the window:", refused.stderr)
        refused = json.loads(self.do("reserve", *window, "-o", "json", code=3).stderr)
        self.assertEqual((refused["code"], refused["status"]), ("no-slot", 409))
        self.assertEqual(json.loads(self.do("probe", *window, "-o", "json", code=3).stdout)["slots"], [])
        self.do("reserve", *window[:6], "--budget", "0.01 USD", code=3)
        self.assertEqual(len(self.do("reserve", *window, "--accept-alternatives", "1", "-o", "id").stdout.strip()), 36)

    def test_a_client_lists_clusters_and_accounts_and_submits_jobs(self):
        self.assertIn(self.cluster, self.do("clusters", "-o", "id").stdout.split())
        self.assertIn("1.00 USD", self.do("clusters").stdout)
        job = self.berth.call("POST", f"/clusters/{self.cluster}/jobs", {"pes": 1, "estimate": "PT1H", "name": "sweep"}, key="j")
        self.assertIn("sweep", self.do("jobs", "--cluster", self.cluster).stdout)
        self.assertEqual(self.do("jobs", "--cluster", self.cluster, "-o", "id").stdout.strip(), job["id"])
        words = ("jobs", "submit", "--cluster", self.cluster, "--pes", "64", "--for", "1h", "--name", "wide", "--key", "w", "-o", "id")
        wide = self.do(*words).stdout.strip()
        self.assertEqual(self.do(*words).stdout.strip(), wide)
        self.assertEqual(self.do("jobs", "--cluster", self.cluster, "-o", "id").stdout.split(), [wide, job["id"]])
        self.do("jobs", "submit", "--cluster", self.cluster, "--pes", "65", "--for", "1h", code=2)
        output = json.loads(self.do("jobs", "cancel", "--cluster", self.cluster, "wide", job["id"][-12:], "-o", "json").stdout)
        self.assertEqual([(each["id"], each["state"]) for each in output], [(wide, "CANCELLED"), (job["id"], "CANCELLED")])
        self.do("jobs", "cancel", "--cluster", self.cluster, wide, code=7)
        self.assertEqual(json.loads(self.do("account", "-o", "json").stdout)["role"], "CLIENT")

    def test_members_see_the_reservations_of_a_project(self):
        project, other = self.cluster + "-p", self.cluster + "-o"
        token = self.admin.call("POST", "/accounts", {"name": other, "role": "CLIENT"})["token"]
        administrator_s = {"BERTH_TOKEN": os.environ["BERTH_TEST_TOKEN"]}
        self.do("project", "create", project, code=4)
        self.assertIn("Climate", self.do("project", "create", project, "--name", "Climate", **administrator_s).stdout)
        self.do("project", "create", project, code=7, **administrator_s)
        self.do("project", "show", project, code=5)
        self.do("project", "member", project, self.cluster, "owner", **administrator_s)
        self.assertIn(project, self.do("project", "list").stdout)
        id_ = self.reserve("--ready", "tomorrow 10:00", "--project", project)
        words = ("--cluster", self.cluster, "--pes", "4", "--for", "1h")
        refused = self.do("reserve", *words, "--project", project, code=4, BERTH_TOKEN=token)
        self.assertIn("project: is a project of which you are neither an owner nor a member", refused.stderr)
        listed = ("list", "--project", project, "-o", "id")
        self.assertEqual(self.do(*listed, BERTH_TOKEN=token).stdout, "")
        self.assertIn("is not an account", self.do("project", "member", project, "nobody-at-all", "member", code=2).stderr)
        self.assertIn("VIEWER", self.do("project", "member", project, other, "viewer").stdout)
        self.assertEqual(self.do(*listed, BERTH_TOKEN=token).stdout.strip(), id_)
        self.assertIn(id_[-12:], self.do("events", "--project", project, BERTH_TOKEN=token).stdout)
        self.assertIn("Only an owner", self.do("project", "member", project, other, "owner", code=4, BERTH_TOKEN=token).stderr)
        series = ("series", "create", *words, "--at", "tomorrow 15:30", "--rrule", "FREQ=DAILY", "--count", "2", "--project", project, "-o", "id")
        made = self.do(*series).stdout.strip()
        self.assertEqual(self.do("series", "list", "--project", project, "-o", "id", BERTH_TOKEN=token).stdout.strip(), made)
        self.assertEqual(self.do("series", "-o", "id", BERTH_TOKEN=token).stdout, "")
        self.do("series", "end", made, code=4, BERTH_TOKEN=token)
        self.do("project", "member", project, other, "--remove")
        self.do("project", "member", project, other, "--remove", code=5)
        self.assertEqual(self.do(*listed, BERTH_TOKEN=token).stdout, "")

    def test_a_budget_is_granted_spent_and_charged(self):
        project = self.cluster + "-p"
        administrator_s = {"BERTH_TOKEN": os.environ["BERTH_TEST_TOKEN"]}
        self.do("project", "create", project, **administrator_s)
        self.do("project", "balance", project, code=5)
        self.do("project", "member", project, self.cluster, "owner", **administrator_s)
        self.assertIn("Nothing has been granted", self.do("project", "balance", project).stdout)
        grant = ("project", "grant", project, "q1", "10", "USD", "--until", "+90d")
        self.do(*grant, code=4)
        self.do("project", "mode", project, "ENFORCE", code=4)
        self.assertIn("10.00 USD", self.do(*grant, **administrator_s).stdout)
        self.do(*grant, code=7, **administrator_s)
        self.assertIn("must be in USD", self.do("project", "grant", project, "q2", "10", "--until", "+90d", code=2, **administrator_s).stderr)
        self.assertIn("ENFORCE", self.do("project", "mode", project, "ENFORCE", **administrator_s).stdout)
        reserve = ("reserve", "--cluster", self.cluster, "--for", "1h", "--project", project, "-o", "id", "--pes")
        id_ = self.do(*reserve, "8").stdout.strip()
        self.assertIn("available", self.do(*reserve, "3", code=4).stderr)
        stands = json.loads(self.do("project", "balance", project, "-o", "json").stdout)
        self.assertEqual((stands["held"]["amount"], stands["available"]["amount"]), ("8.00", "2.00"))
        self.assertIn("80 % of the budget", self.do("events", "--project", project).stdout)
        self.assertEqual(self.do("project", "charges", project, "-o", "id").stdout, "")
        self.do("wait", id_, "--timeout", "30s")
        self.do("complete", id_)
        self.assertRegex(self.do("project", "balance", project).stdout, "held +0.00 USD\ncharged +8.00 USD\n")
        output = self.do("project", "charges", project, "--from", "today").stdout.splitlines()
        self.assertEqual((output[1].split()[0], output[-1].split()[0]), (id_[-12:], "sum"))
        self.assertIn("8.00 USD", output[-1])
        with tempfile.TemporaryDirectory() as home:
            file = Path(home, "charges.csv")
            self.do("project", "charges", project, "--from=-1d", "--csv", str(file))
            rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
        self.assertEqual([(row["ended_at"] == "sum", row["reservation"], row["price"]) for row in rows], [(False, id_, "8.00"), (True, "1", "8.00")])
        self.assertIn(id_, self.do("project", "charges", project, "--from=-1d", "--csv", "-").stdout)
        self.do("project", "charges", project, "--from", "now", "--to=-1d", code=2)

    def test_a_series_is_tried_made_and_ended(self):
        days = [(datetime.now(timezone.utc) + timedelta(days=each)).strftime("%Y-%m-%d") for each in range(1, 5)]
        blocking = self.reserve("--start", f"{days[1]} 10:00", "--terms", '{"pes":64}')
        words = ("series", "create", "--cluster", self.cluster, "--pes", "4", "--for", "2h", "--at", "tomorrow 9:30", "--rrule", "FREQ=DAILY", "--count", "4",
                 "--name", "mornings")
        self.assertEqual(json.loads(self.do(*words, "-o", "json", code=3).stderr)["code"], "no-slot")
        tried = self.do(*words, "--any", "--dry-run").stdout
        self.assertRegex(tried, rf"{days[1]}  REFUSED .* no-slot\n")
        self.assertIn(f"{days[1]} would fit with any of these: ", tried)
        self.assertEqual(self.do("series").stdout, "")
        once = (*words, "--any", "--key", "m", "-o", "id")
        id_ = self.do(*once).stdout.strip()
        self.assertEqual(self.do(*once).stdout.strip(), id_)
        self.assertEqual(self.do("series", "-o", "id").stdout.strip(), id_)
        self.assertIn("mornings", self.do("series").stdout)
        rows = list(csv.DictReader(io.StringIO(self.do("series", "show", "mornings", "-o", "csv").stdout)))
        self.assertEqual([(row["date"], row["state"]) for row in rows], list(zip(days, ["CONFIRMED", "REFUSED", "CONFIRMED", "CONFIRMED"])))
        self.assertIn(f"{id_}, occurrence of {days[0]}", self.do("show", rows[0]["reservation"]).stdout)
        self.do("series", "book", "mornings", days[1], code=3)
        self.do("series", "book", "mornings", days[0], code=7)
        self.do("cancel", blocking)
        again = self.do("series", "book", id_[-12:], days[1], "-o", "id").stdout.strip()
        self.assertEqual(self.state(again), "CONFIRMED")
        self.do("series", "end", "mornings", "--from", days[2])
        states = [each["reservationState"] for each in self.berth.series(id_)["occurrences"]]
        self.assertEqual(states, ["CONFIRMED", "CONFIRMED", "CANCELLED", "CANCELLED"])
        self.do("series", "end", "mornings")
        self.assertEqual(self.do("list").stdout, "")

    def test_login_stores_only_a_valid_token(self):
        with tempfile.TemporaryDirectory() as home:
            self.do("login", "--url", URL, "--profile", "p", BERTH_CONFIG=f"{home}/c", code=2)
            command("login", "--url", URL, environment={"BERTH_CONFIG": f"{home}/c"}, stdin=self.token + "\n", code=0)
            command("account", environment={"BERTH_CONFIG": f"{home}/c"}, code=0)
            command("login", "--url", URL, environment={"BERTH_CONFIG": f"{home}/c"}, stdin="wrong\n", code=4)

    def test_the_client_is_downloaded_without_a_token(self):
        import http.client
        from urllib.parse import urlsplit

        connection = http.client.HTTPConnection(urlsplit(URL).netloc, timeout=10)
        connection.request("GET", "/client/berth.py")
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.read(), CLIENT.read_bytes())
        connection.close()


class WrongInputs(Service):
    def test_wrong_inputs_are_rejected(self):
        at = ("--cluster", self.cluster)
        fine = ("--pes", "4", "--for", "1h")
        for expected, *words in (
            (2, "reserve", *at),
            (2, "reserve", *at, "--pes", "4"),
            (2, "reserve", *at, "--pes", "4", "--for", "0s"),
            (2, "series", "create", *at, *fine, "--at", "tomorrow 9:00", "--rrule", "FREQ=DAILY"),
            (2, "series", "create", *at, *fine, "--at", "tomorrow 9:00", "--rrule", "every day", "--count", "2"),
            (2, "series", "create", *at, *fine, "--at", "tomorrow 9:00", "--rrule", "FREQ=DAILY", "--until", "2020-01-01"),
            (2, "series", "create", *at, "--pes", "4", "--for", "1d", "--at", "tomorrow 9:00", "--rrule", "FREQ=DAILY", "--count", "2"),
            (5, "series", "create", "--cluster", "nowhere", *fine, "--at", "tomorrow 9:00", "--rrule", "FREQ=DAILY", "--count", "2"),
            (5, "series", "show", UNKNOWN_ID),
            (5, "series", "book", UNKNOWN_ID, "2027-01-05"),
            (5, "series", "end", "nothing"),
            (2, "reserve", *at, "--pes", "4", "--for", "91d"),
            (2, "reserve", *at, "--pes", "65", "--for", "1h"),
            (2, "reserve", *at, "--pes", "99999999999", "--for", "1h"),
            (2, "reserve", *at, *fine, "--ready", "yesterday"),
            (2, "reserve", *at, *fine, "--ready", "+400d"),
            (2, "reserve", *at, *fine, "--ready", "+2h", "--deadline", "+1h"),
            (2, "reserve", *at, *fine, "--ready", "+2h", "--deadline", "+2h10m"),
            (2, "reserve", *at, *fine, "--budget", "0 USD"),
            (2, "reserve", *at, *fine, "--budget", "1.005 USD"),
            (2, "reserve", *at, *fine, "--budget", "1 EUR"),
            (2, "reserve", *at, *fine, "--budget", "1 XYZ"),
            (2, "reserve", *at, *fine, "--require", "gpu=a100"),
            (2, "reserve", *at, *fine, "--require", "a b=c"),
            (2, "reserve", *at, *fine, "--terms", '{"nodes":4}'),
            (2, "reserve", *at, *fine, "--terms", '{"minPes":4}'),
            (2, "reserve", *at, *fine, "--terms", '{"fixAfter":1.5}'),
            (2, "reserve", *at, *fine, "--terms", '{"preemption":{"step":0.3}}'),
            (2, "reserve", *at, *fine, "--hold", "0s"),
            (2, "reserve", *at, *fine, "--start", "yesterday"),
            (2, "reserve", *at, *fine, "--order-by", "CHEAPEST"),
            (2, "reserve", *at, *fine, "--order-by", '{"price":0.5}'),
            (2, "reserve", *at, *fine, "--accept-alternatives", "1001"),
            (2, "reserve", *at, *fine, "--accept-alternatives", "nan"),
            (2, "reserve", *at, *fine, "--name", "a\x07b"),
            (2, "reserve", *at, *fine, "--name", os.fsdecode(b"\xff")),
            (2, "reserve", *at, *fine, "--name", "x" * 10_000),
            (2, "reserve", *at, *fine, "--key", "a b"),
            (2, "reserve", *at, *fine, "--key", "x" * 256),
            (2, "reserve", *at, *fine, "--user", ""),
            (5, "reserve", "--cluster", "nowhere", *fine),
            (2, "reserve", *at, "--cluster", "nowhere", *fine),
            (2, "probe", *at, "--pes", "4", "--for", "0s"),
            (2, "probe", *at, *fine, "--limit", "100000"),
            (2, "list", "--cluster", ""),
            (2, "list", "--from", "9999-12-31 10:00", "--to", "0001-01-02"),
            (5, "show", "nothing"),
            (5, "show", UNKNOWN_ID),
            (5, "cancel", UNKNOWN_ID),
            (5, "extend", UNKNOWN_ID, "--by", "1h"),
            (5, "events", UNKNOWN_ID),
            (5, "wait", UNKNOWN_ID),
            (5, "project", "balance", "nothing"),
            (5, "project", "charges", "nothing"),
            (5, "project", "charges", "nothing", "--csv", "-"),
            (5, "run", "--resume", UNKNOWN_ID, "--", "true"),
            (5, "run", "--cluster", "nowhere", *fine, "--", "true"),
            (5, "jobs", "--cluster", "nowhere"),
            (5, "jobs", "submit", "--cluster", "nowhere", *fine),
            (2, "jobs", "submit", *at, "--pes", "4", "--for", "0s"),
            (2, "jobs", "submit", *at, "--pes", "4", "--for", "1000000d"),
            (2, "jobs", "submit", *at, *fine, "--name", "a\x07b"),
            (5, "jobs", "cancel", *at, UNKNOWN_ID),
            (5, "jobs", "cancel", *at, "nothing"),
            (5, "jobs", "cancel", "--cluster", "nowhere", "nothing"),
            (5, "plan", "--cluster", "nowhere"),
            (2, "jobs", "--cluster", "../me"),
            (5, "jobs", "--cluster", "a?b#c"),
        ):
            with self.subTest(words=[word[:60] for word in words]):
                if words[0] == "run":
                    # run would install signal handlers in this process
                    self.assertEqual(self.do(*words, code=expected).stdout, "")
                    continue
                code, out, err = inside(*words, environment=self.environment)
                self.assertEqual((code, out), (expected, ""), err)
                self.assertTrue(err.startswith("berth: "), err)
                self.assertNotRegex(err, r"Error\b|Exception|Traceback")
                code, out, err = inside(*words, "-o", "json", environment=self.environment)
                self.assertEqual(code, expected)
                self.assertIn("detail", json.loads(err))
        self.assertEqual(self.do("list", "--all", "-o", "id").stdout, "")

    def test_forbidden_calls_are_rejected(self):
        id_ = self.reserve("--ready", "+2h")
        name = f"v{time.time_ns()}"
        viewer = self.admin.call("POST", "/accounts", {"name": name, "role": "VIEWER"})["token"]
        other = self.admin.call("POST", "/accounts", {"name": name + "c", "role": "CLIENT", "limits": {"activeReservations": 0}})["token"]
        fine = ("--cluster", self.cluster, "--pes", "1", "--for", "1h")
        self.do("list", code=4, BERTH_TOKEN="wrong")
        self.do("list", code=4, BERTH_TOKEN=viewer)
        self.do("reserve", *fine, code=4, BERTH_TOKEN=viewer)
        self.do("reserve", *fine, code=4, BERTH_TOKEN=other)
        self.do("cancel", id_, code=5, BERTH_TOKEN=other)
        self.assertEqual(self.state(id_), "CONFIRMED")


class Runs(Service):
    def policy(self):
        return {"claimWithin": "PT1H"}

    def words(self, *more):
        return ("run", "--cluster", self.cluster, "--pes", "4", "--for", "1m", *more)

    def begin(self, *words, before=()):
        around = {**os.environ, **self.environment, "HOME": "/nonexistent"}
        return subprocess.Popen([*before, sys.executable, str(CLIENT), *words], env=around, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_run_reserves_claims_and_completes(self):
        code = "import os; print(os.environ['BERTH_RESERVATION'], os.environ['BERTH_PES']); raise SystemExit(42)"
        done = self.do(*self.words("--", sys.executable, "-c", code), code=42)
        id_, pes = done.stdout.split()
        self.assertEqual((self.state(id_), pes), ("COMPLETED", "4"))
        kinds = [event["type"] for event in self.berth.pages(f"/reservations/{id_}/events")]
        self.assertEqual(kinds, ["confirmed", "started", "claimed", "completed"])
        self.do("run", "--resume", id_, "--", "true", code=7)

    def test_run_keeps_the_reservation_after_sbatch(self):
        with tempfile.TemporaryDirectory() as directory:
            sbatch = Path(directory, "sbatch")
            sbatch.write_text("#!/bin/sh\necho $BERTH_RESERVATION\n")
            sbatch.chmod(0o755)
            done = self.do(*self.words("--", str(sbatch), "job.sh"))
            self.assertEqual(self.state(done.stdout.strip()), "RUNNING")
            self.assertIn("stays until its end", done.stderr)
            done = self.do(*self.words("--", str(sbatch), "--wait", "job.sh"))
            self.assertEqual(self.state(done.stdout.strip()), "COMPLETED")

    def test_an_interrupted_run_prints_how_to_continue(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # the process that runs the tests may ignore some signals
            waits = self.begin(*self.words("--ready", "+3s", "--", "echo", "it is", "done"), before=("env", "--default-signal"))
            output = waits.stderr.readline()
            id_ = output.split()[2]
            waits.send_signal(number)
            out, output = waits.communicate(timeout=20)
            self.assertEqual(waits.returncode, 130, output)
            self.assertIn(f"run --resume {id_} -- echo 'it is' done", output)
            self.assertNotIn("Traceback", output)
            self.assertEqual(out, "")
            self.assertEqual(self.do("run", "--resume", id_, "--", "echo", "it is", "done").stdout, "it is done\n")
            self.assertEqual(self.state(id_), "COMPLETED")

    def test_nohup_survives_its_terminal(self):
        waits = self.begin(*self.words("--ready", "+2s", "--", "echo", "done"), before=["nohup"])
        waits.stderr.readline()
        waits.send_signal(signal.SIGHUP)
        out, output = waits.communicate(timeout=20)
        self.assertEqual((waits.returncode, out), (0, "done\n"), output)

    def test_a_command_that_is_interrupted_keeps_its_reservation(self):
        runs = self.begin(*self.words("--", "sh", "-c", "echo begun; exec sleep 50"))
        self.assertEqual(runs.stdout.readline(), "begun\n")
        runs.send_signal(signal.SIGTERM)
        _, output = runs.communicate(timeout=20)
        self.assertEqual(runs.returncode, 128 + signal.SIGTERM)
        id_ = output.split("run --resume ")[1].split()[0]
        self.assertEqual(self.state(id_), "RUNNING")

    def test_run_is_rejected_like_reserve(self):
        self.do("run", "--cluster", self.cluster, "--pes", "64", "--for", "1h", "--budget", "0.01 USD", "--", "true", code=3)
        self.do(*self.words("--terms", '{"preemption":{"step":0.5}}', "--", "true"), code=2)
        self.assertEqual(list(self.berth.reservations()), [])

    def test_waits_end_with_the_reservation(self):
        id_ = self.reserve("--ready", "+2h", "--hold", "5m")
        waits = self.begin("wait", id_)
        time.sleep(0.5)
        self.do("cancel", id_)
        _, output = waits.communicate(timeout=30)
        self.assertEqual(waits.returncode, 7, output)
        self.do("wait", id_, "--for", "ended")


if __name__ == "__main__":
    unittest.main()
