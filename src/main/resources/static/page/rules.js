import { namesIn } from "./hostlist.js";
import { DURATION_WRONG, durationSeconds, formatDuration, isoDuration } from "./time.js";

/**
 * @typedef {"share" | "duration" | "count" | "number" | "amount" | "text" | "nodes" | "accounts" | "pairs" | "steps" | "conditions" | [value: string, text: string][]} Kind
 *   a list: the values that can be chosen, with their words
 * @typedef {{name: string, group: string, label: string, kind: Kind, standard: string, help: string, min: number, max: number, none: string}} Rule
 *   name: of the field in the API; standard: the default as the API writes it, or ""; none: what an empty field means
 */

/** What clients see of the bookings of others. @type {[value: string, text: string][]} */
export const VISIBILITIES = [
  ["PROBES", "only what they are offered"],
  ["MAP", "when runs would fit"],
  ["BUSY", "how much is booked, and when"],
  ["NAMES", "who has booked what"],
];

const SHORT = 1_000_000;
const ACCOUNT = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$/;
/** @type {[group: string, title: string, rules: [name: string, label: string, kind: Kind, standard: string, help: string, more?: {min?: number, max?: number, none?: string}][]][]} */
const GROUPS = [
  ["size", "Size and nodes", [
    ["pes", "Size", "count", "", "All that people can book. Fewer than now is like an outage for ever: try it first.", { min: 1, max: 10_000_000 }],
    ["unit", "People book", "text", "PE", "The word for one, such as GPU, core or node.", { none: "PE" }],
    ["peNames", "Names of the nodes", "nodes", "", "In Slurm's form and in order, such as hop[01-16].", { none: "no names" }],
    ["rating", "Speed", "number", "1", "Beside a standard machine: a run of 2 h takes 1 h at speed 2.", { min: 0.01, max: 1000 }],
    ["bulletin", "Bulletin", "text", "", "What people read before they book, such as a coming change.", { none: "none" }],
    ["labels", "What it offers", "pairs", "", "Names and values that requests can ask for, such as gpu=a100."],
    ["binding", "Nodes are chosen", [["LATE", "when a run starts"], ["EARLY", "when it is booked"]], "LATE", "Early, so that an owner knows them before; late, so that any free ones will do."],
  ]],
  ["access", "Who may see and book", [
    ["admission", "New bookings", [["OPEN", "open"], ["CLOSED", "closed"], ["RETIRED", "retired"]], "OPEN", "A closed cluster keeps its bookings and refuses new ones. Only one at rest can be retired; no list has it then."],
    ["policy.visibility", "Clients see of others", VISIBILITIES, "MAP", "Each choice includes those above it."],
    ["policy.projects", "Labels", [["ANY", "any word"], ["KNOWN", "only projects"]], "ANY", "With projects only, a typing error cannot book outside a budget."],
    ["policy.limits.reservableShare", "Can be booked at one time", "share", "1", "The rest stays for batch jobs.", { min: 0.000001, max: 1 }],
    ["policy.limits.advanceShare", "Can be booked ahead", "share", "1", "Of all runs, batch jobs included.", { max: 1 }],
    ["policy.enforcement", "An agent puts runs in place", [["NONE", "no"], ["REPORTED", "yes; Berth records it"], ["REQUIRED", "yes; otherwise a run fails"]], "NONE", "Such as the agent for Slurm. Needs nodes that are chosen early."],
    ["policy.approval.rules", "Must be approved", "conditions", "", "A booking to which one of these rules applies keeps its place, and waits until a person approves it."],
    ["policy.approval.approvers", "May approve", "accounts", "", "Accounts, such as alice, bob, beside the administrators.", { none: "only administrators" }],
    ["policy.approval.expires", "Approved within", "duration", "P2D", "Otherwise the booking expires; it does so at its start at the latest."],
    ["policy.approval.leadTime", "Time left for an answer", "duration", "PT1H", "A run that must be approved is put at least this far ahead, if its window allows it."],
  ]],
  ["moving", "Placing and moving", [
    ["policy.placement", "Among places that fit", [["FIRST_FIT", "the earliest"], ["PE_BEST_FIT", "with the fewest free"], ["PE_WORST_FIT", "with the most free"], ["DURATION_BEST_FIT", "in the shortest gap"], ["DURATION_WORST_FIT", "in the longest gap"], ["PE_DURATION_BEST_FIT", "in the smallest gap by size × time"], ["PE_DURATION_WORST_FIT", "in the largest gap by size × time"]], "FIRST_FIT", "Which one a run gets."],
    ["policy.juggling", "Others move for a new run", [["NEVER", "never"], ["LEAST_MOVES", "if it does not fit, as few as possible"], ["ON_CONFLICT", "if it does not fit, all are placed again"], ["ALWAYS", "always, all are placed again"]], "LEAST_MOVES", "Only runs that may move, inside their windows."],
    ["policy.maxMoves", "Moves for one request", "count", "64", "The most others that one request may move.", { min: 1, max: 1000 }],
    ["policy.maxMovesPerReservation", "Moves of one run", "count", "3", "How often each run may be moved for others.", { min: 1, max: SHORT }],
    ["policy.maxShift", "Moves by at most", "duration", "", "Earlier or later than agreed.", { none: "anywhere in the window" }],
    ["policy.moveRebate", "Back for each move", "share", "0", "Of the price of the run that was moved.", { max: 1 }],
    ["policy.notice", "Final before its start", "duration", "PT15M", "From then on a run is not moved."],
    ["policy.defaultSlack", "Slack if none is asked for", "duration", "", "For a run without a deadline; with none it stays where it is put.", { none: "no slack" }],
    ["policy.pullForward", "Move runs forward", [["false", "no"], ["true", "yes"]], "false", "When something becomes free earlier than planned."],
    ["policy.replanOrder", "Placed again in the order of", [["FIFO", "their booking"], ["EARLIEST_DEADLINE_FIRST", "the earliest deadline"], ["MISSING_DEADLINE_FIRST", "the least time left to the deadline"], ["LEAST_FLEXIBLE_FIRST", "the least slack"], ["BIGGEST_JOB_FIRST", "the most work"], ["SHUFFLE", "chance"]], "EARLIEST_DEADLINE_FIRST", "When waiting runs are placed again."],
    ["policy.reshaping", "A moved run changes its shape", [["ALWAYS", "if it then ends first"], ["WHERE_NEEDED", "only if its own does not fit"]], "ALWAYS", "Only runs that may have several shapes."],
  ]],
  ["times", "Times and limits", [
    ["policy.horizon", "Booked how far ahead", "duration", "P90D", "No run may end later than this from now."],
    ["policy.limits.leadTime", "Asked for at least before", "duration", "PT0S", "The least time between a request and its start."],
    ["policy.limits.maxDuration", "Longest run", "duration", "", "In the time of this cluster.", { none: "no limit" }],
    ["policy.limits.maxHold", "Longest hold", "duration", "PT15M", "How long a place may be kept without being confirmed."],
    ["policy.claimWithin", "Claimed within", "duration", "", "Of its start; otherwise the run is released.", { none: "nobody needs to claim" }],
    ["policy.alternativesMaxPhi", "Other places are offered within", "number", "1000", "Of the window, in run times, when nothing fits.", { max: 1000 }],
    ["policy.maxSlots", "Most offers for a request", "count", "20", "Spread over the window.", { min: 1, max: 200 }],
    ["policy.minSlotGap", "Offers lie apart by", "duration", "PT15M", "The least time between two of them."],
  ]],
  ["price", "Price", [
    ["tariff.pricePerPeHour", "Price per hour", "amount", "1.00", "Of one, before all discounts.", { max: 9_999_999 }],
    ["tariff.currency", "Currency", "text", "USD", "Three letters, such as EUR.", { none: "USD" }],
    ["tariff.cancellation.freeUntil", "Cancelling is free until", "duration", "PT0S", "How long before its start."],
    ["tariff.cancellation.share", "A later cancellation costs", "share", "0", "Of the price.", { max: 1 }],
    ["tariff.loadProfile", "Dearer when much is booked", "steps", "", "Such as 80 % = 1.5; 95 % = 2: the factor above each booked share.", { none: "the same price at any load" }],
    ["tariff.premiumFactor", "Premium accounts pay", "number", "3", "Times the standard price.", { min: 1, max: 1000 }],
    ["tariff.flexibilityDiscount", "Discount for slack", "share", "0.2", "What it comes near to as slack grows.", { max: 1 }],
    ["tariff.flexibilityScale", "Half of it for", "duration", "", "The slack that earns half of that discount.", { none: "as much as the run time" }],
    ["tariff.latenessDiscount", "Discount for a late start", "share", "0.2", "At most.", { max: 1 }],
    ["tariff.latenessScale", "All of it for", "number", "5", "The lateness that earns all of it, in run times.", { min: 0.01, max: 1000 }],
    ["tariff.preemptionIncentive", "Discount for several parts", "share", "0.1", "For a run that may be split.", { max: 1 }],
    ["tariff.shapeDiscount", "Discount for several shapes", "share", "0.1", "What it comes near to as their number grows.", { max: 1 }],
    ["tariff.renegotiationSurcharge", "Tighter terms cost", "share", "0.1", "More, when an owner changes a booking.", { max: 1000 }],
    ["tariff.returnShare", "Back for returned time", "share", "0", "Of its price, when a run gives some of it back.", { max: 1 }],
    ["tariff.breachCredit", "Credit for a broken promise", "share", "1", "Of the price; twice that for premium accounts.", { max: 1 }],
    ["tariff.function", "Formula", [["BERTH", "of Berth"], ["NETTO_BUYYA_2007", "Netto & Buyya 2007, for experiments"]], "BERTH", "How all of this becomes a price."],
  ]],
  ["jobs", "Batch jobs and collected requests (expert)", [
    ["policy.jobs", "Batch jobs come from", [["OPEN", "clients"], ["OUTSIDE", "an outside batch system"], ["CLOSED", "nobody"]], "OPEN", "Jobs fill what is not booked."],
    ["policy.limits.maxJobDuration", "Longest batch job", "duration", "P1D", "By its estimate."],
    ["policy.minAvailability", "Bookings may delay jobs down to", "share", "0.95", "The lowest availability at which a run is booked; at 0 %, any delay but that of the next job.", { max: 1 }],
    ["policy.availability", "Availability is measured by", [["WHAT_IF", "the plans of the queue with and without the run"], ["LOAD", "when the present work ends"]], "WHAT_IF", "The first is more exact, the second faster."],
    ["policy.makespanWeight", "Weight of the last job's end", "share", "0.5", "In that measure; the mean end of all jobs has the rest.", { max: 1 }],
    ["intake.order", "Requests are decided", [["ARRIVAL", "one by one, at once"], ["DPSAR", "in rounds, by priority and length"]], "ARRIVAL", "In rounds they are collected first."],
    ["intake.window", "A round collects for", "duration", "PT0S", "From its first request on."],
    ["intake.levels", "Levels of priority", "count", "10", "Accounts within half of them compete by length.", { min: 2, max: 10 }],
    ["intake.jobsPerUser", "Of one account in a round", "count", "3", "Before those of a lower priority.", { min: 1, max: 1000 }],
  ]],
];

