package berth.proof;

import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Clients' requests and the answers to them. Thread-safe. */
public final class History {

    /** A request. */
    public sealed interface Ask {}

    /**
     * A request for a reservation. Its label stays the same for all repetitions.
     *
     * @param key the key for repetitions; empty if each call is a new request
     * @param terms the expected {@link Standing#terms}; empty for any
     */
    public record Reserve(
            AccountName owner, ClusterId cluster, String label, Optional<String> key, Optional<String> terms)
            implements Ask {}

    /**
     * A request for a change of a reservation.
     *
     * @param wish the event that follows if it is granted
     */
    public record Act(ReservationId id, Event.Type wish) implements Ask {}

    /** An answer. */
    public sealed interface Heard {}

    /** It is promised. */
    public record Promised(Promise promise) implements Heard {}

    /** It is collected and will be decided. */
    public record Collected(ReservationId id) implements Heard {}

    /** It is done, according to the answer. */
    public record Done() implements Heard {}

    /** It had no effect and never will. */
    public record Refused(String code) implements Heard {}

    /** There was no answer, or the result was unknown. */
    public record Nothing() implements Heard {}

    /** A request and its answer. */
    public record Exchange(Ask ask, Heard heard) {}

    private final List<Exchange> exchanges = new ArrayList<>();

    /** Adds an answer; a repetition is added as another request. */
    public synchronized void add(Ask ask, Heard heard) {
        exchanges.add(new Exchange(ask, heard));
    }

    /** Returns all exchanges in the order of the answers. */
    public synchronized List<Exchange> exchanges() {
        return List.copyOf(exchanges);
    }

    /** Returns the keyed requests without a known result, each once. */
    public List<Reserve> inDoubt() {
        var last = new LinkedHashMap<Reserve, Heard>();
        for (var exchange : exchanges()) {
            if (exchange.ask() instanceof Reserve reserve && reserve.key().isPresent()) {
                last.put(reserve, exchange.heard());
            }
        }
        last.values().removeIf(heard -> !(heard instanceof Nothing));
        return List.copyOf(last.keySet());
    }
}
