/**
 * Experiments of papers, run on the core: what all of them need, with a subpackage for each paper. An experiment is a recipe, a generator
 * of requests, and claims with rules that define when they count as reproduced.
 */
@NullMarked
package berth.lab.experiment;

import org.jspecify.annotations.NullMarked;
