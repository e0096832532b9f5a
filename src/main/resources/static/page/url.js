import { signal } from "@preact/signals";

/** The view and the parameters that the address names. What reads it, and shows something, is shown again when they change. */
const place = signal(read());

addEventListener("hashchange", sync);

/** Reads the address again, after a change without an event. */
export function sync() {
  place.value = read();
}

function read() {
  const [view, params] = location.hash.replace(/^#\/?/, "").split("?");
  return { view, params: new URLSearchParams(params ?? "") };
}

/** Returns the view that the address names, or "". */
export function view() {
  return place.value.view;
}

/** Returns the parameters of the view in the address. */
export function params() {
  return place.value.params;
}

/** Returns the zone in which times are shown. @returns {import("./time.js").Zone} */
export function zone() {
  return params().get("zone") === "UTC" ? "UTC" : "local";
}

/**
 * Returns the address of a view, with the present time zone.
 * @param {string} name
 * @param {Record<string, string | string[] | null>} [says] null leaves a parameter out
 */
export function address(name, says = {}) {
  return `#/${name}${written(new URLSearchParams(), { zone: params().get("zone"), ...says })}`;
}

/**
 * @param {URLSearchParams} all
 * @param {Record<string, string | string[] | null>} says
 */
function written(all, says) {
  for (const [key, value] of Object.entries(says)) {
    all.delete(key);
    for (const each of value === null ? [] : [value].flat()) {
      all.append(key, each);
    }
  }
  const text = all.toString();
  return text ? `?${text}` : "";
}

/**
 * Replaces this view by another one, also in the browser's history.
 * @param {string} name
 * @param {Record<string, string | string[] | null>} [says]
 */
export function go(name, says) {
  replaceBy(address(name, says));
}

/**
 * Changes parameters of the view in the address.
 * @param {Record<string, string | string[] | null>} says
 * @param {{replace?: boolean}} [how] replace: adds nothing to the browser's history
 */
export function change(says, how = {}) {
  const next = `#/${view()}${written(new URLSearchParams(params()), says)}`;
  if (next === location.hash) {
    return;
  }
  if (how.replace) {
    replaceBy(next);
  } else {
    location.hash = next;
  }
}

/** @param {string} next */
function replaceBy(next) {
  history.replaceState(null, "", next);
  sync();
}
