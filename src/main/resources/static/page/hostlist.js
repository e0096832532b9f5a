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

/**
 * Returns the short form of names in their order, such as "hop[01-03],gpu7".
 * @param {string[]} names
 */
export function folded(names) {
  /** @type {{before: string, after: string, ranges: [first: string, last: string][]}[]} */
  const groups = [];
  for (const name of names) {
    const [, before, number, after] = name.match(/^(.*?)(\d*)(\D*)$/) ?? ["", name, "", ""];
    const last = groups.at(-1);
    const range = last?.ranges.at(-1);
    if (last && range && number && last.before === before && last.after === after) {
      if (Number(number) === Number(range[1]) + 1 && (number.length === range[1].length || !number.startsWith("0"))) {
        range[1] = number;
      } else {
        last.ranges.push([number, number]);
      }
    } else {
      groups.push({ before, after, ranges: [[number, number]] });
    }
  }
  return groups.map(({ before, after, ranges }) => {
    const all = ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",");
    return before + (/^\d*$/.test(all) ? all : `[${all}]`) + after;
  }).join(",");
}

/** Returns the names of a cluster's nodes, in the order of their PEs; empty if they have none. @param {{peNames?: string}} cluster */
export function nodesOf({ peNames }) {
  return namesIn(peNames ?? "") ?? [];
}

/**
 * Returns PEs as their nodes' names, such as "hop[03-04]"; as their numbers if they have none.
 * @param {any} cluster
 * @param {string | null | undefined} peIds such as "0-31,40"
 */
export function named(cluster, peIds) {
  const names = nodesOf(cluster);
  if (!peIds || names.length === 0) {
    return peIds ?? "";
  }
  const granule = cluster.granule ?? 1;
  return folded(peIds.split(",").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return names.slice(Math.floor(first / granule), Math.floor(last / granule) + 1);
  }));
}