/** @type {[string, string][]} */
export const TITLES = GROUPS.map(([group, title]) => [group, title]);

/** All rules of a cluster that can be changed. @type {Rule[]} */
export const RULES = GROUPS.flatMap(([group, , rules]) => rules.map(([name, label, kind, standard, help, more]) =>
  ({ name, group, label, kind, standard, help, min: 0, max: Infinity, none: "", ...more })));

/** What a rule for approval can ask of a run; all that it asks must hold. @type {{name: string, label: string, kind: Kind, min: number, max: number}[]} */
export const CONDITIONS = /** @type {[name: string, label: string, kind: Kind, max?: number][]} */ ([
  ["pesAbove", "has more PEs than", "count", 1_000_000_000],
  ["peHoursAbove", "has more PE-hours than", "count", 1_000_000_000],
  ["priceAbove", "costs more than", "amount", 1_000_000_000_000],
  ["durationAbove", "lasts longer than", "duration"],
  ["leadBelow", "begins sooner than", "duration"],
  ["serviceClass", "is for the class", [["STANDARD", "standard"], ["PREMIUM", "premium"]]],
]).map(([name, label, kind, max = Infinity]) => ({ name, label, kind, min: 0, max }));

/** The texts of the fields of a rule for approval, by the names of its conditions. @typedef {Record<string, string>} Conditions */

