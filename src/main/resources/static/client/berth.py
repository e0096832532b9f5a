#!/usr/bin/env python3
"""Command line and Python module for Berth, which reserves PEs of compute clusters.

    python3 berth.py probe --pes 32 --for 2h --ready 'tomorrow 14:00'
    python3 berth.py run --pes 32 --for 2h -- ./job.sh

    from berth import Berth
    reservation = Berth().reserve(cluster="demo", pes=32, duration="2h")

A single file for Python 3.8 and later. It needs only the standard library.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from datetime import datetime, timedelta, timezone, tzinfo

#: False when the program runs: importing typing would take as long as a call to the service.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    import configparser
    from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, Tuple, Union

    Json = Dict[str, Any]
    Column = Tuple[str, Callable[[Json, "View"], Any], Callable[[Json], Any]]

__all__ = ["Berth", "BerthError"]

DONE, SERVICE, USAGE, NO_ROOM, NOT_ALLOWED, NOT_FOUND, TIMED_OUT, WRONG_STATE = range(8)
INTERRUPTED, UNREAD = 130, 141

EXIT_CODES = """exit codes:
  0  done
  1  the service does not respond, cannot decide, or is not Berth
  2  wrong usage, or a request that can never succeed
  3  no room, or none within the budget
  4  not allowed: token, role, limits, or the project's budget
  5  not found
  6  timed out
  7  wrong state: the present state does not allow this
  130 interrupted, 141 nobody read the output; run: the exit code of the command, once it has begun
"""

#: Exit codes by the `code` of a problem. Every other problem has exit code 1.
EXITS = {
    "malformed": USAGE,
    "invalid-terms": USAGE,
    "never-fits": USAGE,
    "key-reused": USAGE,
    "usage": USAGE,
    "no-slot": NO_ROOM,
    "over-budget": NO_ROOM,
    "unauthorized": NOT_ALLOWED,
    "forbidden": NOT_ALLOWED,
    "limit-exceeded": NOT_ALLOWED,
    "budget-exceeded": NOT_ALLOWED,
    "not-found": NOT_FOUND,
    "timed-out": TIMED_OUT,
    "wrong-state": WRONG_STATE,
    "exists": WRONG_STATE,
    "elsewhere": WRONG_STATE,
    "stale-version": WRONG_STATE,
}

LIVE = ("PENDING", "WAITING", "HELD", "CONFIRMED", "RUNNING")
ENDED = ("COMPLETED", "CANCELLED", "EXPIRED", "FAILED", "REJECTED")
#: The events of a run that loses PEs or gets some back.
LOSSES = ("losing", "replaced", "degraded", "restored")

#: Roles of the members of a project.
MEMBERS = ("OWNER", "MEMBER", "VIEWER")

REPORTS = ("summary", "projects", "owners", "hours")

#: Modes of a budget: TRACK only counts, ENFORCE rejects requests that the project cannot pay for.
MODES = ("TRACK", "ENFORCE")

#: The kinds of mail.
KINDS = ("CONFIRMED", "MOVED", "STARTS_SOON", "ENDS_SOON", "NOT_IN_PLACE", "FAILED", "APPROVAL", "SERIES_REFUSED", "BUDGET_LOW")

#: Rules of a cluster that set a deadline, by the `deadlineBy` of a reservation.
DEADLINE_BY = {
    "DEFAULT_SLACK": " You gave neither --deadline nor --slack, so the cluster's default slack counts; --slack 0s declines it.",
    "HORIZON": " Your deadline lies beyond the cluster's horizon, so the end of the horizon counts.",
}

#: Groups of the commands in the help.
GROUPS = {
    "Book": "probe prices reserve confirm run shell",
    "Watch": "list show plan free events refusals wait open",
    "Change": "approvals approve decline extend renegotiate fix claim complete cancel users transfer accept",
    "Batch jobs, series and projects": "jobs series project",
    "Clusters and you": "clusters account mail login version install completion help",
    "Operators": "admin report signal",
}

#: Examples in the help of the commands: their arguments.
EXAMPLES = {
    "probe": ("--pes 32 --for 2h", "--pes 32 --for 2h --ready 'tomorrow 9am' --deadline friday"),
    "prices": ("--cluster demo", "--cluster demo --pes 32 --for 6h --slack 12h --slack 2d"),
    "signal": ("demo", "demo tomorrow.csv --source 'day-ahead DE' --usual 80 --share 0.4"),
    "reserve": ("--pes 32 --for 2h --deadline friday --cheapest --name sweep", "--cluster demo --pes 8 --for 90m --start 'fri 9am' --dry-run"),
    "confirm": ("b57394c7f192", "sweep"),
    "run": ("--pes 8 --for 2h -- ./job.sh", "--resume sweep -- ./job.sh"),
    "shell": ("--pes 8 --for 2h", "--resume sweep"),
    "list": ("--watch", "--all --from '1 Nov' --columns name,state,end,price"),
    "show": ("sweep", "b57394c7f192 -o json"),
    "plan": ("--for 3d", "--cluster demo --cluster big --from monday --for 1w"),
    "free": ("", "--cluster demo --for 8h --watch 1m"),
    "events": ("sweep --follow", "--project climate --from yesterday"),
    "open": ("sweep", "b57394c7f192"),
    "refusals": ("", "--since monday --code no-slot"),
    "wait": ("sweep", "sweep --for ended --timeout 8h"),
    "extend": ("sweep --by 1h --dry-run", "sweep --auto 1h --until 'tomorrow 20:00'"),
    "renegotiate": ("sweep --deadline 'mon 9am' --dry-run", "sweep --pes 16 --for 4h"),
    "fix": ("sweep --dry-run", "sweep"),
    "claim": ("sweep", "b57394c7f192"),
    "complete": ("sweep --dry-run", "sweep"),
    "cancel": ("sweep --dry-run", "sweep b57394c7f192"),
    "users": ("sweep --user ada --user bob", "sweep --owner"),
    "transfer": ("sweep bob", "b57394c7f192 bob"),
    "accept": ("sweep", "b57394c7f192"),
    "approvals": ("", "-o id"),
    "approve": ("b57394c7f192", "b57394c7f192 --reason 'for the deadline'"),
    "decline": ("sweep", "b57394c7f192 --reason 'a course needs the cluster'"),
    "jobs": ("--cluster demo", "--cluster demo --state queued"),
    "jobs submit": ("--cluster demo --pes 4 --for 90m", "--cluster demo --pes 4 --for 2h --name sweep -o id"),
    "jobs cancel": ("--cluster demo sweep", "--cluster demo 6b48139453b4"),
    "series": ("", "--project climate"),
    "series create": (
        "--cluster demo --pes 4 --for 2h --at 'mon 22:00' --rrule FREQ=WEEKLY --count 10",
        "--cluster demo --pes 4 --for 2h --at 'tomorrow 22:00' --rrule 'FREQ=WEEKLY;BYDAY=TU,TH' --until 2027-12-31 --any --dry-run",
    ),
    "series show": ("nights", "b57394c7f192 -o csv"),
    "series end": ("nights", "nights --from monday"),
    "series book": ("nights tomorrow", "nights 2027-01-31"),
    "project": ("", "-o id"),
    "project show": ("climate", "climate -o csv"),
    "project create": ("climate", "climate --name 'Climate models'"),
    "project member": ("climate ada owner", "climate ada --remove"),
    "project balance": ("climate", "climate -o json"),
    "project charges": ("climate", "climate --from '1 Nov' --to '1 Dec' --csv charges.csv"),
    "project grant": ("climate 2027-q1 5000 USD --until 2027-04-01", "climate 2027-q1 10000 --until 2027-04-01 --credit 500"),
    "project mode": ("climate enforce", "climate track"),
    "clusters": ("", "-o csv"),
    "account": ("", "-o json"),
    "mail": ("--address ada@example.org --in Europe/Berlin", "--on confirmed --off ends_soon"),
    "login": ("--url https://berth.example.org", "--profile site --url https://berth.example.org --token-file token"),
    "version": ("", "-o json"),
    "report": ("--from=-7d", "projects --step 7d --from '1 Nov' -o csv"),
    "admin cluster": ("", "--columns id,nodes,admission"),
    "admin cluster create": (
        "hopper --pes 128 --granule 8 --nodes 'hop[01-16]' --price 1.80 --currency EUR",
        "hopper --pes 128 --set policy.horizon=30d --set labels.gpu=h100",
    ),
    "admin cluster change": ("hopper --closed", "hopper --price 2.10 --set policy.visibility=NAMES --dry-run"),
    "admin outage": ("--cluster hopper", "--cluster hopper -o json"),
    "admin outage create": (
        "--cluster hopper --pe-ids 0-31 --reason 'rack 3 has no power' --dry-run",
        "--cluster hopper --pes 8 --from 'tomorrow 8am' --for 4h",
    ),
    "admin outage end": ("--cluster hopper b57394c7f192", "--cluster hopper b57394c7f192 -o json"),
    "admin maintenance": ("--cluster hopper", "--cluster hopper -o json"),
    "admin maintenance create": (
        "--cluster hopper --pes 128 --at '1 Dec 8:00' --for 4h --rrule 'FREQ=MONTHLY;BYDAY=1TU' --count 12",
        "--cluster hopper --pes 16 --at 'mon 6:00' --for 1h --rrule FREQ=WEEKLY --count 10 --dry-run",
    ),
    "admin maintenance end": ("--cluster hopper b57394c7f192", "--cluster hopper b57394c7f192 -o json"),
    "admin account": ("", "-o csv"),
    "admin account create": ("ada --max-pes 64 --max-pe-hours 5000", "agent --role agent --cluster hopper"),
    "admin account change": ("ada --max-pes 128", "ada --class premium --max-pes none"),
    "admin account token": ("ada", "ada -o json"),
    "admin account delete": ("ada", "ada -o json"),
}

HELP_ON_TIMES = """Durations, such as those of --for and --slack:
  90m   90 min   2h   2 hours   2h30   1.5h   1d12h   1w   12:00:00   PT2H
  1:30 and 90 are rejected, because they could be hours or minutes.

Times, such as those of --ready, --deadline and --from:
  now   +2h   in 2 hours   now+2hours   1d ago       from the present moment
  14:00   9am   9:30pm   noon   midnight             the next one
  today   tomorrow   fri   next friday               the first Friday after today
  27 Nov   Nov 27 2026   27.11.2026   2026-11-27     without a year, the nearest such day
  tomorrow 14:00   fri 9am   27 Nov at noon   2026-11-27T14:00Z   2026-11-27 14:00+01:00

A day alone means its beginning. As a --deadline, and as the --until of an automatic extension, it means its end.
Times without an offset are in your time zone: --zone, BERTH_ZONE, that of the profile, or that of this machine.
"""

#: The options for fields of the API that a problem may name.
OPTIONS = {
    **{"terms.pes": "--pes", "terms.duration": "--for", "terms.readyTime": "--ready", "terms.deadline": "--deadline"},
    **{"terms.slack": "--slack", "terms.budget": "--budget", "orderBy": "--order-by", "acceptAlternatives": "--accept-alternatives"},
    **{"terms.mobility.maxMoves": "--max-moves", "terms.mobility.maxShift": "--max-shift", "terms.mobility.follow": "--follow"},
    "terms.mobility": "--max-moves, --max-shift or --follow",
    **{"terms.autoExtend.step": "--auto-extend", "terms.autoExtend.until": "--until", "terms.requires": "--require"},
    **{"tariff.pricePerPeHour": "--price", "tariff.currency": "--currency"},
    **{"recurrence.rrule": "--rrule", "recurrence.exdates": "--except"},
    **{"window.slack": "--slack", "window.earliest": "--earliest", "atLeast": "--at-least"},
}

#: The options for fields whose names are words. Only a field is replaced by them, no word of a text.
PLAIN_OPTIONS = {
    **{"name": "--name", "project": "--project", "users": "--user", "cluster": "--cluster", "clusters": "--cluster", "start": "--start"},
    **{"hold": "--hold", "by": "--by", "count": "--count", "until": "--until", "pes": "--pes", "estimate": "--for", "duration": "--for"},
    **{"reason": "--reason", "account": "--account", "peIds": "--pe-ids", "from": "--from", "to": "--to"},
}

#: The options that stand for an order of slots.
ORDERS = {"cheapest": "LOWEST_PRICE", "soonest": "EARLIEST_START"}

#: Other names of commands.
ALIASES = {"ls": "list", "rm": "cancel"}

#: Goals of `wait`, each with the states in which the reservation has not reached it yet.
WAITS = {
    "decided": LIVE[:2],
    "confirmed": LIVE[:3],
    "started": LIVE[:4],
    "in-place": LIVE[:4],
    "ended": LIVE,
}

#: Subcommands of two and three words.
IN_TWO_WORDS = (
    *("jobs submit", "jobs cancel"),
    *("series create", "series show", "series end", "series book"),
    *("project show", "project create", "project member"),
    *("project balance", "project charges", "project grant", "project mode"),
    *("admin cluster", "admin cluster create", "admin cluster change"),
    *("admin outage", "admin outage create", "admin outage end"),
    *("admin maintenance", "admin maintenance create", "admin maintenance end"),
    *("admin account", "admin account create", "admin account change", "admin account token", "admin account delete"),
)

MAX_BYTES = 64 * 1024 * 1024
TIMEOUT = 20.0
PAGE = 500
#: Size of the first page that `live` reads. Most accounts have no more reservations than that.
NEWEST = 200

#: The seconds before each poll for an event whose time is not planned; the last one repeats.
QUICK_POLLS = (0.2, 0.5, 1.0, 2.0)


class BerthError(Exception):
    """A failure: the problem document of a response, or one of the same form made by this client."""

    def __init__(self, problem: Json) -> None:
        super().__init__(str(problem.get("detail") or problem.get("title")))
        self.problem = problem
        self.code = str(problem.get("code"))
        self.exit_code = EXITS.get(self.code, SERVICE)

    @staticmethod
    def of(code: str, title: str, detail: str) -> BerthError:
        """Returns an error made by this client. Its problem has no status."""
        return BerthError({"code": code, "title": title, "detail": detail, "errors": []})


class NotReached(Exception):
    """There is no connection, so nothing was sent."""


class NoResponse(Exception):
    """A request may have been sent, but no complete response arrived."""


def usage(detail: str) -> BerthError:
    """Returns an error for wrong arguments."""
    return BerthError.of("usage", "Wrong usage", detail)


def required(missing: Sequence[str], hint: str) -> BerthError:
    """Returns an error for arguments that are missing."""
    names = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
    return usage(f"{names} {'is' if len(missing) == 1 else 'are'} required. {hint}")


# Times, as people write and read them


def zone_of(name: Optional[str]) -> Optional[tzinfo]:
    """Returns the time zone of this name; without a name None, which means the zone of this machine."""
    if not name:
        return None
    try:
        import zoneinfo

        return zoneinfo.ZoneInfo(name)
    except ImportError:
        raise usage(f"The time zone '{name}' needs Python 3.9 or later. Set TZ={name} instead.") from None
    except Exception:  # ZoneInfo raises different errors for different wrong names
        raise usage(f"'{name}' is not a time zone. Write one such as Europe/Berlin.") from None


def instant_of_clock(wall: datetime, zone: Optional[tzinfo]) -> datetime:
    """Returns the instant at which clocks in the zone show this time. Rejects a time that they show twice or never."""
    first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(timezone.utc) for fold in (0, 1))
    if first == second:
        return first
    shown = wall.strftime("%Y-%m-%d %H:%M")
    one, other = sorted((first.astimezone(zone), second.astimezone(zone)))
    meanings = f"Write {one.isoformat()} ({one.tzname()}) or {other.isoformat()} ({other.tzname()})"
    if one.replace(tzinfo=None, fold=0) == wall:
        raise usage(f"{shown} occurs twice, because the clock goes back. {meanings}.")
    raise usage(f"{shown} does not exist, because the clock goes forward. {meanings}.")


_SPANS = (
    r"\s*".join(
        rf"(?:(\d+(?:[.,]\d+)?)\s*{unit})?"
        for unit in ("w(?:ks?|eeks?)?", "d(?:ays?)?", "h(?:rs?|ours?)?", "m(?:ins?|inutes?)?", "s(?:ecs?|econds?)?")
    ),
    r"p(?:(\d+)w)?(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?)?",
    r"()(?:(\d+)-)?(\d{1,3}):([0-5]\d):([0-5]\d)",
)
_WHEN = (
    r"(?P<day>.*?)"
    r"(?:(?:^|(?: |^)at |,? )(?P<clock>noon|midnight|(?P<hour>\d{1,2})"
    r"(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<micro>\d{1,6})\d*)?)?(?: ?(?P<half>[ap])m)?| ?(?P<half_of_hour>[ap])m)))?"
    r"(?P<offset> ?(?:z|utc)|[+-]\d\d:?\d\d)?"
)
_DATES = (
    r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)",
    r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})?",
    r"(?:(?P<weekday>[a-z]{3,}),? )?(?P<d>\d{1,2})\.? (?P<m>[a-z]{3,})(?: (?P<y>\d{4}))?",
    r"(?P<m>[a-z]{3,}) (?P<d>\d{1,2})(?:,? (?P<y>\d{4}))?",
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)


def parse_span(text: str) -> float:
    """Returns the seconds in a duration such as 90m, 1d12h, 2h30, 2 hours, 1.5h, 1w, PT2H or 12:00:00."""
    plain = re.sub(r"(\d\s*h)\s*([0-5]\d)$", r"\1\2m", text.strip().lower(), flags=re.ASCII)
    for form in _SPANS:
        found = re.fullmatch(form, plain, re.ASCII)
        if found and any(found.groups()):
            weeks, days, hours, minutes, seconds = (float((part or "0").replace(",", ".")) for part in found.groups())
            span = weeks * 604800 + days * 86400 + hours * 3600 + minutes * 60 + seconds
            if span == float("inf"):
                raise usage(f"'{text[:20]}...' is too long. Write a shorter duration, such as 90m.")
            # no parts of a second that only come from decimal fractions of larger units
            return round(span, 6)
    if re.fullmatch(r"\d+:[0-5]\d", plain, re.ASCII):
        first, second = plain.split(":")
        raise usage(f"'{text}' could mean {first}h{second}m or {first}m{second}s. Write the one that you mean.")
    if re.fullmatch(r"\d+", plain, re.ASCII):
        raise usage(f"'{text}' has no unit. Write {plain}s, {plain}m or {plain}h.")
    raise usage(f"'{text}' is not a duration. Write 90m, 2h30, 2 hours, 1d12h, 1w, 12:00:00 or PT2H.")


def iso_span(text: Union[str, timedelta]) -> str:
    """Returns a duration as the API writes it, in whole seconds. It is rounded up, so that the run gets no less time."""
    seconds = text.total_seconds() if isinstance(text, timedelta) else parse_span(text)
    return f"PT{int(-(-seconds // 1))}S"


def _not_a_time(text: str) -> BerthError:
    forms = "tomorrow 14:00, fri 9am, +2h, 27 Nov 14:00 or 2027-01-31T14:00Z"
    return usage(f"'{text}' is not a time. Write {forms}. For all forms: berth help times")


def parse_instant(text: str, zone: Optional[tzinfo] = None, now: Optional[datetime] = None, is_end: bool = False) -> datetime:
    """Returns the instant of a text such as tomorrow 14:00, fri 9am, noon, +2h, in 2h, 27 Nov 14:00 or 2027-01-31T14:00:00Z.

    A day without a time of day means its beginning, or with `is_end` its end.
    """
    now = now or datetime.now(timezone.utc)
    plain = re.sub(r"(\d)t(\d)", r"\1 \2", " ".join(text.lower().split()))
    try:
        later = re.fullmatch(r"(?:now ?)?([+-]) ?(.+)|in (.+)|(.+) ago", plain)
        if plain == "now":
            return now
        if later:
            seconds = timedelta(seconds=parse_span(later[2] or later[3] or later[4]))
            return now - seconds if later[1] == "-" or later[4] else now + seconds
        return _parse_clock(plain, text, zone, now, is_end)
    except (ValueError, OverflowError):
        raise _not_a_time(text) from None


def _parse_clock(plain: str, text: str, zone: Optional[tzinfo], now: datetime, is_end: bool = False) -> datetime:
    found = re.fullmatch(_WHEN, plain, re.ASCII)
    day: str = (found and found["day"]) or ""
    if not found or not (day or found["clock"]) or (found["offset"] and not re.search(r"\d", day)):
        raise _not_a_time(text)
    today = now.astimezone(zone).replace(tzinfo=None, fold=0, hour=0, minute=0, second=0, microsecond=0)
    clock = timedelta(hours={"noon": 12}.get(found["clock"], 0))
    if found["hour"]:
        hour, half = int(found["hour"]), found["half"] or found["half_of_hour"]
        if half and not 1 <= hour <= 12:
            raise _not_a_time(text)
        hour = hour % 12 + (12 if half == "p" else 0) if half else hour
        minute, second = int(found["minute"] or 0), int(found["second"] or 0)
        datetime.min.replace(hour=hour, minute=minute, second=second)
        micro = int((found["micro"] or "0").ljust(6, "0"))
        clock = timedelta(hours=hour, minutes=minute, seconds=second, microseconds=micro)
    if not day:
        once = instant_of_clock(today + clock, zone)
        return once if once >= now else instant_of_clock(today + timedelta(days=1) + clock, zone)
    if found["clock"] == "midnight":
        raise usage(f"'{text}' could mean the beginning or the end of the day. Write 0:00 with the day that then begins.")
    wall = _date(day, today) + (clock if found["clock"] else timedelta(days=int(is_end)))
    if found["offset"]:
        return wall.replace(tzinfo=_offset(found["offset"].strip())).astimezone(timezone.utc)
    return instant_of_clock(wall, zone)


def _offset(text: str) -> timezone:
    if text in ("z", "utc"):
        return timezone.utc
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


def _named(text: str, names: Sequence[str]) -> int:
    """Returns the position of a name that may be shortened to three letters."""
    return next(at for at, name in enumerate(names) if len(text) >= 3 and name.startswith(text))


def _date(text: str, today: datetime) -> datetime:
    """Returns the beginning of a day. Without a year it is the nearest such day. A text that is not a day raises ValueError."""
    named = {"today": 0, "tomorrow": 1, "yesterday": -1}
    try:
        if text in named:
            return today + timedelta(days=named[text])
        if re.fullmatch("(?:next )?[a-z]+", text):
            weekday = _named(text[5:] if text.startswith("next ") else text, _WEEKDAYS)
            return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
        found = next(filter(None, (re.fullmatch(form, text, re.ASCII) for form in _DATES)))
        parts = found.groupdict()
        month = int(parts["m"]) if parts["m"].isdigit() else _named(parts["m"], _MONTHS) + 1
        years = [int(parts["y"])] if parts["y"] else range(today.year - 1, today.year + 2)
        days = []
        for year in years:
            try:
                days.append(datetime(year, month, int(parts["d"])))
            except ValueError:
                pass
        day = min(days, key=lambda each: abs(each - today))
        if parts.get("weekday") and day.weekday() != _named(parts["weekday"], _WEEKDAYS):
            raise ValueError(text)
        return day
    except StopIteration:
        raise ValueError(text) from None


def parse_day(text: str, zone: Optional[tzinfo] = None, now: Optional[datetime] = None) -> str:
    """Returns the day of a text such as today, tomorrow, monday, 31 Jan or 2027-01-31, as the API writes it."""
    today = (now or datetime.now(timezone.utc)).astimezone(zone).replace(tzinfo=None)
    try:
        return _date(" ".join(text.lower().split()), today).date().isoformat()
    except (ValueError, OverflowError):
        raise usage(f"'{text}' is not a day. Write today, tomorrow, monday, 31 Jan or 2027-01-31.") from None


def machine_zone(link: str = "/etc/localtime", file: str = "/etc/timezone") -> str:
    """Returns the name of this machine's time zone. Raises an error if it finds none."""
    given = os.environ.get("TZ")
    if given is not None:
        found = given.lstrip(":") or "UTC"
    else:
        found = os.path.realpath(link)
        if "/zoneinfo/" not in found:
            try:
                with open(file, encoding="utf-8") as kept:
                    found = kept.read(1000)
            except (OSError, UnicodeDecodeError):
                pass
    name = found.strip().rpartition("/zoneinfo/")[2]
    if not re.fullmatch(r"[A-Z][A-Za-z_]*(/[A-Za-z0-9_+-]+)*", name):
        raise usage("The time zone of this machine has no name that the service accepts. Give one, such as --zone Europe/Berlin.")
    return name


def iso_instant(when: Union[str, datetime], zone: Optional[tzinfo] = None, is_end: bool = False) -> str:
    """Returns an instant as the API writes it. A datetime without a zone is in the zone of this machine."""
    instant = when if isinstance(when, datetime) else parse_instant(when, zone, is_end=is_end)
    return instant.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def read_instant(text: str) -> datetime:
    """Returns an instant from a response of the service."""
    if len(text) == 20 and text[-1] == "Z":
        try:
            return datetime.fromisoformat(text[:-1]).replace(tzinfo=timezone.utc)
        except ValueError:
            pass
    return parse_instant(text, timezone.utc)


