"""Tests of the client without Berth: times, output formats, profiles, and services that fail or are not Berth."""

import contextlib
import csv
import io
import json
import os
import pty
import re
import shlex
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from unittest import mock

# the compiled module that Python would store next to the client must not get into the jar
sys.dont_write_bytecode = True
CLIENT = Path(__file__).resolve().parents[2] / "main/resources/static/client/berth.py"
sys.path.insert(0, str(CLIENT.parent))

import berth  # noqa: E402  pylint: disable=wrong-import-position

try:
    import zoneinfo

    BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
except Exception:  # no zoneinfo before 3.9, no zones on some machines
    BERLIN = None

NOW = datetime(2027, 1, 29, 11, 30, tzinfo=timezone.utc)  # a Friday, 12:30 in Berlin
RESERVATION = {
    "id": "01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21",
    "name": "first run",
    "project": None,
    "owner": "ada",
    "cluster": "demo",
    "state": "CONFIRMED",
    "reason": None,
    "terms": {"pes": 32, "duration": "PT2H", "readyTime": "2027-01-31T14:00:00Z", "deadline": "2027-02-01T14:00:00Z"},
    "placement": {
        "start": "2027-01-31T14:00:00Z",
        "end": "2027-01-31T16:00:00Z",
        "pes": 32,
        "peIds": None,
        "parts": [{"start": "2027-01-31T14:00:00Z", "end": "2027-01-31T16:00:00Z", "pes": 32, "peIds": None}],
    },
    "movable": True,
    "fixedAt": "2027-01-31T13:45:00Z",
    "holdExpiresAt": None,
    "claimBy": None,
    "price": {"amount": "51.20", "currency": "USD"},
    "credit": None,
    "enforcement": None,
    "proposal": None,
    "flags": [],
}
EFFECTS = {"moved": 0, "totalShift": "PT0S", "largestShift": "PT0S", "failed": 0, "losing": 0, "credits": [], "requeued": 0, "jobsDelayed": 0}
LONGER = dict(
    RESERVATION,
    placement=dict(RESERVATION["placement"], end="2027-01-31T18:00:00Z"),
    price={"amount": "102.40", "currency": "USD"},
)
DRY_RUN = {"before": RESERVATION, "after": LONGER, "effects": dict(EFFECTS, moved=1, totalShift="PT4H", largestShift="PT4H", jobsDelayed=2)}
JOB = {
    "id": "01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c22",
    "cluster": "demo",
    "name": "sweep",
    "owner": "ada",
    "state": "QUEUED",
    "pes": 4,
    "estimate": "PT1H30M",
    "submittedAt": "2027-01-29T11:30:00Z",
    "startedAt": None,
    "plannedStart": "2027-01-31T14:00:00Z",
    "endedAt": None,
    "peIds": None,
}
UNKNOWN = {"reservation": None, "reservationState": None, "start": None, "end": None, "price": None, "reason": None, "wouldFit": None}
SERIES = {
    "id": "01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c23",
    "cluster": "demo",
    "name": "tuesdays",
    "project": "climate",
    "owner": "ada",
    "state": "OPEN",
    "terms": {"pes": 32, "duration": "PT2H"},
    "recurrence": {"rrule": "FREQ=WEEKLY;BYDAY=TU", "dtstart": "2027-02-02T22:00", "zone": "Europe/Berlin", "exdates": ["2027-03-02"]},
    "window": {"earliest": "PT0S", "slack": "PT2H"},
    "bookedUntil": "2027-02-09",
    "occurrences": [
        dict(UNKNOWN, date="2027-02-02", plannedStart="2027-02-02T21:00:00Z", state="BOOKED", reservation=RESERVATION["id"], reservationState="CONFIRMED",
             start="2027-02-02T22:00:00Z", end="2027-02-03T00:00:00Z", price=RESERVATION["price"]),
        dict(UNKNOWN, date="2027-02-09", plannedStart="2027-02-09T21:00:00Z", state="REFUSED", reason="no-slot", wouldFit={"pes": 16, "duration": "PT1H"}),
        dict(UNKNOWN, date="2027-02-16", plannedStart="2027-02-16T21:00:00Z", state="AHEAD"),
    ],
    "createdAt": "2027-01-29T11:30:00Z",
}
PROJECT = {
    "id": "climate",
    "name": "Climate models",
    "mode": "TRACK",
    "members": [{"account": "ada", "role": "OWNER"}, {"account": "bob", "role": "VIEWER"}],
    "createdAt": "2027-01-29T11:30:00Z",
}
BALANCE = {
    "mode": "ENFORCE",
    "granted": {"amount": "5000.00", "currency": "USD"},
    "expired": {"amount": "0.00", "currency": "USD"},
    "held": {"amount": "6.42", "currency": "USD"},
    "charged": {"amount": "5001.00", "currency": "USD"},
    "credited": {"amount": "1.00", "currency": "USD"},
    "creditLimit": {"amount": "0.00", "currency": "USD"},
    "available": {"amount": "-6.42", "currency": "USD"},
}
CHARGE = {
    "at": "2027-01-29T11:30:00Z",
    "reservation": RESERVATION["id"],
    "cluster": "demo",
    "account": "ada",
    "name": "first run",
    "start": "2027-01-29T09:30:00Z",
    "end": "2027-01-29T11:30:00Z",
    "price": {"amount": "51.20", "currency": "USD"},
    "credit": {"amount": "0.00", "currency": "USD"},
    "peHours": {"booked": 64, "charged": 64, "used": 60.5, "idle": 3.5},
}
CHARGES = {
    "from": "2027-01-01T00:00:00Z",
    "to": "2027-01-29T11:30:01Z",
    "sums": [
        {
            "reservations": 3,
            "price": {"amount": "153.60", "currency": "USD"},
            "credit": {"amount": "0.00", "currency": "USD"},
            "total": {"amount": "153.60", "currency": "USD"},
            "peHours": {"booked": 192, "charged": 192, "used": 181.5, "idle": 10.5},
        }
    ],
}
NO_ROOM = {
    "title": "No slot is free in the window",
    "status": 409,
    "code": "no-slot",
    "detail": "Ask for less.",
    "errors": [],
    "alternatives": [],
    "wouldFit": {"deadline": "2027-02-01T16:00:00Z", "pes": 16, "duration": "PT1H"},
}
SLOT = {
    "cluster": "demo",
    "start": "2027-01-31T14:00:00Z",
    "end": "2027-01-31T16:00:00Z",
    "pes": 32,
    "price": {"amount": "51.20", "currency": "USD"},
    "fixedPrice": {"amount": "64.00", "currency": "USD"},
    "availability": 0.93,
    "chosenByPolicy": False,
    "effects": EFFECTS,
    "kind": "REQUESTED",
    "phi": None,
}


def command(*words, code=None, environment=None, stdin="", home=None):
    """Runs the client as a separate program, and checks that it prints no traceback."""
    around = {name: value for name, value in os.environ.items() if not name.startswith(("BERTH_", "XDG_"))}
    around.update({"HOME": home or "/nonexistent", "TZ": "UTC", **(environment or {})})
    done = subprocess.run(
        [sys.executable, str(CLIENT), *words], input=stdin, capture_output=True, encoding="utf-8", errors="replace",
        env=around, timeout=60, check=False,
    )
    outcome = f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, outcome
    if code is not None:
        assert done.returncode == code, outcome
    return done


def inside(*words, environment=None):
    """Runs the client in this process, which takes a tenth of the time; returns the exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(("BERTH_", "XDG_"))}
    kept["HOME"] = os.environ.pop("HOME", "/")
    os.environ.update({"HOME": "/nonexistent", **(environment or {})})
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = berth.main(list(words))
    finally:
        for name in environment or {}:
            del os.environ[name]
        os.environ.update(kept)
    return code, out.getvalue(), err.getvalue()


class Fake(BaseHTTPRequestHandler):
    """Returns the responses in the server's list, one per call, and repeats the last one."""

    def do_GET(self):
        length = int(self.headers.get("Content-Length", 0))
        self.server.calls.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
        answers = self.server.answers
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if answer is None:
            self.close_connection = True
            return
        status, kind, body, *more = answer
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in more:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def log_message(self, *_):
        """Logs nothing."""


def ok(value):
    return 200, "application/json", json.dumps(value).encode()


def problem(value, *more):
    return (value["status"], "application/problem+json", json.dumps(value).encode(), *more)


UNAVAILABLE = {"title": "The service is temporarily unavailable", "status": 503, "code": "unavailable", "detail": "Try again.", "errors": []}


@contextlib.contextmanager
def service(*answers):
    server = HTTPServer(("127.0.0.1", 0), Fake)
    server.answers, server.calls = list(answers), []
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        server.url = f"http://127.0.0.1:{server.server_port}"
        server.environment = {"BERTH_URL": server.url, "BERTH_TOKEN": "secret"}
        yield server
    finally:
        server.shutdown()
        server.server_close()


class Times(unittest.TestCase):
    def instant(self, text, zone=timezone.utc):
        return berth.parse_instant(text, zone, NOW).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")

    @unittest.skipUnless(BERLIN, "needs zoneinfo")
    def test_times_and_durations_read_as_on_the_page(self):
        """PageIT tests the page with the same cases."""
        cases = json.loads((Path(__file__).resolve().parents[1] / "resources/berth/times.json").read_text(encoding="utf-8"))
        self.assertEqual(cases["now"], berth.iso_instant(NOW))
        instants = ((text, meaning, is_end) for kind, is_end in (("instants", False), ("deadlines", True)) for text, meaning in cases[kind].items())
        for text, meaning, is_end in instants:
            with self.subTest(text, is_end=is_end):
                if meaning:
                    self.assertEqual(berth.iso_instant(berth.parse_instant(text, BERLIN, NOW, is_end)), meaning)
                else:
                    self.assertRaises(berth.BerthError, berth.parse_instant, text, BERLIN, NOW, is_end)
        for text, seconds in cases["durations"].items():
            with self.subTest(text):
                if seconds is not None:
                    self.assertEqual(berth.parse_span(text), seconds)
                else:
                    self.assertRaises(berth.BerthError, berth.parse_span, text)

    def test_an_ambiguous_text_is_rejected_with_its_meanings(self):
        for text, words in (("1:30", "1h30m or 1m30s"), ("90", "90s, 90m or 90h"), ("+1:30", "1h30m or 1m30s")):
            with self.assertRaisesRegex(berth.BerthError, words):
                berth.parse_span(text) if text[0] != "+" else berth.parse_instant(text)
        with self.assertRaisesRegex(berth.BerthError, "beginning or the end of the day"):
            berth.parse_instant("fri midnight")

    @unittest.skipUnless(BERLIN, "needs zoneinfo")
    def test_a_day_as_deadline_means_its_end(self):
        with service(ok(RESERVATION)) as there:
            words = ("reserve", "--pes", "1", "--for", "1h", "--deadline", "2027-01-31", "--zone", "UTC", "--url", there.url)
            code, _, err = inside(*words)
            self.assertEqual((code, json.loads(there.calls[-1][3])["terms"]["deadline"]), (0, "2027-02-01T00:00:00Z"))
            self.assertIn("--deadline 2027-01-31 means the end of that day: 2027-02-01 00:00 UTC.", err)
            self.assertNotIn("end of that day", inside(*words[:6], "2027-01-31 14:00", *words[7:])[2])
        self.assertEqual(berth.terms_of(deadline="2027-01-31", zone=timezone.utc)["deadline"], "2027-02-01T00:00:00Z")

    def test_a_text_that_is_not_a_time_is_rejected(self):
        for text in ("+", "+2", "+2x", "9999-12-31 23:00-23:00", "0001-01-01T00:00+23:00", "+99999999999d", "\x00", "٣:00x"):
            with self.subTest(text):
                with self.assertRaises(berth.BerthError) as refused:
                    berth.iso_instant(text)
                self.assertEqual(refused.exception.exit_code, 2)

    def test_a_fraction_of_a_second_is_kept(self):
        self.assertEqual(berth.iso_instant("2027-01-31T14:00:00.250Z"), "2027-01-31T14:00:00.250000Z")

    @unittest.skipUnless(BERLIN, "needs zoneinfo")
    def test_a_time_that_occurs_twice_or_never_is_rejected_with_both_meanings(self):
        self.assertEqual(self.instant("2027-10-31 01:59", BERLIN), "2027-10-30T23:59:00")
        self.assertEqual(self.instant("2027-10-31 03:00", BERLIN), "2027-10-31T02:00:00")
        with self.assertRaisesRegex(berth.BerthError, r"occurs twice.*2027-10-31T02:30:00\+02:00 \(CEST\) or 2027-10-31T02:30:00\+01:00 \(CET\)"):
            self.instant("2027-10-31 02:30", BERLIN)
        with self.assertRaisesRegex(berth.BerthError, r"not exist.*2027-03-28T01:30:00\+01:00 \(CET\) or 2027-03-28T03:30:00\+02:00 \(CEST\)"):
            self.instant("2027-03-28 02:30", BERLIN)

    def test_times_that_occur_twice_or_never_in_the_zone_of_the_machine_are_rejected(self):
        for text, word in (("2027-10-31 02:30", "occurs twice"), ("2027-03-28 02:30", "does not exist")):
            refused = command("probe", "--pes", "1", "--for", "1h", "--ready", text, code=2, environment={"TZ": "Europe/Berlin"})
            self.assertIn(word, refused.stderr)
            self.assertIn("+02:00 (CEST)", refused.stderr)
            self.assertIn("+01:00 (CET)", refused.stderr)

    @unittest.skipUnless(BERLIN, "needs zoneinfo")
    def test_every_shown_instant_of_two_years_is_parsed_again(self):
        instant = datetime(2026, 12, 30, tzinfo=timezone.utc)
        refused = 0
        while instant.year < 2029:
            wall = instant.astimezone(BERLIN)
            try:
                self.assertEqual(berth.parse_instant(wall.strftime("%Y-%m-%d %H:%M"), BERLIN, NOW), instant)
            except berth.BerthError:
                refused += 1
            self.assertEqual(berth.parse_instant(wall.isoformat(), BERLIN, NOW), instant)
            instant += timedelta(minutes=30)
        # four half hours in each of two autumns
        self.assertEqual(refused, 8)

    def test_spans_are_parsed_and_shown(self):
        self.assertRaises(berth.BerthError, berth.parse_span, "9" * 400 + "d")
        self.assertEqual(berth.iso_span("0.2s"), "PT1S")
        self.assertEqual(berth.iso_span(timedelta(hours=2)), "PT7200S")
        self.assertEqual([berth.show_span(s) for s in (0, 59.9, 3600, 5400, 100_000, -5)], ["0s", "59s", "1h", "1h30m", "1d3h", "0s"])


    def test_the_time_limit_of_a_slurm_job_is_the_rest_of_the_reservation(self):
        limits = [
            berth.slurm_variables("berth.tux.1.0", "2027-01-29T13:30:00Z", now)["SBATCH_TIMELIMIT"]
            for now in (NOW, NOW + timedelta(seconds=3), NOW + timedelta(seconds=7190), NOW + timedelta(hours=3))
        ]
        self.assertEqual(limits, ["120", "119", "1", "1"])
        self.assertEqual(berth.slurm_variables("berth.tux.1.0", "2027-01-29T13:30:00Z", NOW)["SALLOC_RESERVATION"], "berth.tux.1.0")


