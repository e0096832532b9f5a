const number = new Intl.NumberFormat("en");
const COLOURS = 8;

/**
 * Returns a number of PEs in a cluster's word for one, such as "8 GPUs".
 * @param {number} pes
 * @param {string} [unit]
 */
export function counted(pes, unit = "PE") {
  return `${number.format(pes)} ${unit}${pes === 1 ? "" : "s"}`;
}

/** Returns the plural of a cluster's word for a PE as the name of a field, such as "Cores". @param {string} [unit] */
export function unitsTitle(unit = "PE") {
  return `${unit[0].toUpperCase()}${unit.slice(1)}s`;
}

/**
 * Returns the name of the colour of a project in style.css, which is the same in all views. Projects may share one.
 * @param {string | null | undefined} project
 */
export function colourOf(project) {
  let sum = 0;
  for (const letter of project ?? "") {
    sum = (31 * sum + (letter.codePointAt(0) ?? 0)) % 65_521;
  }
  return project ? `--project-${sum % COLOURS}` : "--ended";
}