/** Returns the rules for approval in the text of their editor. @param {string} text @returns {Conditions[]} */
export function conditionsIn(text) {
  return text ? JSON.parse(text) : [];
}

/** Returns the text of the editor for rules for approval; "" without any. @param {Conditions[]} rules */
export function conditionsText(rules) {
  return rules.length > 0 ? JSON.stringify(rules) : "";
}

/** Returns the value of a rule in a cluster. @param {any} cluster @param {string} name */
function at(cluster, name) {
  return name.split(".").reduce((each, key) => each?.[key], cluster);
}

/** Returns the text of a duration without loss, such as "1 d 12 h". @param {string} duration */
function durationText(duration) {
  const text = formatDuration(duration);
  return durationSeconds(text) === durationSeconds(duration) ? text : duration;
}

/** Returns a share as percent. @param {number | string} share */
const percent = (share) => String(Number((Number(share) * 100).toPrecision(12)));

/**
 * Returns the text of a rule's value for its field, such as "15 min" or "50".
 * @param {{kind: Kind}} rule
 * @param {any} value as the API has it
 * @returns {string}
 */
export function textOf({ kind }, value) {
  if (value === null || value === undefined || value === "") {
    return "";
  }
  return kind === "share" ? percent(value)
    : kind === "duration" ? durationText(value)
    : kind === "accounts" ? value.join(", ")
    : kind === "conditions" ? conditionsText(value.map((/** @type {any} */ each) =>
      Object.fromEntries(CONDITIONS.filter(({ name }) => name in each).map((condition) => [condition.name, textOf(condition, each[condition.name])]))))
    : kind === "pairs" ? Object.entries(value).map(([key, each]) => `${key}=${each}`).join(", ")
    : kind === "steps" ? value.map((/** @type {any} */ each) => `${percent(each.above)} % = ${each.factor}`).join("; ")
    : String(value);
}

