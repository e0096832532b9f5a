/**
 * Paper 003 (Netto and Buyya, on adaptive requests): what a provider earns and clients wait where requests may be molded and
 * split, and where the waiting queue is placed anew with every newcomer.
 */
@NullMarked
package berth.experiment.adaptive;

import org.jspecify.annotations.NullMarked;