class Days(unittest.TestCase):
    def test_days_are_parsed(self):
        for text, expected in (("2027-02-28", "2027-02-28"), ("today", "2027-01-29"), ("Tomorrow", "2027-01-30"), ("friday", "2027-02-05"), ("tue", "2027-02-02"), ("27 Nov", "2026-11-27"), ("next fri", "2027-02-05")):
            self.assertEqual(berth.parse_day(text, timezone.utc, NOW), expected)
        self.assertEqual(berth.parse_day("today", timezone(timedelta(hours=13)), NOW), "2027-01-30")
        for text in ("", "2027-02-30", "2027-2-3", "someday", "tomorrow 9:00", "+1d", "20270203", "2027-02-03T00:00"):
            with self.subTest(text=text), self.assertRaisesRegex(berth.BerthError, "is not a day"):
                berth.parse_day(text, timezone.utc, NOW)

    def zone(self, link, file, **environment):
        with mock.patch.dict(os.environ, environment):
            if not environment:
                os.environ.pop("TZ", None)
            return berth.machine_zone(str(link), str(file))

    def test_the_zone_of_the_machine_has_a_name(self):
        with tempfile.TemporaryDirectory() as home:
            home = Path(home).resolve()
            link, copy, file = home / "localtime", home / "copy", home / "timezone"
            link.symlink_to("/usr/share/zoneinfo/America/Argentina/Ushuaia")
            copy.write_bytes(b"TZif2")
            file.write_text("Europe/Berlin\n", encoding="utf-8")
            self.assertEqual(self.zone(link, file), "America/Argentina/Ushuaia")
            self.assertEqual(self.zone(copy, file), "Europe/Berlin")
            for named in ("Asia/Tokyo", ":Asia/Tokyo", "/usr/share/zoneinfo/Asia/Tokyo"):
                self.assertEqual(self.zone(link, file, TZ=named), "Asia/Tokyo")
            self.assertEqual(self.zone(link, file, TZ=""), "UTC")
            file.write_bytes(b"\xff")
            for where, environment in ((copy, {}), (home / "nowhere", {}), (link, {"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"}), (link, {"TZ": "/home/ada/zone"})):
                with self.assertRaisesRegex(berth.BerthError, "Give one, such as --zone Europe/Berlin"):
                    self.zone(where, file, **environment)


