package berth.broker;

import berth.scheduling.WouldFit;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What would fit instead of a request for which no cluster has room.
 *
 * @param places outside of its window
 * @param isTruncated whether there may be more
 * @param would by how much it must give way, so that one of the clusters has room for it
 */
public record Counteroffer(List<AlternativePlace> places, boolean isTruncated, WouldFit.Answer would) {

    /** The most places to name. */
    public static final int LIMIT = 20;

    private static final WouldFit.Answer NOTHING =
            new WouldFit.Answer(OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty());

    /** Nobody has looked. */
    static final Counteroffer NOT_LOOKED_FOR = of(List.of(), true);

    static Counteroffer of(List<AlternativePlace> places, boolean isTruncated) {
        return new Counteroffer(places, isTruncated, NOTHING);
    }

    /** What both say: the earliest deadline, the most PEs and the longest duration would do. */
    Counteroffer and(Counteroffer other) {
        return new Counteroffer(
                Stream.concat(places.stream(), other.places.stream()).toList(),
                isTruncated || other.isTruncated,
                new WouldFit.Answer(
                        Stream.of(would.deadline(), other.would.deadline())
                                .flatMapToLong(OptionalLong::stream)
                                .min(),
                        Stream.of(would.pes(), other.would.pes())
                                .flatMapToInt(OptionalInt::stream)
                                .max(),
                        Stream.of(would.duration(), other.would.duration())
                                .flatMapToLong(OptionalLong::stream)
                                .max()));
    }

    /** The nearest places alone. */
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
