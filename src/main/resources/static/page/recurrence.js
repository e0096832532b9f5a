import { fromField, now, toField, zoneLabel, zoneName } from "./time.js";
import { Field, html, Pick, useForm } from "./ui.js";
import { zone } from "./url.js";

/** @type {[string, string][]} */
const DAYS = [["MO", "Monday"], ["TU", "Tuesday"], ["WE", "Wednesday"], ["TH", "Thursday"], ["FR", "Friday"], ["SA", "Saturday"], ["SU", "Sunday"]];
/** @type {[string, string][]} */
const NTH = [["1", "first"], ["2", "second"], ["3", "third"], ["4", "fourth"], ["-1", "last"]];
const WORKDAYS = "MO,TU,WE,TH,FR";
/** @type {[string, string][]} */
const EVERY = [["day", "every day"], ["workday", "Monday to Friday"], ["week", "on days of the week"], ["nth", "on a weekday of the month"], ["date", "on a day of the month"]];

const NTH_RULE = /^(-?\d)([A-Z]{2})$/;

/**
 * Returns a rule of RFC 5545 in words, such as "the first Tuesday of each month"; the rule itself if it is none that the page makes.
 * @param {string} rrule
 */
function ruleText(rrule) {
  const { FREQ, BYDAY, BYMONTHDAY, ...others } = Object.fromEntries(rrule.split(";").map((part) => part.split("=")));
  delete others.COUNT;
  delete others.UNTIL;
  const day = (/** @type {string} */ each) => DAYS.find(([value]) => value === each)?.[1];
  const [, nth, weekday] = BYDAY?.match(NTH_RULE) ?? [];
  if (Object.keys(others).length === 0 && !(BYDAY && BYMONTHDAY)) {
    if (FREQ === "DAILY" && !BYDAY && !BYMONTHDAY) {
      return "every day";
    }
    if (FREQ === "WEEKLY" && BYDAY && BYDAY.split(",").every(day)) {
      return BYDAY === WORKDAYS ? "Monday to Friday" : `every ${BYDAY.split(",").map(day).join(", ")}`;
    }
    if (FREQ === "MONTHLY" && nth && NTH.some(([value]) => value === nth)) {
      return `the ${NTH.find(([value]) => value === nth)?.[1]} ${day(weekday)} of each month`;
    }
    if (FREQ === "MONTHLY" && /^\d+$/.test(BYMONTHDAY ?? "")) {
      return `day ${BYMONTHDAY} of each month`;
    }
  }
  return rrule;
}

/**
 * Returns a recurrence in words, with its time of day.
 * @param {{rrule: string, dtstart: string, zone: string}} recurrence
 */
export function recurrenceText({ rrule, dtstart, zone: where }) {
  return `${ruleText(rrule)} at ${dtstart.slice(11, 16)} (${where})`;
}

/**
 * The days and the time of a recurrence, in fields.
 * @param {{every: string, at: string, count: string}} first
 */
export function useRecurrence({ every, at, count }) {
  const form = useForm({
    every, at, count, days: /** @type {string[]} */ (["TU"]), nth: "1", weekday: "TU", date: "1", from: "today", ends: "count", until: "",
  });
  return {
    form,
    /** Returns the recurrence for a request, or null if fields are wrong. */
    read() {
      const is = form.peek();
      // a day that is past would count as one of the times
      const start = [is.from.trim(), "today", "tomorrow"].map((day) => fromField(`${day} ${is.at.trim()}`, zone())).find((each) => !(each <= now())) ?? NaN;
      const last = fromField(`${is.until.trim()} 12:00`, zone());
      const isRight = form.check({
        days: is.every === "week" && is.days.length === 0 && "Choose at least one day.",
        date: is.every === "date" && !/^([1-9]|[12]\d|3[01])$/.test(is.date.trim()) && "A day from 1 to 31.",
        at: Number.isNaN(fromField(`today ${is.at.trim()}`, zone())) && "A time of day such as 8:00 or 10 pm.",
        from: Number.isNaN(fromField(`${is.from.trim()} 12:00`, zone())) && "A day such as today, Monday or 1 Dec.",
        count: is.ends === "count" && !/^[1-9]\d{0,3}$/.test(is.count.trim()) && "A whole number from 1 to 1000.",
        until: is.ends === "until" && Number.isNaN(last) && "A day such as 31 Mar.",
      });
      return isRight && !Number.isNaN(start) ? {
        recurrence: { rrule: ruleOf(is), dtstart: toField(start, zone()).replace(" ", "T"), zone: zoneName(zone()) },
        ...(is.ends === "count" ? { count: Number(is.count) } : { until: toField(last, zone()).slice(0, 10) }),
      } : null;
    },
  };
}

