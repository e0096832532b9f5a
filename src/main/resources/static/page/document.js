const live = document.createElement("div");
live.className = "unseen";
live.setAttribute("role", "status");
live.setAttribute("aria-live", "polite");

/** Returns the element whose text screen readers announce. */
export function liveRegion() {
  return live;
}

/**
 * Announces a change to users of screen readers.
 * @param {string} text
 */
export function announce(text) {
  live.textContent = text;
}

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/** Loads a script of this service that is not a module, once. @param {string} source */
export function loadScript(source) {
  return loaded(source, () => Object.assign(document.createElement("script"), { src: source }));
}

/** Loads a style sheet of this service, once. @param {string} source */
function loadStyle(source) {
  return loaded(source, () => Object.assign(document.createElement("link"), { rel: "stylesheet", href: source }));
}

/** Loads uPlot, which draws charts. */
export async function loadPlot() {
  await Promise.all([loadStyle("page/lib/uPlot-1.6.32.css"), loadScript("page/lib/uPlot-1.6.32.min.js")]);
  return /** @type {any} */ (window).uPlot;
}

/** @param {string} source @param {() => HTMLElement} make @returns {Promise<void>} */
function loaded(source, make) {
  let known = loading.get(source);
  if (!known) {
    known = new Promise((resolve, reject) => {
      const element = make();
      element.addEventListener("load", () => resolve());
      element.addEventListener("error", (why) => {
        // so that it can be tried again
        loading.delete(source);
        element.remove();
        reject(why);
      });
      document.head.append(element);
    });
    loading.set(source, known);
  }
  return known;
}
