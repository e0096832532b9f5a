/** @typedef {"UTC" | "local"} Zone */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

// What a field says whose text is no such time.
export const MOMENT_WRONG = "Enter a day and a time, such as tomorrow 14:00, fri 9am, +2h or 27 Nov 14:00.";
export const DURATION_WRONG = "Write a duration with its unit, such as 2h, 90 min or 1h30. 1:30 could also mean a minute and a half.";
export const LEAD_WRONG = "Write a minute or more with its unit, such as 15 min or 1 h.";

let ahead = 0;
/** In a demo, the service's time may run faster. */
let pace = 1;
let since = 0;

/** Returns the service's time in milliseconds, estimated from its responses. */
export function now() {
  return since + ahead + (Date.now() - since) * pace;
}

/** Returns how many times as fast as the browser's clock the service's time runs. */
export function speed() {
  return pace;
}

/**
 * Corrects the browser's clock by a response, if it is off by 2 s or more.
 * @param {string | null} date of the response
 * @param {string | null} [fast] how many times as fast the service's time runs; null: as fast
 */
export function learn(date, fast = null) {
  const told = date ? Date.parse(date) : NaN;
  const next = Number(fast) || 1;
  if (next > 1 && next === pace && Math.abs(told - now()) < 2000 * pace) {
    // responses come too late to be exact
    return;
  }
  pace = next;
  since = Date.now();
  const off = told - since;
  ahead = Number.isNaN(off) || Math.abs(off) < 2000 ? 0 : off;
}

/**
 * Calls `work` whenever so long has passed on the service's clock, but not more often than every `least` on the browser's.
 * @param {() => void} work @param {number} span in milliseconds @param {number} least in milliseconds
 * @returns {() => void} ends it
 */
export function every(work, span, least) {
  let last = now();
  const timer = setInterval(() => {
    if (Math.abs(now() - last) >= span) {
      last = now();
      work();
    }
  }, least);
  return () => clearInterval(timer);
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * @param {Zone} zone
 * @param {string} key
 * @param {Intl.DateTimeFormatOptions} options
 */
function format(zone, key, options) {
  const name = `${zone} ${key}`;
  let found = formats.get(name);
  if (!found) {
    found = new Intl.DateTimeFormat("en-GB", { ...options, ...(zone === "UTC" ? { timeZone: "UTC" } : {}), hourCycle: "h23" });
    formats.set(name, found);
  }
  return found;
}

/**
 * Returns an instant with its zone, such as "Mon 23 Nov 14:05 UTC".
 * @param {number | string} moment
 * @param {Zone} zone
 */
export function formatInstant(moment, zone) {
  return `${formatBare(moment, zone)} ${zoneLabel(zone, moment)}`;
}

/**
 * Returns an instant without its zone, for tables that name it once.
 * @param {number | string} moment
 * @param {Zone} zone
 */
export function formatBare(moment, zone) {
  const date = new Date(moment);
  const year = date.getUTCFullYear() === new Date(now()).getUTCFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  return format(zone, `minute${year.year ?? ""}`, {
    weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", ...year,
  }).format(date).replaceAll(",", "");
}

/**
 * Returns the time of day.
 * @param {number | string} moment
 * @param {Zone} zone
 */
export function formatTime(moment, zone) {
  return format(zone, "time", { hour: "2-digit", minute: "2-digit" }).format(new Date(moment));
}

/**
 * Returns the day.
 * @param {number | string} moment
 * @param {Zone} zone
 */
export function formatDay(moment, zone) {
  return format(zone, "day", { weekday: "short", day: "numeric", month: "short" }).format(new Date(moment)).replaceAll(",", "");
}

/**
 * Returns the month with its year, such as "Nov 2026".
 * @param {number | string} moment
 * @param {Zone} zone
 */
export function formatMonth(moment, zone) {
  return format(zone, "month", { month: "short", year: "numeric" }).format(new Date(moment));
}

/**
 * Returns a day of the API, such as "Tue 1 Dec 2026". It is the same in every zone.
 * @param {string} day
 */
export function formatDate(day) {
  return format("UTC", "date", { weekday: "short", day: "numeric", month: "short", year: "numeric" }).format(new Date(day)).replaceAll(",", "");
}

/**
 * Returns an interval.
 * @param {number | string} start
 * @param {number | string} end
 * @param {Zone} zone
 */
export function formatRange(start, end, zone) {
  const last = formatDay(start, zone) === formatDay(end, zone) ? formatTime(end, zone) : formatBare(end, zone);
  return `${formatBare(start, zone)} – ${last} ${zoneLabel(zone, end)}`;
}

/**
 * Returns the start of the day of an instant.
 * @param {number} moment
 * @param {Zone} zone
 */
export function startOfDay(moment, zone) {
  const date = new Date(moment);
  return zone === "UTC" ? date.setUTCHours(0, 0, 0, 0) : date.setHours(0, 0, 0, 0);
}

/**
 * Returns the name of a zone at an instant.
 * @param {Zone} zone
 * @param {number | string} [moment]
 */
export function zoneLabel(zone, moment = now()) {
  const parts = format(zone, "zone", { timeZoneName: "short" }).formatToParts(new Date(moment));
  return parts.find((part) => part.type === "timeZoneName")?.value ?? zone;
}

/** Returns the name of a zone in the IANA database. @param {Zone} zone */
export function zoneName(zone) {
  return zone === "UTC" ? "UTC" : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Returns an instant as the text of a field.
 * @param {number} moment
 * @param {Zone} zone
 */
export function toField(moment, zone) {
  const shown = zone === "UTC" ? moment : moment - new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(shown).toISOString().slice(0, 16).replace("T", " ");
}

const WHEN = new RegExp(
  "^(?<day>.*?)(?:(?:^|(?: |^)at |,? )(?<clock>noon|midnight|(?<hour>\\d{1,2})"
  + "(?::(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:\\.\\d{1,6}\\d*)?)?(?: ?(?<half>[ap])m)?| ?(?<halfOfHour>[ap])m)))?"
  + "(?<offset> ?(?:z|utc)|[+-]\\d\\d:?\\d\\d)?$",
);
const DATES = [
  /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)$/,
  /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{4})?$/,
  /^(?:(?<weekday>[a-z]{3,}),? )?(?<d>\d{1,2})\.? (?<m>[a-z]{3,})(?: (?<y>\d{4}))?$/,
  /^(?<m>[a-z]{3,}) (?<d>\d{1,2})(?:,? (?<y>\d{4}))?$/,
];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS = [
  "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
];

