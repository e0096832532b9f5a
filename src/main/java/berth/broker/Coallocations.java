package berth.broker;

import berth.broker.AnyCluster.Probed;
import berth.broker.AnyCluster.Taken;
import berth.broker.StartSearch.Part;
import berth.desk.Answer;
import berth.desk.Desks;
import berth.desk.KeyUse;
import berth.desk.Records.FirstResult.Stands;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Preference;
import berth.scheduling.Rejection;
import berth.sla.AccountLimits;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Co-allocations: parts on different clusters at one common start, all or nothing. Paper 001, section 1, has a reservation
 * service on the level of the Grid coordinate them by reservations in advance; how is ours.
 *
 * <p>Every part is held first. Holds end by themselves, so that a crash before all are held leaves nothing. Once all are held
 * the decision to confirm them is recorded, and then they are confirmed. If one cannot be, all others are given up. From the
 * record on whatever is still to be done is done again until it is known to be done, also after a restart: {@link CoallocationSettling}.
 *
 * <p>A part is final from the moment at which it is held: it never moves away from the others.
 */
public final class Coallocations {

    /** The most common starts that are tried to hold. */
    static final int ATTEMPTS = 10;

    /** How long a common start is looked for: clusters elsewhere may be slow, and are asked many times. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Answer BROKEN_OFF = new Answer.NotDecided(
            "Not all clusters answered in time to find a common start; try again, or choose narrower windows.");

    private final Desks desks;
    private final CoallocationStore store;
    private final InstantSource clock;
    private final Clusters clusters;

    private final CoallocationSettling settling;

    Coallocations(
            Desks desks,
            CoallocationStore store,
            Clusters clusters,
            CoallocationSettling settling,
            InstantSource clock) {
        this.desks = desks;
        this.store = store;
        this.clusters = clusters;
        this.settling = settling;
        this.clock = clock;
    }

    /**
     * What is to run together.
     *
     * @param ids makes those of the reservations that the parts may become, other ones for each start that is tried
     * @param origin who asks, and what the reservations are called
     * @param parts at least 2, on different clusters that are known
     * @param leeway how far from the windows it takes a start instead; empty: not at all
     */
    public record Wanted(
            UUID id,
            Supplier<ReservationId> ids,
            Origin origin,
            AccountLimits limits,
            List<WantedPart> parts,
            Optional<Leeway> leeway) {}

    /** What is to run on one cluster. */
    public record WantedPart(ClusterId cluster, RequestedTerms terms) {}

    /**
     * What would fit instead of parts that have no start in common.
     *
     * @param starts the nearest first
     * @param isTruncated whether there may be more
     * @param deadline the earliest that would do, were it that of all parts, seconds since the epoch; empty if none was found
     */
    public record Remedies(List<OtherStart> starts, boolean isTruncated, OptionalLong deadline) {}

    /**
     * A common start outside of the window of a part, with a place for each of them.
     *
     * @param places of the parts, in their order; φ of one that stays in its window is 0
     */
    public record OtherStart(long start, List<AlternativePlace> places) {

        static final Comparator<OtherStart> NEAREST_FIRST =
                Comparator.comparing(OtherStart::distance).thenComparing(OtherStart::start, Comparator.reverseOrder());

