/**
 * Experiments of papers, run on the core: what all of them need, a package below for each. An experiment is a recipe, a
 * generator of requests, and claims with rules that say when they count as reproduced.
 */
@NullMarked
package berth.experiment;

import org.jspecify.annotations.NullMarked;