def show_span(seconds: float) -> str:
    """Returns a duration in its two largest units, rounded down, such as 2d4h."""
    rest, parts = int(max(0, seconds)), []
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        if rest >= size:
            parts.append(f"{rest // size}{unit}")
            rest %= size
    return "".join(parts[:2]) or "0s"


# The service


def terms_of(
    pes: Optional[int] = None,
    duration: Union[str, timedelta, None] = None,
    ready: Union[str, datetime, None] = None,
    deadline: Union[str, datetime, None] = None,
    slack: Union[str, timedelta, None] = None,
    budget: Optional[str] = None,
    auto_extend: Union[str, timedelta, None] = None,
    until: Union[str, datetime, None] = None,
    max_moves: Optional[int] = None,
    max_shift: Union[str, timedelta, None] = None,
    follow: Optional[str] = None,
    terms: Optional[Json] = None,
    zone: Optional[tzinfo] = None,
) -> Json:
    """Returns terms as the API takes them. `terms` holds those without an argument of their own, and overrides the others.

    A run with a deadline or slack may move in its window, and costs less. Without both, it stays where it is granted.
    """
    made: Json = {}
    if pes is not None:
        made["pes"] = pes
    if duration is not None:
        made["duration"] = iso_span(duration)
    if ready is not None:
        made["readyTime"] = iso_instant(ready, zone)
    if deadline is not None:
        made["deadline"] = iso_instant(deadline, zone, True)
    if slack is not None:
        made["slack"] = iso_span(slack)
    if budget is not None:
        money = re.fullmatch(r"(\d+(?:\.\d+)?) *([A-Za-z]{3})", budget)
        if not money:
            raise usage(f"'{budget}' is not a budget. Write an amount and a currency, such as '80.00 USD'.")
        made["budget"] = {"amount": money[1], "currency": money[2].upper()}
    if auto_extend is not None or until is not None:
        if auto_extend is None or until is None:
            raise usage("Automatic extension needs a step and an end. Give both, such as --auto-extend 1h --until 'tomorrow 20:00'.")
        made["autoExtend"] = {"step": iso_span(auto_extend), "until": iso_instant(until, zone, True)}
    bounds = _given(maxMoves=max_moves, maxShift=None if max_shift is None else iso_span(max_shift), follow=follow)
    if bounds:
        made["mobility"] = bounds
    made.update(terms or {})
    return made


def _amount(text: str, currency: Optional[str]) -> Json:
    """Returns an amount as the API takes it: money, or PE-hours without a currency."""
    if not re.fullmatch(r"\d{1,15}(?:\.\d+)?", text):
        raise usage(f"'{text}' is not an amount. Write 5000 or 1250.50, followed by a currency unless you mean PE-hours.")
    if currency is None:
        return {"peHours": float(text) if "." in text else int(text)}
    if not re.fullmatch("[A-Za-z]{3}", currency):
        raise usage(f"'{currency}' is not a currency. Write a code such as USD, or none for PE-hours.")
    return {"amount": text, "currency": currency.upper()}


def _is_granted(there: Json, asked: Json) -> bool:
    """Returns whether an existing grant is the one that was requested."""
    late = (read_instant(there["until"]) - read_instant(asked["until"])).total_seconds()
    zero = {"amount": "0", "currency": asked["amount"].get("currency"), "peHours": 0}
    alike = (_plain(there["amount"]) == _plain(asked["amount"]), _plain(there["creditLimit"]) == _plain(asked.get("creditLimit", zero)))
    # the service rounds a fraction of a second up
    return all(alike) and 0 <= late < 1


def _plain(amount: Json) -> Tuple[float, Optional[str]]:
    currency = amount.get("currency")
    return float(amount["amount"] if currency else amount["peHours"]), currency


def new_key() -> str:
    """Returns a new, random idempotency key."""
    return os.urandom(16).hex()


class Berth:
    """A service, as one account sees it.

    Without arguments, the address and the token come from BERTH_URL and BERTH_TOKEN, or from a profile.
    Every failure raises BerthError. If the service does not respond or cannot decide, the call is repeated for `patience` seconds.
    All attempts at a change have the same idempotency key.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        profile: Optional[str] = None,
        patience: float = 60.0,
    ) -> None:
        settings = Settings.of(profile, url, token)
        self.url, self.zone, self.patience = settings.url, settings.zone, patience
        #: Whether to repeat calls even if the service cannot be reached at all.
        self.persistent = False
        #: Called with a message for people before a call is repeated.
        self.note: Callable[[str], None] = lambda _: None
        #: Whether the last call repeated an attempt whose outcome is unknown.
        self.was_repeated = False
        #: Idempotency key of a change whose outcome is unknown, or None.
        self.in_doubt: Optional[str] = None
        if settings.token is not None and not _is_visible(settings.token):
            raise usage("The token must consist of printable ASCII characters without blanks. Check where you copied it from.")
        self._token = settings.token
        self._address = Address(self.url)
        self._connection: Optional[Connection] = None

    def __enter__(self) -> Berth:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection. The next call opens a new one."""
        if self._connection:
            self._connection.close()
        self._connection = None

    def call(
        self,
        method: str,
        path: str,
        body: Optional[Json] = None,
        key: Optional[str] = None,
        wait: int = 0,
        query: Optional[Json] = None,
        into: Optional[IO[bytes]] = None,
    ) -> Any:
        """Makes a call and returns its JSON. With `into`, it writes comma-separated values to that file and returns None.

        The call may be sent more than once, so it must be safe to repeat.
        """
        asked = "&".join(f"{name}={quoted(str(value))}" for name, value in (query or {}).items() if value is not None)
        target = f"{self._address.base}/api/v1{path}" + (f"?{asked}" if asked else "")
        accepted = "text/csv" if into else "application/json"
        headers = {"Accept": f"{accepted}, application/problem+json", "User-Agent": "berth.py"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if key is not None:
            if not _is_visible(key):
                raise usage(f"The key '{key}' must consist of printable ASCII characters without blanks.")
            headers["Idempotency-Key"] = key
        if wait:
            headers["Prefer"] = f"wait={wait}"
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            try:
                content = json.dumps(body, allow_nan=False).encode()
            except (TypeError, ValueError, RecursionError) as e:
                raise usage(f"The request cannot be written as JSON: {e}.") from None
        try:
            return self._patiently(method, target, content, headers, TIMEOUT + wait, key, into)
        except BerthError as e:
            if e.code != "unauthorized":
                raise
            why = f"{self.url} does not accept your token" if self._token else "You are not signed in"
            raise BerthError({**e.problem, "title": "Not signed in", "detail": f"{why}. Run: berth login --url {self.url}"}) from None

    def _patiently(
        self,
        method: str,
        target: str,
        content: Optional[bytes],
        headers: Dict[str, str],
        timeout: float,
        key: Optional[str],
        into: Optional[IO[bytes]],
    ) -> Any:
        end = time.monotonic() + self.patience
        pause, in_doubt = 0.2, False
        self.in_doubt = key
        while True:
            try:
                self.was_repeated = in_doubt
                status, retry_after, received = self._once(method, target, content, headers, timeout, into)
                if status not in (429, 502, 503, 504):
                    self.in_doubt = None
                    if status == 200 and into:
                        if received is not None:
                            raise not_berth(self.url, "something other than CSV")
                        return None
                    return _checked(status, received or b"", self.url)
                failed = _problem(status, received or b"", self.url)
                pause = max(pause, min(retry_after, 10.0))
                in_doubt |= status != 429
            except NotReached as e:
                failed = BerthError.of("unavailable", "The service cannot be reached", f"{e} Check the address {self.url}.")
                if not (in_doubt or self.persistent):
                    self.in_doubt = None
                    raise failed from None
            except NoResponse as e:
                failed = BerthError.of("unavailable", "The service does not respond", f"{self.url}: {e}")
                in_doubt = True
            if time.monotonic() + pause > end:
                self.in_doubt = key if in_doubt else None
                if self.in_doubt:
                    failed.problem["detail"] += f" {_how_to_find_out(self.in_doubt)}"
                raise failed
            self.note(f"{failed.problem['title']}; trying again.")
            time.sleep(pause * (0.75 + time.monotonic_ns() % 1000 / 4000))
            pause = min(pause * 2, 5.0)

    def _once(
        self, method: str, target: str, content: Optional[bytes], headers: Dict[str, str], timeout: float, into: Optional[IO[bytes]]
    ) -> Tuple[int, float, Optional[bytes]]:
        connection = self._connection
        if not connection:
            try:
                connection = Connection(self._address, min(timeout, 10.0))
            except (OSError, UnicodeError) as e:
                raise NotReached(_reason(e)) from None
        self._connection = None
        try:
            connection.send(method, target, content, headers, timeout)
            status, response_headers, received = connection.receive(time.monotonic() + 3 * timeout, into)
        except ValueError:
            connection.close()
            raise not_berth(self.url, "something other than HTTP") from None
        except OSError as e:
            connection.close()
            raise NoResponse(_reason(e)) from None
        except BaseException:
            connection.close()
            raise
        if connection.is_kept:
            self._connection = connection
        else:
            connection.close()
        after = response_headers.get("retry-after", "")
        return status, float(after) if re.fullmatch("[0-9]{1,4}", after) else 0.0, received

    def pages(self, path: str, most: Optional[int] = None, query: Optional[Json] = None) -> Iterator[Json]:
        """Yields the items of a list, page by page."""
        left = most if most is not None else sys.maxsize
        after = (query or {}).get("after")
        while left > 0:
            page = self.call("GET", path, query={**(query or {}), "limit": min(left, PAGE), "after": after})
            yield from page["items"]
            left -= len(page["items"])
            after = page["next"]
            if not page["next"] or not page["items"]:
                return

    def serves_this_file(self) -> bool:
        """Returns whether the service serves this very file as its client."""
        with open(__file__, "rb") as file:
            own = file.read()
        return self._once("GET", f"{self._address.base}/client/berth.py", None, {"Accept": "*/*"}, TIMEOUT, None)[2] == own

    def me(self) -> Json:
        """Returns the calling account."""
        return _object(self.call("GET", "/me"))

    def clusters(self, retired: bool = False) -> List[Json]:
        """Returns the clusters, with the fields that this account may see; if wanted, with retired ones."""
        return list(self.pages("/clusters", None, {"retired": "true"} if retired else None))

    def prices(
        self, cluster: str, pes: int = 1, duration: Union[str, timedelta] = "1h", slacks: Sequence[Union[str, timedelta]] = ()
    ) -> Json:
        """Returns what slack saves: the price of a run by its slack, and the factors of the price."""
        query = {"pes": pes, "duration": iso_span(duration), "slack": ",".join(iso_span(each) for each in slacks) or None}
        return _object(self.call("GET", f"/clusters/{quoted(cluster)}/prices", query=query))

    def signal(self, cluster: str) -> Json:
        """Returns the signal of a cluster: factors on its prices by time."""
        return _object(self.call("GET", f"/clusters/{quoted(cluster)}/signal"))

    def send_signal(
        self, cluster: str, source: str, factors: Sequence[Tuple[Union[str, datetime], Union[str, float]]], end: Union[str, datetime]
    ) -> Json:
        """Sends factors on the prices of a cluster, each from its time on. They replace all from the first one on.

        Only administrators and agents of the cluster may.
        """
        steps = [{"from": iso_instant(start, self.zone), "factor": str(factor)} for start, factor in factors]
        body = {"source": source, "factors": steps, "to": iso_instant(end, self.zone)}
        return _object(self.call("PUT", f"/clusters/{quoted(cluster)}/signal", body))

    def end_signal(self, cluster: str) -> None:
        """Ends the signal of a cluster: from now on, every factor is 1."""
        self.call("DELETE", f"/clusters/{quoted(cluster)}/signal")

    def jobs(self, cluster: str, state: Optional[str] = None, most: Optional[int] = None) -> List[Json]:
        """Returns the batch jobs of a cluster, newest first."""
        return list(self.pages(f"/clusters/{quoted(cluster)}/jobs", most, {"state": state}))

    def submit(
        self, cluster: str, pes: int, duration: Union[str, timedelta], name: Optional[str] = None, key: Optional[str] = None
    ) -> Json:
        """Submits a batch job that runs for the duration or less. Berth promises it no time."""
        body = _given(pes=pes, estimate=iso_span(duration), name=name)
        return _object(self.call("POST", f"/clusters/{quoted(cluster)}/jobs", body, key or new_key()))

    def cancel_job(self, cluster: str, id: str) -> Json:
        """Cancels a waiting or running batch job."""
        path = f"/clusters/{quoted(cluster)}/jobs/{quoted(id)}"
        try:
            return _object(self.call("POST", f"{path}/cancel"))
        except BerthError as e:
            # the call takes no key: the first attempt may have succeeded
            if e.code != "wrong-state" or not self.was_repeated:
                raise
            job = _object(self.call("GET", path))
            if job["state"] != "CANCELLED":
                raise
            return job

    def reserve_series(
        self,
        cluster: str,
        rrule: str,
        start: Union[str, datetime],
        count: Optional[int] = None,
        last_day: Optional[str] = None,
        except_days: Optional[Sequence[str]] = None,
        earliest: Union[str, timedelta, None] = None,
        slack: Union[str, timedelta, None] = None,
        on_conflict: Optional[str] = None,
        at_least: Optional[int] = None,
        dry_run: bool = False,
        name: Optional[str] = None,
        project: Optional[str] = None,
        users: Optional[Sequence[str]] = None,
        key: Optional[str] = None,
        **terms: Any,
    ) -> Json:
        """Reserves the same run on many days, in the time zone of this object or else of this machine.

        The first occurrence begins at `start`, or later if the rule (RFC 5545) says so. Days are written 2027-01-31.
        """
        zone_name = getattr(self.zone, "key", None) or machine_zone()
        begin = start if isinstance(start, datetime) else parse_instant(start, self.zone)
        recurrence = _given(
            rrule=rrule,
            dtstart=begin.astimezone(self.zone).replace(tzinfo=None).isoformat(timespec="seconds"),
            zone=zone_name,
            exdates=except_days,
        )
        window = _given(earliest=iso_span(earliest) if earliest is not None else None, slack=iso_span(slack) if slack is not None else None)
        body = _given(
            cluster=cluster,
            terms=terms_of(zone=self.zone, **terms),
            recurrence=recurrence,
            window=window or None,
            onConflict=on_conflict,
            atLeast=at_least,
            count=count,
            until=last_day,
            dryRun=dry_run or None,
            name=name,
            project=project,
            users=users,
        )
        return _object(self.call("POST", "/series", body, key or new_key()))

    def list_series(self, most: Optional[int] = None, project: Optional[str] = None) -> List[Json]:
        """Returns series without their occurrences, newest first: the account's own, or all of a project if it is a member."""
        return list(self.pages("/series", most, {"project": project}))

    def series(self, id: str) -> Json:
        """Returns a series with its occurrences."""
        return _object(self.call("GET", f"/series/{quoted(id)}"))

    def end_series(self, id: str, day: Optional[str] = None) -> Json:
        """Cancels the occurrences of a series from a day on, by default from today."""
        return _object(self.call("POST", f"/series/{quoted(id)}/end", _given(**{"from": day})))

    def book_occurrence(self, id: str, day: str, key: Optional[str] = None) -> Json:
        """Tries again to book an occurrence that was rejected or cancelled, and returns its reservation."""
        return _object(self.call("POST", f"/series/{quoted(id)}/occurrences/{quoted(day)}", None, key or new_key()))

    def projects(self, most: Optional[int] = None) -> List[Json]:
        """Returns the projects of which the account is a member, or all for an administrator, in the order of their ids."""
        return list(self.pages("/projects", most))

    def project(self, id: str) -> Json:
        """Returns a project with its members."""
        return _object(self.call("GET", f"/projects/{quoted(id)}"))

    def create_project(self, id: str, name: Optional[str] = None) -> Json:
        """Makes a label a project. Only administrators may. The name is the id if you give none."""
        body = {"id": id, "name": id if name is None else name}
        try:
            return _object(self.call("POST", "/projects", body))
        except BerthError as e:
            # the call takes no key: the first attempt may have succeeded
            if e.code != "exists" or not self.was_repeated:
                raise
            there = self.project(id)
            if there["name"] != body["name"] or there["members"]:
                raise
            return there

    def put_member(self, project: str, account: str, role: str) -> Json:
        """Makes an account a member of a project, or changes its role: OWNER, MEMBER or VIEWER."""
        return _object(self.call("PUT", f"/projects/{quoted(project)}/members/{quoted(account)}", {"role": role}))

    def remove_member(self, project: str, account: str) -> None:
        """Removes a member from a project. The account keeps its reservations there."""
        try:
            self.call("DELETE", f"/projects/{quoted(project)}/members/{quoted(account)}")
        except BerthError as e:
            if e.code != "not-found" or not self.was_repeated:
                raise

    def set_mode(self, project: str, mode: str) -> Json:
        """Sets the mode of a project's budget, TRACK or ENFORCE. Only administrators may."""
        return _object(self.call("PATCH", f"/projects/{quoted(project)}", {"mode": mode}))

    def balance(self, project: str) -> Json:
        """Returns the balance of a project's budget."""
        return _object(self.call("GET", f"/projects/{quoted(project)}/balance"))

    def grant(
        self,
        project: str,
        id: str,
        amount: str,
        until: Union[str, datetime],
        currency: Optional[str] = None,
        start: Union[str, datetime, None] = None,
        credit: Optional[str] = None,
    ) -> Json:
        """Grants a project money to spend by `until`, or PE-hours without a currency. Only administrators may."""
        body = _given(
            id=id,
            amount=_amount(amount, currency),
            creditLimit=_amount(credit, currency) if credit is not None else None,
            until=iso_instant(until, self.zone),
        )
        if start is not None:
            body["from"] = iso_instant(start, self.zone)
        path = f"/projects/{quoted(project)}/grants"
        try:
            return _object(self.call("POST", path, body))
        except BerthError as e:
            # the call takes no key: the first attempt may have succeeded
            if e.code != "exists" or not self.was_repeated:
                raise
            there = [each for each in self.call("GET", path)["items"] if each["id"] == id]
            if not there or not _is_granted(there[0], body):
                raise
            return _object(there[0])

    def charges(
        self,
        project: str,
        start: Union[str, datetime, None] = None,
        end: Union[str, datetime, None] = None,
        most: Optional[int] = None,
    ) -> Json:
        """Returns a project's charges for reservations that ended in this time, with the sums. The default is this month in UTC."""
        path = f"/projects/{quoted(project)}/charges"
        found = _object(self.call("GET", path, query={**self._time(start, end), "limit": min(most or PAGE, PAGE)}))
        if found["next"] and (most is None or most > len(found["items"])):
            # without both ends, the end would be the present, which changes from page to page
            query = {"from": found["from"], "to": found["to"], "after": found["next"]}
            found["items"] += self.pages(path, most - len(found["items"]) if most is not None else None, query)
        del found["next"]
        return found

    def write_charges(
        self, project: str, file: IO[bytes], start: Union[str, datetime, None] = None, end: Union[str, datetime, None] = None
    ) -> None:
        """Replaces the content of a file by the charges as comma-separated values. The last lines are the sums."""
        self.call("GET", f"/projects/{quoted(project)}/charges.csv", query=self._time(start, end), into=file)

    def refusals(
        self,
        since: Union[str, datetime, None] = None,
        cluster: Optional[str] = None,
        project: Optional[str] = None,
        code: Optional[str] = None,
        account: Optional[str] = None,
        most: Optional[int] = None,
    ) -> List[Json]:
        """Returns the requests that were refused, newest first: why, and what would have fitted. Berth keeps those of the last weeks."""
        query = {"cluster": cluster, "project": project, "code": code, "account": account, **self._time(since, None)}
        return list(self.pages("/refusals", most, query))

    def report(
        self,
        name: str,
        start: Union[str, datetime, None] = None,
        end: Union[str, datetime, None] = None,
        into: Optional[IO[bytes]] = None,
        **filters: Any,
    ) -> Any:
        """Returns a report: summary, projects, owners or hours, of the last 30 days by default. With `into`, it writes CSV to that file."""
        query = {**self._time(start, end), **_given(**filters)}
        return self.call("GET", f"/reports/{quoted(name)}", query=query, into=into)

    def schedule(self, cluster: str, start: datetime, end: datetime) -> List[Json]:
        """Returns the uses of a cluster's PEs in this time, with the details that this account may see."""
        path = f"/clusters/{quoted(cluster)}/schedule"
        answer = self.call("GET", path, query={"from": iso_instant(start), "to": iso_instant(end)})
        return list(answer["placements"])

    def probe(
        self,
        clusters: Optional[Sequence[str]] = None,
        order_by: Union[str, Json, None] = None,
        limit: Optional[int] = None,
        alternatives: bool = False,
        **terms: Any,
    ) -> Json:
        """Returns the slots that would fit, or the reason if there are none. The terms are the arguments of terms_of."""
        body = _given(clusters=clusters, orderBy=order_by, limit=limit, alternatives=alternatives or None)
        return _object(self.call("POST", "/probes", {"terms": terms_of(zone=self.zone, **terms), **body}))

    def reserve(
        self,
        cluster: Optional[str] = None,
        clusters: Optional[Sequence[str]] = None,
        start: Union[str, datetime, None] = None,
        hold: Union[str, timedelta, None] = None,
        name: Optional[str] = None,
        project: Optional[str] = None,
        users: Optional[Sequence[str]] = None,
        order_by: Union[str, Json, None] = None,
        accept_alternatives: Optional[Json] = None,
        dry_run: bool = False,
        key: Optional[str] = None,
        account: Optional[str] = None,
        **terms: Any,
    ) -> Json:
        """Reserves and returns the reservation, which another account owns if you name one.

        A collected request is PENDING if Berth has not decided it after 30 seconds.

        A dry run reserves nothing. It returns before, which is None, after, which is the reservation without an id, and effects.
        """
        body = _given(
            cluster=cluster,
            clusters=clusters,
            start=iso_instant(start, self.zone) if start is not None else None,
            hold=iso_span(hold) if hold is not None else None,
            name=name,
            project=project,
            users=users,
            orderBy=order_by,
            acceptAlternatives=accept_alternatives,
            account=account,
            dryRun=dry_run or None,
        )
        body["terms"] = terms_of(zone=self.zone, **terms)
        return _object(self.call("POST", "/reservations", body, key or new_key(), wait=30))

    def reservations(
        self,
        state: Optional[str] = None,
        cluster: Optional[str] = None,
        project: Optional[str] = None,
        start: Union[str, datetime, None] = None,
        end: Union[str, datetime, None] = None,
        most: Optional[int] = None,
        owner: Optional[str] = None,
    ) -> Iterator[Json]:
        """Yields reservations, newest first. With a start or an end, it yields only those that overlap this time."""
        return self.pages("/reservations", most, {"state": state, "owner": owner, **self._where(cluster, project, start, end)})

    def to_approve(self, most: Optional[int] = None) -> Iterator[Json]:
        """Yields the reservations that the account may approve or decline now, newest first."""
        return self.pages("/reservations", most, {"toApprove": "true"})

    def live(
        self,
        cluster: Optional[str] = None,
        project: Optional[str] = None,
        start: Union[str, datetime, None] = None,
        end: Union[str, datetime, None] = None,
        most: Optional[int] = None,
        owner: Optional[str] = None,
    ) -> List[Json]:
        """Returns the reservations that have not ended: the newest `most` of each state.

        The first call reads the newest reservations of all states. If there are more, it reads a list for each state.
        """
        where = {"owner": owner, **self._where(cluster, project, start, end)}
        newest = self.call("GET", "/reservations", query={**where, "limit": NEWEST})
        found: List[Json] = []
        for state in LIVE:
            of_state = [each for each in newest["items"] if each["state"] == state][:most]
            if newest["next"]:
                left = most - len(of_state) if most is not None else None
                of_state += self.pages("/reservations", left, {**where, "state": state, "after": newest["next"]})
            found += of_state
        return found

    def _where(
        self, cluster: Optional[str], project: Optional[str], start: Union[str, datetime, None], end: Union[str, datetime, None]
    ) -> Json:
        return {"cluster": cluster, "project": project, **self._time(start, end)}

    def _time(self, start: Union[str, datetime, None], end: Union[str, datetime, None]) -> Json:
        return {
            "from": iso_instant(start, self.zone) if start is not None else None,
            "to": iso_instant(end, self.zone) if end is not None else None,
        }

    def reservation(self, id: str) -> Json:
        """Returns a reservation."""
        return _object(self.call("GET", f"/reservations/{quoted(id)}"))

    def act(self, id: str, action: str, body: Optional[Json] = None, key: Optional[str] = None) -> Json:
        """Applies an action to a reservation: confirm, fix, claim, complete, cancel, extend or renegotiations.

        With dryRun in the body, it returns the reservation before and after the action, and its effects on others.
        """
        return _object(self.call("POST", f"/reservations/{quoted(id)}/{action}", body, key or new_key()))

    def change_users(self, id: str, users: Sequence[str]) -> Json:
        """Changes who may run jobs in a reservation, by their names on the machine; if there are none, only the owner may."""
        return _object(self.call("PATCH", f"/reservations/{quoted(id)}", {"users": list(users)}))

    def transfer(self, id: str, account: str, key: Optional[str] = None) -> Json:
        """Hands a reservation over to another account. Its terms and its price stay. Returns the reservation."""
        return self.act(id, "transfer", {"account": account}, key)

    def wait(self, id: str, until: str = "started", timeout: Optional[float] = None) -> Json:
        """Waits until a reservation is decided, confirmed, started, in-place or ended.

        It polls the service, and survives restarts of the service. It raises a BerthError with the code timed-out after `timeout`
        seconds. If the reservation ends first, the code is wrong-state, or the reason no-slot or over-budget.
        """
        end = time.monotonic() + timeout if timeout is not None else float("inf")
        patience, persistent = self.patience, self.persistent
        self.persistent = True
        state, polls = None, 0
        try:
            while True:
                self.patience = max(0.0, end - time.monotonic())
                found = self.reservation(id)
                if _has_come(found, until):
                    return found
                polls = polls + 1 if found["state"] == state else 0
                state = found["state"]
                pause = _pause(found, until, polls)
                if time.monotonic() + pause > end:
                    break
                time.sleep(pause)
        finally:
            self.patience, self.persistent = patience, persistent
        waited = f"After {show_span(timeout or 0)}, {id} is {found['state']}, not {until}."
        raise BerthError.of("timed-out", "Timed out", waited)


def _how_to_find_out(key: str) -> str:
    return f"It is not known whether the change was made. Run the same command with --key {key} to find out: nothing is done twice."


def _has_come(reservation: Json, until: str) -> bool:
    state = reservation["state"]
    if state in WAITS[until]:
        return False
    if until == "in-place" and state == "RUNNING":
        return _in_place(reservation)
    wanted = ("CONFIRMED", "RUNNING", "COMPLETED") + (("HELD",) if until == "decided" else ())
    if until == "ended" or state in wanted:
        return True
    reason = reservation.get("reason")
    code = str(reason) if EXITS.get(str(reason)) == NO_ROOM else "wrong-state"
    raise BerthError.of(code, "The reservation has ended", f"{reservation['id']} is {state}" + (f": {reason}." if reason else "."))


def _in_place(reservation: Json) -> bool:
    enforcement = reservation.get("enforcement")
    return enforcement is None or enforcement["state"] == "MATERIALISED"


def _pause(reservation: Json, until: str, polls: int) -> float:
    """Returns the seconds until the next poll: at most until the next planned event, and at most 15, to notice a move.

    If no time is planned for the event, or it is a little late, the first polls follow quickly. `polls` is the number of earlier
    polls in the same state.
    """
    placement, state = reservation.get("placement"), reservation["state"]
    quick = QUICK_POLLS[min(polls, len(QUICK_POLLS) - 1)]
    if placement is None or state == "HELD" or (until == "in-place" and state == "RUNNING"):
        return quick
    due = read_instant(placement["end" if state == "RUNNING" else "start"])
    seconds = (due - datetime.now(timezone.utc)).total_seconds()
    if seconds > 0:
        return min(15.0, seconds + 0.1)
    # if the event is long overdue, the clocks differ or the service is down
    return quick if seconds > -60 else 5.0


def _given(**values: Any) -> Json:
    return {name: value for name, value in values.items() if value is not None}


def _object(answer: Any) -> Json:
    if not isinstance(answer, dict):
        raise TypeError("expected a JSON object")
    return answer


def quoted(text: str) -> str:
    """Escapes a segment of a path, or a value of a query."""
    plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return "".join(chr(each) if each in plain else f"%{each:02X}" for each in text.encode("utf-8", "replace"))


def _is_visible(text: str) -> bool:
    return bool(text) and all("!" <= char <= "~" for char in text)


class Address:
    """The address of a service, taken from its URL."""

    def __init__(self, url: str) -> None:
        parts = re.fullmatch(r"(https?)://(\[[0-9a-z:.%]+\]|[^][/:?#@]+)(?::([0-9]{0,5}))?(/[^?#]*)?", url, re.IGNORECASE)
        if not parts or int(parts[3] or 1) not in range(1, 65536):
            raise usage(f"'{url}' is not the address of a service. Write one such as https://berth.example.org or http://localhost:8080.")
        if not _is_visible(url):
            raise usage(f"The address '{url}' must consist of printable ASCII characters without blanks.")
        self.is_tls = parts[1].lower() == "https"
        self.host = parts[2].strip("[]")
        self.port = int(parts[3] or (443 if self.is_tls else 80))
        self.shown = parts[2] + (f":{parts[3]}" if parts[3] else "")
        self.base = (parts[4] or "").rstrip("/")


class Connection:
    """A connection with the parts of HTTP/1.1 that calls need. The module http.client takes longer to load than a call takes.

    A response that breaks off raises NoResponse. One that is not HTTP raises ValueError. Any other failure raises OSError.
    """

    def __init__(self, address: Address, timeout: float) -> None:
        import socket

        self._shown = address.shown
        # as bytes, because a host name as text would load the tables of all alphabets
        where: Any = (address.host.encode(), address.port)
        self._socket = socket.create_connection(where, timeout)
        self.is_kept = False
        self._keep: Callable[[bytes], Any] = lambda _: None
        self._most, self._end = 0, 0.0
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if address.is_tls:
                import ssl

                context = ssl.create_default_context()
                context.set_alpn_protocols(["http/1.1"])
                self._socket = context.wrap_socket(self._socket, server_hostname=address.host)
            self._file = self._socket.makefile("rb")
        except BaseException:
            self._socket.close()
            raise

    def close(self) -> None:
        """Closes the connection."""
        self._file.close()
        self._socket.close()

    def send(self, method: str, target: str, content: Optional[bytes], headers: Dict[str, str], timeout: float) -> None:
        """Sends a request. From then on, no single read or write may take longer than the timeout (in seconds)."""
        self._socket.settimeout(timeout)
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self._shown}", *(f"{name}: {value}" for name, value in headers.items())]
        if content is not None or method != "GET":
            lines.append(f"Content-Length: {len(content or b'')}")
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + (content or b""))

    def receive(self, end: float, into: Optional[IO[bytes]] = None) -> Tuple[int, Dict[str, str], Optional[bytes]]:
        """Returns the status, the headers by their lower-case names, and the body of a response that must be complete by `end`.

        With `into`, comma-separated values go to that file without a limit of time or size, and the body is None.
        """
        version, status = self._status()
        headers = self._headers()
        while status < 200:
            version, status = self._status()
            headers = self._headers()
        is_chunked = "chunked" in headers.get("transfer-encoding", "").lower()
        length = headers.get("content-length")
        if length is not None and not re.fullmatch("[0-9]{1,18}", length):
            raise ValueError("no length")
        is_empty = status in (204, 304)
        self.is_kept = version != "0" and "close" not in headers.get("connection", "").lower()
        self.is_kept &= is_empty or is_chunked or length is not None
        pieces: List[bytes] = []
        self._keep, self._most, self._end = pieces.append, MAX_BYTES, end
        is_filed = bool(into) and status == 200 and headers.get("content-type", "").lower().startswith("text/csv")
        if into and is_filed:
            self._keep, self._most, self._end = _written_to(into), sys.maxsize, float("inf")
        if is_chunked and not is_empty:
            self._chunks()
        elif not is_empty:
            self._read(int(length) if length is not None else None)
        return status, headers, None if is_filed else b"".join(pieces)

    def _line(self) -> str:
        line: bytes = self._file.readline(65537)
        if len(line) > 65536:
            raise ValueError("too long a line")
        if not line.endswith(b"\n"):
            raise NoResponse("the connection was closed before the response was complete.")
        return line.decode("latin-1").rstrip("\r\n")

    def _status(self) -> Tuple[str, int]:
        found = re.fullmatch(r"HTTP/1\.([0-9]) ([1-9][0-9]{2})( .*)?", self._line())
        if not found:
            raise ValueError("no status")
        return found[1], int(found[2])

    def _headers(self) -> Dict[str, str]:
        found: Dict[str, str] = {}
        for _ in range(101):
            line = self._line()
            if not line:
                return found
            name, _, value = line.partition(":")
            found.setdefault(name.lower(), value.strip())
        raise ValueError("too many headers")

    def _chunks(self) -> None:
        while True:
            size = re.fullmatch(r"([0-9A-Fa-f]{1,15})\s*(;.*)?", self._line())
            if not size:
                raise ValueError("no chunk")
            if not int(size[1], 16):
                self._headers()
                return
            self._read(int(size[1], 16))
            if self._line():
                raise ValueError("no end of a chunk")

    def _read(self, length: Optional[int]) -> None:
        """Reads and keeps this number of bytes, or all bytes if the length is None."""
        left = self._most + 1 if length is None else length
        if length is not None and length > self._most:
            raise ValueError("too large")
        while left:
            piece = self._file.read1(min(left, 65536))
            if not piece:
                if length is None:
                    return
                raise NoResponse("the connection was closed before the response was complete.")
            self._keep(piece)
            left -= len(piece)
            self._most -= len(piece)
            if time.monotonic() > self._end:
                raise TimeoutError("the response does not end")
        if length is None:
            raise ValueError("too large")