/**
 * Returns the text of the field of a rule of a cluster.
 * @param {Rule} rule
 * @param {any} cluster
 */
export function present(rule, cluster) {
  return textOf(rule, at(cluster, rule.name));
}

/** Returns whether the cluster has another value than the default. @param {Rule} rule @param {any} cluster */
export function isChanged(rule, cluster) {
  return rule.name !== "pes" && present(rule, cluster) !== textOf(rule, rule.standard);
}

/** Returns the default in words, or "". @param {Rule} rule */
export function standardOf(rule) {
  const { kind, standard, none } = rule;
  const text = Array.isArray(kind) ? kind.find(([value]) => value === standard)?.[1] : textOf(rule, standard);
  return text ? `${text}${kind === "share" ? "\u00a0%" : ""}` : none;
}

/** Returns a decimal number, with a point or a comma; NaN if it is none. @param {string} text */
function decimal(text) {
  return /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : NaN;
}

/**
 * Reads the field of a rule.
 * @param {{kind: Kind, min: number, max: number, name: string}} rule
 * @param {string} text
 * @param {any} [before] the present value, of which a merge patch removes what is left out
 * @returns {{value: any} | {error: string}} the value for a merge patch
 */
function read({ kind, min, max, name }, text, before) {
  if (text === "" && kind !== "pairs") {
    return name === "pes" ? { error: "Enter how many there are." } : { value: null };
  }
  const inside = (/** @type {number} */ number, /** @type {string} */ what, /** @type {number} */ scale) =>
    number >= min && number <= max ? null : `${what} from ${min * scale} to ${max * scale}.`;
  switch (kind) {
    case "share": {
      const share = Number((decimal(text.replace(/\s*%$/, "")) / 100).toPrecision(12));
      const error = inside(share, "A percentage", 100);
      return error ? { error } : { value: share };
    }
    case "duration": {
      const seconds = durationSeconds(text);
      return seconds >= 0 ? { value: isoDuration(seconds) } : { error: DURATION_WRONG };
    }
    case "count":
    case "number":
    case "amount": {
      const number = decimal(text);
      const error = kind === "count" && !Number.isInteger(number) ? `A whole number from ${min} to ${max}.` : inside(number, "A number", 1);
      return error ? { error } : { value: kind === "amount" ? text.replace(",", ".") : number };
    }
    case "nodes":
      return namesIn(text) ? { value: text.replace(/\s/g, "") } : { error: "Write a list such as hop[01-16] or a,b,c." };
    case "accounts": {
      const names = text.split(/[\s,]+/).filter(Boolean);
      const wrong = names.find((name) => !ACCOUNT.test(name));
      return wrong ? { error: `${wrong} is not the name of an account.` } : { value: names };
    }
    case "pairs": {
      const pairs = text.split(",").map((each) => each.split("=").map((word) => word.trim())).filter(([key, ...rest]) => key || rest.length > 0);
      return pairs.every((pair) => pair.length === 2 && pair[0] && pair[1])
        ? { value: { ...Object.fromEntries(Object.keys(before ?? {}).map((key) => [key, null])), ...Object.fromEntries(pairs) } }
        : { error: "Write names with values, such as gpu=a100, rack=3." };
    }
    case "steps": {
      const steps = text.split(/;|,\s+/).filter((each) => each.trim()).map((each) => each.match(/^\s*(\d+(?:[.,]\d+)?)\s*(%?)\s*(?:=|:|×|x)\s*(\d+(?:[.,]\d+)?)\s*$/));
      return steps.every(Boolean)
        ? { value: steps.map((step) => ({ above: Number((decimal(step?.[1] ?? "") / (step?.[2] || decimal(step?.[1] ?? "") > 1 ? 100 : 1)).toPrecision(12)), factor: decimal(step?.[3] ?? "") })) }
        : { error: "Write shares with factors, such as 80 % = 1.5; 95 % = 2." };
    }
    default:
      return { value: text === "true" || text === "false" ? text === "true" : text };
  }
}