/** Returns the position of a name that may be shortened to three letters, or -1. @param {string} text @param {string[]} names */
function named(text, names) {
  return text.length < 3 ? -1 : names.findIndex((name) => name.startsWith(text));
}

/**
 * Returns a day as its midnight in UTC, or NaN. Without a year it is the nearest such day.
 * @param {string} text
 * @param {number} today
 */
function dateOf(text, today) {
  const near = ["yesterday", "today", "tomorrow"].indexOf(text);
  if (near >= 0) {
    return today + (near - 1) * DAY;
  }
  const weekday = named(text.replace(/^next /, ""), WEEKDAYS);
  if (weekday >= 0) {
    return today + ((weekday - new Date(today).getUTCDay() + 6) % 7 + 1) * DAY;
  }
  const parts = DATES.map((form) => text.match(form)?.groups).find(Boolean);
  if (!parts) {
    return NaN;
  }
  const month = Number.isNaN(Number(parts.m)) ? named(parts.m, MONTHS) : Number(parts.m) - 1;
  const year = new Date(today).getUTCFullYear();
  const days = (parts.y ? [Number(parts.y)] : [year - 1, year, year + 1])
    .map((each) => new Date(Date.UTC(each, month, Number(parts.d))))
    .filter((each) => each.getUTCMonth() === month && each.getUTCDate() === Number(parts.d));
  days.sort((one, other) => Math.abs(+one - today) - Math.abs(+other - today));
  const [day] = days;
  return day && (!parts.weekday || day.getUTCDay() === named(parts.weekday, WEEKDAYS)) ? +day : NaN;
}

/**
 * Returns the instant of a text, as berth.py reads it: "tomorrow 14:00", "fri 9am", "noon", "+2h", "27 Nov 14:00" or "2027-01-31T14:00Z".
 * NaN if it is none.
 * @param {string} text
 * @param {Zone} zone
 * @param {boolean} [isEnd] whether a day without a time of day means its end
 * @param {number} [at] the present moment
 */