/** @param {any} is */
function ruleOf({ every, days, nth, weekday, date }) {
  switch (every) {
    case "day":
      return "FREQ=DAILY";
    case "workday":
      return `FREQ=WEEKLY;BYDAY=${WORKDAYS}`;
    case "week":
      return `FREQ=WEEKLY;BYDAY=${DAYS.map(([day]) => day).filter((day) => days.includes(day)).join(",")}`;
    case "nth":
      return `FREQ=MONTHLY;BYDAY=${nth}${weekday}`;
    default:
      return `FREQ=MONTHLY;BYMONTHDAY=${date.trim()}`;
  }
}

/**
 * The fields of a recurrence, which read as a sentence.
 * @param {{of: ReturnType<typeof useRecurrence>, error: (field: string) => string}} its error: of a field of the API
 */
export function Recurrence({ of: { form }, error }) {
  const is = form.values;
  const toggle = (/** @type {string} */ day) => form.set("days", is.days.includes(day) ? is.days.filter((each) => each !== day) : [...is.days, day]);
  const wrong = (/** @type {string} */ name, /** @type {string} */ field) => form.errors[name] || error(field);
  return html`
    <div class="fields">
      <${Field} label="Repeats" error=${error("recurrence.rrule") || error("recurrence")}><${Pick} options=${EVERY} form=${form} name="every" /><//>
      ${is.every === "week" && html`<div class=${form.errors.days ? "field wrong" : "field"}><span class="label">On</span>
        <div class="choices days" role="group" aria-label="On">${DAYS.map(([day, word]) => html`
          <button key=${day} type="button" aria-pressed=${String(is.days.includes(day))} onclick=${() => toggle(day)}>${word.slice(0, 3)}</button>`)}</div>
        <p class="field-says">${form.errors.days}</p></div>`}
      ${is.every === "nth" && html`
        <${Field} label="On the"><${Pick} options=${NTH} form=${form} name="nth" /><//>
        <${Field} label="Weekday"><${Pick} options=${DAYS} form=${form} name="weekday" /><//>`}
      ${is.every === "date" && html`<${Field} label="On day" error=${form.errors.date}><input inputmode="numeric" ...${form.of("date")} /><//>`}
      <${Field} label=${`At (${zoneLabel(zone())})`} error=${form.errors.at}><input autocomplete="off" ...${form.of("at")} /><//>
      <${Field} label="From" hint="A day, such as today, Monday or 1 Dec." error=${wrong("from", "recurrence.dtstart")}><input autocomplete="off" ...${form.of("from")} /><//>
      <${Field} label="Ends"><${Pick} options=${[["count", "after a number of times"], ["until", "on a day"]]} form=${form} name="ends" /><//>
      ${is.ends === "count"
        ? html`<${Field} label="Times" error=${wrong("count", "count")}><input inputmode="numeric" ...${form.of("count")} /><//>`
        : html`<${Field} label="Last day" hint="Such as 31 Mar." error=${wrong("until", "until")}><input autocomplete="off" ...${form.of("until")} /><//>`}
    </div>`;
}