def _written_to(file: IO[bytes]) -> Callable[[bytes], None]:
    """Returns a function that writes to a file from its beginning, so that a repeated call starts again."""

    def write(piece: bytes) -> None:
        try:
            file.write(piece)
        except OSError as e:
            raise unwritten(e) from None

    file.seek(0)
    file.truncate()
    return write


def unwritten(error: OSError) -> BerthError:
    """Returns an error for output that could not be written."""
    return BerthError.of("unwritten", "The output could not be written", f"{error.strerror}. The command itself was carried out.")


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError) or type(error).__name__ == "timeout":
        return "No response arrived in time."
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "The certificate is not trusted here. To trust one of your own, set SSL_CERT_FILE to its file."
    if type(error).__name__ == "SSLError":
        return "The TLS handshake failed."
    if isinstance(error, ConnectionRefusedError):
        return "No server listens there."
    if type(error).__name__ == "gaierror" or isinstance(error, UnicodeError):
        return "The host name is unknown."
    return f"{error.strerror or error}." if isinstance(error, OSError) else f"{error}."


def not_berth(url: str, what: str) -> BerthError:
    """Returns an error for a response that Berth would not send."""
    return BerthError.of("not-berth", "This is not Berth", f"{url} returned {what}. Check the address.")


def _checked(status: int, received: bytes, url: str) -> Any:
    if 300 <= status < 400:
        raise not_berth(url, "a redirect")
    if status >= 400:
        raise _problem(status, received, url)
    if status == 204:
        return None
    try:
        return json.loads(received)
    except (ValueError, RecursionError):
        raise not_berth(url, "something other than JSON") from None


def _problem(status: int, received: bytes, url: str) -> BerthError:
    try:
        problem = json.loads(received)
    except (ValueError, RecursionError):
        problem = None
    if isinstance(problem, dict) and isinstance(problem.get("code"), str):
        return BerthError(problem)
    if status in (502, 503, 504):
        detail = f"{url} returned status {status} without a problem document, as a proxy does."
        return BerthError.of("unavailable", "The service does not respond", detail)
    return not_berth(url, f"status {status} without a problem document")


# Profiles


def config_file() -> str:
    """Returns the path of the file with the profiles."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.environ.get("BERTH_CONFIG") or os.path.join(base, "berth", "config")


def read_config() -> configparser.ConfigParser:
    """Returns the profiles. Rejects a file that other users may access, because it contains tokens."""
    import configparser

    config = configparser.ConfigParser(interpolation=None, default_section="\n")
    path = config_file()
    try:
        with open(path, encoding="utf-8") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise usage(f"Other users may access {path}, which contains tokens. Run: chmod 600 {path}")
            config.read_file(file, path)
    except FileNotFoundError:
        pass
    except (OSError, UnicodeDecodeError) as e:
        raise usage(f"{path} cannot be read: {e}.") from None
    except configparser.Error as e:
        raise usage(f"{path} is not a valid file of profiles: {' '.join(str(e).split())}") from None
    return config


class Settings:
    """The address, the token and the time zone for calls."""

    def __init__(self, url: str, token: Optional[str], zone: Optional[tzinfo]) -> None:
        self.url, self.token, self.zone = url, token, zone

    @staticmethod
    def of(
        profile: Optional[str] = None,
        url: Optional[str] = None,
        token: Optional[str] = None,
        zone: Optional[str] = None,
    ) -> Settings:
        """Returns the settings from the arguments, else from a named profile, the environment or the profile `default`, in this order."""
        environment = os.environ
        named = profile or environment.get("BERTH_PROFILE")
        if url is None and not profile:
            url = environment.get("BERTH_URL")
        if token is None and not profile:
            token = environment.get("BERTH_TOKEN")
        zone = zone or environment.get("BERTH_ZONE")
        if url is None or token is None or zone is None:
            config = read_config() if named or os.path.lexists(config_file()) else None
            section = named or "default"
            if config is not None and config.has_section(section):
                kept = config[section]
                zone = zone or kept.get("zone")
                # the token of a profile goes only to the address of that profile
                if token is None and url in (None, kept.get("url")):
                    token = kept.get("token")
                url = url or kept.get("url")
            elif named:
                raise usage(f"{config_file()} has no profile '{named}'. Make one with: berth login --profile {named}")
        return Settings(url or "http://localhost:8080", token.strip() if token else None, zone_of(zone))


def write_profile(profile: str, url: str, token: str) -> str:
    """Stores a profile in the file of all profiles, and returns the path of that file."""
    config = read_config()
    if not config.has_section(profile):
        config.add_section(profile)
    config[profile]["url"] = url
    config[profile]["token"] = token
    path = config_file()
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        made = f"{path}.{os.getpid()}"
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            config.write(file)
        os.replace(made, path)
    except OSError as e:
        raise usage(f"{path} cannot be written: {e.strerror}.") from None
    return path


# What people see


class View:
    """The time zone and the present moment for output."""

    def __init__(self, zone: Optional[tzinfo]) -> None:
        self.zone = zone
        self.now = datetime.now(timezone.utc)
        self.zone_name = self.now.astimezone(zone).tzname() or "local time"

    def time(self, text: Optional[str], form: str = "%Y-%m-%d %H:%M") -> str:
        """Returns an instant of the service as text, with its zone if the header names another one."""
        if not text:
            return "-"
        shown = read_instant(text).astimezone(self.zone)
        other = shown.tzname() != self.zone_name
        return shown.strftime(form) + (f" {shown.tzname()}" if other else "")

    def until(self, text: str) -> str:
        """Returns the duration until an instant of the service."""
        return show_span((read_instant(text) - self.now).total_seconds())


def _money(money: Optional[Json]) -> str:
    return f"{money['amount']} {money['currency']}" if money else "-"


def _spendable(amount: Optional[Json]) -> str:
    """Returns an amount of money or of PE-hours as text."""
    if amount and amount.get("peHours") is not None:
        return f"{amount['peHours']} PE-hours"
    return _money(amount)


def _place(reservation: Json, field: str) -> Any:
    return (reservation.get("placement") or {}).get(field)


def _pes(reservation: Json) -> Any:
    terms = reservation["terms"]
    asked = terms.get("pes") or (f"{terms['minPes']}-{terms['maxPes']}" if terms.get("minPes") else "")
    return _place(reservation, "pes") or asked


def _left(reservation: Json, view: View) -> str:
    state = reservation["state"]
    if state == "RUNNING":
        return view.until(reservation["placement"]["end"])
    if state == "CONFIRMED":
        return "in " + view.until(reservation["placement"]["start"])
    if state == "HELD":
        return "held " + view.until(reservation["holdExpiresAt"])
    return "-"


def _lacks(losses: Optional[Json], view: View) -> List[str]:
    """Returns the PEs that a run lacks or will lack, one text for each time."""
    return [
        f"{lack['pes']} PEs" + (f" ({lack['peIds']})" if lack["peIds"] else "") + f" {view.time(lack['start'])} to {view.time(lack['end'])}"
        for lack in (losses or {}).get("lacks", [])
    ]


def _taken(losses: Optional[Json]) -> List[str]:
    """Returns the PEs of a run that jobs of others have, as a text; nothing if they have none."""
    taken = (losses or {}).get("taken") or {}
    return [f"PEs {taken['peIds']}"] if taken.get("peIds") else []


def _state(reservation: Json) -> str:
    return str(reservation["state"]) + (" degraded" if "degraded" in reservation["flags"] else "")


def _may_move(reservation: Json, view: View) -> str:
    if reservation["state"] not in LIVE:
        return "-"
    if reservation.get("scenario") == "STRICT":
        return "stays"
    return view.time(reservation["fixedAt"]) if reservation["movable"] else "final"


def _freedom(reservation: Json, view: View) -> str:
    """Returns whether a reservation stays, and which rule of the cluster set its deadline; empty for one without a place."""
    if not reservation["placement"]:
        return ""
    if reservation.get("scenario") == "STRICT":
        return "It stays at this time."
    by = DEADLINE_BY.get(reservation.get("deadlineBy") or "", "")
    end = f"it ends by {view.time(reservation['terms']['deadline'])} {view.zone_name}"
    # a held slot cannot move, but becomes movable when it is confirmed
    if read_instant(reservation["fixedAt"]) <= view.now:
        return f"Its place is final.{by}"
    return f"It may move until {view.time(reservation['fixedAt'])}; {end}.{by}"


def _mobility(reservation: Json, view: View) -> List[Tuple[str, str]]:
    """Returns how often a reservation was moved, and how often and how far it may still be; empty if it never moves."""
    moves = reservation.get("moves") or {"count": 0, "left": 0}
    count, left = moves["count"], moves["left"]
    if left == 0:
        return [("moves", f"{count}, none left")] if count else []
    rest = "any number left" if left is None else f"{left} left"
    return [("moves", f"{count}, {rest}, within {view.time(moves['from'])} to {view.time(moves['to'])}")]


def _kind(slot: Json, view: View) -> str:
    if slot["kind"] == "ALTERNATIVE":
        distance = f"outside, {slot['phi']:+.2f} run times" if slot["phi"] is not None else "outside"
        deadline = slot.get("deadline")
        return f"{distance}, ends by {view.time(deadline)}" if deadline and deadline != slot["end"] else distance
    return "the policy's choice" if slot["chosenByPolicy"] else "-"


def _rate(cluster: Json) -> str:
    tariff = cluster.get("tariff") or {}
    return f"{tariff['pricePerPeHour']} {tariff['currency']}" if tariff.get("pricePerPeHour") else ""


def _size(cluster: Json) -> str:
    """Returns the number of PEs of a cluster, with its word for them if it has one."""
    pes, unit = cluster.get("pes", "-"), cluster.get("unit", "PE")
    return str(pes) if unit == "PE" else f"{pes} {unit}" + ("" if pes == 1 else "s")


def _labels(cluster: Json) -> str:
    return " ".join(f"{name}={value}" for name, value in (cluster.get("labels") or {}).items())


def _limits(account: Json) -> str:
    limits = account.get("limits") or {}
    pause = limits.get("coolDown")
    rest = f"{show_span(parse_span(pause['duration']))} after runs of {show_span(parse_span(pause['after']))}" if pause else None
    return ", ".join(f"{name} {value}" for name, value in {**limits, "coolDown": rest}.items() if value is not None)


def _begins(series: Json) -> str:
    return str(series["recurrence"]["dtstart"]).replace("T", " ")


def _owners(project: Json) -> str:
    return ", ".join(member["account"] for member in project["members"] if member["role"] == "OWNER")


def _occurrence_state(occurrence: Json) -> str:
    """Returns the state of an occurrence's reservation, or of the occurrence if it has none."""
    return str(occurrence["reservationState"] or occurrence["state"])


def _agreed(data: Json, view: View) -> Dict[str, str]:
    """Returns what an event says about the terms of a reservation."""
    place, terms = data.get("placement") or {}, data.get("terms") or {}
    found = {
        "price": _money(data.get("price")),
        "PEs": str(place.get("pes") or "-"),
        "start": view.time(place.get("start")),
        "end": view.time(place.get("end")),
        "deadline": view.time(terms.get("deadline")),
    }
    return {name: text for name, text in found.items() if text != "-"}


def _event(event: Json, view: View) -> str:
    data, before = event["data"], event.get("before")
    words = [data.get("state"), data.get("reason"), (data.get("move") or {}).get("why")]
    place = data.get("placement") or data
    if before:
        was, now = _agreed(before, view), _agreed(data, view)
        changed = [f"{name} {was[name]} {_arrow()} {text}" for name, text in now.items() if was.get(name, text) != text]
        words.append(", ".join(changed))
    else:
        words.append(f"from {view.time(place['start'])}" if place.get("start") else None)
        words.append(f"to {view.time(place['end'])}" if place.get("end") else None)
        words.append(f"for {_money(data['price'])}" if data.get("price") else None)
    nearest = data.get("nearestPlace")
    words += [f"nearest place {view.time(nearest['start'])} to {view.time(nearest['end'])}"] if nearest else []
    if event["type"] in LOSSES:
        words += [f"lacks {lack}" for lack in _lacks(data.get("losses"), view)]
    words += [f"jobs of others have {taken}" for taken in _taken(data.get("losses"))]
    if event["type"] in ("transferred", "received"):
        how = data["assignment"]
        words.append(f"from {how['from']} to {how['to']}, by {how['by']}")
    if data.get("percent"):
        words.append(f"{data['percent']} % of the budget of {data['project']} is held or charged")
    return " ".join(word for word in words if word)


def _asked(refused: Json) -> str:
    return refused["cluster"] or ",".join(refused["clusters"] or ())


def _duration(refused: Json, _: View) -> str:
    duration = refused["terms"].get("duration")
    return show_span(parse_span(duration)) if duration else "-"


def _would_have_fitted(refused: Json) -> Optional[str]:
    would = {name: value for name, value in (refused["wouldFit"] or {}).items() if value is not None}
    return " ".join(f"{name}={value}" for name, value in would.items()) or None


def _free(cluster: Json, view: View) -> Tuple[int, List[Tuple[int, str]]]:
    """Returns the largest run that may begin now, and the larger ones with their earliest starts."""
    starts = {row["pes"]: next(filter(None, row["starts"]), None) for row in cluster["rows"]}
    now = max((pes for pes, start in starts.items() if start and (read_instant(start) - view.now).total_seconds() < 60), default=0)
    return now, [(pes, str(start)) for pes, start in sorted(starts.items()) if start and pes > now]


def _figure(name: str, field: str) -> Column:
    return name, lambda each, _: _spendable(each[field]), lambda each: _spendable(each[field]) if each[field] else None


def _column(name: str) -> Column:
    return name.replace("_", " "), lambda line, _: line[name], lambda line: line[name]