export function fromField(text, zone, isEnd = false, at = now()) {
  const plain = text.trim().toLowerCase().replace(/\s+/g, " ").replace(/(\d)t(\d)/, "$1 $2");
  const later = plain.match(/^(?:now ?)?([+-]) ?(.+)$|^in (.+)$|^(.+) ago$/);
  if (plain === "now") {
    return at;
  }
  if (later) {
    return at + (later[1] === "-" || later[4] ? -1000 : 1000) * durationSeconds(later[2] ?? later[3] ?? later[4]);
  }
  const found = plain.match(WHEN)?.groups;
  const half = found?.half ?? found?.halfOfHour;
  let hour = Number(found?.hour ?? (found?.clock === "noon" ? 12 : 0));
  const [minute, second] = [Number(found?.minute ?? 0), Number(found?.second ?? 0)];
  if (!found || !(found.day || found.clock) || (found.offset && !/\d/.test(found.day)) || minute > 59 || second > 59
    || (half ? hour < 1 || hour > 12 : hour > 23) || (found.day && found.clock === "midnight")) {
    return NaN;
  }
  hour = half ? hour % 12 + (half === "p" ? 12 : 0) : hour;
  const local = new Date(at);
  const today = zone === "UTC" ? Math.floor(at / DAY) * DAY : Date.UTC(local.getFullYear(), local.getMonth(), local.getDate());
  const moment = (/** @type {number} */ day) => {
    const wall = new Date(day);
    const clock = /** @type {const} */ ([wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), hour, minute, second]);
    return zone === "UTC" || found.offset ? Date.UTC(...clock) : +new Date(...clock);
  };
  if (!found.day) {
    return moment(today) >= at ? moment(today) : moment(today + DAY);
  }
  const offset = found.offset?.match(/([+-])(\d\d):?(\d\d)/);
  const ahead = offset ? Number(`${offset[1]}1`) * (Number(offset[2]) * HOUR + Number(offset[3]) * 60_000) : 0;
  return moment(dateOf(found.day, today) + (found.clock || !isEnd ? 0 : DAY)) - ahead;
}

/**
 * Returns an instant as the API writes it.
 * @param {number} moment
 */
export function iso(moment) {
  return `${new Date(Math.round(moment / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

const SPANS = [
  new RegExp(`^${["w(?:ks?|eeks?)?", "d(?:ays?)?", "h(?:rs?|ours?)?", "m(?:ins?|inutes?)?", "s(?:ecs?|econds?)?"]
    .map((unit) => `(?:(\\d+(?:[.,]\\d+)?)\\s*${unit})?`).join("\\s*")}$`),
  /^p(?:(\d+)w)?(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?)?$/,
  /^()(?:(\d+)-)?(\d{1,3}):([0-5]\d):([0-5]\d)$/,
];

/**
 * Returns the seconds in a duration, as berth.py reads it: "90 min", "2h30", "1d12h", "1w", "PT2H" or "12:00:00". NaN if it is none,
 * or if it is ambiguous, as "1:30" and "90" are.
 * @param {string} text
 */
export function durationSeconds(text) {
  const plain = text.trim().toLowerCase().replace(/(\d\s*h)\s*([0-5]\d)$/, "$1$2m");
  for (const form of SPANS) {
    const parts = plain.match(form)?.slice(1);
    if (parts?.some(Boolean)) {
      const [weeks, days, hours, minutes, seconds] = parts.map((part) => Number((part || "0").replace(",", ".")));
      // no parts of a second that only come from decimal fractions of larger units
      return Math.round((weeks * 604_800 + days * 86_400 + hours * 3600 + minutes * 60 + seconds) * 1e6) / 1e6;
    }
  }
  return NaN;
}

/**
 * Returns a duration as the API writes it, rounded up to whole seconds.
 * @param {number} seconds
 */
export function isoDuration(seconds) {
  return `PT${Math.ceil(seconds)}S`;
}

/**
 * Returns a duration for people, such as "2 h 30 min".
 * @param {string | number} duration as the API writes it, or in seconds
 */
export function formatDuration(duration) {
  let rest = typeof duration === "number" ? Math.round(duration) : durationSeconds(duration);
  /** @type {[string, number][]} */
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const words = [];
  for (const [unit, length] of units) {
    const number = Math.floor(rest / length);
    rest -= number * length;
    if (number > 0) {
      words.push(`${number} ${unit}`);
    }
  }
  return words.slice(0, 2).join(" ") || "0 min";
}
