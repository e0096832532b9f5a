/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * Writes lines as comma-separated values. A text that would be a formula has an apostrophe before it.
 * @param {(string | number | null | undefined)[][]} lines
 */
export function csvOf(lines) {
  const written = (/** @type {string | number | null | undefined} */ value) => {
    const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value ?? "");
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return lines.map((line) => `${line.map(written).join(",")}\r\n`).join("");
}

/**
 * Lets the user keep a text as a file.
 * @param {string} name of the file
 * @param {string} text
 */
export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
