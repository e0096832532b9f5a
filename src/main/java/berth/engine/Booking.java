package berth.engine;

import berth.scheduling.Basis;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.WaitForRoom;
import berth.scheduling.places.AcceptableAlternatives;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Leeway;
import java.util.Optional;

/**
 * A command by which an account reserves more.
 *
 * @param owner the account
 * @param limits the account's limits over all clusters
 * @param fallback what the account accepts if there is no room
 * @param ifRefused what a refusal means
 */
public record Booking(
        AccountName owner, AccountLimits limits, Command command, Optional<Fallback> fallback, IfRefused ifRefused) {

    /** The meaning of a refusal. */
    public enum IfRefused {
        /** The client is refused, which is counted. */
        THE_CLIENT_IS,
        /** Another slot or cluster is tried next, so nothing is counted. */
        OTHERS_ARE_TRIED
    }

    /** Creates a booking whose refusal goes to the client. */
    public Booking(AccountName owner, AccountLimits limits, Command command) {
        this(owner, limits, command, Optional.empty(), IfRefused.THE_CLIENT_IS);
    }

    /** Creates a booking that tries one of several slots or clusters for a request. */
    public static Booking attempt(AccountName owner, AccountLimits limits, Command command) {
        return new Booking(owner, limits, command, Optional.empty(), IfRefused.OTHERS_ARE_TRIED);
    }

    /** Returns the same booking with a fallback. */
    public Booking orElse(Fallback other) {
        return new Booking(owner, limits, command, Optional.of(other), ifRefused);
    }

    /** Returns the same booking by another command. */
    Booking by(Command other) {
        return new Booking(owner, limits, other, fallback, ifRefused);
    }

    /**
     * What an account accepts if there is no room: an alternative or, if there is none, a wait for room.
     *
     * @param request the request for which there is no room
     * @param leeway which alternatives it accepts; empty for none
     * @param waiting the wait; empty if it does not wait
     */
    public record Fallback(Reserve request, Optional<Leeway> leeway, Optional<WaitForRoom> waiting) {

        /** Returns the command that may be granted instead. Searching for an alternative may take long. */
        Optional<Command> instead(Basis basis) {
            return leeway.flatMap(within -> alternative(within, basis))
                    .<Command>map(found -> found)
                    .or(() -> waiting);
        }

        private Optional<Reserve> alternative(Leeway within, Basis basis) {
            return new AcceptableAlternatives(
                            request.terms(),
                            request.start(),
                            request.origin().customer(),
                            request.hold().orElse(0),
                            within)
                    .ask(basis.schedule(), basis.now()).stream()
                            .findFirst()
                            .map(found -> new Reserve(
                                    request.id(),
                                    request.origin().accepting(found.phi()),
                                    found.terms(),
                                    found.start(),
                                    request.hold()));
        }
    }
}