RESERVATIONS: List[Column] = [
    ("id", lambda r, v: r["id"][-12:], lambda r: r["id"]),
    ("name", lambda r, v: _cut(r["name"] or "-", 20), lambda r: r["name"]),
    ("state", lambda r, v: _state(r), lambda r: r["state"]),
    ("cluster", lambda r, v: r["cluster"] or "-", lambda r: r["cluster"]),
    ("pes", lambda r, v: str(_pes(r)), _pes),
    ("start", lambda r, v: v.time(_place(r, "start")), lambda r: _place(r, "start")),
    ("end", lambda r, v: v.time(_place(r, "end")), lambda r: _place(r, "end")),
    ("left", _left, lambda r: None),
    ("price", lambda r, v: _money(r["price"]), lambda r: _money(r["price"]) if r["price"] else None),
    ("may move until", _may_move, lambda r: r["fixedAt"] if r["movable"] else None),
    ("project", lambda r, v: r["project"] or "-", lambda r: r["project"]),
    ("owner", lambda r, v: r["owner"], lambda r: r["owner"]),
]
SLOTS: List[Column] = [
    ("cluster", lambda s, v: s["cluster"], lambda s: s["cluster"]),
    ("start", lambda s, v: v.time(s["start"]), lambda s: s["start"]),
    ("end", lambda s, v: v.time(s["end"]), lambda s: s["end"]),
    ("pes", lambda s, v: str(s["pes"]), lambda s: s["pes"]),
    ("price", lambda s, v: _money(s["price"]), lambda s: _money(s["price"])),
    ("if final", lambda s, v: _money(s["fixedPrice"]), lambda s: _money(s["fixedPrice"]) if s["fixedPrice"] else None),
    ("availability", lambda s, v: f"{s['availability']:.2f}", lambda s: s["availability"]),
    ("moves others", lambda s, v: _moves(s.get("effects")), lambda s: s.get("effects") and s["effects"]["moved"]),
    ("delays jobs", lambda s, v: _delays(s.get("effects")), lambda s: s.get("effects") and s["effects"]["jobsDelayed"]),
    ("kind", _kind, lambda s: s["kind"]),
]
CLUSTERS: List[Column] = [
    ("id", lambda c, v: c["id"], lambda c: c["id"]),
    ("pes", lambda c, v: _size(c), lambda c: c.get("pes")),
    ("rating", lambda c, v: str(c.get("rating", "-")), lambda c: c.get("rating")),
    ("price per PE-hour", lambda c, v: _rate(c) or "-", _rate),
    ("labels", lambda c, v: _labels(c) or "-", _labels),
]
FREE: List[Column] = [
    ("cluster", lambda c, v: c["cluster"], lambda c: c["cluster"]),
    ("pes", lambda c, v: str(c["pes"]), lambda c: c["pes"]),
    ("free now", lambda c, v: f"{_free(c, v)[0]}" + ("+" if 0 < _free(c, v)[0] < c["pes"] else ""), lambda c: _free(c, View(None))[0]),
    ("more", lambda c, v: ", ".join(f"{pes} at {v.time(start)}" for pes, start in _free(c, v)[1]) or "-", lambda c: None),
]
PRICES: List[Column] = [
    ("slack", lambda p, v: show_span(parse_span(p["slack"])), lambda p: p["slack"]),
    ("price", lambda p, v: _money(p["price"]), lambda p: _money(p["price"])),
    ("saved", lambda p, v: _money(p["saved"]), lambda p: _money(p["saved"])),
]
SIGNAL: List[Column] = [
    ("from", lambda f, v: v.time(f["from"]), lambda f: f["from"]),
    ("factor", lambda f, v: f["factor"], lambda f: f["factor"]),
]
JOBS: List[Column] = [
    ("id", lambda j, v: j["id"][-12:], lambda j: j["id"]),
    ("name", lambda j, v: _cut(j["name"] or "-", 20), lambda j: j["name"]),
    ("state", lambda j, v: j["state"], lambda j: j["state"]),
    ("owner", lambda j, v: j["owner"], lambda j: j["owner"]),
    ("pes", lambda j, v: str(j["pes"]), lambda j: j["pes"]),
    ("estimate", lambda j, v: show_span(parse_span(j["estimate"])), lambda j: j["estimate"]),
    ("start", lambda j, v: v.time(j["startedAt"] or j["plannedStart"]), lambda j: j["startedAt"] or j["plannedStart"]),
]
SERIES: List[Column] = [
    ("id", lambda s, v: s["id"][-12:], lambda s: s["id"]),
    ("name", lambda s, v: _cut(s["name"] or "-", 20), lambda s: s["name"]),
    ("state", lambda s, v: s["state"], lambda s: s["state"]),
    ("cluster", lambda s, v: s["cluster"], lambda s: s["cluster"]),
    ("pes", lambda s, v: str(_pes(s)), _pes),
    ("rule", lambda s, v: s["recurrence"]["rrule"], lambda s: s["recurrence"]["rrule"]),
    ("begins", lambda s, v: _begins(s), lambda s: s["recurrence"]["dtstart"]),
    ("zone", lambda s, v: s["recurrence"]["zone"], lambda s: s["recurrence"]["zone"]),
    ("decided until", lambda s, v: s["bookedUntil"] or "-", lambda s: s["bookedUntil"]),
]
PROJECTS: List[Column] = [
    ("id", lambda p, v: p["id"], lambda p: p["id"]),
    ("name", lambda p, v: _cut(p["name"], 40), lambda p: p["name"]),
    ("owners", lambda p, v: _cut(_owners(p) or "-", 40), _owners),
    ("members", lambda p, v: str(len(p["members"])), lambda p: len(p["members"])),
    ("since", lambda p, v: v.time(p["createdAt"]), lambda p: p["createdAt"]),
]
PROJECT_MEMBERS: List[Column] = [
    ("account", lambda m, v: m["account"] + (f" ({m['displayName']})" if m.get("displayName") else ""), lambda m: m["account"]),
    ("role", lambda m, v: m["role"] + (" by a group" if m.get("origin") == "GROUP" else ""), lambda m: m["role"]),
]
BALANCE: List[Column] = [
    ("mode", lambda b, v: b["mode"], lambda b: b["mode"]),
    _figure("granted", "granted"),
    _figure("held", "held"),
    _figure("charged", "charged"),
    _figure("credited", "credited"),
    _figure("credit limit", "creditLimit"),
    _figure("available", "available"),
]
GRANTS: List[Column] = [
    ("id", lambda g, v: g["id"], lambda g: g["id"]),
    _figure("amount", "amount"),
    _figure("credit limit", "creditLimit"),
    ("start", lambda g, v: v.time(g["from"]), lambda g: g["from"]),
    ("until", lambda g, v: v.time(g["until"]), lambda g: g["until"]),
]
CHARGES: List[Column] = [
    ("reservation", lambda c, v: c["reservation"][-12:], lambda c: c["reservation"]),
    ("name", lambda c, v: _cut(c["name"] or "-", 20), lambda c: c["name"]),
    ("account", lambda c, v: c["account"], lambda c: c["account"]),
    ("cluster", lambda c, v: c["cluster"], lambda c: c["cluster"]),
    ("ended", lambda c, v: v.time(c["at"]) if c["at"] else "", lambda c: c["at"]),
    ("PE-hours", lambda c, v: str(c["peHours"]["booked"]), lambda c: c["peHours"]["booked"]),
    ("used", lambda c, v: str(c["peHours"]["used"]), lambda c: c["peHours"]["used"]),
    ("price", lambda c, v: _money(c["price"]), lambda c: _money(c["price"])),
    ("credit", lambda c, v: _money(c["credit"]), lambda c: _money(c["credit"])),
]
OCCURRENCES: List[Column] = [
    ("date", lambda o, v: o["date"], lambda o: o["date"]),
    ("state", lambda o, v: _occurrence_state(o), _occurrence_state),
    ("reservation", lambda o, v: (o["reservation"] or "-")[-12:], lambda o: o["reservation"]),
    ("start", lambda o, v: v.time(o["start"] or o["plannedStart"]), lambda o: o["start"] or o["plannedStart"]),
    ("end", lambda o, v: v.time(o["end"]), lambda o: o["end"]),
    ("price", lambda o, v: _money(o["price"]), lambda o: _money(o["price"]) if o["price"] else None),
    ("reason", lambda o, v: o["reason"] or "-", lambda o: o["reason"]),
]
EVENTS: List[Column] = [
    ("at", lambda e, v: v.time(e["at"], "%Y-%m-%d %H:%M:%S"), lambda e: e["at"]),
    ("cluster", lambda e, v: e["cluster"], lambda e: e["cluster"]),
    ("type", lambda e, v: e["type"], lambda e: e["type"]),
    ("reservation", lambda e, v: (e["reservation"] or "-")[-12:], lambda e: e["reservation"]),
    ("what", _event, lambda e: e["data"].get("reason")),
]
REFUSALS: List[Column] = [
    ("at", lambda r, v: v.time(r["at"]), lambda r: r["at"]),
    ("account", lambda r, v: r["account"], lambda r: r["account"]),
    ("project", lambda r, v: _cut(r["project"] or "-", 20), lambda r: r["project"]),
    ("cluster", lambda r, v: _cut(_asked(r) or "any", 20), _asked),
    ("kind", lambda r, v: r["kind"], lambda r: r["kind"]),
    ("pes", lambda r, v: str(_pes(r)), _pes),
    ("duration", _duration, lambda r: r["terms"].get("duration")),
    ("code", lambda r, v: r["code"], lambda r: r["code"]),
    ("would have fitted", lambda r, v: _fits(r["wouldFit"] or {}, v) or "-", _would_have_fitted),
    ("request", lambda r, v: (r["requestId"] or "-")[-12:], lambda r: r["requestId"]),
    ("detail", lambda r, v: _cut(_by_options(r["detail"]), 60), lambda r: r["detail"]),
]
ACCOUNT: List[Column] = [
    ("name", lambda a, v: a["name"], lambda a: a["name"]),
    ("role", lambda a, v: a["role"], lambda a: a["role"]),
    ("class", lambda a, v: a["serviceClass"], lambda a: a["serviceClass"]),
    ("limits", lambda a, v: _limits(a) or "none", _limits),
]


def _use_of(mail: Json) -> str:
    """Returns whether mail goes to the address, or why not."""
    if not mail["enabled"]:
        return "no mail server"
    return "yes" if mail["proved"] else "no: open the link sent there" if mail["address"] else ""


MAIL: List[Column] = [
    ("address", lambda m, v: m["address"] or "none", lambda m: m["address"]),
    ("use", lambda m, v: _use_of(m), lambda m: m["proved"]),
    ("sent", lambda m, v: "at once" if m["dailyAt"] is None else f"{m['dailyAt']:02}:00 {m['zone']}", lambda m: m["dailyAt"]),
    ("kinds", lambda m, v: ", ".join(m["kinds"]).lower(), lambda m: " ".join(m["kinds"])),
]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "~"


def _shown(text: str) -> str:
    """Replaces the characters of a text that would move the cursor or reverse the line."""
    return text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in text)


#: Columns that a terminal goes without if it is too narrow, in this order.
DISPENSABLE = (
    *("owner", "may move until", "left", "kind", "delays jobs", "moves others", "availability", "if final", "labels", "zone", "members", "owners"),
    *("decided until", "used", "credit", "credit limit", "request", "detail", "would have fitted", "project", "price", "cluster", "reason", "end"),
)

STATE_COLOURS = {"RUNNING": "32", "CONFIRMED": "34", "HELD": "33", "PENDING": "36", "WAITING": "36", "QUEUED": "36", "FAILED": "31", "REJECTED": "31"}


def fitted(columns: Sequence[Column], items: Sequence[Json], view: View) -> Sequence[Column]:
    """Returns the columns that fit the terminal, without project if there is none, and without owner if there is only one."""
    if all(not item.get("project") for item in items):
        columns = [column for column in columns if column[0] != "project"]
    if len({item.get("owner") for item in items}) < 2:
        columns = [column for column in columns if column[0] != "owner"]
    width = _terminal_width()
    for name in DISPENSABLE if width else ():
        if max(map(_width, table(columns, items, view).split("\n"))) <= (width or 0):
            break
        columns = [column for column in columns if column[0] != name]
    return columns


def _terminal_width() -> Optional[int]:
    """Returns the width of the terminal, or that in COLUMNS; None for output that goes elsewhere."""
    given = os.environ.get("COLUMNS", "")
    if re.fullmatch("[1-9][0-9]{0,4}", given):
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else None
    except (OSError, ValueError, AttributeError):
        return None


def _is_coloured() -> bool:
    """Whether the output is a terminal that shows colours."""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def table(columns: Sequence[Column], items: Sequence[Json], view: View, colour: bool = False) -> str:
    """Returns a table for people. Its header names the time zone."""
    rows = [[name.upper() + (f" ({view.zone_name})" if name in ("start", "at", "ended") else "") for name, _, _ in columns]]
    rows += [[_shown(str(show(item, view))) for _, show, _ in columns] for item in items]
    widths = [max(_width(row[at]) for row in rows) for at in range(len(columns))]
    lines = ["  ".join(cell + " " * (widths[at] - _width(cell)) for at, cell in enumerate(row)).rstrip() for row in rows]
    states = [at for at, column in enumerate(columns) if column[0] == "state"] if colour else []
    for at in states:
        for line, row in enumerate(rows[1:], 1):
            before = sum(widths[:at]) + 2 * at
            # wide characters take two columns, but are one character
            before -= sum(_width(cell) - len(cell) for cell in row[:at])
            code, end = STATE_COLOURS.get(row[at].split(" ")[0], "2"), before + len(row[at])
            lines[line] = f"{lines[line][:before]}\x1b[{code}m{row[at]}\x1b[0m{lines[line][end:]}"
    return "\n".join(lines)


