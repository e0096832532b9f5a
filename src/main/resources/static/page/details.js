/** The most answers to keep. */
const MOST = 500;

/** @type {WeakMap<import("./api.js").Api, Map<string, Promise<any>>>} */
const known = new WeakMap();

/**
 * Reads something, or returns it as it was read before.
 * @param {import("./api.js").Api} api
 * @param {string} path below /api/v1
 * @returns {Promise<any>} null if it cannot be read
 */
export function details(api, path) {
  const own = known.get(api) ?? new Map();
  known.set(api, own);
  if (!own.has(path)) {
    own.set(path, api.get(path).then(({ body }) => body, ({ status }) => {
      // what the account may not see, it may not see later either
      if (![403, 404].includes(status)) {
        own.delete(path);
      }
      return null;
    }));
    if (own.size > MOST) {
      own.delete(own.keys().next().value);
    }
  }
  return own.get(path);
}

/** Has something read again, because it has changed. @param {import("./api.js").Api} api @param {string} path */
export function changed(api, path) {
  known.get(api)?.delete(path);
}