/**
 * Reads the editor of rules for approval.
 * @param {string} text
 * @returns {{value: Record<string, any>[], errors: Record<string, string>}} errors: by the fields below the list, such as "[0].pesAbove"
 */
export function readConditions(text) {
  /** @type {Record<string, string>} */
  const errors = {};
  const value = conditionsIn(text).map((rule, at) => {
    const given = CONDITIONS.filter(({ name }) => rule[name]?.trim());
    if (given.length === 0) {
      errors[`[${at}].${Object.keys(rule)[0] ?? CONDITIONS[0].name}`] = "Enter what it asks, or remove the rule.";
    }
    return Object.fromEntries(given.map((condition) => {
      const found = read(condition, rule[condition.name].trim());
      if ("error" in found) {
        errors[`[${at}].${condition.name}`] = found.error;
        return [condition.name, null];
      }
      return [condition.name, found.value];
    }));
  });
  return { value, errors };
}

/**
 * Returns a merge patch of the edited fields, or the errors of all wrong ones.
 * @param {any} cluster
 * @param {Record<string, string>} edits the texts of edited fields, by the names of their rules
 */
export function patchOf(cluster, edits) {
  /** @type {Record<string, any>} */
  const patch = {};
  /** @type {Record<string, string>} */
  const errors = {};
  for (const rule of RULES.filter(({ name }) => name in edits)) {
    const found = rule.kind === "conditions" ? readConditions(edits[rule.name]) : read(rule, edits[rule.name].trim(), at(cluster, rule.name));
    if ("error" in found) {
      errors[rule.name] = found.error;
      continue;
    }
    if ("errors" in found) {
      Object.entries(/** @type {Record<string, string>} */ (found.errors)).forEach(([field, error]) => {
        errors[rule.name + field] = error;
      });
    }
    const keys = rule.name.split(".");
    const last = /** @type {string} */ (keys.pop());
    keys.reduce((each, key) => (each[key] ??= {}), patch)[last] = found.value;
  }
  return { patch, errors };
}
