/**
 * Where requests come from: logs in the Standard Workload Format, and the recipes that turn their jobs into reservation
 * requests. Knows nothing of the service; times are whole seconds, counted as the log counts them.
 */
@NullMarked
package berth.workload;

import org.jspecify.annotations.NullMarked;
