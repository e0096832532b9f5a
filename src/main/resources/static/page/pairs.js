/**
 * Writes pairs as text, such as "gpu=a100, rack=3".
 * @param {[string, unknown][]} pairs
 */
export function written(pairs) {
  return pairs.map(([key, value]) => `${key}=${value}`).join(", ");
}

/**
 * Reads pairs, or returns null if the text has another form.
 * @param {string} text
 * @returns {[string, string][] | null}
 */
export function read(text) {
  const pairs = text.split(",").map((each) => each.trim()).filter(Boolean)
    .map((each) => each.split("=").map((word) => word.trim()));
  return pairs.every((pair) => pair.length === 2 && pair[0] && pair[1]) ? /** @type {[string, string][]} */ (pairs) : null;
}

/**
 * Returns the merge patch that gives an object exactly these pairs.
 * @param {Record<string, unknown> | null | undefined} before
 * @param {[string, unknown][]} pairs
 */
export function patchTo(before, pairs) {
  const gone = Object.keys(before ?? {}).map((key) => [key, null]);
  return { ...Object.fromEntries(gone), ...Object.fromEntries(pairs) };
}
