/**
 * Paper 003 (Netto and Buyya, on adaptive requests): a provider's earnings and clients' waiting times if requests can be molded and split
 * and the waiting queue is replanned for every newcomer.
 */
@NullMarked
package berth.lab.experiment.adaptive;

import org.jspecify.annotations.NullMarked;
