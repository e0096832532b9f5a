package berth.desk;

import berth.scheduling.Allowance;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Reserve;
import berth.scheduling.ReserveAt;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Part;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A command by which an account books more.
 *
 * @param owner the account
 * @param limits what it may have booked, over all clusters
 * @param command the command, once it is known how much that leaves
 * @param fallback what the account wants where there is no room for that
 * @param ifRefused what that means
 */
public record Booking(
        AccountName owner,
        AccountLimits limits,
        Function<Allowance, Command> command,
        Optional<Fallback> fallback,
        IfRefused ifRefused) {

    /** What it means if it is refused. */
    public enum IfRefused {
        /** A client was refused, which is counted. */
        THE_CLIENT_IS,
        /** Another slot or cluster is tried: that is nobody's refusal yet. */
        OTHERS_ARE_TRIED
    }

    /** What its client hears. */
    public Booking(
            AccountName owner,
            AccountLimits limits,
            Function<Allowance, Command> command,
            Optional<Fallback> fallback) {
        this(owner, limits, command, fallback, IfRefused.THE_CLIENT_IS);
    }

    /** That, or nothing. */
    public Booking(AccountName owner, AccountLimits limits, Function<Allowance, Command> command) {
        this(owner, limits, command, Optional.empty());
    }

    /** One of several slots or clusters that are tried for a request. */
    public static Booking attempt(AccountName owner, AccountLimits limits, Function<Allowance, Command> command) {
        return new Booking(owner, limits, command, Optional.empty(), IfRefused.OTHERS_ARE_TRIED);
    }

    /** The same, where it is a request for which a place was found, at that place or nowhere. */
    Booking at(Optional<List<Part>> found) {
        return found.map(parts -> new Booking(
                        owner,
                        limits,
                        allowance -> command.apply(allowance) instanceof Reserve request
                                ? new ReserveAt(request, parts)
                                : command.apply(allowance),
                        fallback,
                        ifRefused))
                .orElse(this);
    }

    /** What an account wants instead. It may take long to find. */
    @FunctionalInterface
    public interface Fallback {

        /** The other command, if there is one that may be granted. */
        Optional<Function<Allowance, Command>> instead(ClusterSchedule schedule, long now);
    }
}
