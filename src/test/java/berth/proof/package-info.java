/**
 * Checks whether the service told the truth: clients' requests and answers, the final state of the service, and the checker that compares
 * them. It knows neither HTTP nor a database, so it can check a simulation as well as real processes.
 */
@NullMarked
package berth.proof;

import org.jspecify.annotations.NullMarked;