        private BigDecimal distance() {
            return places.stream()
                    .map(place -> place.phi().abs())
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    /** What became of a request. */
    public sealed interface Outcome {
        /** All are held, and confirmed unless that takes longer. */
        record Granted(Coallocation coallocation) implements Outcome {}

        /** A part can never be held, by its number. */
        record Never(Map<Integer, Rejection> reasons) implements Outcome {}

        /** There is no time in the windows of all parts. */
        record Apart() implements Outcome {}

        /** There is no common start now. */
        record NoSlot() implements Outcome {}

        /** It was not for the clusters to decide, or is not known. */
        record Ended(Answer answer) implements Outcome {}
    }

    /** Reserves all parts or none. A request that was granted before under the same key hears the same again. */
    public Outcome create(Wanted wanted, Optional<KeyUse> key) {
        return desks.keys().once(key, this::again, Outcome.Ended::new, turn -> decide(wanted, turn.use()));
    }

    private Optional<Outcome> again(Stands first) {
        return first instanceof Stands.Filed(var id)
                ? store.find(id).map(Coallocations::outcome)
                : Optional.of(new Outcome.Ended(new Answer.KeyReused()));
    }

    private Outcome decide(Wanted wanted, Optional<KeyUse> key) {
        // of the same request, maybe, before
        settling.giveUpWhatIsLeft();
        var parts = parts(wanted);
        long first = firstStart(parts);
        var refused = new TreeMap<Integer, Rejection>();
        for (int i = 0; i < parts.size(); i++) {
            switch (parts.get(i).probe()) {
                case Probed.Never(var reason) -> refused.put(i, reason);
                case Probed.Unavailable() -> {
                    return unavailable(wanted.parts.get(i).cluster);
                }
                case Probed.Slots _, Probed.NoRoom _ -> {
                    // there may be room with the others
                }
            }
        }
        if (!refused.isEmpty()) {
            return new Outcome.Never(refused);
        }
        var outcome = search(wanted, parts, first, key);
        return outcome instanceof Outcome.NoSlot && wanted.leeway.isPresent()
                ? instead(wanted, wanted.leeway.get(), key)
                : outcome;
    }

    /** The parts as they are asked for at one start, under ids of their own. */
    private List<Part> parts(Wanted wanted) {
        return wanted.parts.stream()
                .map(part -> new Part(clusters.of(part.cluster), request(wanted, part.terms)))
                .toList();
    }

    private static Request request(Wanted wanted, RequestedTerms terms) {
        return new Request(
                wanted.ids.get(),
                wanted.origin,
                wanted.limits,
                terms,
                OptionalLong.empty(),
                OptionalLong.empty(),
                Preference.EARLIEST_START,
                Optional.empty(),
                Set.of());
    }

    /** The nearest other start at which all can be held. */
    private Outcome instead(Wanted wanted, Leeway leeway, Optional<KeyUse> key) {
        for (var other : others(wanted, leeway, ATTEMPTS).starts) {
            var asked = parts(wanted);
            var parts = IntStream.range(0, asked.size())
                    .mapToObj(i -> at(other.places.get(i), asked.get(i)))
                    .toList();
            switch (holdAll(parts, other.start)) {
                case Taken.Granted _ -> {
                    return confirmed(wanted, parts, other.start, key);
                }
                case Taken.Lost _ -> {
                    // the next one
                }
                case Taken.Ended(var answer) -> {
                    return new Outcome.Ended(answer);
                }
            }
        }
        return new Outcome.NoSlot();
    }

    /** What stays in its window keeps it. */
    private static Part at(AlternativePlace place, Part part) {
        return place.phi().signum() == 0
                ? part
                : new Part(part.cluster(), part.request().at(place));
    }

    /** What would fit instead of what is refused. Changes nothing. */
    public Remedies remedies(Wanted wanted) {
        return others(wanted, Leeway.ANY, Counteroffer.LIMIT);
    }

    private Remedies others(Wanted wanted, Leeway leeway, int limit) {
        var parts = parts(wanted);
        return new StartSearch(parts, BerthClient.PATIENCE, clock).others(firstStart(parts), leeway, limit);
    }

    private static Outcome unavailable(ClusterId cluster) {
        return new Outcome.Ended(
                new Answer.NotDecided("Cluster %s cannot be asked at the moment; try again later.".formatted(cluster)));
    }

    /** Not before any ready time, and late enough that all holds can be confirmed before they end at the start. */
    private long firstStart(List<Part> parts) {
        long now = now();
        long ready = parts.stream()
                .mapToLong(part -> part.request().terms().readyTime().orElse(now))
                .max()
                .orElseThrow();
        return Math.max(ready, now + StartSearch.lead(parts));
    }

    private Outcome search(Wanted wanted, List<Part> wantedParts, long first, Optional<KeyUse> key) {
        // one could not start at or after the ready time of all, however free its cluster were
        if (wantedParts.stream().anyMatch(part -> part.from(first) instanceof Probed.Never)) {
            return new Outcome.Apart();
        }
        long from = first;
        var search = new StartSearch(wantedParts, PATIENCE, clock);
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            var start = search.commonStart(from);
            if (start.isEmpty()) {
                return search.isBrokenOff() ? new Outcome.Ended(BROKEN_OFF) : new Outcome.NoSlot();
            }
            var parts = parts(wanted);
            switch (holdAll(parts, start.getAsLong())) {
                case Taken.Granted _ -> {
                    return confirmed(wanted, parts, start.getAsLong(), key);
                }
                case Taken.Lost _ -> from = start.getAsLong() + 1;
                case Taken.Ended(var answer) -> {
                    return new Outcome.Ended(answer);
                }
            }
        }
        return new Outcome.NoSlot();
    }

    /** What was held is given up where another is not. */
    private Taken holdAll(List<Part> parts, long start) {
        var held = new ArrayList<Part>();
        Taken last = new Taken.Ended(BROKEN_OFF);
        boolean isWhole = false;
        try {
            for (var part : inOrder(parts, Part::cluster)) {
                held.add(part);
                last = part.cluster().hold(part.request(), start);
                if (!(last instanceof Taken.Granted)) {
                    return last;
                }
            }
            isWhole = true;
            return last;
        } finally {
            if (!isWhole) {
                // also the last one: it may be held without our knowledge
                settling.leave(held.getFirst().request().id().value(), recorded(held));
            }
        }
    }

    private static List<Coallocation.Part> recorded(List<Part> held) {
        return held.stream()
                .map(part -> new Coallocation.Part(
                        part.cluster().id(), part.request().id()))
                .toList();
    }

    /**
     * Parts in the order in which they are held and confirmed: those first whose answers may be lost on their way, and all of this
     * Berth in one order of their clusters, so that of two that want the same ones at the same time the first to hold has them all.
     */
    static <T> List<T> inOrder(List<T> parts, Function<T, AnyCluster> cluster) {
        return parts.stream()
                .sorted(Comparator.comparing((T part) -> !cluster.apply(part).isRemote())
                        .thenComparing(part -> cluster.apply(part).id()))
                .toList();
    }

    private Outcome confirmed(Wanted wanted, List<Part> held, long start, Optional<KeyUse> key) {
        long now = now();
        var parts = recorded(held);
        var origin = wanted.origin;
        var coallocation = new Coallocation(
                wanted.id,
                origin.owner(),
                origin.name(),
                origin.project(),
                CoallocationState.CONFIRMING,
                start,
                parts,
                false,
                false,
                now,
                now);
        try {
            store.create(coallocation, key);
        } catch (RuntimeException e) {
            settling.leave(coallocation.id(), parts);
            throw e;
        }
        return outcome(settling.settle(coallocation.id()));
    }

    private static Outcome outcome(Coallocation recorded) {
        return recorded.state() == CoallocationState.ABANDONED ? new Outcome.NoSlot() : new Outcome.Granted(recorded);
    }

    /** One that is recorded. */
    public Optional<Coallocation> find(UUID id) {
        return store.find(id);
    }

    /** Gives up all parts of one that was confirmed; answers it as it is then, or nothing where somebody else works on it. */
    public Optional<Coallocation> cancel(UUID id) {
        return settling.cancel(id);
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}
