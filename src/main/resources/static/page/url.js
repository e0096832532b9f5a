// @ts-check

/** Returns the view that the address names; empty: none. */
export function view() {
  return location.hash.replace(/^#\/?/, "").split("?")[0];
}

/** Returns what the address says besides the view. */
export function params() {
  return new URLSearchParams(location.hash.split("?")[1] ?? "");
}

/**
 * Returns the address of a view.
 * @param {string} name
 * @param {Record<string, string | string[] | null>} [says] null leaves a word out
 */
export function address(name, says = {}) {
  return `#/${name}${written(new URLSearchParams(), says)}`;
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
 * Goes to a view.
 * @param {string} name
 * @param {Record<string, string | string[] | null>} [says]
 */
export function go(name, says) {
  const zone = params().get("zone");
  location.hash = address(name, zone ? { zone, ...says } : says);
}

/**
 * Changes what the address says besides the view.
 * @param {Record<string, string | string[] | null>} says
 * @param {{replace?: boolean}} [how] replace: the way back does not stop here
 */
export function change(says, how = {}) {
  const next = `#/${view()}${written(params(), says)}`;
  if (next === location.hash) {
    return;
  }
  if (how.replace) {
    history.replaceState(null, "", next);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = next;
  }
}
