/** Returns the view that the address names; empty: none. */
export function view() {
  return location.hash.replace(/^#\/?/, "").split("?")[0];
}

/** Returns what the address says besides the view. */
export function params() {
  return new URLSearchParams(location.hash.split("?")[1] ?? "");
}

/**
 * Returns the address of a view; the time zone is that of this one.
 * @param {string} name
 * @param {Record<string, string | string[] | null>} [says] null leaves a word out
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
 * Goes to another view in the place of this one: the way back does not stop here.
 * @param {string} name
 */
export function go(name) {
  history.replaceState(null, "", address(name));
  dispatchEvent(new HashChangeEvent("hashchange"));
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
