package berth.booking;

import berth.booking.AnyCluster.Probed;
import berth.booking.AnyCluster.Taken;
import berth.booking.StartSearch.Part;
import berth.engine.Answer;
import berth.engine.KeyUse;
import berth.engine.Keys;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Trial;
import berth.peers.BerthClient;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Rejection;
import berth.scheduling.places.Preference;
import berth.sla.AccountLimits;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Co-allocations: parts on different clusters with one common start, all or nothing. In paper 001, section 1, a Grid-level reservation
 * service coordinates them by advance reservations; the method is Berth's own.
 *
 * <p>Every part is held first. Holds end by themselves, so a crash before all are held leaves nothing behind. Once all are held, the
 * decision to confirm them is recorded, and then they are confirmed. If one cannot be confirmed, the others are cancelled. From that record
 * on, the remaining work is repeated until it is known to be done, also after a restart: see {@link CoallocationCompletion}.
 *
 * <p>A part is final from the moment at which it is held, so it never moves away from the others.
 */
public final class Coallocations {

    /** The most common starts to try. */
    static final int ATTEMPTS = 10;

    /** The time limit for finding a common start; clusters of other Berths may be slow and are asked many times. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Answer BROKEN_OFF = new Answer.NotDecided(
            "Some clusters did not answer in time to find a common start; try again, or choose narrower windows.");

    private final Keys keys;
    private final CoallocationStore store;
    private final InstantSource clock;
    private final Clusters clusters;

    private final CoallocationCompletion completion;

    Coallocations(
            Keys keys,
            CoallocationStore store,
            Clusters clusters,
            CoallocationCompletion completion,
            InstantSource clock) {
        this.keys = keys;
        this.store = store;
        this.clusters = clusters;
        this.completion = completion;
        this.clock = clock;
    }

    /**
     * A request for a co-allocation.
     *
     * @param ids creates the ids of the possible reservations, new ones for each start that is tried
     * @param origin the account and the names of the reservations
     * @param parts at least two parts, on different known clusters
     * @param leeway how far outside the windows a start may lie; empty if it must lie inside
     */
    public record Wanted(
            UUID id,
            Supplier<ReservationId> ids,
            Origin origin,
            AccountLimits limits,
            List<RequestedPart> parts,
            Optional<Leeway> leeway) {}

    /** A requested part on one cluster. */
    public record RequestedPart(ClusterId cluster, RequestedTerms terms) {}

    /**
     * The changes that would make parts without a common start fit.
     *
     * @param starts other starts, nearest first
     * @param isTruncated whether there may be more
     * @param deadline the earliest deadline that would help if all parts had it, in seconds since the epoch; empty if none was found
     */
    public record Remedies(List<OtherStart> starts, boolean isTruncated, OptionalLong deadline) {}

    /**
     * A common start outside the window of a part, with a place for each part.
     *
     * @param places the places of the parts, in order; φ is 0 for a part that stays in its window
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

    /** The result of a request. */
    public sealed interface Outcome {
        /** All parts are held, and confirmed unless that takes longer. */
        record Granted(Coallocation coallocation) implements Outcome {}

        /**
         * All parts could be reserved. Nothing has changed.
         *
         * @param coallocation the co-allocation as it would be
         * @param parts the parts as they would be, in the order of the request
         * @param trials the trials of the parts
         */
        record Supposed(Coallocation coallocation, List<Reservation> parts, List<Trial> trials) implements Outcome {}

        /** Some parts can never be held, with the reasons by their numbers. */
        record Never(Map<Integer, Rejection> reasons) implements Outcome {}

        /** The windows of the parts have no time in common. */
        record Apart() implements Outcome {}

        /** There is no common start now. */
        record NoSlot() implements Outcome {}

        /** Something other than the clusters decided it, or its result is unknown. */
        record Ended(Answer answer) implements Outcome {}
    }

