package berth.desk;

import berth.scheduling.Allowance;
import berth.scheduling.Command;
import berth.sla.AccountLimits;
import java.util.function.Function;

/**
 * A command by which an account books more.
 *
 * @param owner the account's name
 * @param limits what it may have booked, over all clusters
 * @param command the command, once it is known how much that leaves
 */
public record Booking(String owner, AccountLimits limits, Function<Allowance, Command> command) {}
