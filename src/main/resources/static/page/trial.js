import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** How long the input must stay the same, in milliseconds. */
const PAUSE = 150;

/**
 * Tries a change while the user writes it.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} run the dry run
 * @param {string | null} key what is tried; null: nothing
 * @returns {{result: T | null, problem: any}} of the present input; both null until there is a response
 */
export function useTrial(run, key) {
  const last = useSignal({ key: /** @type {string | null} */ (null), result: /** @type {T | null} */ (null), problem: /** @type {any} */ (null) });
  useEffect(() => {
    const own = new AbortController();
    const waiting = key === null ? 0 : setTimeout(async () => {
      const next = await run(own.signal).then((result) => ({ key, result, problem: null }), (problem) => ({ key, result: null, problem }));
      if (!own.signal.aborted) {
        last.value = next;
      }
    }, PAUSE);
    return () => {
      clearTimeout(waiting);
      own.abort();
    };
  }, [key]);
  return key !== null && last.value.key === key ? last.value : { result: null, problem: null };
}
