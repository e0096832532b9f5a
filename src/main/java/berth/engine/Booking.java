package berth.engine;

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
 * A command by which an account reserves more.
 *
 * @param owner the account
 * @param limits the account's limits over all clusters
 * @param command creates the command, once the remaining allowance is known
 * @param fallback what the account wants instead if there is no room
 * @param ifRefused what a refusal means
 */
public record Booking(
        AccountName owner,
        AccountLimits limits,
        Function<Allowance, Command> command,
        Optional<Fallback> fallback,
        IfRefused ifRefused) {

    /** The meaning of a refusal. */
    public enum IfRefused {
        /** The client is refused, which is counted. */
        THE_CLIENT_IS,
        /** Another slot or cluster is tried next, so nothing is counted. */
        OTHERS_ARE_TRIED
    }

    /** Creates a booking whose refusal goes to the client. */
    public Booking(
            AccountName owner,
            AccountLimits limits,
            Function<Allowance, Command> command,
            Optional<Fallback> fallback) {
        this(owner, limits, command, fallback, IfRefused.THE_CLIENT_IS);
    }

    /** Creates a booking without a fallback. */
    public Booking(AccountName owner, AccountLimits limits, Function<Allowance, Command> command) {
        this(owner, limits, command, Optional.empty());
    }

    /** Creates a booking that tries one of several slots or clusters for a request. */
    public static Booking attempt(AccountName owner, AccountLimits limits, Function<Allowance, Command> command) {
        return new Booking(owner, limits, command, Optional.empty(), IfRefused.OTHERS_ARE_TRIED);
    }

    /** Returns the same booking, whose request then reserves the place that was found or nothing; unchanged if no place was found. */
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

    /** Finds what an account wants instead. It may take long. */
    @FunctionalInterface
    public interface Fallback {

        /** Returns the other command, if one may be granted. */
        Optional<Function<Allowance, Command>> instead(ClusterSchedule schedule, long now);
    }
}
