/** @typedef {"UTC" | "local"} Zone */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

let ahead = 0;

/** Returns the service's time in milliseconds, estimated from its responses. */
export function now() {
  return Date.now() + ahead;
}

/**
 * Corrects the browser's clock by a response, if it is off by 2 s or more.
 * @param {string | null} date of the response
 */
export function learn(date) {
  const told = date ? Date.parse(date) : NaN;
  const off = told - Date.now();
  ahead = Number.isNaN(off) || Math.abs(off) < 2000 ? 0 : off;
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
 * Returns the name of a zone at an instant.
 * @param {Zone} zone
 * @param {number | string} [moment]
 */
export function zoneLabel(zone, moment = now()) {
  const parts = format(zone, "zone", { timeZoneName: "short" }).formatToParts(new Date(moment));
  return parts.find((part) => part.type === "timeZoneName")?.value ?? zone;
}

/**
 * Returns an instant as the value of a datetime-local field.
 * @param {number} moment
 * @param {Zone} zone
 */
export function toField(moment, zone) {
  const shown = zone === "UTC" ? moment : moment - new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(shown).toISOString().slice(0, 16);
}

/**
 * Returns the instant in a datetime-local field, or NaN.
 * @param {string} text
 * @param {Zone} zone
 */
export function fromField(text, zone) {
  return Date.parse(zone === "UTC" ? `${text}Z` : text);
}

/**
 * Returns an instant as the API writes it.
 * @param {number} moment
 */
export function iso(moment) {
  return `${new Date(Math.round(moment / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const WORDS = /^\s*(?:(\d+(?:[.,]\d+)?)\s*d[a-z]*)?\s*(?:(\d+(?:[.,]\d+)?)\s*h[a-z]*)?\s*(?:(\d+(?:[.,]\d+)?)\s*m[a-z]*)?\s*(?:(\d+)\s*s[a-z]*)?\s*$/i;

/**
 * Returns the seconds in a duration: "PT2H", "2h 30m", "90" for minutes or "1:30". NaN if it is none of these.
 * @param {string} text
 */
export function durationSeconds(text) {
  const clock = text.match(/^\s*(\d+):([0-5]\d)\s*$/);
  if (clock) {
    return Number(clock[1]) * 3600 + Number(clock[2]) * 60;
  }
  if (/^\s*\d+\s*$/.test(text)) {
    return Number(text) * 60;
  }
  const parts = text.trim().match(DURATION) ?? (text.trim() ? text.match(WORDS) : null);
  if (!parts || parts.slice(1).every((part) => part === undefined)) {
    return NaN;
  }
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number((part ?? "0").replace(",", ".")));
  return Math.round(days * 86400 + hours * 3600 + minutes * 60 + seconds);
}

/**
 * Returns a duration as the API writes it.
 * @param {number} seconds
 */
export function isoDuration(seconds) {
  return `PT${Math.round(seconds)}S`;
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