    /** Reserves all parts or none. A request that was granted before under the same key gets the same answer. */
    public Outcome create(Wanted wanted, Optional<KeyUse> key) {
        return keys.once(key, this::again, Outcome.Ended::new, turn -> {
            // perhaps left by an earlier attempt of the same request
            completion.giveUpWhatIsLeft();
            return decide(wanted, (parts, start) -> hold(wanted, parts, start, turn.use()));
        });
    }

    /** Returns what {@link #create} would do. Changes nothing. Parts on clusters of other Berths cannot be tried. */
    public Outcome tryToCreate(Wanted wanted) {
        return wanted.parts.stream()
                .map(RequestedPart::cluster)
                .filter(cluster -> clusters.of(cluster).isRemote())
                .findFirst()
                .<Outcome>map(cluster -> new Outcome.Ended(Broker.notHere(cluster)))
                .orElseGet(() -> decide(wanted, (parts, start) -> tryToHold(wanted, parts, start)));
    }

    /** Uses a start that the parts may have in common. Returns the outcome; empty if another start must be tried. */
    private interface Use {
        Optional<Outcome> at(List<Part> parts, long start);
    }

    private Optional<Outcome> again(KeyResult first) {
        return first instanceof KeyResult.Filed(var id)
                ? store.find(id).map(Coallocations::outcome)
                : Optional.of(new Outcome.Ended(new Answer.KeyReused()));
    }

