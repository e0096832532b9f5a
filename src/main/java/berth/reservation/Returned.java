package berth.reservation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The PE-time that the owner of a run returned while it went on.
 *
 * @param agreed the price and the PE-seconds of the returned time that is no longer among the parts of the run. Time that is returned by
 *     ending the run stays among them
 * @param credited what was taken off the price and the PE-seconds that are owed, for all returned time
 * @param open the returned time of which a rest may still be credited, in the order of the returns, at most {@value #MAX_OPEN}. Journal rows
 *     older than this field lack it
 */
public record Returned(Quantity agreed, Quantity credited, List<OpenReturn> open) {

    private static final int MAX_OPEN = 32;

    public Returned {
        open = List.copyOf(Objects.requireNonNullElse(open, List.of()));
    }

    /** Creates the returned time of which no rest can be credited. */
    public Returned(Quantity agreed, Quantity credited) {
        this(agreed, credited, List.of());
    }

    static Returned nothing(Quantity none) {
        return new Returned(none, none);
    }

    Returned and(Quantity moreAgreed, Quantity moreCredited, Optional<OpenReturn> rest) {
        var all = new ArrayList<>(open);
        rest.ifPresent(all::add);
        return new Returned(
                agreed.plus(moreAgreed),
                credited.plus(moreCredited),
                all.subList(Math.max(0, all.size() - MAX_OPEN), all.size()));
    }

    /** Returns what may still be credited at most. */
    public Quantity rest() {
        return open.stream().map(OpenReturn::rest).reduce(agreed.none(), Quantity::plus);
    }

    /** Returns this after more of the price was credited, and with the returned time of which a rest may still be. */
    Returned crediting(Quantity more, List<OpenReturn> left) {
        return new Returned(agreed, credited.plus(more), left);
    }
}
