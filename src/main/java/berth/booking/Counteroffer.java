package berth.booking;

import berth.scheduling.places.WouldFit;
import berth.scheduling.places.WouldFit.Change;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The slots and terms that would fit in place of a request for which no cluster has room.
 *
 * @param places places outside its window
 * @param isTruncated whether there may be more
 * @param would how its terms would have to change to fit on one of the clusters
 */
public record Counteroffer(List<AlternativePlace> places, boolean isTruncated, WouldFit.Answer would) {

    /** The most places to return. */
    public static final int LIMIT = 20;

    private static final Comparator<Change> BY_FIGURE = Comparator.comparingLong(Change::figure);

    /** No search was made. */
    static final Counteroffer NOT_LOOKED_FOR = of(List.of(), true);

    static Counteroffer of(List<AlternativePlace> places, boolean isTruncated) {
        return new Counteroffer(places, isTruncated, WouldFit.Answer.NOTHING);
    }

    /** Returns both together, with the earliest deadline, the most PEs and the longest duration of the two. */
    Counteroffer and(Counteroffer other) {
        return new Counteroffer(
                Stream.concat(places.stream(), other.places.stream()).toList(),
                isTruncated || other.isTruncated,
                new WouldFit.Answer(
                        both(would.deadline(), other.would.deadline()).min(BY_FIGURE),
                        both(would.pes(), other.would.pes()).max(BY_FIGURE),
                        both(would.duration(), other.would.duration()).max(BY_FIGURE)));
    }

    private static Stream<Change> both(Optional<Change> one, Optional<Change> other) {
        return Stream.of(one, other).flatMap(Optional::stream);
    }

    /** Returns only the nearest places. */
    Counteroffer nearest(int limit) {
        return new Counteroffer(
                places.stream()
                        .sorted(AlternativePlace.NEAREST_FIRST)
                        .limit(limit)
                        .toList(),
                isTruncated || places.size() > limit,
                would);
    }
}
