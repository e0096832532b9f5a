/**
 * @typedef {{
 *   id: string | null, kind: string, state: string | null, owner: string | null, project: string | null,
 *   start: number, end: number, pes: number, peIds: string | null, nodes?: string, users?: string[],
 * }} Bar times in milliseconds
 * @typedef {{
 *   size: number, start: Float64Array, end: Float64Array, latest: Float64Array,
 *   top: Int32Array, height: Int32Array, bar: Int32Array,
 * }} Stripes sorted by start; latest: the latest end of all stripes up to this one
 */

/**
 * Lays bars out on the PEs of a cluster. Bars with PE numbers lie on those PEs. Other bars take the lowest PEs that are free while they
 * last, outages the highest, in several stripes if these are not adjacent. O(n log n) for n bars, plus the stripes.
 * @param {Bar[]} bars
 * @param {number} pes
 * @returns {Stripes}
 */
export function layOut(bars, pes) {
  const order = Array.from(bars.keys()).sort((a, b) => bars[a].start - bars[b].start || a - b);
  const ends = heap();
  /** @type {[number, number][]} ranges of free PEs, by number, each without its end */
  let free = [[0, pes]];
  /** @type {{bar: number, top: number, height: number}[]} */
  const stripes = [];
  for (const index of order) {
    const bar = bars[index];
    for (let over = ends.until(bar.start); over; over = ends.until(bar.start)) {
      free = giveBack(free, over);
    }
    const ranges = bar.peIds === null ? take(free, Math.min(bar.pes, pes), bar.kind === "OUTAGE") : numbered(bar.peIds, pes);
    free = without(free, ranges);
    ends.add(bar.end, ranges);
    for (const [from, to] of ranges) {
      stripes.push({ bar: index, top: from, height: to - from });
    }
  }
  const size = stripes.length;
  const all = {
    size,
    start: new Float64Array(size),
    end: new Float64Array(size),
    latest: new Float64Array(size),
    top: new Int32Array(size),
    height: new Int32Array(size),
    bar: new Int32Array(size),
  };
  stripes.forEach((stripe, i) => {
    all.start[i] = bars[stripe.bar].start;
    all.end[i] = bars[stripe.bar].end;
    all.latest[i] = Math.max(all.end[i], i > 0 ? all.latest[i - 1] : -Infinity);
    all.top[i] = stripe.top;
    all.height[i] = stripe.height;
    all.bar[i] = stripe.bar;
  });
  return all;
}

/**
 * Returns the range of stripes that may be visible between two instants, the end exclusive. O(log n).
 * @param {Stripes} stripes
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]}
 */
export function visible(stripes, from, to) {
  return [first(stripes.size, (i) => stripes.latest[i] > from), first(stripes.size, (i) => stripes.start[i] >= to)];
}

/** @param {number} size @param {(i: number) => boolean} holds true from some index on */
function first(size, holds) {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** @param {string} peIds such as "0-31,40" @param {number} pes @returns {[number, number][]} */
function numbered(peIds, pes) {
  return peIds.split(",").map((range) => {
    const [from, to] = range.split("-").map(Number);
    return /** @type {[number, number]} */ ([Math.min(from, pes - 1), Math.min((to ?? from) + 1, pes)]);
  });
}

/** @param {[number, number][]} free @param {number} pes @param {boolean} isFromTop @returns {[number, number][]} */
function take(free, pes, isFromTop) {
  /** @type {[number, number][]} */
  const taken = [];
  let left = pes;
  for (const [from, to] of isFromTop ? [...free].reverse() : free) {
    if (left === 0) {
      break;
    }
    const some = Math.min(left, to - from);
    taken.push(isFromTop ? [to - some, to] : [from, from + some]);
    left -= some;
  }
  return taken;
}

/** @param {[number, number][]} free @param {[number, number][]} taken @returns {[number, number][]} */
function without(free, taken) {
  let rest = free;
  for (const [from, to] of taken) {
    /** @type {[number, number][]} */
    const next = [];
    for (const range of rest) {
      if (range[1] <= from || range[0] >= to) {
        next.push(range);
        continue;
      }
      if (range[0] < from) {
        next.push([range[0], from]);
      }
      if (range[1] > to) {
        next.push([to, range[1]]);
      }
    }
    rest = next;
  }
  return rest;
}

/** @param {[number, number][]} free @param {[number, number][]} back @returns {[number, number][]} */
function giveBack(free, back) {
  const all = [...free, ...back].sort((a, b) => a[0] - b[0]);
  /** @type {[number, number][]} */
  const joined = [];
  for (const [from, to] of all) {
    const last = joined.at(-1);
    if (last && last[1] >= from) {
      last[1] = Math.max(last[1], to);
    } else {
      joined.push([from, to]);
    }
  }
  return joined;
}

/** Makes a queue of ranges by their ends, the earliest first. */
function heap() {
  /** @type {{at: number, ranges: [number, number][]}[]} */
  const items = [];
  const less = (/** @type {number} */ a, /** @type {number} */ b) => items[a].at < items[b].at;
  const swap = (/** @type {number} */ a, /** @type {number} */ b) => {
    [items[a], items[b]] = [items[b], items[a]];
  };
  return {
    /** @param {number} at @param {[number, number][]} ranges */
    add(at, ranges) {
      items.push({ at, ranges });
      for (let i = items.length - 1; i > 0 && less(i, (i - 1) >> 1); i = (i - 1) >> 1) {
        swap(i, (i - 1) >> 1);
      }
    },
    /** Removes the earliest, if it ends by this instant. @param {number} moment */
    until(moment) {
      if (items.length === 0 || items[0].at > moment) {
        return null;
      }
      const { ranges } = items[0];
      const last = /** @type {typeof items[0]} */ (items.pop());
      if (items.length > 0) {
        items[0] = last;
        for (let i = 0, child = 1; child < items.length; child = 2 * i + 1) {
          const least = child + 1 < items.length && less(child + 1, child) ? child + 1 : child;
          if (!less(least, i)) {
            break;
          }
          swap(least, i);
          i = least;
        }
      }
      return ranges;
    },
  };
}
