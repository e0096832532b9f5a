/** Returns the view that the address names, or "". */
export function view() {
  return location.hash.replace(/^#\/?/, "").split("?")[0];
}

/** Returns the parameters of the view in the address. */
export function params() {
  return new URLSearchParams(location.hash.split("?")[1] ?? "");
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
 */
export function go(name) {
  history.replaceState(null, "", address(name));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/**
 * Changes parameters of the view in the address.
 * @param {Record<string, string | string[] | null>} says
 * @param {{replace?: boolean}} [how] replace: adds nothing to the browser's history
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