    private Outcome decide(Wanted wanted, Use use) {
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
                    // the other clusters may still have room
                }
            }
        }
        if (!refused.isEmpty()) {
            return new Outcome.Never(refused);
        }
        var outcome = search(wanted, parts, first, use);
        return outcome instanceof Outcome.NoSlot && wanted.leeway.isPresent()
                ? instead(wanted, wanted.leeway.get(), use)
                : outcome;
    }

    /** Returns the parts for one start, with their own ids. */
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

    /** Reserves the nearest other start at which all parts can be held. */
    private Outcome instead(Wanted wanted, Leeway leeway, Use use) {
        for (var other : others(wanted, leeway, ATTEMPTS).starts) {
            var asked = parts(wanted);
            var parts = IntStream.range(0, asked.size())
                    .mapToObj(i -> at(other.places.get(i), asked.get(i)))
                    .toList();
            var outcome = use.at(parts, other.start);
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
        return new Outcome.NoSlot();
    }

    /** A part that stays in its window keeps it. */
    private static Part at(AlternativePlace place, Part part) {
        return place.phi().signum() == 0
                ? part
                : new Part(part.cluster(), part.request().at(place));
    }

    /** Returns what would fit instead of a refused request. Changes nothing. */
    public Remedies remedies(Wanted wanted) {
        return others(wanted, Leeway.ANY, Counteroffer.LIMIT);
    }

    private Remedies others(Wanted wanted, Leeway leeway, int limit) {
        var parts = parts(wanted);
        return new StartSearch(parts, BerthClient.PATIENCE, clock).others(firstStart(parts), leeway, limit);
    }

    private static Outcome unavailable(ClusterId cluster) {
        return new Outcome.Ended(new Answer.NotDecided(
                "Cluster %s cannot be reached at the moment; try again later.".formatted(cluster)));
    }

    /** Returns the first possible start: not before any ready time, and late enough to confirm all holds before they end. */
    private long firstStart(List<Part> parts) {
        long now = now();
        long ready = parts.stream()
                .mapToLong(part -> part.request().terms().readyTime().orElse(now))
                .max()
                .orElseThrow();
        return Math.max(ready, now + StartSearch.lead(parts));
    }

    private Outcome search(Wanted wanted, List<Part> wantedParts, long first, Use use) {
        // a part could not start at or after the latest ready time even on an empty cluster
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
            var outcome = use.at(parts(wanted), start.getAsLong());
            if (outcome.isPresent()) {
                return outcome.get();
            }
            from = start.getAsLong() + 1;
        }
        return new Outcome.NoSlot();
    }

    /** Holds all parts and confirms them. */
    private Optional<Outcome> hold(Wanted wanted, List<Part> parts, long start, Optional<KeyUse> key) {
        return switch (holdAll(parts, start)) {
            case Taken.Granted _ -> Optional.of(confirmed(wanted, parts, start, key));
            case Taken.Lost _ -> Optional.empty();
            case Taken.Ended(var answer) -> Optional.of(new Outcome.Ended(answer));
        };
    }

    /** Tries what {@link #hold} does, each part after those before it. */
    private Optional<Outcome> tryToHold(Wanted wanted, List<Part> parts, long start) {
        var made = new HashMap<ReservationId, Reservation>();
        var trials = new ArrayList<Trial>();
        for (var part : inOrder(parts, Part::cluster)) {
            if (!(part.cluster() instanceof LocalCluster here)) {
                return Optional.of(
                        new Outcome.Ended(Broker.notHere(part.cluster().id())));
            }
            var tried = here.tryToHold(part.request(), start, trials);
            switch (tried.outcome()) {
                case Taken.Granted(BookedReservation.Here(var reservation)) -> made.put(reservation.id(), reservation);
                case Taken.Granted _, Taken.Lost _ -> {
                    return Optional.empty();
                }
                case Taken.Ended(var answer) -> {
                    return Optional.of(new Outcome.Ended(answer));
                }
            }
            tried.trial().ifPresent(trials::add);
        }
        return Optional.of(new Outcome.Supposed(
                coallocation(wanted, parts, start, CoallocationState.CONFIRMED),
                parts.stream()
                        .map(part ->
                                Objects.requireNonNull(made.get(part.request().id())))
                        .toList(),
                List.copyOf(trials)));
    }

    /** Holds all parts. If one cannot be held, cancels the others. */
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
                // including the last one, which may be held without our knowledge
                completion.leave(held.getFirst().request().id().value(), recorded(held));
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
     * Returns the parts in the order in which they are held and confirmed. Parts whose answers can get lost come first. Parts of this Berth
     * are in one fixed order of clusters, so that of two requests for the same clusters the first to hold gets them all.
     */
    static <T> List<T> inOrder(List<T> parts, Function<T, AnyCluster> cluster) {
        return parts.stream()
                .sorted(Comparator.comparing((T part) -> !cluster.apply(part).isRemote())
                        .thenComparing(part -> cluster.apply(part).id()))
                .toList();
    }

    private Outcome confirmed(Wanted wanted, List<Part> held, long start, Optional<KeyUse> key) {
        var coallocation = coallocation(wanted, held, start, CoallocationState.CONFIRMING);
        try {
            store.create(coallocation, key);
        } catch (RuntimeException e) {
            completion.leave(coallocation.id(), coallocation.parts());
            throw e;
        } finally {
            completion.expectOpen();
        }
        return outcome(completion.complete(coallocation.id()));
    }

    private Coallocation coallocation(Wanted wanted, List<Part> parts, long start, CoallocationState state) {
        long now = now();
        var origin = wanted.origin;
        return new Coallocation(
                wanted.id,
                origin.owner(),
                origin.labels().name(),
                origin.project(),
                state,
                start,
                recorded(parts),
                false,
                false,
                now,
                now);
    }

    private static Outcome outcome(Coallocation recorded) {
        return recorded.state() == CoallocationState.ABANDONED ? new Outcome.NoSlot() : new Outcome.Granted(recorded);
    }

    /** Returns a recorded co-allocation. */
    public Optional<Coallocation> find(UUID id) {
        return store.find(id);
    }

    /** Cancels all parts of a confirmed co-allocation and returns its new state; empty if another thread works on it. */
    public Optional<Coallocation> cancel(UUID id) {
        return completion.cancel(id);
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}
