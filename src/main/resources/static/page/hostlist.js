/** The most nodes of a cluster that can have names. */
const MOST = 16_384;

/**
 * Returns the names in a list such as "hop[01-16],gpu1", or null if it cannot be read.
 * @param {string} list
 * @returns {string[] | null}
 */
export function namesIn(list) {
  const items = list.replace(/\s/g, "").match(/(?:[^,[\]]|\[[^[\]]*\])+/g) ?? [];
  if (items.join(",") !== list.replace(/\s/g, "")) {
    return null;
  }
  /** @type {string[]} */
  const names = [];
  for (const item of items) {
    let made = [""];
    for (const [, text, inside] of item.matchAll(/([^[\]]+)|\[([^\]]*)\]/g)) {
      const next = text === undefined ? numbersIn(inside) : [text];
      if (!next || made.length * next.length + names.length > MOST) {
        return null;
      }
      made = made.flatMap((each) => next.map((end) => each + end));
    }
    names.push(...made);
  }
  return names;
}

/** Returns the numbers in "01-03,7" as texts, or null. @param {string} text */
function numbersIn(text) {
  /** @type {string[]} */
  const all = [];
  for (const range of text.split(",")) {
    const [, first, last = first] = range.match(/^(\d{1,9})(?:-(\d{1,9}))?$/) ?? [];
    if (first === undefined || Number(last) < Number(first) || Number(last) - Number(first) >= MOST) {
      return null;
    }
    for (let i = Number(first); i <= Number(last); i++) {
      all.push(String(i).padStart(first.length, "0"));
    }
  }
  return all;
}

/**
 * Returns the numbers of the PEs of these nodes as the API writes them, such as "16-31", or null with a node that the cluster does not have.
 * @param {any} cluster
 * @param {string} list
 */
export function pesOf(cluster, list) {
  const [all, wanted] = [namesIn(cluster.peNames ?? ""), namesIn(list)];
  const at = wanted?.map((name) => all?.indexOf(name) ?? -1).sort((one, other) => one - other);
  if (!at || at.length === 0 || at[0] < 0) {
    return null;
  }
  /** @type {[first: number, last: number][]} */
  const ranges = [];
  for (const node of new Set(at)) {
    const last = ranges.at(-1);
    if (last && node === last[1] + 1) {
      last[1] = node;
    } else {
      ranges.push([node, node]);
    }
  }
  const size = cluster.granule ?? 1;
  return ranges.map(([first, last]) => [first * size, (last + 1) * size - 1])
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",");
}