def _no_formula(value: Any) -> Any:
    """Puts an apostrophe before a text that a spreadsheet would take for a formula, as the service does in its files."""
    if not isinstance(value, str) or not value.startswith(tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")):
        return value
    return value if re.fullmatch(r"[+-][0-9.]+( [A-Z]{3})?", value) else "'" + value


def csv_of(columns: Sequence[Column], items: Sequence[Json]) -> str:
    """Returns comma-separated values for programs: instants as the API writes them, whole ids, and always a header."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([name.replace(" ", "_") for name, _, _ in columns])
    writer.writerows([_no_formula(raw(item)) for _, _, raw in columns] for item in items)
    return out.getvalue()[:-1]


def details(reservation: Json, view: View) -> str:
    """Returns the main facts of a reservation, one per line."""
    return _lines(_facts(reservation, view))


def _lines(facts: Sequence[Tuple[str, str]]) -> str:
    return "\n".join(f"{name:15}{_shown(text)}" for name, text in facts)


def _is_unicode() -> bool:
    """Whether the output can show characters beyond ASCII."""
    return sys.stdout is not None and str(sys.stdout.encoding).lower().replace("-", "") == "utf8"


def _arrow() -> str:
    return "\u2192" if _is_unicode() else "->"


def difference(tried: Json, view: View, unicode: bool = True) -> str:
    """Returns the facts that a call would change, from now to then, and what it would cost others."""
    before, after = tried["before"], tried["after"]
    facts = _facts(after, view)
    if before:
        now, then = _by_name(_facts(before, view)), _by_name(facts)
        arrow = " \u2192 " if unicode else " -> "
        names = [name for name in {**now, **then} if now.get(name) != then.get(name)]
        changes = [(name, now.get(name, "-") + arrow + then.get(name, "-")) for name in names]
        if changes and "price" not in names:
            changes.append(("price", f"{then['price']}, as before"))
        facts = [("id", before["id"])] + (changes or [("changes", "none")])
    return _lines(facts + [("others", _effects(tried["effects"]))])


def _by_name(facts: Sequence[Tuple[str, str]]) -> Dict[str, str]:
    found: Dict[str, str] = {}
    for name, text in facts:
        found[name] = f"{found[name]}; {text}" if name in found else text
    return found


def _effects(effects: Json) -> str:
    """Returns what a call would cost others."""
    shift = show_span(parse_span(effects["largestShift"]))
    found = [
        (effects["moved"], f"would move, by up to {shift}"),
        (effects["failed"], "would fail"),
        (effects["losing"], "would lose PEs"),
    ]
    costs = [f"{_counted(count, 'reservation')} {text}" for count, text in found if count]
    jobs = [(effects["requeued"], "would wait again"), (effects["jobsDelayed"] or 0, "would start later")]
    costs += [f"{_counted(count, 'job')} {text}" for count, text in jobs if count]
    return ", ".join(costs) or "not affected"


def _moves(effects: Optional[Json]) -> str:
    """Returns how many reservations a place would move, and how far."""
    if effects is None:
        return "?"
    return f"{effects['moved']}, by {show_span(parse_span(effects['largestShift']))}" if effects["moved"] else "-"


def _delays(effects: Optional[Json]) -> str:
    """Returns how many jobs a place would delay."""
    return "?" if effects is None or effects["jobsDelayed"] is None else str(effects["jobsDelayed"] or "-")


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _losses(losses: Json, view: View) -> List[Tuple[str, str]]:
    """Returns what a run lacks and has lost, and what jobs of others have taken of it."""
    if not losses:
        return []
    lines = [("lacks", lack) for lack in _lacks(losses, view)]
    lines += [("lost so far", f"{losses['peSeconds'] / 3600:.2f} PE-hours")] if losses["peSeconds"] else []
    lines += [("taken", f"{taken} by jobs of others") for taken in _taken(losses)]
    taken = (losses.get("taken") or {}).get("peSeconds")
    lines += [("taken so far", f"{taken / 3600:.2f} PE-hours")] if taken else []
    return lines


def _cancellation(reservation: Json, view: View) -> List[Tuple[str, str]]:
    """Returns until when cancelling is free, and what it costs then."""
    late, free = reservation.get("lateCancellationCharge"), reservation.get("freeCancellationUntil")
    if not late:
        return []
    return [("cancellation", f"free until {view.time(free)}, then {_money(late)}" if free else f"up to {_money(late)}")]


def _approval(reservation: Json, view: View) -> Iterator[Tuple[str, str]]:
    """Returns who must approve a reservation, and the answers."""
    for ask in (reservation.get("approval") or {}).get("asked", ()):
        answer = f"until {view.time(reservation['approval']['expiresAt'])}"
        if ask["decidedBy"]:
            word = "declined" if reservation["reason"] == "DECLINED" else "approved"
            answer = f"{word} by {ask['decidedBy']}" + (f": {ask['reason']}" if ask["reason"] else "")
        yield "approval", f"{ask['by'].lower()}, {answer}"


def _assignment(reservation: Json) -> Iterator[Tuple[str, str]]:
    """Returns how the owner got a reservation that it did not request itself."""
    how = reservation.get("assignment")
    if how:
        yield ("from", f"{how['from']}, by {how['by']}") if how["from"] else ("reserved by", how["by"])


def _facts(reservation: Json, view: View) -> List[Tuple[str, str]]:
    """Returns the main facts of a reservation, by name."""
    terms, placement = reservation["terms"], reservation.get("placement")
    exact = "%Y-%m-%d %H:%M:%S"
    lines = [("id", reservation["id"] or "-"), ("name", reservation["name"] or "-"), ("owner", reservation["owner"])]
    reason = f" ({reservation['reason']})" if reservation["reason"] else ""
    lines += [("state", reservation["state"] + reason), ("cluster", reservation["cluster"] or "-")]
    if placement:
        lines += [("start", view.time(placement["start"], exact)), ("end", view.time(placement["end"], exact))]
        lines.append(("pes", f"{placement['pes']}" + (f" ({placement['peIds']})" if placement["peIds"] else "")))
        run_time, duration = placement.get("runTime"), terms.get("duration")
        if run_time and duration and parse_span(run_time) != parse_span(duration):
            lines.append(("run time", f"{show_span(parse_span(run_time))}, for a duration of {show_span(parse_span(duration))}"))
        if len(placement["parts"]) > 1:
            parts = [f"{part['pes']} PEs {view.time(part['start'])} to {view.time(part['end'])}" for part in placement["parts"]]
            lines += [("part", part) for part in parts]
    nearest = reservation.get("nearestPlace")
    lines += _approval(reservation, view)
    lines += [("nearest place", f"{view.time(nearest['start'], exact)} to {view.time(nearest['end'], exact)}")] if nearest else []
    lines += _losses(reservation.get("losses") or {}, view)
    if not placement or reservation.get("scenario") != "STRICT":
        lines.append(("window", f"{view.time(terms.get('readyTime'))} to {view.time(terms.get('deadline'))}"))
    by = DEADLINE_BY.get(reservation.get("deadlineBy") or "")
    lines += [("deadline", by.strip())] if by else []
    extends = terms.get("autoExtend")
    if extends:
        lines.append(("auto-extend", f"by {show_span(parse_span(extends['step']))}, until {view.time(extends['until'])}"))
    lines += [("left", _left(reservation, view)), ("may move until", _may_move(reservation, view))]
    lines += _mobility(reservation, view)
    lines.append(("price", _money(reservation["price"])))
    lines += _cancellation(reservation, view)
    occurrence = reservation.get("series") and f"{reservation['series']}, occurrence of {reservation['occurrence']}"
    returned, open_return = _money(reservation.get("returnCredit")), reservation.get("returnCreditOpen")
    returned += f", and at most {_money(open_return)} more if others book it" if open_return else ""
    named = ("credit", _money(reservation["credit"])), ("returned", returned), ("project", reservation["project"])
    for name, field in (*named, ("series", occurrence)):
        if field and field != "-":
            lines.append((name, field))
    if reservation.get("users"):
        lines.append(("users", " ".join(reservation["users"])))
    lines += _assignment(reservation)
    if reservation["claimBy"]:
        lines.append(("claim by", view.time(reservation["claimBy"], exact)))
    enforcement = reservation["enforcement"]
    if enforcement:
        words = [enforcement["state"], enforcement["handle"], enforcement["nodes"], enforcement["detail"]]
        lines.append(("in place", " ".join(word for word in words if word)))
    if reservation["proposal"]:
        offer = reservation["proposal"]
        price = _money(offer["price"])
        lines.append(("proposal", f"{offer['number']}, until {view.time(offer['expiresAt'])}, for {price}: {json.dumps(offer['terms'])}"))
    if reservation["flags"]:
        lines.append(("flags", " ".join(reservation["flags"])))
    lines.append(("time zone", view.zone_name))
    return lines


def series_text(series: Json, view: View) -> str:
    """Returns a series and the states of its occurrences."""
    recurrence, window = series["recurrence"], series["window"]
    spans = [show_span(parse_span(window[end])) for end in ("earliest", "slack")]
    lines = [("id", series["id"] or "-"), ("name", series["name"] or "-"), ("owner", series["owner"]), ("state", series["state"] or "dry run")]
    lines += [("cluster", series["cluster"]), ("pes", str(_pes(series))), ("rule", recurrence["rrule"])]
    lines += [("begins", f"{_begins(series)} {recurrence['zone']}"), ("leeway", f"{spans[0]} before, {spans[1]} after")]
    lines += [("except", " ".join(recurrence["exdates"]))] if recurrence["exdates"] else []
    lines += [("project", series["project"])] if series["project"] else []
    lines.append(("decided until", series["bookedUntil"] or "-"))
    text = "\n".join(f"{name:15}{_shown(text)}" for name, text in lines)
    if series["occurrences"]:
        text += "\n\n" + table(OCCURRENCES, series["occurrences"], view)
    for occurrence in series["occurrences"] or ():
        fits = _fits(occurrence["wouldFit"], view) if occurrence["wouldFit"] else ""
        text += f"\n{occurrence['date']} would fit with any of these: {fits}" if fits else ""
    return text


def project_text(project: Json, view: View) -> str:
    """Returns a project and its members."""
    lines = [("id", project["id"]), ("name", project["name"]), ("since", view.time(project["createdAt"])), ("budget", project["mode"])]
    groups = ", ".join(f"{each['group']} {each['role']}" for each in project.get("groups") or ())
    lines += [("groups", f"{groups}; {project['groupsMode']}")] if groups else []
    text = "\n".join(f"{name:15}{_shown(text)}" for name, text in lines)
    return text + ("\n\n" + table(PROJECT_MEMBERS, project["members"], view) if project["members"] else "\nThe project has no members yet.")


def balance_text(balance: Json, view: View) -> str:
    """Returns the balance of a budget, one figure per line."""
    known = [(name, show(balance, view)) for name, show, _ in BALANCE]
    if not balance["granted"]:
        return f"{'mode':15}{balance['mode']}\nNothing has been granted yet."
    return "\n".join(f"{name:15}{text}" for name, text in known)


def charges_text(charges: Json, view: View) -> str:
    """Returns the charges, and below them the sum for each currency."""
    sums = [
        {
            **{"reservation": "sum", "name": f"{each['reservations']} in all", "account": "", "cluster": "", "at": None},
            **{"peHours": each["peHours"], "price": each["price"], "credit": each["credit"]},
        }
        for each in charges["sums"]
    ]
    return table(CHARGES, charges["items"] + sums, view)


def _fits(would: Json, view: View) -> str:
    fits = [
        ("deadline", would.get("deadline") and f"a deadline of {view.time(would['deadline'])} {view.zone_name}"),
        ("deadline", would.get("slack") and f"a slack of {show_span(parse_span(would['slack']))}"),
        ("pes", would.get("pes") and f"{would['pes']} PEs"),
        ("duration", would.get("duration") and show_span(parse_span(would["duration"]))),
    ]
    costs = {change: cost for change, cost in (would.get("effects") or {}).items() if cost and (cost["moved"] or cost["jobsDelayed"])}
    return "; ".join(f"{fit} ({_effects(costs[change])})" if change in costs else str(fit) for change, fit in fits if fit)


def _by_options(text: str) -> str:
    """Returns a text of the service with the options of the command line in place of the fields of the API."""
    return re.sub(r"(?<![\w.])[A-Za-z]+(?:\.[A-Za-z]+)?(?![\w.]*\w)", lambda found: OPTIONS.get(found[0], found[0]), text)


def _option_of(field: str, args: Optional[argparse.Namespace]) -> str:
    """Returns the option for a field, if the command has it, and else the field."""
    option = PLAIN_OPTIONS.get(re.sub(r"\[\d+\]$", "", field), "")
    known = {"--for": "duration", "--from": "from_"}.get(option, option[2:].replace("-", "_"))
    return option if option and args and hasattr(args, known) else _by_options(field)


def problem_text(error: BerthError, view: Optional[View] = None, args: Optional[argparse.Namespace] = None) -> str:
    """Returns a failure and what would fit instead, as text for people. The arguments show which options there were."""
    problem = error.problem
    # the lines below are the errors
    detail = _by_options(str(problem.get("detail"))).replace("Correct the fields named in errors and send the request again.", "")
    lines = [f"berth: {problem.get('title')}: {detail}".rstrip()]
    for mistake in problem.get("errors") or []:
        message, value = _by_options(mistake["message"]), mistake.get("value")
        said = value is None or re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", message)
        lines.append(f"  {_option_of(mistake['field'], args)}: {message}" + ("" if said else f" (it was {json.dumps(value)})"))
    would = problem.get("wouldFit")
    if would and view:
        fits = _fits(would, view)
        if fits:
            lines.append(f"  Any one of these changes is enough: {fits}")
    if problem.get("alternatives") and view:
        lines.append("  Slots outside the window:")
        lines += ["  " + line for line in table(SLOTS, problem["alternatives"][:5], view).splitlines()]
    return "\n".join(_shown(line) for line in lines)


# The plan, as bars

WIDTH, LABEL = 80, 25
#: The steps between ticks, in hours.
TICKS = (0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 168, 336, 672)
BARS = {"RUNNING": "\u2588", "final": "\u2593", "movable": "\u2592", "HELD": "\u2591", "JOB": "\u00b7", "OUTAGE": "x"}
PLAIN_BARS = {"RUNNING": "#", "final": "=", "movable": "-", "HELD": ".", "JOB": "j", "OUTAGE": "x"}
COLOURS = {"RUNNING": "32", "final": "34", "movable": "36", "HELD": "33", "JOB": "2", "OUTAGE": "31"}


class Bar:
    """A row of the plan."""

    def __init__(self, label: str, kind: str, parts: List[Tuple[datetime, datetime]]) -> None:
        self.label, self.kind, self.parts = label, kind, parts


def bars_of(reservations: Sequence[Json]) -> List[Bar]:
    """Returns the bars of the reservations that have a placement."""
    bars = []
    for each in reservations:
        if each["placement"]:
            parts = [(read_instant(part["start"]), read_instant(part["end"])) for part in each["placement"]["parts"]]
            movable = "movable" if each["movable"] else "final"
            kind = each["state"] if each["state"] in ("RUNNING", "HELD") else movable
            bars.append(Bar(f"{each['placement']['pes']} {each['name'] or each['id'][-12:]}", kind, parts))
    return sorted(bars, key=lambda bar: bar.parts[0])


def bars_of_cluster(placements: Sequence[Json], end: datetime) -> List[Bar]:
    """Returns the bars of the uses of a cluster's PEs."""
    bars = []
    for each in placements:
        state = each["state"]
        kind = each["kind"] if each["kind"] != "RESERVATION" else (state if state in ("RUNNING", "HELD") else "final")
        part = (read_instant(each["start"]), read_instant(each["end"]) if each["end"] else end)
        bars.append(Bar(f"{each['pes']} {each['owner'] or each['kind'].lower()}", kind, [part]))
    return bars


def plan(bars: Sequence[Bar], start: datetime, end: datetime, view: View, unicode: bool, colour: bool) -> str:
    """Returns a chart of the bars over time, as wide as the terminal or 80 columns. Its ticks are at round hours or days."""
    cells = max(40, (_terminal_width() or WIDTH) - LABEL)
    span = (end - start) / cells
    local = start.astimezone(view.zone)
    ticks = ""
    for tick, label in _ticks(start, end, view.zone, cells // 8):
        at = (tick - start) * cells // (end - start)
        if at >= len(ticks) and at + len(label) < cells:
            ticks = f"{ticks.ljust(at)}|{label} "
    lines = [f"{local.strftime('%Y-%m-%d %H:%M')} {view.zone_name}"[: LABEL - 1].ljust(LABEL) + ticks.rstrip()]
    now = int((view.now - start) / span) if start <= view.now < end else -1
    marks = BARS if unicode else PLAIN_BARS
    for bar in bars:
        row = ""
        for at in range(cells):
            begin = start + span * at
            taken = any(first < begin + span and last > begin for first, last in bar.parts)
            row += marks[bar.kind] if taken else ("|" if at == now else " ")
        if colour:
            begin_colour, mark = f"\x1b[{COLOURS[bar.kind]}m", re.escape(marks[bar.kind])
            row = re.sub(f"({mark}+)", begin_colour + r"\1" + "\x1b[0m", row)
        label = _shown(bar.label)
        while _width(label) > LABEL - 2:
            label = label[:-1]
        lines.append((label + " " * (LABEL - _width(label)) + row).rstrip())
    names = {"RUNNING": "running", "HELD": "held", "JOB": "batch job", "OUTAGE": "outage"}
    kinds = [kind for kind in marks if any(bar.kind == kind for bar in bars)]
    lines.append("; ".join([f"{marks[kind]} {names.get(kind, kind)}" for kind in kinds] + ["| now"] * (now >= 0)))
    return "\n".join(lines).rstrip()


def _ticks(start: datetime, end: datetime, zone: Optional[tzinfo], most: int) -> Iterator[Tuple[datetime, str]]:
    """Yields at most about this many round times, each with its label."""
    hours = next((step for step in TICKS if (end - start) / timedelta(hours=step) <= most), TICKS[-1])
    wall = start.astimezone(zone).replace(tzinfo=None, fold=0, hour=0, minute=0, second=0, microsecond=0)
    wall -= timedelta(days=wall.weekday() if hours >= 168 else 0)
    while True:
        tick = wall.replace(tzinfo=zone).astimezone(timezone.utc)
        if tick >= end:
            return
        if tick >= start:
            midnight = f"{wall:%a} {wall.day}" if hours < 24 else f"{wall.day} {wall:%b}"
            yield tick, f"{wall:%H:%M}" if wall.hour or wall.minute else midnight
        wall += timedelta(hours=hours)


# The command


class Command:
    """One run of the program: its arguments, its service and its output."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        token = _secret_of(args.token_file) if args.token_file else None
        self.berth = Berth(args.url, token, args.profile, args.patience)
        if args.zone:
            self.berth.zone = zone_of(args.zone)
        self.view = View(self.berth.zone)
        self.is_for_people = args.output in ("table", "wide")
        if self.is_for_people:
            self.berth.note = self.say
        self._said = ""

    def say(self, text: str) -> None:
        """Prints a message for people, unless the previous message was the same."""
        if text != self._said:
            self._said = text
            _print_error(f"berth: {text}")

    def instant(self, text: str) -> datetime:
        """Returns the instant of an argument, in the time zone of this command."""
        return parse_instant(text, self.view.zone, self.view.now)

    def end(self, option: str, text: str) -> datetime:
        """Returns the instant of an argument that is an end. A day means its end, and people are told so."""
        end = parse_instant(text, self.view.zone, self.view.now, True)
        if self.is_for_people and end != self.instant(text):
            self.say(f"{option} {text} means the end of that day: {self.view.time(iso_instant(end))} {self.view.zone_name}.")
        return end

    def show(self, columns: Sequence[Column], items: Sequence[Json], whole: Any, empty: str) -> None:
        """Prints a list in the requested format. `whole` is its JSON, and `empty` the message for people if it has no items."""
        form, key = self.args.output, columns[0][2]
        names: Optional[str] = getattr(self.args, "columns", None)
        if names:
            columns = _named_columns(columns, names)
        if form == "json":
            _print(json.dumps(whole, indent=2))
        elif form == "csv":
            _print(csv_of(columns, items))
        elif form == "id":
            if items:
                _print("\n".join(str(key(item)) for item in items))
        elif items:
            all_shown = names or form == "wide"
            _print(table(columns if all_shown else fitted(columns, items, self.view), items, self.view, _is_coloured()))
        else:
            _print_error(empty)

    def show_one(self, reservation: Json, whole: Optional[Json] = None) -> None:
        """Prints a reservation."""
        if self.is_for_people and not getattr(self.args, "columns", None):
            _print(details(reservation, self.view))
        else:
            self.show(RESERVATIONS, [reservation], whole or reservation, "")

    def show_dry_runs(self, tried: List[Json]) -> None:
        """Prints what calls would do."""
        if self.is_for_people:
            _print("\n\n".join(difference(each, self.view, _is_unicode()) for each in tried))
        else:
            # a reservation that is not made has no id to print
            rows = [each["after"] for each in tried if each["after"]["id"] or self.args.output != "id"]
            self.show(RESERVATIONS, rows, tried if len(tried) > 1 else tried[0], "")

    def id(self, text: str) -> str:
        """Finds a reservation by its id, at least the last four characters of its id, or its name. Returns its id."""
        if _is_id(text):
            return text
        found = _called(text, self.berth.live(most=PAGE))
        if not found:
            found = [each for state in ENDED for each in _called(text, self.berth.reservations(state, most=PAGE))]
        return _only(text, found, "reservation")

    def job_id(self, text: str) -> str:
        """Finds a batch job in the same ways. Returns its id."""
        if _is_id(text):
            return text
        cluster = self.args.cluster
        found: List[Json] = []
        for states in (("RUNNING", "QUEUED"), ("COMPLETED", "CANCELLED")):
            found = found or [each for state in states for each in _called(text, self.berth.jobs(cluster, state, PAGE))]
        return _only(text, found, "job")

    def series_id(self, text: str) -> str:
        """Finds a series in the same ways. Returns its id."""
        if _is_id(text):
            return text
        return _only(text, _called(text, self.berth.list_series()), "series")

    def day_of(self, series: str, text: str) -> str:
        """Returns the day of an argument. Words such as tomorrow refer to the time zone of the series."""
        if text[:1].isdigit():
            return parse_day(text)
        return parse_day(text, zone_of(self.berth.series(series)["recurrence"]["zone"]), self.view.now)

    def terms(self) -> Json:
        """Returns the arguments for terms_of."""
        args = self.args
        given: Json = {"pes": args.pes, "duration": args.duration, "budget": args.budget, "terms": _json(args.terms)}
        ready, deadline = getattr(args, "ready", None), getattr(args, "deadline", None)
        given["ready"] = self.instant(ready) if ready else None
        given["deadline"] = self.end("--deadline", deadline) if deadline else None
        for name in ("slack", "max_moves", "max_shift", "follow"):
            if getattr(args, name, None) is not None:
                given[name] = getattr(args, name)
        given["auto_extend"], until = getattr(args, "auto_extend", None), getattr(args, "until", None)
        given["until"] = self.end("--until", until) if until is not None else None
        if args.require:
            for pair in args.require:
                if "=" not in pair:
                    raise usage(f"--require '{pair}' has no value. Write NAME=VALUE, such as --require gpu=a100.")
            pairs = [pair.partition("=") for pair in args.require]
            given["terms"] = {"requires": {name: value for name, _, value in pairs}, **(given["terms"] or {})}
        return given

    def order(self) -> Union[str, Json, None]:
        """Returns the order of the slots. A reservation of a run that stays takes the first one, and the service takes no order then."""
        args = self.args
        if args.order_by == ORDERS["soonest"] and args.command != "probe" and not (args.deadline or args.slack or args.terms):
            return None
        given: Optional[str] = args.order_by
        return dict(_json(given)) if given and given.startswith("{") else given

    def request(self) -> Json:
        """Returns the terms of a new run. Names the options that are missing."""
        given = self.terms()
        further = given["terms"] or {}
        missing = ["--pes"] if given["pes"] is None and not {"pes", "minPes", "moldability"} & set(further) else []
        missing += ["--for"] if given["duration"] is None and not {"duration", "moldability"} & set(further) else []
        if missing:
            raise required(missing, f"For help: berth help {self.args.command}")
        return given

    def watch(self) -> NoReturn:
        """Carries out the command again and again on a cleared screen, until somebody interrupts it."""
        pause = max(1.0, parse_span(self.args.watch))
        self.berth.persistent, self.berth.patience = True, 86400
        while True:
            if _is_coloured():
                _print("\x1b[H\x1b[2J", end="")
            self.args.does(self)
            time.sleep(pause)
            self.view = View(self.view.zone)

    # Each of these methods is a subcommand, and its docstring is the help text.

    def probe(self) -> None:
        """Shows where a run would fit; changes nothing."""
        args = self.args
        found = self.berth.probe(args.cluster or None, self.order(), args.limit, args.alternatives, **self.request())
        if found["slots"] or not self.is_for_people:
            self.show(SLOTS, found["slots"], found, "")
        if not found["slots"] and found["reason"]:
            raise BerthError(found["reason"])
        if not found["slots"]:
            raise BerthError.of("no-slot", "No slot is free in the window", "No cluster has a slot for these terms.")

    def reserve(self) -> None:
        """Reserves a run; -o id prints only its id.

        Without --deadline and --slack, the run stays where it is granted. With one of them, Berth may move it, and it costs less.
        """
        reserved = self.reserved()
        if self.args.dry_run:
            self.show_dry_runs([reserved])
        else:
            self.show_one(reserved)
        freedom = _freedom(reserved["after"] if self.args.dry_run else reserved, self.view)
        if freedom and self.is_for_people:
            self.say(freedom)

    def reserved(self) -> Json:
        """Makes the reservation that the arguments describe."""
        args, terms = self.args, self.request()
        self.warn_of_label(args.project)
        alternatives = None
        if args.accept_alternatives is not None:
            alternatives = _given(maxPhi=args.accept_alternatives, earlier=args.earlier or None)
        several = args.cluster if len(args.cluster) > 1 else None
        return self.berth.reserve(
            cluster=args.cluster[0] if len(args.cluster) == 1 else None,
            clusters=several,
            start=self.instant(args.start) if args.start else None,
            hold=args.hold,
            name=args.name,
            project=args.project,
            users=args.user or None,
            order_by=self.order(),
            accept_alternatives=alternatives,
            dry_run=getattr(args, "dry_run", False),
            key=args.key,
            account=args.account,
            **terms,
        )

    def warn_of_label(self, project: Optional[str]) -> None:
        """Warns if a label is no project of the account: no budget pays for it."""
        if not project or not self.is_for_people:
            return
        try:
            known = [each["id"] for each in self.berth.projects()]
        except BerthError:
            return
        if project not in known:
            yours = f"your projects are {', '.join(known)}" if known else "you have no projects"
            self.say(f"No such project: '{project}' is only a label, and no budget pays for it; {yours}.")

    def list(self) -> None:
        """Lists reservations; without --all or --state, those that have not ended."""
        args = self.args
        start = self.instant(args.from_) if args.from_ else None
        end = self.instant(args.to) if args.to else None
        where = {"cluster": args.cluster, "project": args.project, "owner": args.owner, "start": start, "end": end}
        if args.state or args.all:
            found = list(self.berth.reservations(args.state, most=args.limit, **where))
        else:
            found = self.berth.live(most=args.limit, **where)
        if not args.all:
            found.sort(key=lambda each: str(_place(each, "start") or ""))
        self.show(RESERVATIONS, found[: args.limit], found[: args.limit], "No reservations.")

    def show_reservation(self) -> None:
        """Shows one reservation in full."""
        self.show_one(self.berth.reservation(self.id(self.args.id)))

    def plan(self) -> None:
        """Draws reservations over time, or all uses of clusters if their operators allow it."""
        args, view = self.args, self.view
        start = self.instant(args.from_) if args.from_ else view.now - timedelta(hours=1)
        end = self.instant(args.to) if args.to else start + timedelta(seconds=parse_span(args.duration))
        if end <= start:
            raise usage("The plan must end after it begins. Give a later --to, or a longer --for.")
        found = {cluster: self.berth.schedule(cluster, start, end) for cluster in args.cluster}
        own = [] if found else self.berth.live(start=start, end=end)
        if args.output == "json":
            _print(json.dumps(found if len(found) > 1 else (found or {"": own}).popitem()[1], indent=2))
            return
        charts = {cluster: bars_of_cluster(uses, end) for cluster, uses in found.items()} or {"": bars_of(own)}
        for at, (cluster, bars) in enumerate(charts.items()):
            title = ("\n" if at else "") + f"{cluster}\n" if len(charts) > 1 else ""
            _print(title + plan(bars[: args.limit], start, end, view, _is_unicode(), _is_coloured()))
            if len(bars) > args.limit:
                self.say(f"{len(bars) - args.limit} more not shown. Raise --limit to see them.")

    def act(self) -> None:
        """Applies the action that the subcommand names to one or several reservations."""
        args = self.args
        is_dry_run = getattr(args, "dry_run", False)
        body = {"dryRun": True} if is_dry_run else None
        done: List[Json] = []
        try:
            for text in args.id:
                key = args.key and (args.key if len(args.id) == 1 else f"{args.key}-{text}")
                done.append(self.berth.act(self.id(text), args.command, body, key))
        finally:
            if done and is_dry_run:
                self.show_dry_runs(done)
            elif done:
                self.show(RESERVATIONS, done, done if len(args.id) > 1 else done[0], "")

    def extend(self) -> None:
        """Makes a run longer, once or automatically."""
        args = self.args
        if args.auto is not None:
            self._auto_extend()
            return
        if args.until is not None:
            raise usage("--until needs --auto.")
        at_least = iso_span(args.at_least) if args.at_least else None
        body = _given(by=iso_span(args.by), atLeast=at_least, dryRun=args.dry_run or None)
        self._agree("extend", body)

    def _auto_extend(self) -> None:
        args = self.args
        if args.at_least is not None:
            raise usage("--at-least needs --by.")
        terms: Json = {"autoExtend": None}
        if args.auto != "off":
            terms = terms_of(auto_extend=args.auto, until=self.end("--until", args.until) if args.until is not None else None)
        elif args.until is not None:
            raise usage("--auto off does not take --until. Leave --until out.")
        self._agree("renegotiations", _given(terms=terms, dryRun=args.dry_run or None))

    def renegotiate(self) -> None:
        """Changes the terms of a reservation; terms that you leave out stay as they are."""
        terms = terms_of(zone=self.berth.zone, **self.terms())
        if not terms:
            raise usage("Give at least one term to change, such as --deadline 'monday 12:00'.")
        self._agree("renegotiations", _given(terms=terms, dryRun=self.args.dry_run or None))

    def _agree(self, action: str, body: Optional[Json]) -> None:
        agreed = self.berth.act(self.id(self.args.id), action, body, self.args.key)
        if getattr(self.args, "dry_run", False):
            self.show_dry_runs([agreed])
            return
        if self.is_for_people:
            before, after = _money(agreed["priceBefore"]), _money(agreed["priceAfter"] or agreed["priceBefore"])
            self.say(f"{agreed['outcome']}: the price is {after} (before: {before}).")
        self.show_one(agreed["reservation"], agreed)

    def change_users(self) -> None:
        """Changes who may run jobs in a reservation on the machine; the list replaces the one before."""
        args = self.args
        self.show_one(self.berth.change_users(self.id(args.id), [] if args.owner else args.user))

    def transfer(self) -> None:
        """Hands a reservation over to another account, within its project; without a project, only administrators may."""
        args = self.args
        self.show_one(self.berth.transfer(self.id(args.id), args.account, args.key))

    def approvals(self) -> None:
        """Lists the reservations that you may approve or decline."""
        found = list(self.berth.to_approve(self.args.limit))
        self.show(RESERVATIONS, found, found, "No reservation waits for your approval.")

    def _pending_id(self, text: str) -> str:
        """Finds a reservation that waits for approval, or any other, in the same ways. Returns its id."""
        if _is_id(text):
            return text
        found = _called(text, list(self.berth.to_approve(PAGE)))
        return _only(text, found, "reservation") if found else self.id(text)

    def approve(self) -> None:
        """Approves a reservation that waits for it."""
        args = self.args
        body = {"reason": args.reason} if args.reason else None
        self.show_one(self.berth.act(self._pending_id(args.id), "approve", body, args.key))

    def answer(self) -> None:
        """Accepts or declines the open proposal of a reservation, or declines a reservation that waits for approval."""
        if getattr(self.args, "reason", None):
            self.show_one(self.berth.act(self._pending_id(self.args.id), "decline", {"reason": self.args.reason}, self.args.key))
            return
        id_ = self.id(self.args.id)
        proposal = self.berth.reservation(id_)["proposal"]
        if not proposal:
            raise BerthError.of("wrong-state", "The current state does not allow this", f"{id_} has no open proposal.")
        self.args.id = id_
        self._agree(f"renegotiations/{proposal['number']}/{self.args.command}", None)

    def wait(self) -> None:
        """Waits until a reservation reaches a state; survives restarts of the service."""
        timeout = parse_span(self.args.timeout) if self.args.timeout else None
        self.show_one(self.berth.wait(self.id(self.args.id), self.args.until, timeout))

    def events(self) -> None:
        """Lists the events of one reservation, of all, or of a project, oldest first; without ID and --from, those of the last day."""
        args = self.args
        path: str = "/events"
        query: Json = {"from": iso_instant(self.instant(args.from_ or "-1d")), "project": args.project}
        if args.id and args.project is not None:
            raise usage("Give either an ID or --project.")
        if args.id:
            path, query = f"/reservations/{quoted(self.id(args.id))}/events", {}
        before: Dict[str, Json] = {}
        if args.follow:
            self._follow(path, query, before)
            return
        found = list(self.berth.pages(path, args.limit, query))
        shown = _with_before(found, before)
        if args.id and args.from_:
            since = self.instant(args.from_)
            found = [event for event in found if read_instant(event["at"]) >= since]
            shown = [event for event in shown if read_instant(event["at"]) >= since]
        self.show(EVENTS, shown if self.is_for_people else found, found, "No events.")

    def _follow(self, path: str, query: Json, before: Dict[str, Json]) -> None:
        """Prints events as they happen, until the reservation ends or somebody interrupts it."""
        self.berth.persistent, self.berth.patience = True, 86400
        after, is_first = None, True
        last: Dict[str, int] = {}
        while True:
            page = self.berth.call("GET", path, query={**query, "limit": PAGE, "after": after}, wait=0 if is_first else 30)
            after = page["next"] or after
            items = [event for event in page["items"] if event["sequence"] > last.get(event["cluster"], -1)]
            last.update({event["cluster"]: event["sequence"] for event in items})
            if self.args.output == "json":
                for event in items:
                    _print(json.dumps(event))
            elif items:
                text = csv_of(EVENTS, items) if self.args.output == "csv" else table(EVENTS, _with_before(items, before), self.view)
                head, rows = text.split("\n", 1)
                _print(f"{head}\n{rows}" if is_first else rows)
            is_first = is_first and not items
            if self.args.id and items and items[-1]["data"].get("state") in ENDED:
                return
            if not after:
                # there is no position to wait at: nothing has happened yet, or it is the list of one reservation
                time.sleep(2)

    def free(self) -> None:
        """Shows for each cluster how many PEs a run may have now, and when it may have more.

        The numbers are powers of two of nodes, and the whole cluster; 64+ means fewer than 128.
        """
        args = self.args
        query = _given(clusters=args.cluster or None, duration=iso_span(args.duration), to=iso_instant(self.view.now + timedelta(days=7)))
        found = self.berth.call("POST", "/probes/map", query)
        self.show(FREE, found["clusters"], found, "No clusters.")
        if found["hidden"] and self.is_for_people:
            self.say(f"Their operators do not show this: {', '.join(found['hidden'])}. Use probe there.")

    def open(self) -> None:
        """Opens a reservation on the page, in your browser."""
        import webbrowser

        address = f"{self.berth.url.rstrip('/')}/#/reservation?id={self.id(self.args.id)}"
        _print(address)
        if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER") or sys.platform in ("darwin", "win32"):
            webbrowser.open(address)

    def refusals(self) -> None:
        """Lists refused requests, newest first: why, and what would have fitted. Without --since, those of the last week.

        You see your own; with --project those of a project that you own. Administrators see all.
        """
        args = self.args
        since = self.instant(args.since or "-7d")
        found = self.berth.refusals(since, args.cluster, args.project, args.code, args.account, args.limit)
        self.show(REFUSALS, found, found, "No refused requests.")

    def clusters(self) -> None:
        """Lists clusters."""
        found = self.berth.clusters()
        self.show(CLUSTERS, found, found, "No clusters.")

    def prices(self) -> None:
        """Shows what slack saves: the price of a run by its slack, up to the cluster's horizon.

        The prices are for a run that Berth may move until it begins, on a cluster without other reservations.
        """
        args = self.args
        found = self.berth.prices(args.cluster, args.pes, args.duration, args.slack or ())
        self.show(PRICES, found["points"], found, "")

    def signal(self) -> None:
        """Shows the factors on a cluster's prices by time, or sends those of a CSV file.

        A line of the file has a time and the factor from then on, 0.01 to 100. The last factor counts for as long as the one before it, or
        until --to. With --usual and --share, the file has prices of energy instead of factors: the usual price, and its share in the price
        per PE-hour. Reservations that exist keep their prices.
        """
        args = self.args
        if args.end:
            self.berth.end_signal(args.cluster)
        elif args.file:
            steps = self._steps(args.file)
            if not args.to and len(steps) < 2:
                raise usage(f"Give --to: {args.file} has one line, so nothing says until when it counts.")
            end = self.end("--to", args.to) if args.to else steps[-1][0] + (steps[-1][0] - steps[-2][0])
            self.berth.send_signal(args.cluster, args.source or os.path.basename(args.file), steps, end)
        found = self.berth.signal(args.cluster)
        self.show(SIGNAL, found["factors"], found, f"Cluster {args.cluster} has no signal: every hour costs the same.")
        if self.is_for_people and found["factors"]:
            _print(f"\nuntil {self.view.time(found['to'])}, from {found['source']}")

    def _steps(self, path: str) -> List[Tuple[datetime, str]]:
        import csv

        args = self.args
        if (args.usual is None) != (args.share is None):
            raise usage("Give --usual and --share together.")
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                lines = file.read().splitlines()
        except (OSError, UnicodeDecodeError) as e:
            raise usage(f"{path} cannot be read: {e}") from None
        rows = [row for row in csv.reader(lines, delimiter=";" if lines and ";" in lines[0] else ",") if row]
        steps = []
        for number, row in enumerate(rows, 1):
            try:
                figure = float(row[1])
            except (IndexError, ValueError):
                if number == 1:
                    continue
                raise usage(f"Line {number} of {path} must have a time and a number, such as 2027-01-31T14:00Z,0.62.") from None
            if args.share is not None:
                figure = max(0.01, 1 + args.share * (figure / args.usual - 1))
            steps.append((self.instant(row[0]), f"{figure:.6f}"))
        if not steps:
            raise usage(f"{path} has no line with a time and a number, such as 2027-01-31T14:00Z,0.62.")
        return steps

    def jobs(self) -> None:
        """Lists the batch jobs of a cluster, newest first.

        To submit or cancel jobs, see jobs submit --help and jobs cancel --help.
        """
        found = self.berth.jobs(self.args.cluster, self.args.state, self.args.limit)
        self.show(JOBS, found, found, "No jobs.")

    def submit_job(self) -> None:
        """Submits a batch job; -o id prints only its id.

        Berth promises it no time. It starts when it is the first in the queue and its PEs are free, or earlier by backfilling.
        """
        args = self.args
        job = self.berth.submit(args.cluster, args.pes, args.duration, args.name, args.key)
        self.show(JOBS, [job], job, "")

    def cancel_jobs(self) -> None:
        """Cancels waiting or running batch jobs."""
        done: List[Json] = []
        try:
            for text in self.args.job:
                done.append(self.berth.cancel_job(self.args.cluster, self.job_id(text)))
        finally:
            if done:
                self.show(JOBS, done, done if len(self.args.job) > 1 else done[0], "")

    def list_series(self) -> None:
        """Lists series of reservations, newest first.

        See also the --help of series create, series show, series end and series book.
        """
        found = self.berth.list_series(self.args.limit, self.args.project)
        self.show(SERIES, found, found, "No series.")

    def create_series(self) -> None:
        """Reserves the same run on many days; -o id prints only the id of the series.

        Berth books all occurrences within the cluster's horizon or none, unless --any or --at-least accepts fewer.
        """
        args, terms = self.args, self.request()
        self.warn_of_label(args.project)
        days = [parse_day(text, self.view.zone, self.view.now) for text in args.except_days or ()]
        made = self.berth.reserve_series(
            cluster=args.cluster,
            rrule=args.rrule,
            start=self.instant(args.start),
            count=args.count,
            last_day=parse_day(args.last_day, self.view.zone, self.view.now) if args.last_day is not None else None,
            except_days=days or None,
            earliest=args.earliest,
            slack=args.later,
            on_conflict="ANY" if args.any else None,
            at_least=args.at_least,
            dry_run=args.dry_run,
            name=args.name,
            project=args.project,
            users=args.user or None,
            key=args.key,
            **terms,
        )
        self._show_series(made)

    def show_series(self) -> None:
        """Shows a series and the state of each occurrence."""
        self._show_series(self.berth.series(self.series_id(self.args.series)))

    def end_series(self) -> None:
        """Cancels the occurrences of a series from a day on; a running one goes on."""
        id_, day = self.series_id(self.args.series), self.args.from_
        self._show_series(self.berth.end_series(id_, self.day_of(id_, day) if day is not None else None))

    def book_occurrence(self) -> None:
        """Tries again to book an occurrence that was rejected or cancelled."""
        id_ = self.series_id(self.args.series)
        self.show_one(self.berth.book_occurrence(id_, self.day_of(id_, self.args.day), self.args.key))

    def _show_series(self, series: Json) -> None:
        if self.is_for_people:
            _print(series_text(series, self.view))
        elif self.args.output == "id":
            # a dry run makes no series
            if series["id"]:
                _print(series["id"])
        else:
            self.show(OCCURRENCES, series["occurrences"] or [], series, "")

    def projects(self) -> None:
        """Lists the projects of which you are a member; an administrator sees all.

        See also the --help of project show, create, member, balance, charges, grant and mode.
        """
        found = self.berth.projects(self.args.limit)
        self.show(PROJECTS, found, found, "No projects.")

    def show_project(self) -> None:
        """Shows a project and its members."""
        self._show_project(self.berth.project(self.args.project))

    def create_project(self) -> None:
        """Makes a label a project, so that only its members file reservations under it; for administrators."""
        self._show_project(self.berth.create_project(self.args.project, self.args.name))

    def member(self) -> None:
        """Adds a member to a project, changes its role, or removes it; for owners of the project and administrators."""
        args = self.args
        if not args.remove:
            self._show_project(self.berth.put_member(args.project, args.account, args.role))
            return
        self.berth.remove_member(args.project, args.account)
        if self.is_for_people:
            self.say(f"{args.account} is no longer a member of {args.project}. Its reservations there still belong to {args.account}.")

    def mode(self) -> None:
        """Sets the mode of a project's budget; for administrators.

        TRACK only counts. ENFORCE rejects requests that the project cannot pay for.
        """
        self._show_project(self.berth.set_mode(self.args.project, self.args.mode))

    def balance(self) -> None:
        """Shows the balance of a project's budget."""
        found = self.berth.balance(self.args.project)
        if self.is_for_people:
            _print(balance_text(found, self.view))
        else:
            self.show(BALANCE, [found], found, "")

    def grant(self) -> None:
        """Grants a project money or PE-hours to spend; for administrators.

        Without a currency, the amount is in PE-hours. All grants of a project have the unit of the first one.
        """
        args = self.args
        start = self.instant(args.from_) if args.from_ else None
        made = self.berth.grant(args.project, args.grant, args.amount, self.instant(args.until), args.currency, start, args.credit)
        self.show(GRANTS, [made], made, "")

    def charges(self) -> None:
        """Lists a project's charges for reservations that have ended, with the sum; by default those of this month."""
        args = self.args
        start = self.instant(args.from_) if args.from_ else None
        end = self.instant(args.to) if args.to else None
        if args.csv is not None:
            self._write_charges(args.csv, start, end)
            return
        found = self.berth.charges(args.project, start, end, args.limit)
        if not self.is_for_people or not found["items"]:
            self.show(CHARGES, found["items"], found, "No charges.")
            return
        _print(charges_text(found, self.view))
        left = sum(each["reservations"] for each in found["sums"]) - len(found["items"])
        if left > 0:
            self.say(f"{left} more in the sum but not shown. Raise --limit to see them.")

    def _write_charges(self, path: str, start: Optional[datetime], end: Optional[datetime]) -> None:
        import shutil
        import tempfile

        try:
            # an existing file is replaced only after the whole response has arrived
            with tempfile.TemporaryFile() as file:
                self.berth.write_charges(self.args.project, file, start, end)
                file.seek(0)
                if path == "-":
                    _print_all(file)
                    return
                with open(path, "wb") as made:
                    shutil.copyfileobj(file, made)
        except OSError as e:
            raise usage(f"{path} cannot be written: {e.strerror}.") from None

    def report(self) -> None:
        """Shows what was booked, used and earned in a period, for administrators, viewers and owners of a project.

        summary compares the period with the one before, projects divides it into steps, owners lists the accounts with the most PE-hours,
        and hours has each hour of the week.
        """
        import csv
        import io

        args = self.args
        start = self.instant(args.from_) if args.from_ else None
        end = self.instant(args.to) if args.to else None
        filters: Json = {"cluster": args.cluster, "project": args.project}
        if args.report == "projects" and args.step:
            filters["step"] = iso_span(args.step)
        if args.report == "owners" and args.limit:
            filters["limit"] = args.limit
        if args.report == "hours" and args.zone:
            filters["zone"] = args.zone
        if args.output == "json":
            _print(json.dumps(self.berth.report(args.report, start, end, **filters), indent=2))
            return
        file = io.BytesIO()
        self.berth.report(args.report, start, end, file, **filters)
        file.seek(0)
        if args.output == "csv" and not args.columns:
            _print_all(file)
            return
        names, *rows = csv.reader(io.StringIO(file.read().decode()))
        lines: List[Json] = [dict(zip(names, row)) for row in rows]
        self.show([_column(name) for name in names], lines, lines, "No figures.")

    def _show_project(self, project: Json) -> None:
        if self.is_for_people:
            _print(project_text(project, self.view))
        elif self.args.output == "id":
            _print(project["id"])
        else:
            self.show(PROJECT_MEMBERS, project["members"], project, "")

    def account(self) -> None:
        """Shows your account and its limits."""
        found = self.berth.me()
        self.show(ACCOUNT, [found], found, "")

    def mail(self) -> None:
        """Shows where you get mail, and of what; with options, changes it.

        A new address gets a link. Nothing else is sent there before you have opened the link and pressed its button.
        """
        args = self.args
        path = f"/accounts/{quoted(args.account or self.berth.me()['name'])}/mail"
        found = _object(self.berth.call("GET", path))
        changes = _given(address=args.address, zone=args.mail_zone, dailyAt=args.daily, lead=iso_span(args.lead) if args.lead else None)
        changes.update({field: None for field, is_gone in (("address", args.none), ("dailyAt", args.at_once)) if is_gone})
        if args.on or args.off:
            changes["kinds"] = sorted(set(found["kinds"]) - set(args.off) | set(args.on))
        if changes:
            found = _object(self.berth.call("PATCH", path, changes))
        self.show(MAIL, [found], found, "")

    def version(self) -> None:
        """Shows the version of the service, and whether this file is the one that the service offers."""
        service = self.berth.call("GET", "")
        if not isinstance(service, dict) or service.get("service") != "berth":
            raise not_berth(self.berth.url, "the response of another service")
        is_same = self.berth.serves_this_file()
        if self.args.output == "json":
            _print(json.dumps({**service, "url": self.berth.url, "client": __file__, "isCurrent": is_same}, indent=2))
            return
        _print(f"Berth {service.get('berth') or 'of an unknown version'} at {self.berth.url}")
        file = f"{__file__}, with Python {sys.version.split()[0]}"
        same = "is the file that this service offers" if is_same else f"differs from {self.berth.url}/client/berth.py, which fits this service"
        _print(f"{file}, {same}")

    def run(self) -> int:
        """Reserves, waits for the start, claims, runs a command, and completes the reservation.

        The command's environment has BERTH_RESERVATION and other variables. After sbatch without --wait, the reservation stays until its
        end. If run is interrupted, the reservation stays, and run prints how to continue.
        """
        return Run(self).run()

    def shell(self) -> int:
        """Reserves, waits for the start, claims, and starts your shell; when the shell ends, completes the reservation.

        The prompt of bash, zsh and fish says how much time is left. The environment is that of run.
        """
        if sys.stdin is None or not sys.stdin.isatty():
            raise usage("shell needs a terminal. Use run to run a command.")
        self.args.words = [os.environ.get("SHELL") or "/bin/sh"]
        return Run(self, True).run()


def _with_countdown(words: List[str], end: str, directory: str, environment: Dict[str, str]) -> List[str]:
    """Returns the command for a shell with the time that is left in its prompt, and adds to its environment. Other shells stay as they are."""
    environment["BERTH_UNTIL"] = str(int(read_instant(end).timestamp()))
    left = "$(( (BERTH_UNTIL - $(date +%s)) / 60 ))"
    shell = os.path.basename(words[0])
    if shell == "bash":
        _write(f"{directory}/bashrc", f"[ -r ~/.bashrc ] && . ~/.bashrc\nPS1='[berth: {left} min left] '\"$PS1\"\n")
        return [*words, "--rcfile", f"{directory}/bashrc", "-i"]
    if shell == "zsh":
        own = environment.get("ZDOTDIR") or os.path.expanduser("~")
        text = f"ZDOTDIR='{own}'\n[ -r '{own}/.zshrc' ] && . '{own}/.zshrc'\nsetopt PROMPT_SUBST\n"
        _write(f"{directory}/.zshrc", text + f"PROMPT='[berth: {left} min left] '\"$PROMPT\"\n")
        environment["ZDOTDIR"] = directory
    if shell == "fish":
        said = "echo -n '[berth: '(math --scale 0 \"($BERTH_UNTIL - \"(date +%s)\") / 60\")' min left] '"
        return [*words, "-C", f"functions -c fish_prompt __berth_prompt; function fish_prompt; {said}; __berth_prompt; end"]
    return [*words, "-i"]


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _named_columns(columns: Sequence[Column], names: str) -> List[Column]:
    """Returns the columns of these names, in this order."""
    known = {column[0].lower().replace(" ", "-"): column for column in columns}
    wanted = [name.strip().lower().replace(" ", "-").replace("_", "-") for name in names.split(",")]
    for name in wanted:
        if name not in known:
            raise usage(f"There is no column '{name}'. The columns are {','.join(known)}.")
    return [known[name] for name in wanted]


def _with_before(events: Sequence[Json], before: Dict[str, Json]) -> List[Json]:
    """Returns events, each with the data of the previous one of the same reservation if that is known."""
    found = []
    for event in events:
        id_ = event["reservation"]
        found.append({**event, "before": before.get(id_)} if id_ else event)
        if id_:
            before[id_] = event["data"]
    return found


# Operators. Each function that takes a command is a subcommand, and its docstring is the help text.

ADMIN_CLUSTERS: List[Column] = [
    ("id", lambda c, v: c["id"], lambda c: c["id"]),
    ("pes", lambda c, v: _size(c), lambda c: c.get("pes")),
    ("granule", lambda c, v: str(c.get("granule", "-")), lambda c: c.get("granule")),
    ("admission", lambda c, v: c.get("admission") or "-", lambda c: c.get("admission")),
    ("price per PE-hour", lambda c, v: _rate(c) or "-", _rate),
    ("horizon", lambda c, v: _span_of(c, "horizon"), lambda c: (c.get("policy") or {}).get("horizon")),
    ("visibility", lambda c, v: (c.get("policy") or {}).get("visibility") or "-", lambda c: (c.get("policy") or {}).get("visibility")),
    ("nodes", lambda c, v: c.get("peNames") or "-", lambda c: c.get("peNames")),
    ("labels", lambda c, v: _labels(c) or "-", _labels),
]
OUTAGES: List[Column] = [
    ("id", lambda o, v: (o["id"] or "-")[-12:], lambda o: o["id"]),
    ("start", lambda o, v: v.time(o["from"]), lambda o: o["from"]),
    ("end", lambda o, v: v.time(o["endedAt"] or o["to"]) if o["endedAt"] or o["to"] else "open", lambda o: o["endedAt"] or o["to"]),
    ("state", lambda o, v: "ended" if o["endedAt"] else "begun" if o["begunAt"] else "planned", lambda o: None),
    ("pes", lambda o, v: str(o["pes"]), lambda o: o["pes"]),
    ("where", lambda o, v: o.get("nodes") or o["peIds"] or "-", lambda o: o["peIds"]),
    ("moved", lambda o, v: str(len(o["moved"])), lambda o: len(o["moved"])),
    ("failed", lambda o, v: str(len(o["failed"])), lambda o: len(o["failed"])),
    ("source", lambda o, v: o["source"] or "-", lambda o: o["source"]),
    ("reason", lambda o, v: o["reason"] or "-", lambda o: o["reason"]),
]
MAINTENANCES: List[Column] = [
    ("id", lambda m, v: (m["id"] or "-")[-12:], lambda m: m["id"]),
    ("rule", lambda m, v: m["recurrence"]["rrule"], lambda m: m["recurrence"]["rrule"]),
    ("begins", lambda m, v: _begins(m), lambda m: m["recurrence"]["dtstart"]),
    ("zone", lambda m, v: m["recurrence"]["zone"], lambda m: m["recurrence"]["zone"]),
    ("duration", lambda m, v: show_span(parse_span(m["duration"])), lambda m: m["duration"]),
    ("pes", lambda m, v: str(m["pes"]), lambda m: m["pes"]),
    ("next", lambda m, v: v.time(m["windows"][0]["from"]) if m["windows"] else "-", lambda m: m["windows"][0]["from"] if m["windows"] else None),
    ("windows", lambda m, v: str(len(m["windows"])), lambda m: len(m["windows"])),
    ("reason", lambda m, v: m["reason"] or "-", lambda m: m["reason"]),
]
#: Options for the limits of an account, by the fields of the API.
LIMITS = {
    "pes": "max_pes",
    "peHours": "max_pe_hours",
    "activeReservations": "max_reservations",
    "jobs": "max_jobs",
    "holds": "max_holds",
    "peHoursPerWeek": "max_pe_hours_per_week",
    "startsAhead": "max_starts_ahead",
}


def _span_of(cluster: Json, rule: str) -> str:
    text = (cluster.get("policy") or {}).get(rule)
    return show_span(parse_span(text)) if text else "-"


def _rules(args: argparse.Namespace) -> Json:
    """Returns the fields of a cluster that the options name."""
    made: Json = _given(pes=args.pes, granule=getattr(args, "granule", None), peNames=args.nodes, unit=args.unit, admission=args.admission)
    given = [("tariff.pricePerPeHour", args.price), ("tariff.currency", args.currency)]
    pairs: List[Tuple[str, Any]] = [(name, value) for name, value in given if value is not None]
    for pair in args.set or ():
        name, equals, text = pair.partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z]+(\.[A-Za-z0-9_-]+)*", name):
            raise usage(f"--set '{pair}' is not a rule. Write NAME=VALUE, such as --set policy.horizon=30d.")
        pairs.append((name, _rule_of(name, text)))
    for name, value in pairs:
        *outer, last = name.split(".")
        into = made
        for each in outer:
            into = into.setdefault(each, {})
            if not isinstance(into, dict):
                raise usage(f"--set {name} does not fit the other options.")
        into[last] = value
    return made


def _rule_of(name: str, text: str) -> Any:
    """Returns the value of a rule: JSON, a duration, or else a text."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return text if name.startswith("labels.") else iso_span(text)
    except BerthError:
        return text


def _made(command: Command, path: str, body: Json, there: str) -> Json:
    """Makes something by a call without a key. If the first attempt may have succeeded, it reads what is there."""
    try:
        return _object(command.berth.call("POST", path, body))
    except BerthError as e:
        if e.code != "exists" or not command.berth.was_repeated:
            raise
        return _object(command.berth.call("GET", there))


def list_clusters(command: Command) -> None:
    """Lists clusters with what operators set."""
    found = command.berth.clusters(command.args.all)
    command.show(ADMIN_CLUSTERS, found, found, "No clusters.")


def create_cluster(command: Command) -> None:
    """Adds a cluster; the size of its nodes (--granule) can never change."""
    id_, rules = command.args.cluster, _rules(command.args)
    made = _made(command, "/clusters", {"id": id_, **rules}, f"/clusters/{quoted(id_)}")
    command.show(ADMIN_CLUSTERS, [made], made, "")


def change_cluster(command: Command) -> None:
    """Changes the rules of a cluster for later decisions, closes it, or takes it out of use."""
    args, rules = command.args, _rules(command.args)
    if not rules:
        raise usage("Give at least one rule to change, such as --closed or --set policy.horizon=30d.")
    query = {"dryRun": "true"} if args.dry_run else None
    changed = _object(command.berth.call("PATCH", f"/clusters/{quoted(args.cluster)}", rules, query=query))
    command.show(ADMIN_CLUSTERS, [changed], changed, "")
    _say_effects(command, changed)


def _say_effects(command: Command, tried: Json) -> None:
    """Says what a dry run found."""
    effects = tried.get("effects")
    if effects and command.is_for_people:
        credit = ", ".join(_money(each) for each in effects["credits"])
        command.say("Only tried, nothing has changed. Others: " + _effects(effects) + (f"; {credit} would be credited" if credit else "") + ".")


def _pes_out(args: argparse.Namespace) -> Json:
    if args.pes is None and args.pe_ids is None:
        raise required(["--pes or --pe-ids"], f"For help: berth help {args.command}")
    return _given(pes=args.pes, peIds=args.pe_ids, reason=args.reason, dryRun=args.dry_run or None)


def list_outages(command: Command) -> None:
    """Lists the outages of a cluster."""
    found = list(command.berth.pages(f"/clusters/{quoted(command.args.cluster)}/outages", command.args.limit))
    command.show(OUTAGES, found, found, "No outages.")


def create_outage(command: Command) -> None:
    """Takes PEs out of service, now or later; --dry-run shows what would happen to reservations."""
    args = command.args
    body = _pes_out(args)
    start = command.instant(args.from_) if args.from_ and args.from_ != "now" else None
    if start:
        body["from"] = iso_instant(start)
    if args.duration:
        body["to"] = iso_instant((start or command.view.now) + timedelta(seconds=parse_span(args.duration)))
    elif args.to:
        body["to"] = iso_instant(command.instant(args.to))
    made = _object(command.berth.call("POST", f"/clusters/{quoted(args.cluster)}/outages", body, args.key or new_key()))
    command.show(OUTAGES, [made], made, "")
    _say_effects(command, made)


def end_outage(command: Command) -> None:
    """Ends an outage: its PEs are back in service."""
    path = f"/clusters/{quoted(command.args.cluster)}/outages"
    _end(command, path, "outage", [each for each in command.berth.pages(path) if not each["endedAt"]])


def _end(command: Command, path: str, kind: str, there: Sequence[Json]) -> None:
    """Deletes one of the things that are there, named by its id or the end of it."""
    text = command.args.id
    id_ = text if _is_id(text) else _only(text, [each for each in there if len(text) >= 4 and each["id"].endswith(text)], kind)
    try:
        command.berth.call("DELETE", f"{path}/{id_}")
    except BerthError as e:
        if e.code != "not-found" or not command.berth.was_repeated:
            raise
    if command.args.output == "json":
        _print(json.dumps({"id": id_}))
    else:
        command.say(f"The {kind} {id_} has ended.")


def list_maintenances(command: Command) -> None:
    """Lists the maintenances of a cluster and their next windows."""
    found = command.berth.call("GET", f"/clusters/{quoted(command.args.cluster)}/maintenances")["items"]
    command.show(MAINTENANCES, found, found, "No maintenances.")


def create_maintenance(command: Command) -> None:
    """Takes PEs out of service on many days, such as each first Tuesday."""
    args, zone = command.args, command.view.zone
    last = parse_day(args.last_day, zone, command.view.now) if args.last_day is not None else None
    start = command.instant(args.start).astimezone(zone).replace(tzinfo=None).isoformat(timespec="seconds")
    recurrence = {"rrule": args.rrule, "dtstart": start, "zone": getattr(zone, "key", None) or machine_zone()}
    body = {**_pes_out(args), **_given(recurrence=recurrence, duration=iso_span(args.duration), count=args.count, until=last)}
    made = _object(command.berth.call("POST", f"/clusters/{quoted(args.cluster)}/maintenances", body, args.key or new_key()))
    command.show(MAINTENANCES, [made], made, "")
    _say_effects(command, made)


def end_maintenance(command: Command) -> None:
    """Calls off a maintenance, with its windows that have not begun."""
    path = f"/clusters/{quoted(command.args.cluster)}/maintenances"
    _end(command, path, "maintenance", command.berth.call("GET", path)["items"])


def list_accounts(command: Command) -> None:
    """Lists the accounts."""
    found = list(command.berth.pages("/accounts", command.args.limit))
    command.show(ACCOUNT, found, found, "No accounts.")


def _account_of(args: argparse.Namespace) -> Json:
    """Returns the fields of an account that the options name."""
    given = {field: getattr(args, option) for field, option in LIMITS.items() if getattr(args, option) is not None}
    limits: Json = {field: None if value == "none" else int(value) for field, value in given.items()}
    if args.cool_down_after is not None and args.cool_down in (None, "none"):
        raise usage("--cool-down-after needs --cool-down, the length of the pause.")
    if args.cool_down is not None:
        after = iso_span(args.cool_down_after) if args.cool_down_after else None
        limits["coolDown"] = None if args.cool_down == "none" else {"duration": iso_span(args.cool_down), "after": after}
    return _given(role=args.role, cluster=args.cluster, serviceClass=args.service_class, priority=args.priority, limits=limits or None)


def create_account(command: Command) -> None:
    """Makes an account, and prints its token, which nobody can read again."""
    name = command.args.account
    body = {"name": name, "role": "CLIENT", **_account_of(command.args)}
    made = _made(command, "/accounts", body, f"/accounts/{quoted(name)}")
    if "token" not in made:
        detail = f"The account {name} is made, but its token did not arrive. Make a new one with: berth admin account token {name}"
        raise BerthError.of("unavailable", "The token is lost", detail)
    _show_token(command, made)


def _show_token(command: Command, made: Json) -> None:
    if command.args.output == "json":
        _print(json.dumps(made, indent=2))
        return
    lines = [("name", made["name"]), ("role", made["role"]), ("limits", _limits(made) or "none"), ("token", made["token"])]
    if made["role"] == "SCREEN":
        lines.append(("address", f"{command.berth.url.rstrip('/')}/#/wall?key={made['token']}"))
    _print(_lines(lines))
    command.say("The token is shown only once.")


def change_account(command: Command) -> None:
    """Changes the role, class, priority or limits of an account."""
    changes = _account_of(command.args)
    if not changes:
        raise usage("Give at least one thing to change, such as --max-pes 64.")
    changed = _object(command.berth.call("PATCH", f"/accounts/{quoted(command.args.account)}", changes))
    command.show(ACCOUNT, [changed], changed, "")


def replace_token(command: Command) -> None:
    """Gives an account a new token; the old one is invalid at once."""
    _show_token(command, _object(command.berth.call("POST", f"/accounts/{quoted(command.args.account)}/token")))


def delete_account(command: Command) -> None:
    """Deletes an account; its reservations stay."""
    name = command.args.account
    try:
        command.berth.call("DELETE", f"/accounts/{quoted(name)}")
    except BerthError as e:
        if e.code != "not-found" or not command.berth.was_repeated:
            raise
    if command.args.output == "json":
        _print(json.dumps({"name": name}))
    else:
        command.say(f"The account {name} is deleted. Its reservations stay.")


def _is_id(text: str) -> bool:
    return re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text) is not None


def _only(text: str, found: Sequence[Json], kind: str) -> str:
    if len(found) > 1:
        named = ", ".join(f"{each['id']} ({each['state']})" for each in found[:5])
        raise usage(f"'{text}' fits {named}. Give the whole id of one.")
    if not found:
        raise BerthError.of("not-found", "Not found", f"No {kind} has the name '{text}', or an id that ends with it.")
    return str(found[0]["id"])


def _called(text: str, items: Iterable[Json]) -> List[Json]:
    """Returns the items with this name, or with an id that ends with this text."""
    ends = len(text) >= 4 and re.fullmatch("[0-9a-f-]+", text)
    return [each for each in items if each["name"] == text or (ends and each["id"].endswith(text))]


def slurm_variables(handle: str, end: str, now: datetime) -> Dict[str, str]:
    """Returns the variables by which Slurm's commands use a reservation until its end, with a time limit that fits into the rest of it."""
    minutes = max(1, int((read_instant(end) - now).total_seconds() // 60))
    return {
        f"{program}_{name}": value
        for program in ("SBATCH", "SALLOC", "SLURM")
        for name, value in (("RESERVATION", handle), ("TIMELIMIT", str(minutes)))
    }


class Interrupted(Exception):
    """A signal asked the program to end."""


class Run:
    """A command in its own reservation, from the request to the end."""

    def __init__(self, command: Command, is_shell: bool = False) -> None:
        self.command, self.berth, self.args = command, command.berth, command.args
        self.words: List[str] = self.args.words
        self.is_shell = is_shell
        self.process: Any = None
        self.has_begun = False
        self.id = ""
        self.interrupted = 0
        # without --wait, sbatch returns long before its job ends
        is_early = os.path.basename(self.words[0]) == "sbatch" and not {"-W", "--wait"} & set(self.words)
        self.is_kept = self.args.keep or is_early

    def run(self) -> int:
        """Goes through all steps, and returns the exit code of the command."""
        import shutil
        import signal

        if shutil.which(self.words[0]) is None:
            raise usage(f"The command '{self.words[0]}' does not exist on this machine.")
        if "preemption" in (_json(self.args.terms) or {}):
            raise usage("run cannot stop a command between the parts of a reservation. Reserve the parts, and start each one yourself.")
        if self.args.hold:
            raise usage("A held reservation does not start. Leave --hold out.")
        args = self.args
        if args.resume and any((args.pes, args.duration, args.ready, args.start, args.terms, args.cluster, args.auto_extend, args.until)):
            raise usage("--resume continues an existing reservation. Leave out the options that describe a new one.")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # nohup has SIGHUP ignored
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._interrupt)
        try:
            self._begin()
            self.berth.persistent, self.berth.patience = True, 86400
            return self._in(self._started(self.id))
        except Interrupted:
            self._print_how_to_continue()
            return INTERRUPTED
        except BerthError as e:
            if e.exit_code == SERVICE:
                self._print_how_to_continue()
            raise

    def _begin(self) -> None:
        if self.args.resume:
            self.id = str(self.berth.reservation(self.command.id(self.args.resume))["id"])
            return
        reservation = self.command.reserved()
        self.id = str(reservation["id"])
        place = reservation["placement"]
        view = self.command.view
        when = f"{view.time(place['start'])} to {view.time(place['end'])} {view.zone_name}" if place else "not decided yet"
        on = f" on {reservation['cluster']}" if reservation["cluster"] else ""
        stays = _freedom(reservation, view)
        self.command.say(f"Reserved {self.id}{on}: {when}, {_money(reservation['price'])}." + (f" {stays}" if stays else ""))

    def _started(self, id_: str) -> Json:
        found = self.berth.wait(id_, "started")
        if found["state"] == "COMPLETED":
            raise BerthError.of("wrong-state", "The reservation has ended", f"{id_} is COMPLETED.")
        if not _in_place(found):
            try:
                found = self.berth.wait(id_, "in-place", 75)
            except BerthError as e:
                if e.code != "timed-out":
                    raise
                self.command.say("The reservation is not in place on the machine yet. The command starts anyway.")
                found = self.berth.reservation(id_)
        return self.berth.act(id_, "claim") if found["claimBy"] else found

    def _in(self, reservation: Json) -> int:
        import shutil
        import subprocess
        import tempfile

        place, enforcement = reservation["placement"], reservation["enforcement"] or {}
        variables = {
            "BERTH_RESERVATION": reservation["id"],
            "BERTH_CLUSTER": reservation["cluster"],
            "BERTH_PES": str(place["pes"]),
            "BERTH_PE_IDS": place["peIds"],
            "BERTH_START": place["start"],
            "BERTH_END": place["end"],
            "BERTH_NODES": enforcement.get("nodes"),
            "BERTH_HANDLE": enforcement.get("handle"),
        }
        if enforcement.get("handle"):
            variables.update(slurm_variables(enforcement["handle"], place["end"], datetime.now(timezone.utc)))
        environment = {**os.environ, **{name: value for name, value in variables.items() if value is not None}}
        self.has_begun = True
        directory = tempfile.mkdtemp() if self.is_shell else ""
        words = _with_countdown(self.words, place["end"], directory, environment) if self.is_shell else self.words
        try:
            self.process = subprocess.Popen(words, env=environment)  # pylint: disable=consider-using-with
        except OSError as e:
            self._print_how_to_continue()
            raise usage(f"'{self.words[0]}' cannot be started: {e.strerror}.") from None
        if self.interrupted:
            self.process.send_signal(self.interrupted)
        code = self.process.wait()
        if directory:
            shutil.rmtree(directory, ignore_errors=True)
        code = code if code >= 0 else 128 - code
        if self.interrupted:
            self._print_how_to_continue()
        elif self.is_kept:
            self.command.say(f"{reservation['id']} stays until its end. To end it earlier: {_invoked()} complete {reservation['id']}")
        else:
            self._complete(reservation["id"])
        return int(code)

    def _complete(self, id_: str) -> None:
        # the reservation would also end by itself, so do not try for too long
        self.berth.patience = max(self.args.patience, 600)
        try:
            self.berth.act(id_, "complete")
        except BerthError as e:
            state = self.berth.reservation(id_)["state"] if e.code == "wrong-state" else "possibly not COMPLETED"
            self.command.say(f"The command has ended. {id_} is {state}.")

    def _interrupt(self, number: int, _: Any) -> None:
        if self.is_shell and self.has_begun and number == 2:
            # an interactive shell only ends its foreground command
            return
        self.interrupted = number
        if not self.has_begun:
            raise Interrupted
        # Ctrl-C at a terminal reaches the command by itself
        if self.process is not None and not (number == 2 and sys.stdin.isatty()) and self.process.poll() is None:
            self.process.send_signal(number)

    def _print_how_to_continue(self) -> None:
        import shlex

        words = "" if self.is_shell else " -- " + " ".join(shlex.quote(word) for word in self.words)
        if self.id:
            text = f"{self.id} stays. Continue with: {_invoked()} {self.args.command} --resume {self.id}{words}"
            text += f"\nberth: Or cancel it with: {_invoked()} cancel {self.id}"
            _print_error(f"berth: {text}")
        elif self.berth.in_doubt:
            _print_error(f"berth: {_how_to_find_out(self.berth.in_doubt)}")


def _invoked() -> str:
    name = sys.argv[0] or "berth.py"
    return name if os.access(name, os.X_OK) or not name.endswith(".py") else f"python3 {name}"


def _print(text: str, end: str = "\n") -> None:
    try:
        print(text, end=end, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise Unread from None
    except OSError as e:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise unwritten(e) from None


def _print_all(file: IO[bytes]) -> None:
    """Prints the content of a file unchanged."""
    import codecs

    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    for piece in iter(lambda: file.read(65536), b""):
        _print(decode(piece), end="")


class Unread(Exception):
    """The program that read the output has ended."""


def _secret_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(10_000).strip()
    except (OSError, ValueError) as e:
        raise usage(f"The token cannot be read from {path}: {e}.") from None


def _json(text: Optional[str]) -> Any:
    if text is None:
        return None
    try:
        if text.startswith("@"):
            with open(text[1:], encoding="utf-8") as file:
                text = file.read(1_000_000)
        value = json.loads(text)
    except (OSError, ValueError, RecursionError) as e:
        raise usage(f"'{text[:60]}' is not JSON: {e}.") from None
    if not isinstance(value, dict):
        raise usage(f"'{text[:60]}' is not a JSON object. Write one, such as '{{\"minPes\":8}}'.")
    return value


def login(args: argparse.Namespace) -> int:
    """Stores an address and a token as a profile; asks for the token, or reads it from standard input."""
    profile = args.profile or "default"
    if not re.fullmatch("[A-Za-z0-9._-]+", profile):
        raise usage(f"'{profile}' is not a name for a profile. Use letters, digits, points, underscores and hyphens.")
    url = args.url or os.environ.get("BERTH_URL") or "http://localhost:8080"
    if args.token_file:
        token = _secret_of(args.token_file)
    elif sys.stdin is not None and sys.stdin.isatty():
        import getpass

        token = getpass.getpass(f"Token for {url}: ").strip()
    else:
        token = sys.stdin.readline(10_000).strip() if sys.stdin else ""
    if not token:
        raise usage("The token is missing. Give it on standard input, or with --token-file.")
    with Berth(url, token, None, args.patience) as berth:
        service = berth.call("GET", "")
        if not isinstance(service, dict) or service.get("service") != "berth":
            raise not_berth(url, "the response of another service")
        account = berth.me()
    path = write_profile(profile, url, token)
    if args.output == "json":
        _print(json.dumps({**account, "profile": profile, "file": path}, indent=2))
    else:
        welcome = f"You are {account['name']} ({account['role']}) at {url}. Stored as profile '{profile}' in {path}."
        _print(account["name"] if args.output == "id" else welcome)
    return DONE


# Arguments


def parser_of(only: Optional[str] = None) -> argparse.ArgumentParser:
    """Returns the parser of all subcommands. With `only`, it has just that subcommand if there is one, and is made faster."""
    # pylint: disable=protected-access
    import argparse

    class Formatter(argparse.HelpFormatter):
        """A formatter that leaves examples and exit codes as they are."""

        def _fill_text(self, text: str, width: int, indent: str) -> str:
            return text if "\n  " in text else super()._fill_text(text, width, indent)

    def narrow(prog: str) -> argparse.HelpFormatter:
        # argparse makes one for each option to check it, and without a width would look up that of the terminal each time
        return Formatter(prog, width=80)

    class Parser(argparse.ArgumentParser):
        """A parser that reports errors like the rest of the program."""

        def error(self, message: str) -> NoReturn:
            unknown = re.match(r"argument COMMAND: invalid choice: '([^']*)'", message)
            strange = re.match(r"unrecognized arguments: (\S+)", message)
            missing = re.match(r"the following arguments are required: (.*)", message)
            if missing:
                raise required([each.split("/")[0] for each in missing[1].split(", ")], f"For help: {self.prog} --help")
            names = {name: name for name in commands.choices}
            if unknown:
                message = f"There is no command '{unknown[1]}'" + _did_you_mean(unknown[1], names) + " For all commands: berth help"
            elif strange:
                # the top parser reports them, and has the one subcommand that was given
                name, made = next(iter(commands.choices.items()))
                words = {option: option for action in made._actions for option in action.option_strings}
                word = strange[1].split("=")[0]
                message = f"'berth {name}' does not take '{word}'" + _did_you_mean(word, words) + f" For help: berth help {name}"
            else:
                message = f"{message}. For help: {self.prog} --help"
            raise usage(message)

        def print_help(self, file: Any = None) -> None:
            _print(self.format_help().rstrip("\n"))

        def format_help(self) -> str:
            if self is parser:
                return help_on_all({each.dest: str(each.help) for each in commands._get_subactions()})
            words = [(each.option_strings[:1], each.metavar or each.dest.upper()) for each in self._actions if each.required]
            self.usage = self.usage or " ".join([self.prog, "[options]", *(" ".join([*option, str(value)]) for option, value in words)])
            return super().format_help()

    parser = Parser(prog="berth", formatter_class=narrow, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser, prog=parser.prog)

    def whole(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,6}", text):
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 0")
        return int(text)

    def positive(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = 0
        if value < 1:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 1")
        return value

    def above_zero(text: str) -> float:
        value = number(text)
        if value <= 0:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
        return value

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if value - value:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number")
        return value

    def add(name: str, does: Any, forms: Sequence[str] = ("table", "json", "csv", "id"), help: str = "") -> Optional[argparse.ArgumentParser]:
        if only not in (None, name):
            return None
        text = help or does.__doc__
        examples = "".join(f"\n  berth {name} {example}".rstrip() for example in EXAMPLES.get(name, ()))
        made: argparse.ArgumentParser = commands.add_parser(
            name,
            help=text.split("\n", 1)[0],
            description=" ".join(text.split()),
            epilog=f"examples:{examples}" if examples else None,
            allow_abbrev=False,
            formatter_class=narrow,
        )
        made.set_defaults(does=does)
        common = made.add_argument_group("common options")
        if "csv" in forms:
            forms = ("table", "wide", *forms[1:])
            all_columns: Json = {"action": "store_const", "const": "wide", "default": argparse.SUPPRESS}
            common.add_argument("--wide", dest="output", help="all columns, whatever the width of the terminal", **all_columns)
            common.add_argument("--columns", metavar="NAMES", help="only these columns, in this order, such as name,state,start")
        common.add_argument("-o", "--output", choices=forms, default=forms[0], metavar="FORM", help=f"output format: {', '.join(forms)}")
        common.add_argument("--url", help="address of the service (default: BERTH_URL, or that of the profile)")
        common.add_argument("--profile", help="profile in ~/.config/berth/config")
        common.add_argument("--token-file", metavar="FILE", help="file with the token (default: BERTH_TOKEN, or that of the profile)")
        common.add_argument("--zone", help="time zone, such as Europe/Berlin (default: BERTH_ZONE, that of the profile or of this machine)")
        common.add_argument("--patience", type=parse_span, default=60.0, metavar="SPAN", help="how long to repeat a call without a response")
        return made

    def add_size(made: argparse.ArgumentParser) -> None:
        made.add_argument("--pes", "--gpus", type=positive, metavar="N", help="number of PEs, which are GPUs on many clusters")
        made.add_argument("--for", dest="duration", metavar="SPAN", help="duration: 90m, 2h30, 2 hours, 1d12h")

    def add_further(made: argparse.ArgumentParser) -> None:
        made.add_argument("--budget", help="highest price, such as '80.00 USD'")
        made.add_argument("--require", action="append", metavar="NAME=VALUE", help="label that the cluster must have; may be repeated")
        made.add_argument("--terms", metavar="JSON", help="further terms of the API, as JSON or @FILE")

    def add_terms(made: argparse.ArgumentParser) -> None:
        add_size(made)
        made.add_argument("--ready", metavar="TIME", help="earliest start: tomorrow 14:00, fri 9am, +2h, 27 Nov 14:00")
        freedom = made.add_mutually_exclusive_group()
        until = "latest end, of which a day means its end; until then Berth may move the run, which costs less (default: it stays)"
        freedom.add_argument("--deadline", metavar="TIME", help=until)
        freedom.add_argument("--slack", metavar="SPAN", help="how much later than at --ready it may begin: another way to give a deadline")
        made.add_argument("--max-moves", type=whole, metavar="N", help="how often Berth may move the run for others; 0 makes its place final")
        made.add_argument("--max-shift", metavar="SPAN", help="how far such moves may shift the run in all")
        made.add_argument("--follow", action="store_const", const="CHEAPEST", help="let Berth move it into cheaper hours of its window")
        add_further(made)

    def add_request(made: argparse.ArgumentParser) -> None:
        made.add_argument("--cluster", action="append", default=[], help="may be repeated (default: any cluster)")
        order = made.add_mutually_exclusive_group()
        order.add_argument("--cheapest", dest="order_by", action="store_const", const=ORDERS["cheapest"], help="the slot with the lowest price")
        order.add_argument("--soonest", dest="order_by", action="store_const", const=ORDERS["soonest"], help="the slot that begins first")
        order.add_argument("--order-by", help="BEST_AVAILABILITY (default), EARLIEST_START, EARLIEST_COMPLETION, LOWEST_PRICE, or JSON weights")
        add_terms(made)

    def add_labels(made: argparse.ArgumentParser) -> None:
        made.add_argument("--name")
        made.add_argument("--project")
        made.add_argument("--user", action="append", help="user who may run jobs in it on the machine; may be repeated")

    def add_reserve(made: argparse.ArgumentParser) -> None:
        add_request(made)
        made.add_argument("--start", metavar="TIME", help="exact start")
        made.add_argument("--hold", metavar="SPAN", help="only hold the slot, for this long; confirm confirms it")
        add_labels(made)
        made.add_argument("--account", metavar="NAME", help="whose it is, for administrators and owners of its project")
        made.add_argument("--accept-alternatives", type=number, metavar="PHI", help="accept a slot up to this many run times outside the window")
        made.add_argument("--earlier", action="store_true", help="with --accept-alternatives: also a slot before the window")
        made.add_argument("--auto-extend", metavar="STEP", help="extend it automatically, each time by this much, while there is room and money")
        made.add_argument("--until", metavar="TIME", help="with --auto-extend: latest end")
        add_key(made)

    def add_key(made: argparse.ArgumentParser) -> None:
        made.add_argument("--key", help="idempotency key; give the same one to repeat a command without a response")

    def add_dry_run(made: argparse.ArgumentParser) -> None:
        made.add_argument("--dry-run", action="store_true", help="only show the result; change nothing")

    def add_watch(made: argparse.ArgumentParser) -> None:
        made.add_argument("--watch", nargs="?", const="5s", metavar="SPAN", help="show it again and again, every 5 seconds or as often as you say")

    def add_limit(made: argparse.ArgumentParser, default: int) -> None:
        made.add_argument("--limit", type=positive, default=default, help=f"highest number to show (default: {default})")

    of_project = "only those of this project; if you are its member, also those of others"

    def add_asking() -> None:
        if made := add("probe", Command.probe, ("table", "json", "csv")):
            add_request(made)
            made.add_argument("--limit", type=positive, help="highest number of slots")
            made.add_argument("--alternatives", action="store_true", help="also slots outside the window")
        if made := add("reserve", Command.reserve):
            add_reserve(made)
            add_dry_run(made)
        if made := add("list", Command.list):
            made.add_argument("--all", action="store_true", help="also those that have ended; newest first")
            made.add_argument("--state", type=str.upper, choices=LIVE + ENDED, metavar="STATE", help=", ".join(LIVE + ENDED))
            made.add_argument("--cluster")
            made.add_argument("--project", help=of_project)
            made.add_argument("--owner", metavar="ACCOUNT", help="only those of this account, for administrators and members of a project")
            made.add_argument("--from", dest="from_", metavar="TIME", help="only those that end after this time")
            made.add_argument("--to", metavar="TIME", help="only those that start before this time")
            add_watch(made)
            add_limit(made, 1000)
        if made := add("show", Command.show_reservation):
            made.add_argument("id", metavar="ID", help="id, at least its last four characters, or name")
        if made := add("plan", Command.plan, ("table", "json")):
            made.add_argument("--cluster", action="append", default=[], help="all uses of this cluster; may be repeated (default: your reservations)")
            made.add_argument("--from", dest="from_", metavar="TIME", help="start (default: an hour ago)")
            made.add_argument("--to", metavar="TIME", help="end")
            made.add_argument("--for", dest="duration", metavar="SPAN", default="1d", help="length, if there is no --to (default: a day)")
            add_watch(made)
            add_limit(made, 200)

    def add_changing() -> None:
        for name, text in (
            ("cancel", "Cancels reservations."),
            ("claim", "Claims runs that have begun."),
            ("complete", "Ends runs early; their PEs are free at once."),
            ("confirm", "Confirms held reservations."),
            ("fix", "Makes places final now, so that Berth no longer moves them; this may raise the price."),
        ):
            if made := add(name, Command.act, help=text):
                made.add_argument("id", metavar="ID", nargs="+", help="id, at least its last four characters, or name")
                add_key(made)
                if name in ("cancel", "complete", "fix"):
                    add_dry_run(made)
        if made := add("extend", Command.extend):
            made.add_argument("id", metavar="ID")
            how = made.add_mutually_exclusive_group(required=True)
            how.add_argument("--by", metavar="SPAN", help="extend it once, by this much")
            how.add_argument("--auto", metavar="STEP", help="extend it automatically, each time by this much; off turns it off")
            made.add_argument("--at-least", metavar="SPAN", help="with --by: accept less, but at least this much")
            made.add_argument("--until", metavar="TIME", help="with --auto: latest end")
            add_dry_run(made)
            add_key(made)
        if made := add("renegotiate", Command.renegotiate):
            made.add_argument("id", metavar="ID")
            add_terms(made)
            add_dry_run(made)
            add_key(made)
        if made := add("users", Command.change_users):
            made.add_argument("id", metavar="ID")
            who = made.add_mutually_exclusive_group(required=True)
            who.add_argument("--user", action="append", help="user who may run jobs in it; may be repeated")
            who.add_argument("--owner", action="store_true", help="only its owner may run jobs in it")
        if made := add("transfer", Command.transfer):
            made.add_argument("id", metavar="ID")
            made.add_argument("account", metavar="NAME", help="name of the new owner's account")
            add_key(made)
        if made := add("approvals", Command.approvals):
            add_limit(made, 200)
        if made := add("approve", Command.approve):
            made.add_argument("id", metavar="ID", help="id, at least its last four characters, or name")
            made.add_argument("--reason", metavar="TEXT", help="what the owner should know about it")
            add_key(made)
        if made := add("accept", Command.answer, help="Accepts the provider's open proposal."):
            made.add_argument("id", metavar="ID")
            add_key(made)
        declines = "Declines the provider's open proposal or, with --reason, a reservation that waits for approval."
        if made := add("decline", Command.answer, help=declines):
            made.add_argument("id", metavar="ID")
            made.add_argument("--reason", metavar="TEXT", help="why you do not approve the reservation; its owner reads it")
            add_key(made)

    def add_series() -> None:
        if made := add("series", Command.list_series):
            made.add_argument("--project", help=of_project)
            add_limit(made, 1000)
        if made := add("series create", Command.create_series):
            made.add_argument("--cluster", required=True)
            add_size(made)
            made.add_argument("--at", dest="start", metavar="TIME", required=True, help="first day, and time of each day: tomorrow 22:00")
            made.add_argument("--rrule", metavar="RULE", required=True, help="days, as a rule of RFC 5545: 'FREQ=WEEKLY;BYDAY=TU'")
            end = made.add_mutually_exclusive_group()
            end.add_argument("--count", type=positive, help="number of occurrences")
            end.add_argument("--until", dest="last_day", metavar="DAY", help="last day: 2027-12-31")
            made.add_argument("--except", dest="except_days", metavar="DAY", nargs="+", action="extend", help="days to leave out")
            made.add_argument("--slack", dest="later", metavar="SPAN", help="how much later each occurrence may begin")
            made.add_argument("--earliest", metavar="SPAN", help="how much earlier each occurrence may begin")
            how = made.add_mutually_exclusive_group()
            how.add_argument("--any", action="store_true", help="book as many as possible, and at least one")
            how.add_argument("--at-least", type=positive, metavar="N", help="book as many as possible, and at least this many")
            add_labels(made)
            add_further(made)
            add_dry_run(made)
            add_key(made)
        if made := add("series show", Command.show_series):
            made.add_argument("series", metavar="ID", help="id, at least its last four characters, or name")
        if made := add("series end", Command.end_series):
            made.add_argument("series", metavar="ID", help="id, at least its last four characters, or name")
            made.add_argument("--from", dest="from_", metavar="DAY", help="first day to cancel (default: today)")
        if made := add("series book", Command.book_occurrence):
            made.add_argument("series", metavar="ID", help="id, at least its last four characters, or name")
            made.add_argument("day", metavar="DATE", help="day of the occurrence")
            add_key(made)

    def add_projects() -> None:
        if made := add("project", Command.projects):
            add_limit(made, 1000)
        if made := add("project show", Command.show_project):
            made.add_argument("project", metavar="PROJECT", help="id of the project")
        if made := add("project create", Command.create_project):
            made.add_argument("project", metavar="PROJECT", help="id of the project: the label")
            made.add_argument("--name", help="name for people (default: the id)")
        if made := add("project member", Command.member):
            made.usage = "berth project member [options] PROJECT ACCOUNT (ROLE | --remove)"
            made.add_argument("project", metavar="PROJECT", help="id of the project")
            made.add_argument("account", metavar="ACCOUNT", help="name of the account")
            how = made.add_mutually_exclusive_group(required=True)
            how.add_argument("role", metavar="ROLE", nargs="?", type=str.upper, choices=MEMBERS, help="OWNER, MEMBER or VIEWER")
            how.add_argument("--remove", action="store_true", help="remove the member")
        if made := add("project balance", Command.balance, ("table", "json", "csv")):
            made.add_argument("project", metavar="PROJECT", help="id of the project")
        if made := add("project charges", Command.charges):
            made.add_argument("project", metavar="PROJECT", help="id of the project")
            made.add_argument("--from", dest="from_", metavar="TIME", help="only those that ended since then (default: start of the month in UTC)")
            made.add_argument("--to", metavar="TIME", help="only those that ended before then (default: now)")
            made.add_argument("--csv", metavar="FILE", help="write the CSV file of the service to FILE; - prints it")
            add_limit(made, 1000)
        if made := add("project grant", Command.grant):
            made.add_argument("project", metavar="PROJECT", help="id of the project")
            made.add_argument("grant", metavar="ID", help="id of the grant, such as 2027-q1")
            made.add_argument("amount", metavar="AMOUNT", help="amount, such as 5000")
            made.add_argument("currency", metavar="CURRENCY", nargs="?", help="such as USD (default: PE-hours)")
            made.add_argument("--until", metavar="TIME", required=True, help="end of the grant; the unspent rest is lost then")
            made.add_argument("--from", dest="from_", metavar="TIME", help="start of the grant (default: now)")
            made.add_argument("--credit", metavar="AMOUNT", help="how much more the project may spend while the grant lasts")
        if made := add("project mode", Command.mode):
            made.add_argument("project", metavar="PROJECT", help="id of the project")
            made.add_argument("mode", metavar="MODE", type=str.upper, choices=MODES, help="TRACK or ENFORCE")

    def add_prices() -> None:
        if made := add("prices", Command.prices, ("table", "json", "csv")):
            made.add_argument("--cluster", required=True)
            made.add_argument("--pes", "--gpus", type=positive, default=1, metavar="N", help="number of PEs (default: 1)")
            made.add_argument("--for", dest="duration", default="1h", metavar="SPAN", help="duration (default: 1h): 90m, 2h30, 1d12h")
            made.add_argument("--slack", action="append", metavar="SPAN", help="slack to show; may be repeated")
        if made := add("signal", Command.signal, ("table", "json", "csv")):
            made.add_argument("cluster", metavar="CLUSTER", help="id of the cluster")
            how = made.add_mutually_exclusive_group()
            how.add_argument("file", metavar="FILE", nargs="?", help="CSV file with a time and a factor in each line")
            how.add_argument("--end", action="store_true", help="end the signal: from now on, every hour costs the same")
            made.add_argument("--source", help="where the factors come from (default: the name of the file)")
            made.add_argument("--to", metavar="TIME", help="end of the last factor (default: it lasts as long as the one before)")
            made.add_argument("--usual", type=above_zero, metavar="PRICE", help="the file has prices; at this one the factor is 1")
            made.add_argument("--share", type=above_zero, metavar="SHARE", help="share of energy in the price per PE-hour, such as 0.4")

    def add_mail() -> None:
        if made := add("mail", Command.mail, ("table", "json", "csv")):
            where = made.add_mutually_exclusive_group()
            where.add_argument("--address", help="send mail there")
            where.add_argument("--none", action="store_true", help="send no mail")
            when = made.add_mutually_exclusive_group()
            when.add_argument("--daily", type=whole, metavar="HOUR", help="send the news of a day at this hour, 0 to 23")
            when.add_argument("--at-once", action="store_true", help="send mail at once")
            for flag, does in (("--on", f"send this kind; may be repeated: {', '.join(KINDS)}"), ("--off", "do not send this kind; may be repeated")):
                made.add_argument(flag, type=str.upper, action="append", default=[], choices=KINDS, metavar="KIND", help=does)
            made.add_argument("--lead", metavar="SPAN", help="how long before a start or end to tell you: 30m, 2h")
            made.add_argument("--in", dest="mail_zone", metavar="ZONE", help="time zone of mail, such as Europe/Berlin")
            made.add_argument("--account", metavar="ACCOUNT", help="the mail of this account, for administrators")

    def add_others() -> None:
        if made := add("wait", Command.wait):
            made.add_argument("id", metavar="ID")
            made.add_argument("--for", dest="until", choices=tuple(WAITS), default="started", help="state to wait for (default: started)")
            made.add_argument("--timeout", metavar="SPAN", help="give up after this long, with exit code 6")
        if made := add("events", Command.events, ("table", "json", "csv")):
            made.add_argument("id", metavar="ID", nargs="?")
            made.add_argument("--project", help=of_project)
            made.add_argument("--from", dest="from_", metavar="TIME", help="only those since then (default: a day ago)")
            made.add_argument("--follow", action="store_true", help="go on with the events that happen from now on; with -o json one line each")
            add_limit(made, 1000)
        if made := add("refusals", Command.refusals, ("table", "json", "csv")):
            made.add_argument("--since", metavar="TIME", help="only those since then, such as --since=-1d (default: seven days ago)")
            made.add_argument("--cluster", help="only requests that allowed this cluster")
            made.add_argument("--project", help=of_project)
            made.add_argument("--code", help="only those with this code, such as no-slot")
            made.add_argument("--account", help="only those of this account, for administrators and owners of a project")
            add_limit(made, 1000)
        add("clusters", Command.clusters)
        if made := add("free", Command.free, ("table", "json", "csv")):
            made.add_argument("--cluster", action="append", default=[], help="may be repeated (default: all clusters)")
            made.add_argument("--for", dest="duration", default="1h", metavar="SPAN", help="for a run of this duration (default: 1h)")
            add_watch(made)
        if made := add("open", Command.open, ("table",)):
            made.add_argument("id", metavar="ID", help="id, at least its last four characters, or name")
        add_prices()
        if made := add("jobs", Command.jobs):
            made.add_argument("--cluster", required=True)
            made.add_argument("--state", type=str.upper, choices=("QUEUED", "RUNNING", "COMPLETED", "CANCELLED"))
            add_limit(made, 1000)
        if made := add("jobs submit", Command.submit_job):
            made.add_argument("--cluster", required=True)
            made.add_argument("--pes", "--gpus", type=positive, required=True, metavar="N", help="number of PEs")
            made.add_argument("--for", dest="duration", required=True, metavar="SPAN", help="longest run time: 90m, 2h30, 1d12h")
            made.add_argument("--name")
            add_key(made)
        if made := add("jobs cancel", Command.cancel_jobs):
            made.add_argument("--cluster", required=True)
            made.add_argument("job", metavar="JOB", nargs="+", help="id, at least its last four characters, or name")
        add_series()
        add_projects()
        add("account", Command.account)
        add_mail()
        add("version", Command.version, ("table", "json"))
        if made := add("report", Command.report, ("table", "json", "csv")):
            made.add_argument("report", nargs="?", choices=REPORTS, default="summary", help="which report (default: summary)")
            made.add_argument("--from", dest="from_", metavar="TIME", help="start of the period (default: 30 days before its end)")
            made.add_argument("--to", metavar="TIME", help="end of the period (default: now)")
            made.add_argument("--cluster", help="only this cluster")
            made.add_argument("--project", help="only this project")
            made.add_argument("--step", metavar="SPAN", help="length of a step of projects: 1d, 7d (default: 1d)")
            made.add_argument("--limit", type=positive, metavar="N", help="number of accounts of owners (default: 10)")
        add("login", login, ("table", "json", "id"))
        if made := add("run", Command.run, ("table", "json")):
            made.usage = "berth run [--resume ID] [--keep] [options of reserve] -- COMMAND ..."
            add_reserve(made)
            made.add_argument("--resume", metavar="ID", help="continue an existing reservation")
            made.add_argument("--keep", action="store_true", help="do not complete the reservation after the command")
        if made := add("shell", Command.shell, ("table", "json")):
            add_reserve(made)
            made.add_argument("--resume", metavar="ID", help="continue an existing reservation")
            made.add_argument("--keep", action="store_true", help="do not complete the reservation after the shell")
        add_plain("completion", completion, 'Prints a completion script: eval "$(berth completion bash)"', "shell", choices=("bash", "zsh", "fish"))
        told = "Installs this program as berth, with completion and a man page: berth.py install [~/.local]"
        add_plain("install", install, told, "prefix", nargs="?", default="~/.local")
        add_plain("help", show_help, "Shows help on a command, or on the forms of times: berth help times", "topic", nargs="*")

    def add_plain(name: str, does: Any, help: str, argument: str, **more: Any) -> None:
        if only in (None, name):
            made = commands.add_parser(name, help=help, allow_abbrev=False)
            made.set_defaults(does=does, output="table")
            made.add_argument(argument, **more)

    def add_admin() -> None:
        def bound(text: str) -> str:
            if text != "none" and not re.fullmatch("[0-9]{1,18}", text):
                raise argparse.ArgumentTypeError(f"'{text}' is neither a whole number nor the word none")
            return text

        def add_account(made: argparse.ArgumentParser) -> None:
            made.add_argument("account", metavar="NAME", help="name of the account")
            roles = ("CLIENT", "VIEWER", "SCREEN", "AGENT", "ADMIN")
            made.add_argument("--role", type=str.upper, choices=roles, metavar="ROLE", help="client, viewer, screen, agent or admin")
            made.add_argument("--cluster", help="the cluster that an agent controls")
            classes = ("STANDARD", "PREMIUM")
            made.add_argument("--class", dest="service_class", type=str.upper, choices=classes, metavar="CLASS", help="standard or premium")
            made.add_argument("--priority", type=whole, metavar="N", help="rank where requests are collected")
            for option in LIMITS.values():
                what = option[4:].replace("_", " ")
                made.add_argument("--" + option.replace("_", "-"), type=bound, metavar="N", help=f"most {what}; none for no limit")
            made.add_argument("--cool-down", metavar="SPAN", help="pause after the end of a long run, such as 6h; none for no pause")
            made.add_argument("--cool-down-after", metavar="SPAN", help="the length of a long run, such as 4h; every run, if left out")

        if made := add("admin account", list_accounts):
            add_limit(made, 1000)
        if made := add("admin account create", create_account, ("table", "json")):
            add_account(made)
        if made := add("admin account change", change_account):
            add_account(made)
        for name, does in (("admin account token", replace_token), ("admin account delete", delete_account)):
            if made := add(name, does, ("table", "json")):
                made.add_argument("account", metavar="NAME", help="name of the account")
        add_plain("admin", show_admin, "Manages clusters, outages, maintenances and accounts, for administrators.", "topic", nargs="*")

    def add_admin_of_clusters() -> None:
        def add_rules(made: argparse.ArgumentParser, **pes: Any) -> None:
            made.add_argument("cluster", metavar="ID", help="id of the cluster")
            made.add_argument("--pes", "--gpus", type=positive, metavar="N", help="number of PEs", **pes)
            made.add_argument("--nodes", metavar="NAMES", help="names of the nodes in Slurm's notation: 'hop[01-16]'")
            made.add_argument("--unit", metavar="WORD", help="word for one PE, such as GPU or core")
            made.add_argument("--price", metavar="AMOUNT", help="price of one PE for one hour, such as 1.80")
            made.add_argument("--currency", help="currency of all prices, such as EUR")
            admission = made.add_mutually_exclusive_group()
            admission.add_argument("--open", dest="admission", action="store_const", const="OPEN", help="accept new reservations")
            admission.add_argument("--closed", dest="admission", action="store_const", const="CLOSED", help="reject new reservations")
            admission.add_argument("--retired", dest="admission", action="store_const", const="RETIRED", help="take the cluster out of use")
            made.add_argument("--set", action="append", metavar="NAME=VALUE", help="any other rule, such as policy.horizon=30d; may be repeated")

        def add_out(made: argparse.ArgumentParser) -> None:
            made.add_argument("--cluster", required=True)
            made.add_argument("--pes", "--gpus", type=positive, metavar="N", help="number of PEs out of service")
            made.add_argument("--pe-ids", metavar="IDS", help="numbers of these PEs: 0-31,40")
            made.add_argument("--reason", help="a note, such as 'rack 3 has no power'")
            add_dry_run(made)
            add_key(made)

        if made := add("admin cluster", list_clusters):
            made.add_argument("--all", action="store_true", help="also retired clusters")
        if made := add("admin cluster create", create_cluster):
            add_rules(made, required=True)
            made.add_argument("--granule", type=positive, metavar="N", help="PEs of a node (default: 1); it can never change")
        if made := add("admin cluster change", change_cluster):
            add_rules(made)
            add_dry_run(made)
        if made := add("admin outage", list_outages):
            made.add_argument("--cluster", required=True)
            add_limit(made, 100)
        if made := add("admin outage create", create_outage):
            add_out(made)
            made.add_argument("--from", dest="from_", metavar="TIME", help="start (default: now)")
            end = made.add_mutually_exclusive_group()
            end.add_argument("--to", metavar="TIME", help="planned end (default: until you end it)")
            end.add_argument("--for", dest="duration", metavar="SPAN", help="planned duration")
        if made := add("admin maintenance", list_maintenances):
            made.add_argument("--cluster", required=True)
        if made := add("admin maintenance create", create_maintenance):
            add_out(made)
            made.add_argument("--at", dest="start", metavar="TIME", required=True, help="first day, and time of each day: '1 Dec 8:00'")
            made.add_argument("--for", dest="duration", metavar="SPAN", required=True, help="duration of each window")
            made.add_argument("--rrule", metavar="RULE", required=True, help="days, as a rule of RFC 5545: 'FREQ=MONTHLY;BYDAY=1TU'")
            end = made.add_mutually_exclusive_group()
            end.add_argument("--count", type=positive, help="number of windows")
            end.add_argument("--until", dest="last_day", metavar="DAY", help="last day: 2027-12-31")
        for name, does in (("admin outage end", end_outage), ("admin maintenance end", end_maintenance)):
            if made := add(name, does, ("table", "json")):
                made.add_argument("--cluster", required=True)
                made.add_argument("id", metavar="ID", help="id, or at least its last four characters")

    add_asking()
    add_changing()
    add_admin()
    add_admin_of_clusters()
    add_others()
    if not commands.choices:
        return parser_of()
    for made in commands.choices.values():
        made.formatter_class = Formatter
    return parser


def help_on_all(commands: Dict[str, str]) -> str:
    """Returns the help on all commands, in groups."""
    lines = ["usage: berth COMMAND [options]", "", (__doc__ or "").split("\n", 1)[0]]
    for group, names in GROUPS.items():
        lines += ["", f"{group}:"]
        for name in names.split():
            further = [other.split()[1] for other in IN_TWO_WORDS if other.split()[:-1] == [name]]
            lines.append(f"  {name:12} {commands[name]}" + (f"\n{'':15}With: {', '.join(further)}." if further else ""))
    lines += ["", "Help on a command: berth help COMMAND. Forms of times and durations: berth help times", "", EXIT_CODES]
    return "\n".join(lines)


def _did_you_mean(word: str, known: Dict[str, str]) -> str:
    """Returns a question that names the nearest of the known words, or nothing if none is near."""
    import difflib

    near = difflib.get_close_matches(word, known, 1)
    return f". Did you mean {known[near[0]]}?" if near else "."


def show_help(args: argparse.Namespace) -> int:
    """Shows help on a command, on times, or on all commands."""
    topic = " ".join(args.topic)
    if topic == "times":
        _print(HELP_ON_TIMES, end="")
    elif topic == "admin":
        show_admin(args)
    else:
        parser_of(topic or None).parse_args([topic, "--help"] if topic else ["--help"])
    return DONE


def show_admin(_: argparse.Namespace) -> int:
    """Shows the commands for operators."""
    commands: Any = next(action for action in parser_of()._actions if action.dest == "command")  # pylint: disable=protected-access
    lines = [f"  {each.dest:26} {each.help}" for each in commands._get_subactions() if each.dest.startswith("admin ")]  # pylint: disable=protected-access
    _print("\n".join(["usage: berth admin COMMAND [options]", "", *lines, "", "Help on a command: berth help admin outage create"]))
    return DONE


def completion(args: argparse.Namespace) -> int:
    """Prints a completion script for a shell."""
    _print(completion_of(args.shell))
    return DONE


def completion_of(shell: str) -> str:
    """Returns a script that completes commands, options and ids in a shell."""
    # pylint: disable=protected-access
    subparsers: Any = next(action for action in parser_of()._actions if action.dest == "command")
    of: List[Dict[str, str]] = [{}, {}, {}]
    for name, sub in subparsers.choices.items():
        options = [option for action in sub._actions for option in action.option_strings if option.startswith("--")]
        choices = [str(choice) for action in sub._actions for choice in action.choices or ()]
        further = [other.split()[-1] for other in subparsers.choices if other.split()[:-1] == name.split()]
        words = " ".join(further + (["list"] if further else []) + options + choices)
        lists = ["list"] if any(action.dest in ("id", "resume") for action in sub._actions) else []
        named = [action.dest for action in sub._actions if not action.option_strings]
        for kind in lists + [kind for kind in ("series", "project") if kind in named]:
            words += f" @{kind}@"
        of[name.count(" ")][name] = words
    of[0].update({alias: of[0][name] for alias, name in ALIASES.items()})
    return COMPLETIONS[shell](of, " ".join(of[0]))


def _in_bash(of: List[Dict[str, str]], names: str) -> str:
    """Returns a script in which a command of more words overrides one of fewer."""
    lines = ["_berth() {", f'  local words="{names}"']
    for at, words in enumerate(of, 1):
        typed = " ".join(f"${{COMP_WORDS[{each}]}}" for each in range(1, at + 1))
        lines += [f'  [ "$COMP_CWORD" -le {at} ] || case "{typed}" in', *_cases(words, '"$1"', "words"), "  esac"]
    return "\n".join([*lines, '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")', "}", "complete -o default -F _berth berth berth.py"])


def _in_zsh(of: List[Dict[str, str]], names: str) -> str:
    lines = ["_berth() {", f'  local found="{names}"']
    for at, words in enumerate(of, 1):
        typed = " ".join(f"${{words[{each + 1}]}}" for each in range(1, at + 1))
        lines += [f'  [ "$CURRENT" -le {at + 1} ] || case "{typed}" in', *_cases(words, '"${words[1]}"', "found"), "  esac"]
    return "\n".join([*lines, "  compadd -- ${=found}", "}", "compdef _berth berth berth.py"])


def _cases(words: Dict[str, str], program: str, into: str) -> List[str]:
    return [f'    "{name}") {into}="{_listed(each, f"$({program} %s -o id 2>/dev/null)")}" ;;' for name, each in words.items()]


def _in_fish(of: List[Dict[str, str]], names: str) -> str:
    lines = ["function __berth_words", "  set -l given (commandline -opc)", f"  set -l found {names}"]
    for at, words in enumerate(of, 1):
        typed = " ".join(f"$given[{each + 1}]" for each in range(1, at + 1))
        cases = [f"      case '{name}'\n        set found {_listed(each, '($given[1] %s -o id 2>/dev/null)')}" for name, each in words.items()]
        lines += [f"  if test (count $given) -gt {at}", f'    switch "{typed}"', *cases, "    end", "  end"]
    lines += ["  printf '%s\\n' $found", "end"]
    return "\n".join([*lines, *(f"complete -c {program} -a '(__berth_words)'" for program in ("berth", "berth.py"))])


def _listed(words: str, command: str) -> str:
    """Puts the command that lists ids in place of each marked kind."""
    return re.sub("@([a-z]+)@", lambda found: command % found[1], words)


COMPLETIONS: Dict[str, Callable[[List[Dict[str, str]], str], str]] = {"bash": _in_bash, "zsh": _in_zsh, "fish": _in_fish}


#: What starts the program. Python compiles a module once, but a program each time.
STARTER = """#!/usr/bin/env python3
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib", "berth"))
import berth
sys.exit(berth.main())
"""


def install(args: argparse.Namespace) -> int:
    """Installs this program as berth, with completion and a man page."""
    prefix = os.path.abspath(os.path.expanduser(args.prefix))
    with open(os.path.abspath(__file__), encoding="utf-8") as this:
        program = this.read()
    files = {
        "lib/berth/berth.py": program,
        "bin/berth": STARTER,
        "share/man/man1/berth.1": man_page(),
        "share/bash-completion/completions/berth": completion_of("bash"),
        "share/zsh/site-functions/_berth": "#compdef berth\n" + completion_of("zsh") + '\n_berth "$@"',
        "share/fish/vendor_completions.d/berth.fish": completion_of("fish"),
    }
    for name, text in files.items():
        path = os.path.join(prefix, *name.split("/"))
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            # a shell that is starting it meanwhile reads the old one or the new one
            with open(path + ".new", "w", encoding="utf-8") as new:
                new.write(text.rstrip("\n") + "\n")
            os.chmod(path + ".new", 0o755 if name == "bin/berth" else 0o644)
            os.replace(path + ".new", path)
        except OSError as e:
            raise usage(f"{path} cannot be written: {e.strerror}. Choose a directory that is yours: berth install DIR") from e
    bin_dir = os.path.join(prefix, "bin")
    if bin_dir not in os.environ.get("PATH", "").split(os.pathsep):
        _print_error(f"{bin_dir} is not in your PATH. Put this into ~/.profile: export PATH={bin_dir}:$PATH")
    _print(os.path.join(bin_dir, "berth"))
    return DONE


def man_page() -> str:
    """Returns the man page: the help on all commands."""
    commands: Any = next(action for action in parser_of()._actions if action.dest == "command")  # pylint: disable=protected-access
    lines = [".TH BERTH 1", ".SH NAME", "berth \\- reserve PEs of compute clusters", ".SH SYNOPSIS", "berth COMMAND [options]", ".SH COMMANDS"]
    for name, made in commands.choices.items():
        lines += [f".SS {name}", ".nf", _roff(made.format_help()), ".fi"]
    lines += [".SH TIMES", ".nf", _roff(HELP_ON_TIMES), ".fi", ".SH EXIT STATUS", ".nf", _roff(EXIT_CODES), ".fi"]
    return "\n".join(lines)


def _roff(text: str) -> str:
    """Returns the text so that troff shows it as it is."""
    return re.sub(r"^([.'])", r"\\&\1", text.rstrip("\n").replace("\\", "\\e").replace("-", "\\-"), flags=re.MULTILINE)


def _accept_all_characters() -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _do(args: argparse.Namespace, words: List[str], begun: List[Command]) -> int:
    is_run = args.command == "run"
    if is_run != bool(words):
        raise usage("run needs a command: berth run --pes 32 --for 2h -- ./job.sh" if is_run else "Only run takes a command after '--'.")
    args.words = words
    if args.does in (login, completion, install, show_help, show_admin):
        return int(args.does(args))
    begun.append(Command(args))
    if getattr(args, "watch", None):
        begun[0].watch()
    return args.does(begun[0]) or DONE


def _joined(given: List[str]) -> List[str]:
    """Returns the arguments with a subcommand of two words joined into one; `series list` becomes `series`."""
    given = [ALIASES.get(given[0], given[0]), *given[1:]]
    names = {name: name for name in IN_TWO_WORDS if name.startswith(f"{given[0]} ")}
    name, at = given[0], 1
    while at < len(given) and any(each.startswith(f"{name} ") for each in names) and not given[at].startswith("-"):
        if given[at] == "list":
            return [name, *given[at + 1 :]]
        further, at = f"{name} {given[at]}", at + 1
        if further not in names:
            raise usage(f"There is no command '{further}'{_did_you_mean(further, names)} For help: berth help {name}")
        name = further
    return [name, *given[at:]]


def main(argv: Optional[List[str]] = None) -> int:
    """Runs the subcommand in the arguments, and returns the exit code. Raises nothing unless BERTH_DEBUG is set."""
    given = list(sys.argv[1:] if argv is None else argv)
    words: List[str] = []
    if "--" in given:
        at = given.index("--")
        given, words = given[:at], given[at + 1 :]
    begun: List[Command] = []
    try:
        _accept_all_characters()
        given = _joined(["version"] if given == ["--version"] else given or ["help"])
        return _do(parser_of(given[0] if given else None).parse_args(given), words, begun)
    except BerthError as e:
        return _report(e, given, begun)
    except Unread:
        return UNREAD
    except KeyboardInterrupt:
        if begun and begun[0].berth.in_doubt:
            _print_error(f"berth: {_how_to_find_out(begun[0].berth.in_doubt)}")
        return INTERRUPTED
    except SystemExit as e:
        return int(e.code or 0)
    except Exception as e:
        if os.environ.get("BERTH_DEBUG"):
            raise
        what = f"a response that this client cannot read ({type(e).__name__}: {e})"
        return _report(not_berth("The service", what), given, begun)
    finally:
        for command in begun:
            command.berth.close()


def _report(error: BerthError, given: List[str], begun: List[Command]) -> int:
    """Prints an error in the requested format, even if the arguments cannot be parsed, and returns its exit code."""
    if re.search(r"(?:^|\s)(?:-o\s*|--output[\s=])json(?:\s|$)", " ".join(given)):
        _print_error(json.dumps(error.problem, indent=2))
    else:
        _print_error(problem_text(error, begun[0].view, begun[0].args) if begun else problem_text(error))
    return error.exit_code


def _print_error(text: str) -> None:
    # print would use standard output instead of a closed standard error
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        pass


if __name__ == "__main__":
    EXIT_CODE = main()
    # all output is flushed already; without Python's own shutdown, a command takes a tenth less processor time
    os._exit(EXIT_CODE)  # pylint: disable=protected-access
