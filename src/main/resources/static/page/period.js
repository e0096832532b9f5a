import { DAY, HOUR } from "./time.js";

/** The periods of a report that have a name. @type {[name: string, text: string][]} */
export const PERIODS = [
  ["today", "Today"], ["week", "This week"], ["month", "This month"], ["last-month", "Last month"], ["quarter", "This quarter"],
];

/**
 * Returns the time range of a period that has a name. One that is not over yet ends now.
 * @param {string} name one of PERIODS; another one counts as "month"
 * @param {number} now
 * @param {import("./time.js").Zone} zone
 */
export function rangeOf(name, now, zone) {
  const date = new Date(now);
  const [year, month, day, weekday] = zone === "UTC"
    ? [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()]
    : [date.getFullYear(), date.getMonth(), date.getDate(), date.getDay()];
  const at = (/** @type {number} */ ofMonth, /** @type {number} */ ofDay) => zone === "UTC" ? Date.UTC(year, ofMonth, ofDay) : +new Date(year, ofMonth, ofDay);
  const from = name === "today" ? at(month, day)
    : name === "week" ? at(month, day - (weekday + 6) % 7)
    : name === "last-month" ? at(month - 1, 1)
    : name === "quarter" ? at(month - month % 3, 1)
    : at(month, 1);
  // a period that has only just begun has no figures yet
  return { from, to: name === "last-month" ? at(month, 1) : Math.max(now, from + HOUR) };
}

/**
 * Returns the steps, in seconds, in which a chart shows a period: hours, days, weeks or 30 days.
 * @param {number} from
 * @param {number} to
 */
export function stepOf(from, to) {
  const days = (to - from) / DAY;
  return (days <= 2 ? HOUR : days <= 93 ? DAY : days <= 731 ? 7 * DAY : 30 * DAY) / 1000;
}
