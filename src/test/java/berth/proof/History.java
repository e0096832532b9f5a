package berth.proof;

import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** What clients asked for and what they heard; safe to use from any thread. */
public final class History {

    /** What was asked for. */
    public sealed interface Ask {}

    /**
     * A reservation. A label is that of one request, however often that is sent.
     *
     * @param key under which it may be repeated; empty: each time it is sent is another request
     * @param terms as {@link Standing#terms} tells them; empty: any will do
     */
    public record Reserve(
            AccountName owner, ClusterId cluster, String label, Optional<String> key, Optional<String> terms)
            implements Ask {}

    /**
     * Something else of a reservation that is there.
     *
     * @param wish the event that comes of it, if it is granted
     */
    public record Act(ReservationId id, Event.Type wish) implements Ask {}

    /** What was heard. */
    public sealed interface Heard {}

    /** It is promised. */
    public record Promised(Promise promise) implements Heard {}

    /** It is collected, and will be decided. */
    public record Collected(ReservationId id) implements Heard {}

    /** It is done, as far as was told. */
    public record Done() implements Heard {}

    /** Nothing has come of it, nor will. */
    public record Refused(String code) implements Heard {}

    /** Nothing was heard, or that nobody knows. */
    public record Nothing() implements Heard {}

    /** A question and its answer. */
    public record Exchange(Ask ask, Heard heard) {}

    private final List<Exchange> exchanges = new ArrayList<>();

    /** Notes what was heard; one who asks again asks once more. */
    public synchronized void add(Ask ask, Heard heard) {
        exchanges.add(new Exchange(ask, heard));
    }

    /** All of it, as far as it was answered, in the order of the answers. */
    public synchronized List<Exchange> exchanges() {
        return List.copyOf(exchanges);
    }

    /** The keyed requests of which nobody has heard what has become, each once. */
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