class Forms(unittest.TestCase):
    def setUp(self):
        self.view = berth.View(timezone.utc)
        self.view.now = NOW

    def test_a_table_has_all_columns(self):
        head, row = berth.table(berth.RESERVATIONS, [RESERVATION], self.view).split("\n")
        self.assertEqual(re.split("  +", head), ["ID", "NAME", "STATE", "CLUSTER", "PES", "START (UTC)", "END", "LEFT", "PRICE", "MAY MOVE UNTIL", "PROJECT", "OWNER"])
        self.assertEqual(re.split("  +", row), ["5d0f8a7b6c21", "first run", "CONFIRMED", "demo", "32", "2027-01-31 14:00",
                                                "2027-01-31 16:00", "in 2d2h", "51.20 USD", "2027-01-31 13:45", "-", "ada"])

    def shown(self, *items, width=None):
        with mock.patch.dict(os.environ, {"COLUMNS": str(width)} if width else {}):
            columns = berth.fitted(berth.RESERVATIONS, items, self.view)
        return [name for name, _, _ in columns], berth.table(columns, items, self.view)

    def test_a_table_fits_the_terminal(self):
        filed = dict(RESERVATION, project="climate", owner="bob")
        everything = [name for name, _, _ in berth.RESERVATIONS]
        self.assertEqual(self.shown(RESERVATION, filed)[0], everything)
        self.assertEqual(self.shown(RESERVATION, dict(RESERVATION))[0], everything[:-2])
        names, text = self.shown(RESERVATION, filed, width=80)
        self.assertEqual(names, ["id", "name", "state", "pes", "start", "end"])
        self.assertTrue(all(len(line) <= 80 for line in text.split("\n")), text)
        self.assertEqual(self.shown(RESERVATION, filed, width=100)[0], ["id", "name", "state", "cluster", "pes", "start", "end", "price"])
        # what it cannot go without stays
        self.assertEqual(self.shown(RESERVATION, width=20)[0], ["id", "name", "state", "pes", "start"])

    def test_states_have_colours(self):
        named = dict(RESERVATION, name="CONFIRMED")
        lines = berth.table(berth.RESERVATIONS, [named, dict(RESERVATION, name="\u4e2d", state="FAILED")], self.view, True).split("\n")
        self.assertIn("5d0f8a7b6c21  CONFIRMED  \x1b[34mCONFIRMED\x1b[0m  demo", lines[1])
        self.assertIn("5d0f8a7b6c21  \u4e2d         \x1b[31mFAILED\x1b[0m     demo", lines[2])
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            with mock.patch("sys.stdout") as terminal, mock.patch.dict(os.environ, environment):
                terminal.isatty.return_value = True
                self.assertFalse(berth._is_coloured())

    @unittest.skipUnless(BERLIN, "needs zoneinfo")
    def test_a_time_in_another_zone_than_the_header_says_so(self):
        view = berth.View(BERLIN)
        view.now, view.zone_name = NOW, "CET"
        self.assertEqual(view.time("2027-01-31T14:00:00Z"), "2027-01-31 15:00")
        self.assertEqual(view.time("2027-07-31T14:00:00Z"), "2027-07-31 16:00 CEST")

    def test_a_reservation_shows_how_often_and_how_far_it_may_move(self) -> None:
        moves = {"count": 1, "left": 2, "from": "2027-01-31T08:00:00Z", "to": "2027-01-31T20:00:00Z"}
        for change, expected in (
            ({}, "1, 2 left, within 2027-01-31 08:00 to 2027-01-31 20:00"),
            ({"left": None}, "1, any number left, within 2027-01-31 08:00 to 2027-01-31 20:00"),
            ({"left": 0, "from": None, "to": None}, "1, none left"),
        ):
            self.assertEqual(berth._mobility(dict(RESERVATION, moves=dict(moves, **change)), self.view), [("moves", expected)])
        self.assertEqual(berth._mobility(dict(RESERVATION, moves=dict(moves, count=0, left=0)), self.view), [])
        self.assertEqual(berth._mobility(RESERVATION, self.view), [])
        self.assertIn("1, 2 left", berth.details(dict(RESERVATION, moves=moves), self.view))

    def test_a_reservation_shows_whether_it_may_move(self):
        strict = dict(RESERVATION, scenario="STRICT", movable=False, deadlineBy="PLACE")
        self.assertEqual(berth._freedom(strict, self.view), "It stays at this time.")
        lines = berth.details(strict, self.view).split("\n")
        self.assertIn("may move until stays", lines)
        self.assertFalse([line for line in lines if line.startswith(("window", "deadline"))])
        self.assertIn("stays", berth.table(berth.RESERVATIONS, [strict], self.view))
        movable = dict(RESERVATION, scenario="INTERVAL", deadlineBy="REQUEST")
        moves = "It may move until 2027-01-31 13:45; it ends by 2027-02-01 14:00 UTC."
        self.assertEqual(berth._freedom(movable, self.view), moves)
        # a held slot moves only once it is confirmed
        self.assertEqual(berth._freedom(dict(movable, state="HELD", movable=False), self.view), moves)
        self.assertEqual(berth._freedom(dict(movable, fixedAt="2027-01-29T11:30:00Z"), self.view), "Its place is final.")
        for rule, words in (("DEFAULT_SLACK", "default slack"), ("HORIZON", "horizon")):
            self.assertIn(words, berth._freedom(dict(movable, deadlineBy=rule), self.view))
            self.assertIn(words, berth.details(dict(movable, deadlineBy=rule), self.view))
        self.assertEqual(berth._freedom(dict(movable, placement=None, deadlineBy=None), self.view), "")

    def test_automatic_extension_is_shown(self):
        extends = dict(RESERVATION, terms=dict(RESERVATION["terms"], autoExtend={"step": "PT1H", "until": "2027-02-01T10:00:00Z"}))
        self.assertIn("auto-extend    by 1h, until 2027-02-01 10:00", berth.details(extends, self.view).split("\n"))
        for ended in (RESERVATION, dict(RESERVATION, terms=dict(RESERVATION["terms"], autoExtend=None))):
            self.assertNotIn("auto-extend", berth.details(ended, self.view))

    def test_users_are_shown_unless_the_owner_is_the_only_one(self):
        self.assertIn("users          bob carol", berth.details(dict(RESERVATION, users=["bob", "carol"]), self.view).split("\n"))
        self.assertNotIn("users ", berth.details(dict(RESERVATION, users=[]), self.view))

    def test_it_is_shown_who_reserved_or_handed_over(self):
        by = {"to": "ada", "from": None, "by": "eva"}
        self.assertIn("reserved by    eva", berth.details(dict(RESERVATION, assignment=by), self.view).split("\n"))
        received = dict(RESERVATION, assignment=dict(by, **{"from": "bob"}))
        self.assertIn("from           bob, by eva", berth.details(received, self.view).split("\n"))

    def test_the_run_time_is_shown_if_it_differs_from_the_duration(self):
        def placed(run_time):
            return dict(RESERVATION, placement=dict(RESERVATION["placement"], runTime=run_time))

        self.assertIn("run time       1h, for a duration of 2h", berth.details(placed("PT1H"), self.view).split("\n"))
        for same in (placed("PT2H"), RESERVATION):
            self.assertNotIn("run time", berth.details(same, self.view))

    def test_a_run_shows_the_pes_that_it_lacks(self):
        lack = {"start": "2027-02-01T10:00:00Z", "end": "2027-02-01T11:00:00Z", "pes": 2, "peIds": "6-7"}
        losses = {"peSeconds": 1800, "since": "2027-02-01T10:00:00Z", "lacks": [lack]}
        degraded = dict(RESERVATION, state="RUNNING", losses=losses, flags=["degraded"])
        lines = berth.details(degraded, self.view).split("\n")
        self.assertIn("lacks          2 PEs (6-7) 2027-02-01 10:00 to 2027-02-01 11:00", lines)
        self.assertIn("lost so far    0.50 PE-hours", lines)
        self.assertIn("RUNNING degraded", berth.table(berth.RESERVATIONS, [degraded], self.view))
        event = {"type": "degraded", "data": {"state": "RUNNING", "losses": losses}}
        self.assertEqual(berth._event(event, self.view), "RUNNING lacks 2 PEs (6-7) 2027-02-01 10:00 to 2027-02-01 11:00")
        self.assertNotIn("lacks", berth.details(dict(RESERVATION, losses=None), self.view))

    def test_a_reservation_that_lost_its_pes_says_where_it_would_have_fitted(self):
        failed = dict(RESERVATION, state="FAILED", reason="PES_LOST", nearestPlace={"start": "2027-02-02T10:00:00Z", "end": "2027-02-02T12:00:00Z"})
        lines = berth.details(failed, self.view).split("\n")
        self.assertIn("nearest place  2027-02-02 10:00:00 to 2027-02-02 12:00:00", lines)
        event = {"type": "failed", "data": {name: failed[name] for name in ("state", "reason", "nearestPlace")}}
        self.assertEqual(berth._event(event, self.view), "FAILED PES_LOST nearest place 2027-02-02 10:00 to 2027-02-02 12:00")
        self.assertNotIn("nearest", berth.details(dict(RESERVATION, nearestPlace=None), self.view))

    def test_a_run_shows_the_pes_that_jobs_of_others_have(self):
        taken = {"peSeconds": 1800, "since": "2027-02-01T10:00:00Z", "until": "2027-02-01T11:00:00Z", "peIds": "6-7"}
        losses = {"peSeconds": 0, "since": "2027-02-01T10:00:00Z", "lacks": [], "taken": taken}
        lines = berth.details(dict(RESERVATION, state="RUNNING", losses=losses), self.view).split("\n")
        self.assertIn("taken          PEs 6-7 by jobs of others", lines)
        self.assertIn("taken so far   0.50 PE-hours", lines)
        event = {"type": "enforcement-failed", "data": {"state": "RUNNING", "losses": losses}}
        self.assertEqual(berth._event(event, self.view), "RUNNING jobs of others have PEs 6-7")
        over = dict(losses, taken=dict(taken, until=None, peIds=None))
        self.assertNotIn("by jobs of others", berth.details(dict(RESERVATION, losses=over), self.view))
        self.assertNotIn("taken", berth.details(dict(RESERVATION, losses=dict(losses, taken=None)), self.view))

    def test_an_occurrence_names_its_series(self):
        occurrence = dict(RESERVATION, series=SERIES["id"], occurrence="2027-02-02")
        self.assertIn(f"series         {SERIES['id']}, occurrence of 2027-02-02", berth.details(occurrence, self.view).split("\n"))
        for alone in (RESERVATION, dict(RESERVATION, series=None, occurrence=None)):
            self.assertNotIn("series", berth.details(alone, self.view))

    def test_a_series_shows_the_state_of_each_day(self):
        lines = berth.series_text(SERIES, self.view).split("\n")
        for line in ("name           tuesdays", "begins         2027-02-02 22:00 Europe/Berlin", "leeway         0s before, 2h after", "except         2027-03-02"):
            self.assertIn(line, lines)
        self.assertEqual([re.split("  +", line) for line in lines[-5:-1]], [
            ["DATE", "STATE", "RESERVATION", "START (UTC)", "END", "PRICE", "REASON"],
            ["2027-02-02", "CONFIRMED", "5d0f8a7b6c21", "2027-02-02 22:00", "2027-02-03 00:00", "51.20 USD", "-"],
            ["2027-02-09", "REFUSED", "-", "2027-02-09 21:00", "-", "-", "no-slot"],
            ["2027-02-16", "AHEAD", "-", "2027-02-16 21:00", "-", "-", "-"],
        ])
        self.assertEqual(lines[-1], "2027-02-09 would fit with any of these: 16 PEs; 1h")
        hostile = dict(SERIES, name="a\x1b[2J\u202e\nb", project="\x07", id=None, state=None)
        text = berth.table(berth.SERIES, [dict(hostile, id=SERIES["id"])], self.view) + berth.series_text(hostile, self.view)
        self.assertTrue(all(char.isprintable() or char == "\n" for char in text), text)

    def test_names_never_print_control_characters(self):
        hostile = dict(RESERVATION, name="a\x1b[2J\u202e\nb", placement=None, movable=False, price=None, state="PENDING", fixedAt=None)
        text = berth.table(berth.RESERVATIONS, [hostile], self.view) + berth.details(hostile, self.view)
        self.assertTrue(all(char.isprintable() or char == "\n" for char in text), text)

    def test_csv_has_no_formulas(self):
        for name in ("=HYPERLINK(\"http://x\")", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\uff1d1+1"):
            columns = [("name", None, lambda item: item["name"]), ("amount", None, lambda item: item["amount"])]
            text = berth.csv_of(columns, [{"name": name, "amount": "-12.50 USD"}])
            row = next(csv.DictReader(io.StringIO(text)))
            self.assertEqual(row["name"], "'" + name)
            self.assertEqual(row["amount"], "-12.50 USD")
        self.assertIn("\n7,", berth.csv_of([("pes", None, lambda item: 7), ("name", None, lambda item: None)], [{}]))

    def test_csv_parses_even_if_empty(self):
        self.assertEqual(len(list(csv.reader(io.StringIO(berth.csv_of(berth.RESERVATIONS, []))))), 1)
        named = dict(RESERVATION, name='a,"b"\n=c')
        rows = list(csv.DictReader(io.StringIO(berth.csv_of(berth.RESERVATIONS, [named]))))
        self.assertEqual((rows[0]["id"], rows[0]["name"], rows[0]["end"]), (RESERVATION["id"], 'a,"b"\n=c', "2027-01-31T16:00:00Z"))

    def test_a_plan_is_80_columns_wide(self):
        bars = berth.bars_of([RESERVATION, dict(RESERVATION, name="Ü" * 60, movable=False)])
        start = datetime(2027, 1, 29, tzinfo=timezone.utc)
        text = berth.plan(bars, start, start + timedelta(days=5), self.view, True, False)
        lines = text.split("\n")
        self.assertTrue(all(len(line) <= 80 for line in lines), text)
        self.assertEqual(len(lines), 4)
        # two hours of 120 in 55 columns, from hour 62 on
        self.assertEqual(lines[1].index("▒"), 25 + 28)
        self.assertEqual(lines[-1], "▓ final; ▒ movable; | now")
        self.assertNotIn("\x1b", text)
        self.assertTrue(berth.plan(bars, start, start + timedelta(days=5), self.view, False, False).isascii() is False)
        self.assertEqual(re.findall(r"\|[^|]*", lines[0][25:]), ["|29 Jan    ", "|30 Jan    ", "|31 Jan    ", "|1 Feb     ", "|2 Feb"])
        coloured = berth.plan(bars[:1], start, start + timedelta(days=5), self.view, True, True)
        self.assertIn("\x1b[36m▒", coloured)

    def test_a_plan_has_ticks_at_round_times(self):
        start = datetime(2027, 1, 29, 22, 15, tzinfo=timezone.utc)
        for hours, expected in ((24, ["Sat 30", "06:00", "12:00", "18:00"]), (48, ["Sat 30", "12:00", "Sun 31", "12:00"]), (3, ["22:30", "23:00", "23:30", "Sat 30", "00:30"]),
                                (24 * 30, ["1 Feb", "8 Feb", "15 Feb", "22 Feb"])):
            head = berth.plan([], start, start + timedelta(hours=hours), self.view, True, False).split("\n")[0]
            self.assertEqual([label.strip() for label in head[25:].split("|")[1:]], expected)

    def test_a_plan_shows_several_clusters(self):
        use = {"kind": "RESERVATION", "state": "CONFIRMED", "pes": 4, "owner": "ada", "start": "2027-01-29T12:00:00Z", "end": "2027-01-29T13:00:00Z"}
        words = ("plan", "--from", "2027-01-29T11:00Z", "--for", "4h", "--cluster", "one", "--cluster", "two")
        with service(ok({"placements": [use]})) as there:
            out = inside(*words, environment=there.environment)[1]
            self.assertEqual([line for line in out.split("\n") if line in ("one", "two")], ["one", "two"])
            self.assertEqual(out.count("4 ada"), 2)
            self.assertEqual(json.loads(inside(*words, "-o", "json", environment=there.environment)[1]), {"one": [use], "two": [use]})
            self.assertEqual(json.loads(inside(*words[:-2], "-o", "json", environment=there.environment)[1]), [use])

    def test_an_event_says_what_has_changed(self):
        def event(type_, sequence, **data):
            terms = {"deadline": data.pop("deadline", "2027-02-01T14:00:00Z")}
            data = {"state": "CONFIRMED", "placement": RESERVATION["placement"], "price": RESERVATION["price"], "terms": terms, **data}
            return {"at": "2027-01-29T11:30:00Z", "cluster": "demo", "type": type_, "reservation": RESERVATION["id"], "sequence": sequence, "data": data}

        events = [
            event("confirmed", 1),
            event("renegotiated", 2, price=LONGER["price"], placement=LONGER["placement"]),
            event("renegotiated", 3, price=LONGER["price"], placement=LONGER["placement"], deadline="2027-02-02T14:00:00Z"),
        ]
        with service(ok({"items": events, "next": None})) as there:
            out = inside("events", RESERVATION["id"], environment={**there.environment, "TZ": "UTC"})[1].replace("->", "\u2192").split("\n")
            self.assertTrue(out[1].endswith("CONFIRMED from 2027-01-31 14:00 to 2027-01-31 16:00 for 51.20 USD"), out[1])
            self.assertTrue(out[2].endswith("CONFIRMED price 51.20 USD \u2192 102.40 USD, end 2027-01-31 16:00 \u2192 2027-01-31 18:00"), out[2])
            self.assertTrue(out[3].endswith("CONFIRMED deadline 2027-02-01 14:00 \u2192 2027-02-02 14:00"), out[3])
            self.assertEqual(json.loads(inside("events", RESERVATION["id"], "-o", "json", environment=there.environment)[1]), events)

    def test_events_are_followed_until_the_reservation_ends(self):
        def event(type_, state, sequence):
            return {"at": NOW.isoformat(), "sequence": sequence, "cluster": "demo", "type": type_, "reservation": RESERVATION["id"], "data": {"state": state}}

        confirmed, cancelled = event("confirmed", "CONFIRMED", 7), event("cancelled", "CANCELLED", 9)
        pages = [{"items": [confirmed], "next": "a"}, {"items": [], "next": None}, {"items": [cancelled], "next": "b"}]
        with service(*map(ok, pages)) as there:
            code, out, _ = inside("events", RESERVATION["id"], "--follow", environment=there.environment)
            self.assertEqual((code, len(out.splitlines()), out.count("AT (")), (0, 3, 1))
            self.assertEqual([re.search("after=(.*)", call[1]) and re.search("after=(.*)", call[1])[1] for call in there.calls], [None, "a", "a"])
            self.assertEqual([call[2].get("Prefer") for call in there.calls], [None, "wait=30", "wait=30"])
        # the list of one reservation has no position, and begins anew each time
        with service(*(ok({"items": items, "next": None}) for items in ([confirmed], [confirmed], [confirmed, cancelled]))) as there, mock.patch("time.sleep"):
            out = inside("events", RESERVATION["id"], "--follow", environment=there.environment)[1]
            self.assertEqual([re.search("confirmed|cancelled", line)[0] for line in out.splitlines()[1:]], ["confirmed", "cancelled"])

    def test_free_says_what_a_run_may_have_now_and_later(self):
        soon, later = berth.iso_instant("now"), "2099-01-31T14:00:00Z"
        rows = [{"pes": 4, "starts": [soon, soon]}, {"pes": 8, "starts": [None, later]}, {"pes": 16, "starts": [None, None]}]
        found = {"clusters": [{"cluster": "demo", "pes": 16, "rows": rows}], "hidden": ["secret"]}
        with service(ok(found)) as there:
            _, out, err = inside("free", "--for", "2h", environment={**there.environment, "TZ": "UTC"})
            self.assertEqual(re.split("  +", out.splitlines()[1]), ["demo", "16", "4+", "8 at 2099-01-31 14:00"])
            self.assertIn("secret", err)
            self.assertEqual(json.loads(there.calls[-1][3])["duration"], "PT7200S")

    def test_open_prints_the_address_of_the_page(self):
        with service(ok(RESERVATION)) as there:
            self.assertEqual(inside("open", RESERVATION["id"], environment={**there.environment, "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""})[1],
                             f"{there.url}/#/reservation?id={RESERVATION['id']}\n")

    def test_columns_are_chosen_and_wide_tables_have_all(self):
        with service(ok({"items": [RESERVATION], "next": None})) as there:
            for words in (["list"], ["ls"]):
                _, out, _ = inside(*words, "--columns", "name,May-move-until,pes", environment=there.environment)
                self.assertEqual(re.split("  +", out.splitlines()[0]), ["NAME", "MAY MOVE UNTIL", "PES"])
            self.assertEqual(inside("list", "--columns", "name,pes", "-o", "csv", environment=there.environment)[1], "name,pes\nfirst run,32\n")
            for words in (["--wide"], ["-o", "wide"]):
                self.assertIn("OWNER", inside("list", *words, environment={**there.environment, "COLUMNS": "80"})[1])
            code, _, err = inside("list", "--columns", "nmae", environment=there.environment)
            self.assertEqual(code, 2)
            self.assertIn("There is no column 'nmae'. The columns are id,name,state,", err)
        with service(ok(RESERVATION)) as there:
            self.assertEqual(inside("show", RESERVATION["id"], "--columns", "name", environment=there.environment)[1], "NAME\nfirst run\n")

    def test_the_cheapest_and_the_soonest_slot_are_asked_for(self):
        with service(ok(RESERVATION)) as there:
            for words, expected in (
                (["--cheapest", "--slack", "6h"], "LOWEST_PRICE"), (["--soonest", "--slack", "6h"], "EARLIEST_START"), (["--cheapest"], "LOWEST_PRICE"), (["--soonest"], None),
            ):
                inside("reserve", "--pes", "4", "--for", "1h", *words, environment=there.environment)
                self.assertEqual(json.loads(there.calls[-1][3]).get("orderBy"), expected)
        self.assertEqual(inside("reserve", "--pes", "4", "--for", "1h", "--cheapest", "--soonest")[0], 2)

    def test_one_account_reserves_for_another_and_hands_over(self):
        with service(ok(RESERVATION)) as there:
            self.assertEqual(inside("reserve", "--pes", "4", "--for", "1h", "--account", "bob", environment=there.environment)[0], 0)
            self.assertEqual(json.loads(there.calls[-1][3])["account"], "bob")
            self.assertEqual(inside("transfer", RESERVATION["id"], "bob", environment=there.environment)[0], 0)
            method, path, _, body = there.calls[-1][:4]
            self.assertEqual((method, path, json.loads(body)), ("POST", f"/api/v1/reservations/{RESERVATION['id']}/transfer", {"account": "bob"}))

    def test_a_watch_repeats_the_command_until_it_is_interrupted(self):
        with service(ok({"items": [RESERVATION], "next": None})) as there, mock.patch("time.sleep", side_effect=[None, KeyboardInterrupt]) as sleep:
            code, out, _ = inside("list", "--watch", "10s", environment=there.environment)
            self.assertEqual((code, out.count("first run"), sleep.call_args[0]), (130, 2, (10.0,)))

    def test_an_alternative_shows_until_when_its_run_may_end(self):
        slot = {"kind": "ALTERNATIVE", "phi": 0.2, "end": "2027-02-01T10:00:00Z", "deadline": "2027-02-01T12:00:00Z"}
        self.assertEqual(berth._kind(slot, self.view), "outside, +0.20 run times, ends by 2027-02-01 12:00")
        for without in (dict(slot, deadline=slot["end"]), {name: slot[name] for name in ("kind", "phi", "end")}):
            self.assertEqual(berth._kind(without, self.view), "outside, +0.20 run times")

    def test_a_rejection_shows_the_changes_that_would_fit(self):
        text = berth.problem_text(berth.BerthError(NO_ROOM), self.view)
        self.assertIn("a deadline of 2027-02-01 16:00 UTC; 16 PEs; 1h", text)

    def test_a_rejection_shows_what_the_changes_cost_others(self):
        effects = {"deadline": dict(EFFECTS, moved=2, largestShift="PT3H"), "pes": EFFECTS, "duration": None}
        text = berth.problem_text(berth.BerthError(dict(NO_ROOM, wouldFit=dict(NO_ROOM["wouldFit"], effects=effects))), self.view)
        self.assertIn("16:00 UTC (2 reservations would move, by up to 3h); 16 PEs; 1h", text)

    def test_slots_show_what_they_cost_others(self):
        slots = [SLOT, dict(SLOT, effects=dict(EFFECTS, moved=2, largestShift="PT3H", jobsDelayed=4)), dict(SLOT, effects=None)]
        lines = berth.table(berth.SLOTS, slots, self.view).splitlines()
        self.assertIn("MOVES OTHERS", lines[0])
        self.assertRegex(lines[1], r"-  +-  +")
        self.assertRegex(lines[2], r"2, by 3h  +4  +")
        self.assertRegex(lines[3], r"\?  +\?  +")


class ExitCodes(unittest.TestCase):
    def test_help_lists_the_exit_codes(self):
        text = command("--help", code=0).stdout
        for code, word in enumerate(("done", "service", "usage", "no room", "not allowed", "not found", "timed out", "wrong state")):
            self.assertRegex(text, rf"  {code}  .*{word}")

    def test_every_problem_has_an_exit_code(self):
        for code, expected in {"no-slot": 3, "over-budget": 3, "forbidden": 4, "limit-exceeded": 4, "not-found": 5, "wrong-state": 7,
                               "stale-version": 7, "invalid-terms": 2, "never-fits": 2, "internal": 1, "something-new": 1}.items():
            status = 500 if code == "internal" else 409
            with service(problem({"title": "t", "status": status, "code": code, "detail": "d", "errors": []})) as there:
                answered, out, err = inside("account", "-o", "json", "--url", there.url)
                self.assertEqual((answered, json.loads(err)["code"], out), (expected, code, ""))

    def test_wrong_usage_is_rejected(self):
        for words in (
            ["nonsense"], ["reserve"], ["reserve", "--pes", "4"], ["probe", "--for", "1h"], ["help", "nonsense"], ["list", "--nonsense"], ["list", "--limit", "0"], ["list", "--limit", "x"], ["list", "-o", "yaml"],
            ["list", "--state", "helt"], ["show"], ["reserve", "--for", "1:30", "--pes", "1"], ["reserve", "--for", "2", "--pes", "1"], ["reserve", "--pes", "many"],
            ["reserve", "--pes", "1", "--for", "1h", "--budget", "12"], ["reserve", "--terms", "{"], ["reserve", "--terms", "[]"],
            ["reserve", "--terms", "@/nowhere"], ["reserve", "--terms", "[" * 100_000], ["reserve", "--require", "gpu"],
            ["reserve", "--ready", "soon"], ["list", "--zone", "Nowhere/Here"], ["list", "--zone", "../etc/passwd"],
            ["list", "--url", "localhost:8080"], ["list", "--url", "http://"], ["list", "--url", "http://a:b"],
            ["list", "--url", "ftp://a"], ["list", "--url", "http://u:p@a"], ["list", "--url", "http://a/ b"],
            ["list", "--token-file", "/nowhere"], ["list", "--profile", "nobody"], ["run", "--pes", "1", "--for", "1h"],
            ["list", "--", "ls"], ["run", "--", "no-such-command"], ["run", "--hold", "1m", "--", "true"],
            ["run", "--resume", "x", "--pes", "1", "--", "true"], ["completion", "tcsh"], ["shell", "--pes", "1", "--for", "1h"], ["wait", "x", "--for", "ever"],
            ["wait", "x", "--timeout", "long"], ["plan", "--from", "now", "--to", "-1h"], ["plan", "--to=yesterday"], ["login", "--profile", "a]b"],
            ["list", "--patience", "-1"], ["reserve", "--accept-alternatives", "nan"], ["list", "--from", "9999-12-31 23:59-12:00"], ["renegotiate", "x"], ["list", "--lim", "3"],
            ["reserve", "--slack", "1h", "--deadline", "+1d"], ["reserve", "--slack", "long"], ["reserve", "--auto-extend", "1h"], ["reserve", "--until", "+1d"], ["reserve", "--auto-extend", "off", "--until", "+1d"],
            ["reserve", "--auto-extend", "1h", "--until", "soon"], ["reserve", "--auto-extend", "", "--until", "+1d"],
            ["run", "--resume", "x", "--auto-extend", "1h", "--until", "+1d", "--", "true"],
            ["extend", "x"], ["extend", "x", "--auto", "1h"], ["extend", "x", "--auto", "1h", "--by", "1h", "--until", "+1d"],
            ["extend", "x", "--by", "1h", "--until", "+1d"], ["extend", "x", "--auto", "off", "--until", "+1d"], ["extend", "x", "--auto", "OFF"],
            ["extend", "x", "--auto", "1h", "--until", "+1d", "--at-least", "1h"], ["extend", "x", "--auto", "", "--until", "+1d"],
            ["jobs"], ["jobs", "submit"], ["jobs", "cancel"], ["jobs", "complete"], ["jobs", "submit", "--cluster", "demo", "--pes", "4"],
            ["jobs", "submit", "--cluster", "demo", "--pes", "0", "--for", "1h"], ["jobs", "submit", "--cluster", "demo", "--pes", "4", "--for", "long"],
            ["jobs", "submit", "--cluster", "demo", "--pes", "4", "--for", "1h", "--state", "QUEUED"], ["jobs", "cancel", "--cluster", "demo"],
            ["project", "show"], ["project", "create"], ["project", "member", "climate"], ["project", "member", "climate", "bob"], ["project", "delete", "climate"],
            ["project", "balance"], ["project", "charges"], ["project", "charges", "climate", "--from", "soon"], ["project", "charges", "climate", "--limit", "0"],
            ["project", "mode", "climate"], ["project", "mode", "climate", "LAX"], ["project", "grant", "climate", "q1", "5000", "USD"],
            *(["project", "grant", "climate", "q1", "--until", "+90d", *more] for more in (
                [], ["-5"], ["lots"], ["1e3"], ["5", "dollars"], ["5", "USD", "--credit", "some"], ["5", "--from", "soon"], ["5", "USD", "EUR"])),
            ["project", "member", "climate", "bob", "king"], ["project", "member", "climate", "bob", "OWNER", "--remove"],
            ["series", "create"], ["series", "show"], ["series", "end"], ["series", "book", "x"], ["series", "delete", "x"], ["series", "--limit", "0"],
            *(["series", "create", "--cluster", "demo", "--pes", "4", "--for", "1h", "--rrule", "FREQ=DAILY", *more] for more in (
                [], ["--at", "soon"], ["--at", "now", "--zone", "Nowhere/Here"], ["--at", "now", "--count", "0"], ["--at", "now", "--until", "never"],
                ["--at", "now", "--count", "2", "--until", "today"], ["--at", "now", "--any", "--at-least", "2"], ["--at", "now", "--at-least", "0"],
                ["--at", "now", "--slack", "long"], ["--at", "now", "--earliest", ""], ["--at", "now", "--except"], ["--at", "now", "--except", "2027-02-30"],
                ["--at", "now", "--ready", "now"], ["--at", "now", "--until", ""], ["--at", "now", "--budget", "12"], ["--at", "now", "--key", "a b"],
            )),
            ["series", "book", SERIES["id"], "2027-02-30"], ["series", "end", SERIES["id"], "--from", "2027-2-3"],
            ["jobs", "--cluster", "demo", "submit"], ["jobs", "submit", "--cluster", "demo", "--pes", "4", "--for", "1h", "--key", "a b"],
        ):
            with self.subTest(words=str(words)[:80]):
                code, out, err = inside(*words)
                self.assertEqual((code, out), (2, ""), err)
                self.assertTrue(err.startswith("berth: Wrong usage: "), err)
                if words[0] not in ("nonsense", "completion", "help"):
                    code, out, err = inside(*words[:1], "--output=json", *words[1:])
                    self.assertEqual((code, json.loads(err)["code"]), (2, "usage"))

    def test_wrong_usage_says_what_to_write(self):
        for words, expected in (
            (["reserv"], "There is no command 'reserv'. Did you mean reserve?"),
            (["jobs", "submti"], "There is no command 'jobs submti'. Did you mean jobs submit?"),
            (["xyzzy"], "There is no command 'xyzzy'. For all commands: berth help"),
            (["reserve", "--gpsu", "8"], "'berth reserve' does not take '--gpsu'. Did you mean --gpus?"),
            (["list", "--stat=HELD"], "'berth list' does not take '--stat'. Did you mean --state?"),
            (["reserve"], "--pes and --for are required."),
            (["reserve", "--gpus", "8"], "--for is required."),
            (["probe", "--for", "1h", "--terms", '{"deadline":"2027-01-31T14:00:00Z"}'], "--pes is required."),
            (["series", "create", "--cluster", "demo", "--pes", "4", "--at", "now", "--rrule", "FREQ=DAILY"], "--for is required."),
            (["jobs", "submit"], "--cluster, --pes and --for are required."),
            (["show"], "ID is required."),
        ):
            with self.subTest(words=words):
                self.assertIn(expected, inside(*words)[2])

    def test_terms_of_the_api_count_as_given(self):
        with service(ok(RESERVATION)) as there:
            terms = {"minPes": 4, "maxPes": 8, "moldability": {"runtimes": {"4": "PT2H", "8": "PT1H"}}}
            self.assertEqual(inside("reserve", "--terms", json.dumps(terms), "--url", there.url)[0], 0)

    def test_a_rejection_without_a_token_says_how_to_sign_in(self):
        refused = {"title": "No valid token", "status": 401, "code": "unauthorized", "detail": "Send a valid token in the header.", "errors": []}
        with service(problem(refused)) as there:
            code, _, err = inside("list", "--url", there.url)
            self.assertEqual((code, err), (4, f"berth: Not signed in: You are not signed in. Run: berth login --url {there.url}\n"))
            _, _, err = inside("list", environment=there.environment)
            self.assertIn(f"{there.url} does not accept your token. Run: berth login --url {there.url}", err)

    def test_the_version_of_the_service_is_shown(self):
        identity = {"service": "berth", "berth": "1.2.3", "contract": 1, "instance": RESERVATION["id"], "signIn": None}
        for served, words in ((CLIENT.read_bytes(), "is the file that this service offers"), (b"other", "differs from")):
            with service(ok(identity), (200, "text/x-python", served)) as there:
                code, out, _ = inside("--version", environment=there.environment)
                self.assertEqual((code, there.calls[-1][1]), (0, "/client/berth.py"))
                self.assertIn(f"Berth 1.2.3 at {there.url}\n", out)
                self.assertIn(words, out)
        with service(ok({"service": "other"})) as there:
            self.assertEqual(inside("version", environment=there.environment)[0], 1)

    def test_help_has_all_commands_in_groups(self):
        code, out, err = inside()
        self.assertEqual((code, err, inside("help")[1]), (0, "", out))
        commands = berth.parser_of()._subparsers._group_actions[0].choices
        named = " ".join(berth.GROUPS.values()).split()
        self.assertEqual(sorted(named), sorted(name for name in commands if " " not in name))
        self.assertEqual(set(berth.IN_TWO_WORDS), {name for name in commands if " " in name})
        for name in named:
            self.assertRegex(out, rf"(?m)^  {name} ")
        self.assertEqual(inside("help", "times"), (0, berth.HELP_ON_TIMES, ""))

    def test_every_command_has_two_examples_that_parse(self):
        commands = berth.parser_of()._subparsers._group_actions[0].choices
        self.assertEqual(set(commands) - {"admin", "completion", "help", "install"}, set(berth.EXAMPLES))
        for name, examples in berth.EXAMPLES.items():
            self.assertEqual(len(examples), 2, name)
            text = inside("help", *name.split())[1]
            self.assertLess(text.index("common options:"), text.index("examples:"))
            for example in examples:
                with self.subTest(f"{name} {example}"):
                    self.assertIn(f"  berth {name} {example}".rstrip(), text)
                    words = shlex.split(example)
                    words = words[: words.index("--")] if "--" in words else words
                    args = berth.parser_of(name).parse_args([name, *words])
                    for option in ("ready", "deadline", "from_", "to", "until", "start"):
                        if getattr(args, option, None) and name != "wait":
                            berth.parse_instant(getattr(args, option))

    def test_arguments_with_invalid_characters_are_rejected(self):
        with service(problem(dict(NO_ROOM, code="malformed", status=400))) as there:
            for word in (b"\xff", "\u202e", "\ud800"):
                word = os.fsdecode(word) if isinstance(word, bytes) else word.encode("utf-8", "replace").decode()
                command("reserve", "--name", word, "--pes", "1", "--for", "1h", code=2, environment=there.environment)
                command("jobs", "--cluster", word, code=2, environment=there.environment)


class Services(unittest.TestCase):
    def test_lists_parse_even_if_empty(self):
        with service(ok({"items": [], "next": None})) as there:
            for words in (["list"], ["list", "--all"], ["clusters"], ["jobs", "--cluster", "demo"], ["events"], ["series"], ["project"]):
                there_is = [*words, "--url", there.url]
                self.assertEqual(inside(*there_is, "-o", "json"), (0, "[]\n", ""))
                code, out, err = inside(*there_is, "-o", "csv")
                self.assertEqual((code, len(out.splitlines()), err), (0, 1, ""))
                if words != ["events"]:
                    self.assertEqual(inside(*there_is, "-o", "id"), (0, "", ""))
                code, out, err = inside(*there_is)
                self.assertEqual((code, out), (0, ""))
                self.assertRegex(err, "^No ")

    def test_pages_are_read_to_the_end(self):
        with service(ok({"items": [RESERVATION] * 2, "next": "x"}), ok({"items": [RESERVATION], "next": None})) as there:
            found = json.loads(command("list", "--all", "-o", "json", code=0, environment=there.environment).stdout)
            self.assertEqual(len(found), 3)
            self.assertIn("after=x", there.calls[1][1])

    def test_a_call_is_repeated_under_one_key(self):
        answers = [problem(UNAVAILABLE, ("Retry-After", "0")), None, (502, "text/html", b"<h1>Bad gateway</h1>"), ok(RESERVATION)]
        with service(*answers) as there:
            done = command("reserve", "--pes", "32", "--for", "2h", "-o", "id", code=0, environment=there.environment)
            self.assertEqual(done.stdout.strip(), RESERVATION["id"])
            keys = {headers["Idempotency-Key"] for _, _, headers, _ in there.calls}
            bodies = {body for _, _, _, body in there.calls}
            self.assertEqual((len(there.calls), len(keys), len(bodies)), (4, 1, 1))

    def test_giving_up_prints_the_key(self):
        with service(problem(UNAVAILABLE)) as there:
            given_up = command("cancel", RESERVATION["id"], "--patience", "1s", code=1, environment=there.environment)
            self.assertRegex(given_up.stderr, "--key [0-9a-f]{32} to find out")
            self.assertGreater(len(there.calls), 1)

    def test_an_interrupted_change_prints_its_key(self):
        with service(None) as there:
            around = {**os.environ, **there.environment, "HOME": "/nonexistent"}
            # a background shell starts the tests with SIGINT ignored, and every process they start inherits that
            with subprocess.Popen([sys.executable, str(CLIENT), "reserve", "--pes", "1", "--for", "1h"], env=around, text=True,
                                  stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as asks:
                self.assertIn("trying again", asks.stderr.readline())
                asks.send_signal(signal.SIGINT)
                output = asks.communicate(timeout=20)[1]
            self.assertEqual(asks.returncode, 130, output)
            self.assertRegex(output, "--key [0-9a-f]{32} to find out")
            self.assertNotIn("Traceback", output)

    def test_a_forbidden_call_is_not_repeated(self):
        with service(problem({"title": "A valid token is needed", "status": 401, "code": "unauthorized", "detail": "d", "errors": []})) as there:
            command("list", code=4, environment=there.environment)
            self.assertEqual(len(there.calls), 1)

    def test_a_service_that_is_not_berth_is_reported(self):
        for answer in (
            (200, "text/html", b"<html>Welcome</html>"), (200, "application/json", b"\xff\xfe"), (200, "application/json", b"["),
            (200, "application/json", b"[" * 100_000), (200, "application/json", b"[]"), (200, "application/json", b"null"),
            (200, "application/json", b'"a"'), (200, "application/json", b'{"items":7,"next":null}'), (204, "text/plain", b""),
            (200, "application/json", b'{"items":[{"id":1}],"next":null}'), (302, "text/html", b"", ("Location", "https://elsewhere")),
            (404, "text/html", b"no such page"), (407, "text/html", b"Proxy authentication required"),
            (400, "application/json", b'{"code":17}'), (500, "text/plain", b"\x00\x01"),
        ):
            with self.subTest(answer=str(answer)[:80]), service(answer) as there:
                code, out, err = inside("list", "--url", there.url)
                self.assertEqual((code, out), (1, ""), err)
                self.assertRegex(err, "^berth: This is not Berth: ")
                code, out, err = inside("list", "--all", "-o", "csv", "--url", there.url)
                self.assertEqual((code, out), (1, ""), err)
                code, out, err = inside("account", "-o", "json", "--url", there.url)
                # any JSON object is printed unchanged
                self.assertEqual((code, json.loads(out or err).get("code", "not-berth")), (0 if out else 1, "not-berth"))

    def talk(self, answer):
        """Starts a listener that sends these bytes to every connection and closes it, and returns its URL."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    connection.settimeout(1)
                    with connection, contextlib.suppress(OSError):
                        connection.recv(65536)
                        connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def test_a_service_that_does_not_speak_http_is_reported(self):
        for answer in (b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/9.9 200 OK\r\n\r\n", b"HTTP/1.1 999999 x\r\n\r\n", b"\x15\x03\x01\x00\x02\x02\x46" * 9,
                       b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200 + b"\r\n", b"HTTP/1.1 200 OK\r\na: " + b"b" * 100_000 + b"\r\n\r\n",
                       b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            with self.subTest(answer=answer[:40]):
                code, _, err = inside("list", "--url", self.talk(answer), "--patience", "1s")
                self.assertEqual(code, 1)
                self.assertRegex(err, "berth: (This is not Berth|The service does not respond): ")

    def test_every_form_of_a_response_is_read(self):
        body = json.dumps({"name": "ada", "role": "CLIENT", "serviceClass": "STANDARD", "limits": None}).encode()
        size = f"Content-Length: {len(body)}\r\n".encode()
        chunks = b"a;x=1\r\n" + body[:10] + b"\r\n" + f"{len(body) - 10:X}\r\n".encode() + body[10:] + b"\r\n0\r\nx: y\r\n\r\n"
        for answer in (
            b"HTTP/1.1 200 OK\r\n" + size + b"\r\n" + body,
            b"HTTP/1.1 200\ncontent-length:" + str(len(body)).encode() + b"\n\n" + body,
            b"HTTP/1.0 200 OK\r\n\r\n" + body,
            b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body,
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n" + size + b"\r\n" + body,
        ):
            with self.subTest(answer=answer[:60]):
                code, out, err = inside("account", "-o", "id", "--url", self.talk(answer))
                self.assertEqual((code, out), (0, "ada\n"), err)

    def test_an_endless_response_is_rejected(self):
        for answer in (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                       b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n",
                       b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"):
            with self.subTest(answer=answer[-30:]):
                code, _, err = inside("list", "--url", self.talk(answer), "--patience", "0s")
                self.assertEqual((code, err.startswith("berth: This is not Berth: ")), (1, True), err)

    def test_one_connection_serves_all_calls(self):
        body = b'{"items":[],"next":null}'
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def serve():
                connection, _ = listener.accept()
                with connection:
                    for _ in range(3):
                        connection.recv(65536)
                        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

            answers = threading.Thread(target=serve, daemon=True)
            answers.start()
            with berth.Berth(f"http://127.0.0.1:{listener.getsockname()[1]}", "secret", patience=0) as client:
                for _ in range(3):
                    self.assertEqual(client.clusters(), [])
            answers.join(10)
            self.assertFalse(answers.is_alive())

    def test_addresses_are_parsed(self):
        for url, expected in {
            "http://a": (False, "a", 80, "a", ""), "HTTPS://a.b:8443/x/": (True, "a.b", 8443, "a.b:8443", "/x"),
            "http://[::1]:80/": (False, "::1", 80, "[::1]:80", ""), "https://a:": (True, "a", 443, "a", ""),
        }.items():
            made = berth.Address(url)
            self.assertEqual((made.is_tls, made.host, made.port, made.shown, made.base), expected)
        for url in ("", "a", "//a", "http:a", "http:///x", "http://:80", "http://a:0", "http://a:65536", "http://a?b", "http://a#b", "http://[::1", "http://ä",
                    "http://a:8\n0", "http://a\r\nx: y", "http://[a]b", "http://a@b", "http://a/\u202e"):
            with self.subTest(url), self.assertRaises(berth.BerthError) as refused:
                berth.Address(url)
            self.assertEqual(refused.exception.exit_code, 2)
        self.assertEqual(berth.quoted("a b/ü?&=%+.~\ud800"), "a%20b%2F%C3%BC%3F%26%3D%25%2B.~%3F")

    def test_a_response_that_breaks_off_is_reported(self):
        for answer in (b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", b"HTTP/1.1 200"):
            with self.subTest(answer=answer):
                done = command("list", "--url", self.talk(answer), "--patience", "0s", code=1)
                self.assertRegex(done.stderr, "^berth: (The service does not respond|This is not Berth): ")

    def test_a_missing_server_is_reported(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        begin = time.monotonic()
        self.assertIn("No server listens there.", command("list", "--url", f"http://127.0.0.1:{port}", code=1).stderr)
        command("list", "--url", "http://nowhere.invalid", code=1)
        command("list", "--url", "http://" + "a" * 300, code=1)
        self.assertLess(time.monotonic() - begin, 30)

    def test_a_malformed_token_is_rejected(self):
        with service(ok({})) as there:
            for token in ("a b", "ä", "a\nb"):
                command("list", code=2, environment={**there.environment, "BERTH_TOKEN": token})
            self.assertEqual(there.calls, [])

    def test_tls_with_a_service_without_tls_is_reported(self):
        with service(ok({})) as there:
            done = command("list", "--url", there.url.replace("http:", "https:"), code=1)
            self.assertIn("cannot be reached", done.stderr)

    @unittest.skipUnless(shutil.which("openssl"), "needs openssl")
    def test_tls_needs_a_certificate_of_that_name(self):
        with tempfile.TemporaryDirectory() as directory, service(ok({"items": [], "next": None})) as there:
            key, certificate = f"{directory}/key", f"{directory}/certificate"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "1",
                            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            there.socket = context.wrap_socket(there.socket, server_side=True)
            there.handle_error = lambda *_: None
            trusting = {"SSL_CERT_FILE": certificate, "BERTH_TOKEN": "secret"}
            named, numbered = (f"https://{host}:{there.server_port}" for host in ("localhost", "127.0.0.1"))
            command("list", "--url", named, code=0, environment=trusting)
            self.assertEqual(len(there.calls), 1)
            for url, environment in ((numbered, trusting), (named, {"BERTH_TOKEN": "secret"})):
                self.assertIn("is not trusted here", command("list", "--url", url, code=1, environment=environment).stderr)
            self.assertEqual(len(there.calls), 1)

    def test_berth_loads_only_the_modules_that_it_needs(self):
        with service(ok({"items": [], "next": None})) as there:
            done = subprocess.run([sys.executable, "-S", "-X", "importtime", str(CLIENT), "list"], capture_output=True, text=True, check=False,
                                  env={**os.environ, **there.environment, "HOME": "/nonexistent"})
            loaded = {line.split("|")[-1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
            self.assertIn("socket", loaded)
            needless = {"ssl", "zoneinfo", "http.client", "typing", "urllib.parse", "csv"}
            if sys.version_info >= (3, 9):  # before that, argparse loads shutil in any case
                needless.add("shutil")
            self.assertEqual(loaded & needless, set())

    def test_a_closed_pipe_ends_the_command_quietly(self):
        with service(ok({"items": [RESERVATION] * 1000, "next": None})) as there:
            around = {**os.environ, **there.environment, "HOME": "/nonexistent"}
            done = subprocess.run(["sh", "-c", f"{{ {sys.executable} {CLIENT} list --all; echo $? >&2; }} | head -n 1"], env=around,
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr.strip(), "141")
            full = subprocess.run(["sh", "-c", f"{sys.executable} {CLIENT} list --all > /dev/full"], env=around, capture_output=True,
                                  text=True, check=False)
            self.assertEqual(full.returncode, 1)
            self.assertIn("could not be written", full.stderr)
            self.assertNotIn("Traceback", full.stderr)
            self.assertNotIn("Exception", full.stderr)
        for words in ("--help", "list --help", "completion bash"):
            for where, code in (("| true", "141"), ("> /dev/full", "1")):
                script = f"{{ sleep 0.2; {sys.executable} {CLIENT} {words}; echo $? >&2; }} {where}"
                output = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False).stderr
                self.assertEqual(output.splitlines()[-1], code, output)
                self.assertNotIn("Exception", output)

    def test_closed_or_full_output_is_not_a_failure_of_the_service(self):
        with service(ok({"items": [], "next": None})) as there:
            around = {**os.environ, **there.environment, "HOME": "/nonexistent"}
            for words in ("list >&-", "plan >&-", "list 2>&-", "list 2>/dev/full", "list >&- 2>&-"):
                done = subprocess.run(["sh", "-c", f"{sys.executable} {CLIENT} {words}"], env=around, capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (0, ""), (words, done.stderr))

    def test_berth_works_with_any_encoding(self):
        with service(ok({"items": [dict(RESERVATION, name="Grüße 東")], "next": None})) as there:
            for encoding in ("ascii", "latin-1", "utf-8"):
                around = {**there.environment, "PYTHONIOENCODING": encoding}
                self.assertIn("Gr", command("list", "--all", code=0, environment=around).stdout)
                output = json.loads(command("list", "--all", "-o", "json", code=0, environment=around).stdout)
                self.assertEqual(output[0]["name"], "Grüße 東")
            self.assertTrue(command("plan", code=0, environment={**there.environment, "PYTHONIOENCODING": "ascii"}).stdout.isascii())

    def test_a_reservation_is_found_by_the_end_of_its_id_or_its_name(self):
        with service(ok({"items": [RESERVATION], "next": None})) as there:
            client = berth.Command(berth.parser_of().parse_args(["show", "x", "--url", there.url]))
            self.addCleanup(client.berth.close)
            self.assertEqual(client.id(RESERVATION["id"].upper()), RESERVATION["id"].upper())
            for text in ("6c21", "first run"):
                self.assertEqual(client.id(text), RESERVATION["id"])
            for answer, why in (([RESERVATION, dict(RESERVATION, id="0" + RESERVATION["id"][1:])], "Give the whole id of one"), ([], "No reservation")):
                there.answers[:] = [ok({"items": answer, "next": None})]
                for text in ("6c21", "first run"):
                    with self.assertRaisesRegex(berth.BerthError, why):
                        client.id(text)

    def test_live_reservations_take_one_call_if_there_are_no_more(self):
        ended = dict(RESERVATION, id="e" + RESERVATION["id"][1:], state="COMPLETED")
        running = dict(RESERVATION, id="a" + RESERVATION["id"][1:], state="RUNNING")
        with service(ok({"items": [RESERVATION, ended, running], "next": None})) as there:
            listed = command("list", "-o", "id", code=0, environment=there.environment).stdout.split()
            self.assertEqual(set(listed), {RESERVATION["id"], running["id"]})
            self.assertEqual(len(there.calls), 1)
            command("plan", code=0, environment=there.environment)
            self.assertEqual(len(there.calls), 2)

    def test_a_request_that_waits_for_room_is_live(self):
        waiting = dict(RESERVATION, state="WAITING", placement=None, movable=False, fixedAt=None, price=None)
        with service(ok({"items": [waiting], "next": None})) as there:
            self.assertIn("WAITING", inside("list", environment=there.environment)[1])
        for goal in ("decided", "confirmed", "started", "in-place", "ended"):
            with service(ok(waiting), ok(dict(RESERVATION, state="COMPLETED"))) as there:
                output = inside("wait", RESERVATION["id"], "--for", goal, "-o", "id", environment=there.environment)
                self.assertEqual((output[0], len(there.calls)), (0, 2), output)

    def test_an_event_without_a_planned_time_is_awaited_with_quick_polls(self):
        now = datetime.now(timezone.utc)
        placement = dict(RESERVATION["placement"], start=berth.iso_instant(now, timezone.utc), end=berth.iso_instant(now + timedelta(hours=2), timezone.utc))
        missing = dict(RESERVATION, state="RUNNING", placement=placement, enforcement={"state": "PENDING", "detail": None, "handle": None, "nodes": None})
        there = dict(missing, enforcement=dict(missing["enforcement"], state="MATERIALISED"))
        waiting = dict(RESERVATION, state="WAITING", placement=None)
        later = dict(RESERVATION, placement=dict(placement, start=placement["end"]))
        due = dict(RESERVATION, placement=placement)
        answers = [waiting, waiting, later, later, due, due, missing, missing, missing, missing, missing, missing, there]
        pauses = []
        with service(*map(ok, answers)) as fake, mock.patch.object(berth.time, "sleep", pauses.append):
            output = inside("wait", RESERVATION["id"], "--for", "in-place", environment=fake.environment)
        self.assertEqual(output[0], 0, output)
        self.assertEqual(pauses, [0.2, 0.5, 15.0, 15.0, 1.0, 2.0, 0.2, 0.5, 1.0, 2.0, 2.0, 2.0])

    def test_older_live_reservations_are_listed_by_state(self):
        older = dict(RESERVATION, id="b" + RESERVATION["id"][1:])
        with service(ok({"items": [RESERVATION], "next": "c"}), ok({"items": [], "next": None})) as there:
            place = berth.LIVE.index("CONFIRMED")
            there.answers[1:] = [ok({"items": [older] if at == place else [], "next": None}) for at in range(len(berth.LIVE))]
            listed = command("list", "-o", "id", "--cluster", "demo", "--limit", "7", code=0, environment=there.environment).stdout.split()
            self.assertEqual(set(listed), {RESERVATION["id"], older["id"]})
            asked = [dict(pair.split("=") for pair in path.split("?")[1].split("&")) for _, path, _, _ in there.calls]
            self.assertNotIn("state", asked[0])
            self.assertEqual([each["state"] for each in asked[1:]], list(berth.LIVE))
            self.assertEqual({each["after"] for each in asked[1:]}, {"c"})
            self.assertEqual({each["cluster"] for each in asked}, {"demo"})
            # as many of each state as the limit says, from either call
            self.assertEqual([each["limit"] for each in asked[1:]], ["6" if state == "CONFIRMED" else "7" for state in berth.LIVE])

    def test_prices_are_shown_by_slack(self):
        money = {"amount": "7.20", "currency": "USD"}
        with service(ok({"points": [{"slack": "PT6H", "price": money, "saved": dict(money, amount="0.80")}]})) as there:
            words = ("prices", "--cluster", "demo", "--pes", "8", "--for", "1h", "--slack", "6h", "--slack", "1d")
            output = command(*words, code=0, environment=there.environment).stdout
            self.assertIn("7.20 USD", output)
            self.assertIn("0.80 USD", output)
            path = there.calls[0][1]
            self.assertTrue(path.startswith("/api/v1/clusters/demo/prices?"), path)
            for part in ("pes=8", "duration=PT3600S", "slack=PT21600S"):
                self.assertIn(part, path)

    def test_a_signal_is_sent_from_a_file(self):
        found = {"cluster": "demo", "source": "day-ahead", "factors": [{"from": "2027-01-31T00:00:00Z", "factor": "0.5"}], "to": "2027-01-31T02:00:00Z"}
        with service(ok(found)) as there, tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "day.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("time,price\n2027-01-31T00:00Z,40\n2027-01-31T01:00Z,-200\n\n")
            words = ("signal", "demo", path, "--zone", "UTC")
            output = inside(*words, "--source", "day-ahead", "--usual", "80", "--share", "0.4", environment=there.environment)[1]
            self.assertIn("0.5", output)
            self.assertIn("until 2027-01-31 02:00, from day-ahead", output)
            sent = there.calls[0]
            self.assertEqual(sent[:2], ("PUT", "/api/v1/clusters/demo/signal"))
            steps = [{"from": "2027-01-31T00:00:00Z", "factor": "0.800000"}, {"from": "2027-01-31T01:00:00Z", "factor": "0.010000"}]
            self.assertEqual(json.loads(sent[3]), {"source": "day-ahead", "factors": steps, "to": "2027-01-31T02:00:00Z"})
            inside(*words, "--to", "2027-01-31T05:00Z", environment=there.environment)
            body = json.loads(there.calls[2][3])
            self.assertEqual((body["source"], body["to"]), ("day.csv", "2027-01-31T05:00:00Z"))
            for wrong, message in (("x,y\nz,1.5", "not a time"), ("2027-01-31T00:00Z,1\n2027-01-31T01:00Z", "Line 2"), ("", "no line"), ("2027-01-31T00:00Z,1", "--to")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(wrong)
                code, _, errors = inside(*words, environment=there.environment)
                self.assertEqual(code, berth.USAGE)
                self.assertIn(message, errors)
            self.assertIn("--usual and --share", inside(*words, "--share", "0.4", environment=there.environment)[2])
            self.assertEqual(len(there.calls), 4)

    def test_refused_requests_are_listed_with_the_reason(self):
        refused = {
            "at": "2027-01-30T09:30:00Z", "kind": "RESERVATION", "account": "ada", "project": None, "cluster": None, "clusters": ["a", "b"],
            "reservation": None, "terms": RESERVATION["terms"], "start": None, "code": "no-slot", "detail": "Loosen the window.",
            "wouldFit": {"deadline": None, "pes": 16, "duration": "PT1H"}, "requestId": "run-17",
        }
        moldable = dict(refused, terms={"duration": None, "moldability": {}}, wouldFit=None, clusters=None, requestId=None)
        with service(ok({"items": [refused, moldable], "next": None})) as there:
            words = ("refusals", "--since", "2027-01-30T00:00Z", "--code", "no-slot")
            output = inside(*words, environment=there.environment)[1]
            self.assertIn("16 PEs; 1h", output)
            self.assertIn("a,b", output)
            self.assertIn("any", output)
            self.assertIn("from=2027-01-30T00%3A00%3A00Z", there.calls[0][1])
            self.assertIn("code=no-slot", there.calls[0][1])
            rows = list(csv.DictReader(io.StringIO(inside(*words, "-o", "csv", environment=there.environment)[1])))
            self.assertEqual([row["would_have_fitted"] for row in rows], ["pes=16 duration=PT1H", ""])
            self.assertEqual(json.loads(inside(*words, "-o", "json", environment=there.environment)[1]), [refused, moldable])

    def test_jobs_are_submitted_once(self):
        with service(problem(UNAVAILABLE), ok(JOB)) as there:
            words = ("jobs", "submit", "--cluster", "demo", "--pes", "4", "--for", "1h30m", "--name", "sweep")
            self.assertEqual(command(*words, "-o", "id", code=0, environment=there.environment).stdout.strip(), JOB["id"])
            self.assertEqual({(call[0], call[1]) for call in there.calls}, {("POST", "/api/v1/clusters/demo/jobs")})
            self.assertEqual(len({call[2]["Idempotency-Key"] for call in there.calls}), 1)
            self.assertEqual(json.loads(there.calls[1][3]), {"pes": 4, "estimate": "PT5400S", "name": "sweep"})
            command(*words, "--key", "monday", code=0, environment=there.environment)
            self.assertEqual(there.calls[-1][2]["Idempotency-Key"], "monday")

    def test_jobs_are_cancelled_by_id_or_name(self):
        none, one = ok({"items": [], "next": None}), ok({"items": [JOB], "next": None})
        for text in (JOB["id"], JOB["id"][-4:], "sweep"):
            with service(one, none, ok(dict(JOB, state="CANCELLED"))) as there:
                if text == JOB["id"]:
                    del there.answers[:2]
                output = inside("jobs", "cancel", "--cluster", "demo", text, "-o", "csv", environment=there.environment)
                self.assertEqual((output[0], len(output[1].splitlines())), (0, 2), output)
                self.assertEqual(there.calls[-1][:2], ("POST", f"/api/v1/clusters/demo/jobs/{JOB['id']}/cancel"))
        with service(none) as there:
            self.assertEqual(inside("jobs", "cancel", "--cluster", "demo", "sweep", "-o", "id", environment=there.environment)[:2], (5, ""))

    def test_cancelling_a_job_succeeds_if_the_first_response_was_lost(self):
        wrong = problem({"title": "t", "status": 409, "code": "wrong-state", "detail": "It is CANCELLED.", "errors": []})
        words = ("jobs", "cancel", "--cluster", "demo", JOB["id"], "-o", "id")
        with service(None, wrong, ok(dict(JOB, state="CANCELLED"))) as there:
            self.assertEqual(inside(*words, environment=there.environment)[:2], (0, JOB["id"] + "\n"))
        with service(None, wrong, ok(dict(JOB, state="COMPLETED"))) as there:
            self.assertEqual(inside(*words, environment=there.environment)[0], 7)
        # the job was in this state before
        with service(wrong) as there:
            self.assertEqual(inside(*words, environment=there.environment)[0], 7)
            self.assertEqual(len(there.calls), 1)

    def test_a_series_is_made_once(self):
        words = ("series", "create", "--cluster", "demo", "--pes", "32", "--for", "2h", "--at", "2027-02-02 22:00", "--rrule", "FREQ=WEEKLY;BYDAY=TU")
        plain = {"cluster": "demo", "terms": {"pes": 32, "duration": "PT7200S"},
                 "recurrence": {"rrule": "FREQ=WEEKLY;BYDAY=TU", "dtstart": "2027-02-02T22:00:00", "zone": "UTC"}}
        with service(problem(UNAVAILABLE), ok(SERIES)) as there:
            self.assertEqual(command(*words, "--count", "5", "-o", "id", code=0, environment=there.environment).stdout.strip(), SERIES["id"])
            self.assertEqual({(call[0], call[1]) for call in there.calls}, {("POST", "/api/v1/series")})
            self.assertEqual(len({call[2]["Idempotency-Key"] for call in there.calls}), 1)
            self.assertEqual(json.loads(there.calls[1][3]), dict(plain, count=5))
            for more, expected in (
                (("--until", "2027-12-31", "--any", "--dry-run"), {"until": "2027-12-31", "onConflict": "ANY", "dryRun": True}),
                (("--slack", "2h", "--earliest", "30m", "--at-least", "3"), {"window": {"slack": "PT7200S", "earliest": "PT1800S"}, "atLeast": 3}),
                (("--except", "2027-02-09", "2027-02-16", "--except", "2027-03-02", "--name", "n", "--project", "p", "--user", "ada", "-o", "id"),
                 {"recurrence": dict(plain["recurrence"], exdates=["2027-02-09", "2027-02-16", "2027-03-02"]), "name": "n", "project": "p", "users": ["ada"]}),
                (("--budget", "80 USD", "--require", "gpu=a100", "--terms", '{"minPes":8}'),
                 {"terms": {**plain["terms"], "budget": {"amount": "80", "currency": "USD"}, "requires": {"gpu": "a100"}, "minPes": 8}}),
            ):
                code, _, err = inside(*words, *more, environment={**there.environment, "TZ": "UTC"})
                self.assertEqual((code, json.loads(there.calls[-1][3])), (0, {**plain, **expected}), err)
            # a dry run makes nothing that has an id
            there.answers[:] = [ok(dict(SERIES, id=None, state=None))]
            self.assertEqual(inside(*words, "--dry-run", "-o", "id", environment={**there.environment, "TZ": "UTC"})[:2], (0, ""))
            self.assertRegex(inside(*words, "--dry-run", environment={**there.environment, "TZ": "UTC"})[1], "state +dry run\n")
            sent = len(there.calls)
            output = command(*words, code=2, environment={**there.environment, "TZ": "CET-1CEST"})
            self.assertIn("--zone Europe/Berlin", output.stderr)
            self.assertEqual(len(there.calls), sent)

    @unittest.skipUnless(BERLIN, "needs zoneinfo")
    def test_a_series_is_in_the_named_zone(self):
        with service(ok(SERIES)) as there:
            words = ("series", "create", "--cluster", "demo", "--pes", "4", "--for", "1h", "--rrule", "FREQ=DAILY;COUNT=2", "--zone", "Europe/Berlin")
            # a time with an offset is converted to the local time of the zone
            for when in ("2027-07-06 22:00", "2027-07-06T20:00:00Z"):
                self.assertEqual(inside(*words, "--at", when, environment=there.environment)[0], 0)
                sent = json.loads(there.calls[-1][3])["recurrence"]
                self.assertEqual((sent["dtstart"], sent["zone"]), ("2027-07-06T22:00:00", "Europe/Berlin"))
            with berth.Berth(there.url, "secret") as client:
                client.zone = BERLIN
                client.reserve_series("demo", "FREQ=DAILY", datetime(2027, 7, 6, 20, tzinfo=timezone.utc), count=2, pes=4, duration=timedelta(hours=1))
            self.assertEqual(json.loads(there.calls[-1][3])["recurrence"], dict(sent, rrule="FREQ=DAILY"))

    def test_series_are_shown_ended_and_booked_by_id_or_name(self):
        listed = ok({"items": [dict(SERIES, occurrences=None)], "next": None})
        of_it = f"/api/v1/series/{SERIES['id']}"
        for text in (SERIES["id"], SERIES["id"][-4:], "tuesdays"):
            for words, answer, expected in (
                (("show", text), SERIES, ("GET", of_it, b"")),
                (("end", text), SERIES, ("POST", f"{of_it}/end", b"{}")),
                (("end", text, "--from", "2027-02-09"), SERIES, ("POST", f"{of_it}/end", b'{"from": "2027-02-09"}')),
                (("book", text, "2027-02-09", "--key", "k"), RESERVATION, ("POST", f"{of_it}/occurrences/2027-02-09", b"")),
            ):
                with service(listed, ok(answer)) as there:
                    if text == SERIES["id"]:
                        del there.answers[:1]
                    code, out, err = inside("series", *words, "-o", "csv", environment=there.environment)
                    rows = list(csv.DictReader(io.StringIO(out)))
                    self.assertEqual((code, len(rows), err), (0, 1 if answer is RESERVATION else 3, ""))
                    method, path, headers, body = there.calls[-1]
                    self.assertEqual((method, path, body), expected)
                    self.assertEqual(headers.get("Idempotency-Key"), "k" if "--key" in words else None)
        self.assertEqual(rows[0]["id"], RESERVATION["id"])
        with service(listed) as there:
            output = inside("series", "-o", "csv", environment=there.environment)[1]
            self.assertEqual(next(csv.DictReader(io.StringIO(output)))["decided_until"], "2027-02-09")
            self.assertEqual(inside("series", "show", "mondays", environment=there.environment)[0], 5)

    def test_lists_can_be_limited_to_a_project(self):
        of_it = "project=climate%20%26%20sea"
        for words, path in ((["list"], "/reservations"), (["list", "--all"], "/reservations"), (["series"], "/series"), (["series", "list"], "/series"), (["events"], "/events")):
            with service(ok({"items": [], "next": None})) as there:
                self.assertEqual(inside(*words, "--project", "climate & sea", "-o", "json", environment=there.environment)[:2], (0, "[]\n"))
                self.assertEqual(len(there.calls), 1)
                self.assertTrue(there.calls[0][1].startswith(f"/api/v1{path}?"))
                self.assertIn(of_it, there.calls[0][1].partition("?")[2].split("&"))
                inside(*words, environment=there.environment)
                self.assertNotIn("project", there.calls[-1][1])
        with service(ok({"items": [], "next": None})) as there:
            self.assertEqual(inside("events", RESERVATION["id"], "--project", "climate", environment=there.environment)[0], 2)

    def test_projects_are_listed_and_shown(self):
        with service(ok({"items": [PROJECT, dict(PROJECT, id="sea", members=[])], "next": None})) as there:
            for words in (["project"], ["project", "list"]):
                code, out, err = inside(*words, "--zone", "UTC", environment=there.environment)
                self.assertEqual((code, err), (0, ""))
                self.assertEqual([line.split()[0] for line in out.splitlines()], ["ID", "climate", "sea"])
                self.assertIn("Climate models  ada     2        2027-01-29 11:30", out)
                self.assertEqual(there.calls[-1][:2], ("GET", "/api/v1/projects?limit=500"))
            output = inside("project", "-o", "csv", environment=there.environment)[1]
            self.assertEqual(next(csv.DictReader(io.StringIO(output)))["members"], "2")
            self.assertEqual(inside("project", "list", "-o", "id", environment=there.environment)[1], "climate\nsea\n")
        with service(ok(PROJECT)) as there:
            out = inside("project", "show", "climate", environment=there.environment)[1]
            self.assertIn("name           Climate models\n", out)
            self.assertRegex(out, "\nACCOUNT  ROLE\nada      OWNER\nbob      VIEWER\n")
            self.assertEqual(there.calls[-1][:2], ("GET", "/api/v1/projects/climate"))
            self.assertEqual(json.loads(inside("project", "show", "climate", "-o", "json", environment=there.environment)[1]), PROJECT)
        with service(ok(dict(PROJECT, members=[], name="a\x1b[2Jb"))) as there:
            out = inside("project", "show", "climate", environment=there.environment)[1]
            self.assertIn("no members", out)
            self.assertNotIn("\x1b", out)

    def test_projects_are_made_and_given_members(self):
        of_it = "/api/v1/projects/climate"
        gone = (204, "text/plain", b"")
        for words, answer, expected in (
            (("create", "climate", "--name", "Climate models"), ok(PROJECT), ("POST", "/api/v1/projects", {"id": "climate", "name": "Climate models"})),
            (("create", "climate"), ok(PROJECT), ("POST", "/api/v1/projects", {"id": "climate", "name": "climate"})),
            (("member", "climate", "b/b", "viewer"), ok(PROJECT), ("PUT", of_it + "/members/b%2Fb", {"role": "VIEWER"})),
            (("member", "climate", "bob", "--remove"), gone, ("DELETE", of_it + "/members/bob", None)),
        ):
            with service(problem(UNAVAILABLE), answer) as there:
                code, out, err = inside("project", *words, "-o", "id", environment=there.environment)
                self.assertEqual((code, out), (0, "" if answer is gone else "climate\n"), err)
                self.assertEqual(len(there.calls), 2)
                method, path, _, body = there.calls[-1]
                self.assertEqual((method, path, json.loads(body) if body else None), expected)
        with service(gone) as there:
            code, out, err = inside("project", "member", "climate", "bob", "--remove", environment=there.environment)
            self.assertEqual((code, out), (0, ""))
            self.assertEqual(err, "berth: bob is no longer a member of climate. Its reservations there still belong to bob.\n")

    def test_changing_a_project_succeeds_if_the_first_response_was_lost(self):
        exists = problem({"title": "t", "status": 409, "code": "exists", "detail": "d", "errors": []})
        missing = problem({"title": "t", "status": 404, "code": "not-found", "detail": "There is no member bob.", "errors": []})
        make = ("project", "create", "climate", "--name", "Climate models", "-o", "id")
        empty = dict(PROJECT, members=[])
        for answers, code in (((None, exists, ok(empty)), 0), ((None, exists, ok(PROJECT)), 7), ((None, exists, ok(dict(empty, name="x"))), 7), ((exists,), 7)):
            with service(*answers) as there:
                self.assertEqual(inside(*make, environment=there.environment)[0], code)
        for answers, code in (((None, missing), 0), ((missing,), 5)):
            with service(*answers) as there:
                output = inside("project", "member", "climate", "bob", "--remove", environment=there.environment)
                self.assertEqual(output[0], code)
        # people see the title and the detail
        with service(problem({"title": "You may not do that", "status": 403, "code": "forbidden", "detail": "Only an owner of the project does that.", "errors": []})) as there:
            code, _, err = inside("project", "member", "climate", "bob", "OWNER", environment=there.environment)
            self.assertEqual((code, err), (4, "berth: You may not do that: Only an owner of the project does that.\n"))

    def test_the_balance_of_a_budget_is_shown(self):
        with service(ok(BALANCE)) as there:
            out = inside("project", "balance", "climate", environment=there.environment)[1]
            self.assertEqual([re.split("  +", line) for line in out.splitlines()], [
                ["mode", "ENFORCE"], ["granted", "5000.00 USD"], ["held", "6.42 USD"], ["charged", "5001.00 USD"], ["credited", "1.00 USD"],
                ["credit limit", "0.00 USD"], ["available", "-6.42 USD"]])
            self.assertEqual(there.calls[-1][:2], ("GET", "/api/v1/projects/climate/balance"))
            self.assertEqual(json.loads(inside("project", "balance", "climate", "-o", "json", environment=there.environment)[1]), BALANCE)
            row = next(csv.DictReader(io.StringIO(inside("project", "balance", "climate", "-o", "csv", environment=there.environment)[1])))
            self.assertEqual((row["mode"], row["available"]), ("ENFORCE", "-6.42 USD"))
        with service(ok(dict(BALANCE, available={"peHours": 1.5}))) as there:
            self.assertIn("available      1.5 PE-hours\n", inside("project", "balance", "climate", environment=there.environment)[1])
        with service(ok({**dict.fromkeys(BALANCE), "mode": "TRACK"})) as there:
            self.assertEqual(inside("project", "balance", "climate", environment=there.environment)[1], "mode           TRACK\nNothing has been granted yet.\n")
            row = next(csv.DictReader(io.StringIO(inside("project", "balance", "climate", "-o", "csv", environment=there.environment)[1])))
            self.assertEqual((row["mode"], row["available"]), ("TRACK", ""))
        low = {"project": "climate", "percent": 80, "granted": {"peHours": 10}, "taken": {"peHours": 9}}
        event = {"sequence": 6, "cluster": "demo", "reservation": None, "type": "budget-low", "at": "2027-01-29T11:30:00Z", "data": low}
        with service(ok({"items": [event], "next": None})) as there:
            self.assertIn("80 % of the budget of climate", inside("events", "--project", "climate", environment=there.environment)[1])

    def test_grants_are_made_and_modes_are_set(self):
        path = "/api/v1/projects/climate"
        until, start = "2027-04-01T00:00:00Z", "2027-02-01T00:00:00Z"
        money = {"id": "q1", "amount": {"amount": "5000", "currency": "USD"}, "until": until}
        answer = ok({"id": "q1", "amount": {"amount": "5000.00", "currency": "USD"}, "creditLimit": {"amount": "0.00", "currency": "USD"},
                     "from": start, "until": until, "expired": None, "by": "admin", "createdAt": start})
        for words, expected in (
            (("5000", "usd"), money),
            (("5000", "USD", "--from", start, "--credit", "10.50"), dict(money, creditLimit={"amount": "10.50", "currency": "USD"}, **{"from": start})),
            (("5000",), dict(money, amount={"peHours": 5000})),
            (("12.25", "--credit", "1"), dict(money, amount={"peHours": 12.25}, creditLimit={"peHours": 1})),
        ):
            with service(problem(UNAVAILABLE), answer) as there:
                code, out, err = inside("project", "grant", "climate", "q1", *words, "--until", until, "-o", "id", environment=there.environment)
                self.assertEqual((code, out), (0, "q1\n"), err)
                self.assertEqual(there.calls[-1][:2], ("POST", path + "/grants"))
                self.assertEqual(json.loads(there.calls[-1][3]), expected)
        with service(answer) as there:
            out = inside("project", "grant", "climate", "q1", "5000", "USD", "--until", until, "--zone", "UTC", environment=there.environment)[1]
            self.assertEqual(re.split("  +", out.splitlines()[1]), ["q1", "5000.00 USD", "0.00 USD", "2027-02-01 00:00", "2027-04-01 00:00"])
        with service(ok(dict(PROJECT, mode="ENFORCE"))) as there:
            self.assertIn("budget         ENFORCE\n", inside("project", "mode", "climate", "enforce", environment=there.environment)[1])
            self.assertEqual((*there.calls[-1][:2], json.loads(there.calls[-1][3])), ("PATCH", path, {"mode": "ENFORCE"}))
        refused = {"title": "t", "status": 403, "code": "budget-exceeded", "detail": "It has 1 PE-hours available.", "errors": []}
        with service(problem(refused)) as there:
            self.assertEqual(inside("reserve", "--pes", "1", "--for", "1h", environment=there.environment), (4, "", "berth: t: It has 1 PE-hours available.\n"))

    def test_granting_succeeds_if_the_first_response_was_lost(self):
        exists = problem({"title": "t", "status": 409, "code": "exists", "detail": "d", "errors": []})
        grant = {"id": "q1", "amount": {"amount": "5000.00", "currency": "USD"}, "creditLimit": {"amount": "0.00", "currency": "USD"},
                 "from": "2027-01-29T11:30:00Z", "until": "2027-04-01T00:00:00Z", "expired": None, "by": "admin", "createdAt": "2027-01-29T11:30:00Z"}
        words = ("project", "grant", "climate", "q1", "5000", "USD", "--until", "2027-03-31T23:59:59.5Z", "-o", "id")
        hours = dict(grant, amount={"peHours": 5000}, creditLimit={"peHours": 0})
        for answers, code in (((None, exists, ok({"items": [dict(grant, id="q0"), grant]})), 0), ((exists,), 7), ((None, exists, ok({"items": []})), 7),
                              *(((None, exists, ok({"items": [each]})), 7) for each in (
                                  hours, dict(grant, until="2027-04-01T00:00:01Z"), dict(grant, until="2027-03-31T23:59:59Z"),
                                  dict(grant, amount={"amount": "5000.01", "currency": "USD"}), dict(grant, creditLimit={"amount": "1.00", "currency": "USD"})))):
            with self.subTest(answers=str(answers)[:300]), service(*answers) as there:
                self.assertEqual(inside(*words, environment=there.environment)[0], code)

    def test_charges_and_their_sums_are_shown(self):
        pages = ok({**CHARGES, "items": [CHARGE] * 2, "next": "x"}), ok({**CHARGES, "items": [CHARGE], "next": None})
        with service(*pages) as there:
            out = inside("project", "charges", "climate", "--zone", "UTC", environment=there.environment)[1]
            head, *rows, last = [re.split("  +", line) for line in out.splitlines()]
            self.assertEqual(head, ["RESERVATION", "NAME", "ACCOUNT", "CLUSTER", "ENDED (UTC)", "PE-HOURS", "USED", "PRICE", "CREDIT"])
            self.assertEqual(rows, [["5d0f8a7b6c21", "first run", "ada", "demo", "2027-01-29 11:30", "64", "60.5", "51.20 USD", "0.00 USD"]] * 3)
            self.assertEqual(last, ["sum", "3 in all", "192", "181.5", "153.60 USD", "0.00 USD"])
            self.assertEqual(there.calls[0][1], "/api/v1/projects/climate/charges?limit=500")
            # both pages cover the same time
            for parameter in ("from=2027-01-01T00%3A00%3A00Z", "to=2027-01-29T11%3A30%3A01Z", "after=x"):
                self.assertIn(parameter, there.calls[1][1].partition("?")[2].split("&"))
        with service(*pages) as there:
            output = json.loads(inside("project", "charges", "climate", "-o", "json", environment=there.environment)[1])
            self.assertEqual(output, {**CHARGES, "items": [CHARGE] * 3})
        with service(pages[0]) as there:
            words = ("project", "charges", "climate", "--from", "2027-01-05T00:00:00Z", "--to", "2027-01-06T00:00:00Z", "--limit", "2")
            code, out, err = inside(*words, environment=there.environment)
            self.assertEqual((code, err), (0, "berth: 1 more in the sum but not shown. Raise --limit to see them.\n"))
            self.assertIn("153.60 USD", out)
            self.assertEqual([call[1] for call in there.calls], ["/api/v1/projects/climate/charges?from=2027-01-05T00%3A00%3A00Z&to=2027-01-06T00%3A00%3A00Z&limit=2"])
        with service(ok({**CHARGES, "sums": [], "items": [], "next": None})) as there:
            self.assertEqual(inside("project", "charges", "climate", environment=there.environment), (0, "", "No charges.\n"))
            self.assertEqual(inside("project", "charges", "climate", "-o", "id", environment=there.environment), (0, "", ""))

    def test_charges_are_written_as_a_file(self):
        file = "ended_at,name\r\n2027-01-29T11:30:00Z,été\r\nsum,1\r\n".encode()
        whole = 200, "text/csv;charset=UTF-8", file
        cut = 200, "text/csv;charset=UTF-8", b"5\r\nended\r\n", ("Transfer-Encoding", "chunked")
        words = ("project", "charges", "climate", "--csv")
        with tempfile.TemporaryDirectory() as home:
            made = Path(home, "charges.csv")
            made.write_text("old " * 100, encoding="utf-8")
            for answer, code in (((200, "text/html", b"<h1>Sign in</h1>"), 1), (ok({}), 1), (problem(dict(UNAVAILABLE, status=404, code="not-found")), 5)):
                with service(answer) as there:
                    self.assertEqual(inside(*words, str(made), environment=there.environment)[:2], (code, ""))
                    self.assertTrue(made.read_text(encoding="utf-8").startswith("old old"))
            for answers in ((whole,), (cut, problem(UNAVAILABLE), whole)):
                with service(*answers) as there:
                    code, out, err = inside(*words, str(made), "--from", "2027-01-01T00:00:00Z", environment=there.environment)
                    self.assertEqual((code, out), (0, ""), err)
                    self.assertEqual(made.read_bytes(), file)
                    self.assertEqual(there.calls[-1][:2], ("GET", "/api/v1/projects/climate/charges.csv?from=2027-01-01T00%3A00%3A00Z"))
                    self.assertIn("text/csv", there.calls[-1][2]["Accept"])
                    self.assertEqual(len(there.calls), len(answers))
            with service(whole) as there:
                done = subprocess.run([sys.executable, str(CLIENT), *words, "-"], capture_output=True, env={**os.environ, **there.environment, "PYTHONIOENCODING": "utf-8"}, check=True)
                self.assertEqual((done.stdout, done.stderr), (file, b""))
                code, out, err = inside(*words, str(Path(home, "nowhere", "x")), environment=there.environment)
                self.assertEqual((code, out), (2, ""))
                self.assertIn("cannot be written", err)
        with service(cut) as there:
            self.assertEqual(inside(*words, "-", "--patience", "0s", environment=there.environment)[:2], (1, ""))
        # a CSV file may be larger than the limit for JSON responses
        with mock.patch.object(berth, "MAX_BYTES", 100):
            with service((200, "text/csv", b"x" * 200_000)) as there:
                self.assertEqual(inside(*words, "-", environment=there.environment), (0, "x" * 200_000, ""))
            with service(ok(["x" * 200])) as there:
                self.assertEqual(inside("account", environment=there.environment)[0], 1)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_reported(self):
        with service((200, "text/csv", b"x" * 200_000)) as there, berth.Berth(there.url, "t") as one:
            full = mock.Mock(write=lambda piece: os.write(device, piece))
            device = os.open("/dev/full", os.O_WRONLY)
            try:
                with self.assertRaises(berth.BerthError) as refused:
                    one.write_charges("climate", full)
            finally:
                os.close(device)
            self.assertEqual((refused.exception.code, len(there.calls)), ("unwritten", 1))
            code, out, err = inside("project", "charges", "climate", "--csv", "/dev/full", environment=there.environment)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("No space left", err)

    @unittest.skipUnless(BERLIN, "needs zoneinfo")
    def test_a_day_in_words_is_in_the_zone_of_the_series(self):
        # at any time, one of these zones has another day than UTC
        for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
            there_is = dict(SERIES, recurrence=dict(SERIES["recurrence"], zone=zone))
            with service(ok(there_is)) as there:
                before = datetime.now(zoneinfo.ZoneInfo(zone)).date()
                self.assertEqual(inside("series", "end", SERIES["id"], "--from", "today", environment=there.environment)[0], 0)
                after = datetime.now(zoneinfo.ZoneInfo(zone)).date()
                self.assertIn(json.loads(there.calls[-1][3])["from"], (str(before), str(after)))

    def test_reserve_requests_automatic_extension(self):
        with service(ok(RESERVATION)) as there:
            window = ("--pes", "4", "--for", "1h", "--auto-extend", "90m", "--until", "2027-02-01T10:00:00Z")
            self.assertEqual(inside("reserve", *window, "-o", "id", environment=there.environment)[0], 0)
            self.assertEqual(json.loads(there.calls[-1][3])["terms"]["autoExtend"], {"step": "PT5400S", "until": "2027-02-01T10:00:00Z"})
            # terms in JSON override the options
            inside("reserve", *window, "--terms", '{"autoExtend":{"step":"PT1H"}}', environment=there.environment)
            self.assertEqual(json.loads(there.calls[-1][3])["terms"]["autoExtend"], {"step": "PT1H"})
            inside("reserve", *window[:4], environment=there.environment)
            self.assertNotIn("autoExtend", json.loads(there.calls[-1][3])["terms"])
            with berth.Berth(there.url, "secret") as client:
                client.reserve(pes=4, duration="1h", auto_extend=timedelta(hours=1), until=datetime(2027, 2, 1, 10, tzinfo=timezone.utc))
            self.assertEqual(json.loads(there.calls[-1][3])["terms"]["autoExtend"], {"step": "PT3600S", "until": "2027-02-01T10:00:00Z"})

    def test_a_reservation_shows_what_a_cancellation_costs(self):
        late = dict(RESERVATION, lateCancellationCharge={"amount": "25.60", "currency": "USD"}, freeCancellationUntil="2027-01-30T14:00:00Z")
        with service(ok(late)) as there:
            output = inside("show", RESERVATION["id"], "--zone", "UTC", environment=there.environment)[1]
            self.assertIn("cancellation   free until 2027-01-30 14:00, then 25.60 USD\n", output)
        with service(ok(dict(late, freeCancellationUntil=None))) as there:
            output = inside("show", RESERVATION["id"], "--zone", "UTC", environment=there.environment)[1]
            self.assertIn("cancellation   up to 25.60 USD\n", output)

    def test_a_dry_run_shows_what_would_change(self):
        id_ = RESERVATION["id"]
        with service(ok(DRY_RUN)) as there:
            for words, body in (
                (("extend", id_, "--by", "2h"), {"by": "PT7200S", "dryRun": True}),
                (("renegotiate", id_, "--for", "4h"), {"terms": {"duration": "PT14400S"}, "dryRun": True}),
                (("cancel", id_), {"dryRun": True}),
                (("complete", id_), {"dryRun": True}),
                (("fix", id_), {"dryRun": True}),
            ):
                code, output, _ = inside(*words, "--dry-run", "--zone", "UTC", environment=there.environment)
                self.assertEqual(code, 0)
                self.assertEqual(json.loads(there.calls[-1][3]), body)
                lines = [line.replace("->", "\u2192") for line in output.splitlines()]
                self.assertEqual(lines, [
                    f"id             {id_}",
                    "end            2027-01-31 16:00:00 \u2192 2027-01-31 18:00:00",
                    "price          51.20 USD \u2192 102.40 USD",
                    "others         1 reservation would move, by up to 4h, 2 jobs would start later",
                ])
            self.assertEqual(json.loads(inside("fix", id_, "--dry-run", "-o", "json", environment=there.environment)[1]), DRY_RUN)
        with service(ok({"before": RESERVATION, "after": RESERVATION, "effects": EFFECTS})) as there:
            output = inside("fix", id_, "--dry-run", environment=there.environment)[1]
            self.assertEqual(output.splitlines()[1:], ["changes        none", "others         not affected"])

    def test_a_dry_run_of_a_request_shows_the_reservation(self):
        with service(ok({"before": None, "after": dict(RESERVATION, id=None), "effects": EFFECTS})) as there:
            words = ("reserve", "--cluster", "demo", "--pes", "32", "--for", "2h", "--dry-run")
            code, output, _ = inside(*words, environment=there.environment)
            self.assertEqual(code, 0)
            self.assertIs(json.loads(there.calls[-1][3])["dryRun"], True)
            self.assertEqual(output.splitlines()[0], "id             -")
            self.assertIn("price          51.20 USD", output)
            self.assertIn("others         not affected", output)
            self.assertEqual(inside(*words, "-o", "id", environment=there.environment)[:2], (0, ""))

    def test_freedom_is_asked_for_by_slack_or_by_a_deadline(self):
        stays = dict(RESERVATION, scenario="STRICT")
        with service(ok(stays)) as there:
            for words, expected in (((), {}), (("--slack", "6h"), {"slack": "PT21600S"}), (("--slack", "0s"), {"slack": "PT0S"})):
                code, _, err = inside("reserve", "--pes", "4", "--for", "1h", *words, environment=there.environment)
                self.assertEqual((code, err), (0, "berth: It stays at this time.\n"))
                self.assertEqual(json.loads(there.calls[-1][3])["terms"], {"pes": 4, "duration": "PT3600S", **expected})
            inside("renegotiate", RESERVATION["id"], "--slack", "1h", environment=there.environment)
            self.assertEqual(json.loads(there.calls[-1][3])["terms"], {"slack": "PT3600S"})
            inside("probe", "--pes", "1", "--for", "1h", "--slack", "1h", environment=there.environment)
            self.assertEqual(json.loads(there.calls[-1][3])["terms"], {"pes": 1, "duration": "PT3600S", "slack": "PT3600S"})

    def test_an_owner_bounds_moves(self):
        with service(ok(RESERVATION)) as there:
            for words, expected in (
                (("--max-moves", "0"), {"maxMoves": 0}),
                (("--max-shift", "2h"), {"maxShift": "PT7200S"}),
                (("--max-moves", "1", "--max-shift", "30m"), {"maxMoves": 1, "maxShift": "PT1800S"}),
            ):
                inside("renegotiate", RESERVATION["id"], *words, environment=there.environment)
                self.assertEqual(json.loads(there.calls[-1][3])["terms"], {"mobility": expected})
            inside("reserve", "--pes", "1", "--for", "1h", "--slack", "9h", "--max-moves", "1", environment=there.environment)
            self.assertEqual(json.loads(there.calls[-1][3])["terms"]["mobility"], {"maxMoves": 1})
            self.assertEqual(inside("reserve", "--max-moves", "-1", environment=there.environment)[0], 2)

    def test_a_rejection_names_the_options(self):
        errors = [
            {"field": "orderBy", "value": "LOWEST_PRICE", "message": "needs freedom: without terms.slack and terms.deadline, the run stays"},
            {"field": "terms.preemption.step", "value": None, "message": "must exceed terms.durations"},
        ]
        invalid = {"title": "The request is not valid", "status": 422, "code": "invalid-terms", "detail": "Correct the fields.", "errors": errors}
        with service(problem(invalid)) as there:
            code, _, err = inside("reserve", "--pes", "4", "--for", "1h", "--cheapest", environment=there.environment)
        self.assertEqual(code, 2)
        self.assertIn("--order-by: needs freedom: without --slack and --deadline, the run stays", err)
        self.assertIn("terms.preemption.step: must exceed terms.durations", err)

    def test_a_label_without_a_project_is_reported(self):
        filed = dict(RESERVATION, scenario="STRICT", project="climbing")
        with service(ok({"items": [PROJECT], "next": None}), ok(filed)) as there:
            code, _, err = inside("reserve", "--pes", "4", "--for", "1h", "--project", "climbing", environment=there.environment)
            self.assertEqual(code, 0, err)
            self.assertIn("No such project: 'climbing' is only a label, and no budget pays for it; your projects are climate.", err)
        with service(ok({"items": [PROJECT], "next": None}), ok(filed)) as there:
            self.assertNotIn("No such project", inside("reserve", "--pes", "4", "--for", "1h", "--project", "climate", environment=there.environment)[2])
        with service(ok(filed)) as there:
            inside("reserve", "--pes", "4", "--for", "1h", "--project", "climbing", "-o", "id", environment=there.environment)
            self.assertEqual([call[1] for call in there.calls], ["/api/v1/reservations"])

    def test_automatic_extension_is_turned_on_and_off(self):
        agreed = {"outcome": "AGREED", "priceBefore": RESERVATION["price"], "priceAfter": RESERVATION["price"], "reservation": RESERVATION}
        with service(ok(dict(agreed, **DRY_RUN))) as there:
            for words, expected in (
                (("--auto", "1h", *(("--until", "2027-02-01 11:00", "--zone", "Europe/Berlin") if BERLIN else ("--until", "2027-02-01T10:00Z"))),
                 {"terms": {"autoExtend": {"step": "PT3600S", "until": "2027-02-01T10:00:00Z"}}}),
                (("--auto", "PT30M", "--until", "2027-02-01T10:00:00Z", "--dry-run"),
                 {"terms": {"autoExtend": {"step": "PT1800S", "until": "2027-02-01T10:00:00Z"}}, "dryRun": True}),
                (("--auto", "off"), {"terms": {"autoExtend": None}}),
            ):
                code, _, err = inside("extend", RESERVATION["id"], *words, environment=there.environment)
                self.assertEqual(code, 0, err)
                method, path, headers, body = there.calls[-1]
                self.assertEqual((method, path), ("POST", f"/api/v1/reservations/{RESERVATION['id']}/renegotiations"))
                self.assertIn("Idempotency-Key", headers)
                self.assertEqual(json.loads(body), expected)
            inside("extend", RESERVATION["id"], "--by", "1h", environment=there.environment)
            self.assertEqual(there.calls[-1][1], f"/api/v1/reservations/{RESERVATION['id']}/extend")
            self.assertEqual(json.loads(there.calls[-1][3]), {"by": "PT3600S"})

    def test_the_module_raises_the_problem_of_the_service(self):
        with service(problem(NO_ROOM)) as there:
            with self.assertRaises(berth.BerthError) as refused, berth.Berth(there.url, "secret") as client:
                client.reserve(cluster="demo", pes=32, duration="2h", deadline=datetime(2027, 2, 1, tzinfo=timezone.utc))
            self.assertEqual((refused.exception.code, refused.exception.exit_code, refused.exception.problem), ("no-slot", 3, NO_ROOM))
            sent = json.loads(there.calls[0][3])
            self.assertEqual(sent, {"cluster": "demo", "terms": {"pes": 32, "duration": "PT7200S", "deadline": "2027-02-01T00:00:00Z"}})


class Operators(unittest.TestCase):
    OUTAGE = {"id": RESERVATION["id"], "from": "2027-01-29T11:30:00Z", "to": None, "begunAt": "2027-01-29T11:30:00Z", "endedAt": None, "pes": 8, "peIds": "0-7",
              "nodes": "hop01", "moved": [], "failed": [], "source": None, "reason": "psu", "effects": None}
    CLUSTER = {"id": "hopper", "pes": 128, "granule": 8, "peNames": "hop[01-16]", "admission": "OPEN", "policy": {"horizon": "P30D", "visibility": "MAP"}}

    def body(self, answer, *words, code=0):
        """Runs the client against one response; returns the call, its body, and what the client has printed."""
        with service(ok(answer)) as there:
            done, out, err = inside("admin", *words, environment={**there.environment, "TZ": "UTC"})
            self.assertEqual(done, code, err)
            method, path, _, content = there.calls[-1]
            return f"{method} {path.replace('/api/v1', '')}", json.loads(content or "null"), out + err

    def test_clusters_are_made_and_changed(self):
        rules = ("--price", "1.80", "--currency", "EUR", "--set", "policy.horizon=30d", "--set", "policy.maxMoves=3", "--set", "labels.span=2h", "--set", "policy.visibility=NAMES")
        expected = {"tariff": {"pricePerPeHour": "1.80", "currency": "EUR"}, "policy": {"horizon": "PT2592000S", "maxMoves": 3, "visibility": "NAMES"}, "labels": {"span": "2h"}}
        call, body, said = self.body(self.CLUSTER, "cluster", "create", "hopper", "--gpus", "128", "--granule", "8", "--nodes", "hop[01-16]", *rules)
        self.assertEqual((call, body), ("POST /clusters", {"id": "hopper", "pes": 128, "granule": 8, "peNames": "hop[01-16]", **expected}))
        self.assertIn("hop[01-16]", said)
        call, body, said = self.body(dict(self.CLUSTER, effects=dict(EFFECTS, failed=1)), "cluster", "change", "hopper", "--closed", "--dry-run")
        self.assertEqual((call, body), ("PATCH /clusters/hopper?dryRun=true", {"admission": "CLOSED"}))
        self.assertIn("Only tried, nothing has changed. Others: 1 reservation would fail.", said)

    def test_clusters_are_retired_and_still_listed_if_wanted(self):
        call, body, _ = self.body(dict(self.CLUSTER, admission="RETIRED"), "cluster", "change", "hopper", "--retired")
        self.assertEqual((call, body), ("PATCH /clusters/hopper", {"admission": "RETIRED"}))
        page = {"items": [dict(self.CLUSTER, admission="RETIRED")], "next": None}
        call, _, said = self.body(page, "cluster", "--all")
        self.assertIn("retired=true", call)
        self.assertRegex(said, "hopper .* RETIRED ")

    def test_a_cluster_has_its_own_word_for_pes(self):
        call, body, said = self.body(dict(self.CLUSTER, unit="GPU"), "cluster", "change", "hopper", "--unit", "GPU")
        self.assertEqual((call, body), ("PATCH /clusters/hopper", {"unit": "GPU"}))
        self.assertRegex(said, "hopper +128 GPUs +8 ")
        sizes = [berth._size({"pes": pes, **unit}) for pes, unit in ((1, {"unit": "core"}), (2, {"unit": "core"}), (2, {"unit": "PE"}), (2, {}))]
        self.assertEqual(sizes, ["1 core", "2 cores", "2", "2"])

    def test_outages_are_made_listed_and_ended(self):
        call, body, said = self.body(self.OUTAGE, "outage", "create", "--cluster", "hopper", "--pe-ids", "0-7", "--reason", "psu")
        self.assertEqual((call, body), ("POST /clusters/hopper/outages", {"peIds": "0-7", "reason": "psu"}))
        self.assertRegex(said, "2027-01-29 11:30 +open +begun +8 +hop01 ")
        tried = dict(self.OUTAGE, id=None, effects=dict(EFFECTS, moved=2, largestShift="PT3H", credits=[{"amount": "9.00", "currency": "EUR"}]))
        words = ("--from", "2027-02-01 8am", "--for", "4h", "--dry-run")
        _, body, said = self.body(tried, "outage", "create", "--cluster", "hopper", "--pes", "8", *words)
        self.assertEqual(body, {"pes": 8, "from": "2027-02-01T08:00:00Z", "to": "2027-02-01T12:00:00Z", "dryRun": True})
        self.assertIn("2 reservations would move, by up to 3h; 9.00 EUR would be credited.", said)
        page = {"items": [self.OUTAGE], "next": None}
        self.assertIn("psu", self.body(page, "outage", "list", "--cluster", "hopper")[2])
        call, _, said = self.body(page, "outage", "end", "--cluster", "hopper", RESERVATION["id"][-4:])
        self.assertEqual(call, f"DELETE /clusters/hopper/outages/{RESERVATION['id']}")

    def test_maintenances_are_made_listed_and_ended(self):
        recurrence = {"rrule": "FREQ=WEEKLY", "dtstart": "2027-02-01T06:00:00", "zone": "UTC"}
        there = {"id": RESERVATION["id"], "recurrence": recurrence, "duration": "PT1H", "pes": 16, "windows": [], "reason": None, "effects": None}
        words = ("--cluster", "hopper", "--pes", "16", "--at", "2027-02-01 6am", "--for", "1h", "--rrule", "FREQ=WEEKLY", "--count", "10")
        call, body, _ = self.body(there, "maintenance", "create", *words)
        self.assertEqual((call, body), ("POST /clusters/hopper/maintenances", {"pes": 16, "recurrence": recurrence, "duration": "PT3600S", "count": 10}))
        self.assertIn("FREQ=WEEKLY", self.body({"items": [there]}, "maintenance", "--cluster", "hopper")[2])
        call, _, _ = self.body({"items": [there]}, "maintenance", "end", "--cluster", "hopper", RESERVATION["id"])
        self.assertEqual(call, f"DELETE /clusters/hopper/maintenances/{RESERVATION['id']}")

    def test_accounts_are_made_changed_and_deleted(self):
        made = {"name": "ada", "role": "CLIENT", "serviceClass": "STANDARD", "limits": {"pes": 64}, "token": "berth_secret"}
        call, body, said = self.body(made, "account", "create", "ada", "--max-pes", "64")
        self.assertEqual((call, body), ("POST /accounts", {"name": "ada", "role": "CLIENT", "limits": {"pes": 64}}))
        self.assertIn("token          berth_secret\n", said)
        call, body, _ = self.body(made, "account", "change", "ada", "--class", "premium", "--max-pes", "none", "--max-pe-hours", "10")
        self.assertEqual((call, body), ("PATCH /accounts/ada", {"serviceClass": "PREMIUM", "limits": {"pes": None, "peHours": 10}}))
        pause = ("--cool-down", "6h", "--cool-down-after", "4h")
        _, body, said = self.body(dict(made, limits={"coolDown": {"duration": "PT6H", "after": "PT4H"}}), "account", "create", "ada", "--max-starts-ahead", "1", *pause)
        self.assertEqual(body["limits"], {"startsAhead": 1, "coolDown": {"duration": "PT21600S", "after": "PT14400S"}})
        self.assertIn("coolDown 6h after runs of 4h", said)
        self.assertEqual(self.body(made, "account", "change", "ada", "--cool-down", "none")[1], {"limits": {"coolDown": None}})
        self.assertEqual(self.body(made, "account", "token", "ada")[0], "POST /accounts/ada/token")
        _, body, said = self.body(dict(made, role="SCREEN"), "account", "create", "hall", "--role", "screen")
        self.assertEqual(body["role"], "SCREEN")
        self.assertRegex(said, "address +http://[^ ]+/#/wall[?]key=berth_secret\n")
        self.assertEqual(self.body(made, "account", "delete", "ada")[0], "DELETE /accounts/ada")

    def test_a_token_that_did_not_arrive_is_reported(self):
        taken = problem({"title": "Taken", "status": 409, "code": "exists", "detail": "Choose another name.", "errors": []})
        with service(problem(UNAVAILABLE), taken, ok({"name": "ada", "role": "CLIENT"})) as there:
            code, _, err = inside("admin", "account", "create", "ada", environment=there.environment)
            self.assertEqual(code, 1)
            self.assertIn("berth admin account token ada", err)

    def test_wrong_usage_is_rejected(self):
        for words, expected in (
            (["clustr"], "There is no command 'admin clustr'. Did you mean admin cluster?"),
            (["cluster", "creat", "x"], "Did you mean admin cluster create?"),
            (["cluster", "create"], "ID and --pes are required."),
            (["cluster", "change", "x"], "Give at least one rule"),
            (["cluster", "change", "x", "--set", "horizon"], "Write NAME=VALUE"),
            (["cluster", "change", "x", "--pes", "4", "--set", "pes.x=1"], "does not fit the other options"),
            (["outage", "create", "--cluster", "x"], "--pes or --pe-ids is required."),
            (["outage", "create", "--cluster", "x", "--pes", "4", "--from", "soon"], "is not a time"),
            (["account", "change", "x"], "Give at least one thing"),
            (["account", "change", "x", "--cool-down-after", "1h"], "--cool-down-after needs --cool-down"),
            (["account", "create", "x", "--max-pes", "many"], "neither a whole number nor the word none"),
        ):
            with self.subTest(words=words):
                code, _, err = inside("admin", *words)
                self.assertEqual(code, 2)
                self.assertIn(expected, err)
        self.assertIn("admin outage create", inside("admin")[1])
        self.assertEqual(inside("help", "admin"), inside("admin"))


class Profiles(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.home = Path(directory.name)
        self.file = self.home / ".config/berth/config"

    def write(self, text, mode=0o600):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.file.chmod(mode)

    def run_there(self, *words, code=0, **more):
        return command(*words, code=code, home=str(self.home), **more)

    def test_a_token_that_others_may_read_is_rejected(self):
        for mode in (0o640, 0o604, 0o644, 0o660):
            self.write("[default]\ntoken = secret\n", mode)
            self.assertIn("chmod 600", self.run_there("list", code=2).stderr)

    def test_an_invalid_file_of_profiles_is_rejected(self):
        for text in ("token = secret", "[default\n", b"\xff\xfe\x00", "[a]\n[a]\n", "[default]\ntoken\n"):
            self.write(text)
            self.run_there("list", code=2)
        self.file.unlink()
        self.file.mkdir(mode=0o700)
        self.run_there("list", code=2)

    def test_a_token_is_sent_only_to_its_own_service(self):
        with service(ok({"items": [], "next": None})) as mine, service(ok({"items": [], "next": None})) as other:
            self.write(f"[default]\nurl = {mine.url}\ntoken = of%mine\n[there]\nurl = {other.url}\ntoken = of-other\n")
            self.run_there("list")
            self.run_there("list", "--url", other.url)
            self.run_there("list", environment={"BERTH_URL": other.url})
            self.run_there("list", "--profile", "there", environment={"BERTH_URL": mine.url, "BERTH_TOKEN": "x"})
            self.assertEqual({call[2]["Authorization"] for call in mine.calls}, {"Bearer of%mine"})
            self.assertEqual([call[2].get("Authorization") for call in other.calls], [None] * 2 + ["Bearer of-other"])

    def test_login_stores_a_token_that_works(self):
        account = {"name": "ada", "role": "CLIENT", "serviceClass": "STANDARD", "limits": None}
        with service(ok({"service": "berth", "contract": 1}), ok(account)) as there:
            self.write("[other]\nurl = http://a\ntoken = b\n")
            done = self.run_there("login", "--url", there.url, stdin="secret\n")
            self.assertIn("You are ada (CLIENT)", done.stdout)
            self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
            self.assertIn("[other]", self.file.read_text())
            there.answers[:] = [ok(account)]
            self.assertEqual(self.run_there("account", "-o", "id").stdout.strip(), "ada")
            self.assertEqual(there.calls[-1][2]["Authorization"], "Bearer secret")
            self.run_there("login", "--url", there.url, stdin="", code=2)
            # this service has accounts but is not Berth
            self.run_there("login", "--url", there.url, "--profile", "new", stdin="secret\n", code=1)
            self.assertNotIn("[new]", self.file.read_text())

    @unittest.skipUnless(BERLIN, "needs zoneinfo")
    def test_a_profile_has_a_zone(self):
        with service(ok({"items": [RESERVATION], "next": None})) as there:
            self.write(f"[default]\nurl = {there.url}\ntoken = t\nzone = Asia/Tokyo\n")
            output = self.run_there("list", "--all").stdout
            self.assertIn("START (JST)", output)
            self.assertIn("2027-01-31 23:00", output)


class Completion(unittest.TestCase):
    def test_bash_completes(self):
        script = command("completion", "bash", code=0).stdout
        for typed, expected in ((["berth", "renego"], "renegotiate"), (["berth", "list", "--sta"], "--state"), (["berth", "wait", "in-p"], "in-place"),
                                (["berth", "jobs", "sub"], "submit"), (["berth", "jobs", "--st"], "--state"), (["berth", "jobs", "submit", "--p"], "--profile --patience --pes"),
                                (["berth", "series", "cre"], "create"), (["berth", "series", "create", "--at"], "--at --at-least"), (["berth", "series", "end", "--fr"], "--from"),
                                (["berth", "jobs", "cancel", "--st"], ""), (["berth", "job"], "jobs"),
                                (["berth", "project", "mem"], "member"), (["berth", "project", "li"], "list"), (["berth", "project", "member", "OW"], "OWNER"),
                                (["berth", "admin", "out"], "outage"), (["berth", "admin", "account", "cha"], "change"), (["berth", "admin", "outage", "create", "--pe"], "--pes --pe-ids"),
                                (["berth", "ls", "--stat"], "--state"), (["berth", "project", "ba"], "balance"), (["berth", "project", "mode", "EN"], "ENFORCE"), (["berth", "project", "charges", "--cs"], "--csv")):
            line = f"{script}\nCOMP_WORDS=({' '.join(typed)}); COMP_CWORD={len(typed) - 1}; _berth false {typed[-1]}; echo ${{COMPREPLY[*]}}"
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout.strip(), expected, done.stderr)

    def run_by(self, shell, text):
        """Returns the output of a shell whose path has the client as berth."""
        with tempfile.TemporaryDirectory() as home:
            Path(home, "berth").write_text(f'#!/bin/sh\nexec {sys.executable} -B {CLIENT} "$@"\n', encoding="utf-8")
            Path(home, "berth").chmod(0o700)
            around = {**os.environ, "HOME": home, "PATH": f"{home}:{os.environ['PATH']}"}
            done = subprocess.run([*shell, text], capture_output=True, text=True, env=around, timeout=60, check=False)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_zsh_completes(self):
        for typed, expected in (("berth renego", "renegotiate"), ("berth jobs submit --p", "--pes"), ("berth wait in-p", "in-place"), ("berth jobs sub", "submit"), ("berth rm --dr", "--dry-run")):
            words = typed.split()
            load = 'compdef() { : }; compadd() { shift; print -l -- "$@" }; eval "$(berth completion zsh)"'
            self.assertIn(expected, self.run_by(["zsh", "-fc"], f"{load}; words=({typed}); CURRENT={len(words)}; _berth"), typed)

    @unittest.skipUnless(shutil.which("fish"), "needs fish")
    def test_fish_completes(self):
        for typed, expected in (("berth renego", "renegotiate"), ("berth jobs submit --pe", "--pes"), ("berth wait in-p", "in-place"), ("berth project mem", "member")):
            self.assertIn(expected, self.run_by(["fish", "-c"], f"berth completion fish | source; complete -C '{typed}'"), typed)


class Installation(unittest.TestCase):
    def test_an_installed_client_runs_completes_and_has_a_man_page(self):
        with tempfile.TemporaryDirectory() as home:
            for _ in range(2):
                told = command("install", f"{home}/tools", code=0)
                self.assertEqual(told.stdout.strip(), f"{home}/tools/bin/berth")
                self.assertIn("is not in your PATH", told.stderr)
            tools = Path(home, "tools")
            done = subprocess.run([tools / "bin" / "berth", "help"], capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, command("help", code=0).stdout)
            self.assertEqual((tools / "share/bash-completion/completions/berth").read_text(encoding="utf-8"), command("completion", "bash", code=0).stdout)
            page = (tools / "share/man/man1/berth.1").read_text(encoding="utf-8")
            for name in berth.parser_of()._subparsers._group_actions[0].choices:
                self.assertIn(f".SS {name}\n", page)
            self.assertFalse(list(tools.rglob("*.new")))

    def test_a_place_that_cannot_be_written_is_named(self):
        with tempfile.NamedTemporaryFile() as file:
            told = command("install", file.name, code=2)
            self.assertIn(f"{file.name}/lib/berth/berth.py cannot be written", told.stderr)
            self.assertIn("berth install DIR", told.stderr)


class Shells(unittest.TestCase):
    def test_a_shell_has_the_time_that_is_left_in_its_prompt(self):
        now = datetime.now(timezone.utc)
        place = dict(RESERVATION["placement"], start=berth.iso_instant(now), end=berth.iso_instant(now + timedelta(minutes=90, seconds=50)))
        running = dict(RESERVATION, state="RUNNING", placement=place)
        for shell in filter(None, map(shutil.which, ("bash", "zsh"))):
            with self.subTest(shell), service(ok(running)) as there, tempfile.TemporaryDirectory() as home:
                around = {**os.environ, **there.environment, "SHELL": shell, "HOME": home, "TERM": "dumb"}
                client, terminal = pty.openpty()
                started = subprocess.Popen(
                    [sys.executable, str(CLIENT), "shell", "--pes", "32", "--for", "2h"],
                    stdin=terminal, stdout=terminal, stderr=terminal, env=around, start_new_session=True,
                )
                os.close(terminal)
                said = ""
                while "[berth: 90 min left]" not in said:
                    said += os.read(client, 4096).decode("utf-8", "replace")
                os.write(client, b"exit 3\n")
                reader = threading.Thread(target=drain, args=(client,), daemon=True)
                reader.start()
                self.assertEqual(started.wait(30), 3)
                self.assertEqual(there.calls[-1][1], f"/api/v1/reservations/{RESERVATION['id']}/complete")


def drain(file):
    """Reads a terminal until its last program has ended."""
    with contextlib.suppress(OSError):
        while os.read(file, 4096):
            pass
    os.close(file)


if __name__ == "__main__":
    unittest.main()
