package berth.broker;

import berth.broker.PartMember.Asked;
import berth.broker.PartMember.Confirmed;
import berth.broker.PartMember.Held;
import berth.desk.Answer;
import berth.desk.Desks;
import berth.desk.KeyUse;
import berth.desk.Records.FirstResult.Stands;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Rejection;
import berth.sla.AccountLimits;
import berth.sla.Leeway;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Co-allocations: parts on different clusters at one common start, all or nothing. Paper 001, section 1, has a reservation
 * service on the level of the Grid coordinate them by reservations in advance; how is ours.
 *
 * <p>Every part is held first. Holds end by themselves, so that a crash before all are held leaves nothing. Once all are held
 * the decision to confirm them is recorded, and then they are confirmed. If one cannot be, all others are given up. From the
 * record on whatever is still to be done is done again until it is known to be done, also after a restart: {@link #settle}.
 *
 * <p>A part is final from the moment at which it is held: it never moves away from the others.
 */
public final class Coallocations {

    private static final Logger log = LoggerFactory.getLogger(Coallocations.class);

    /** The most common starts that are tried to hold. */
    static final int ATTEMPTS = 10;

    /** How long a common start is looked for: clusters elsewhere may be slow, and are asked many times. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Answer BROKEN_OFF = new Answer.NotDecided(
            "Not all clusters answered in time to find a common start; try again, or choose narrower windows.");

    private final Desks desks;
    private final CoallocationStore store;
    private final InstantSource clock;
    private final PartMember.Directory members;

    /** One at a time works on each of them. */
    private final Map<UUID, Object> locks = new ConcurrentHashMap<>();

    Coallocations(Desks desks, CoallocationStore store, InstantSource clock, PartMember.Directory members) {
        this.desks = desks;
        this.store = store;
        this.clock = clock;
        this.members = members;
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
    public record WantedPart(String cluster, RequestedTerms terms) {}

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
    public record OtherStart(long start, List<OtherPlace> places) {

        private static final Comparator<OtherStart> NEAREST_FIRST =
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
        return desks.keys()
                .once(key, this::again, Outcome.Ended::new, turn -> create(wanted, members(wanted), turn.use()));
    }

    private Optional<Outcome> again(Stands first) {
        return first instanceof Stands.Filed(var id)
                ? store.find(id).map(Coallocations::outcome)
                : Optional.of(new Outcome.Ended(new Answer.KeyReused()));
    }

    private List<PartMember> members(Wanted wanted) {
        return wanted.parts.stream().map(part -> members.of(part.cluster)).toList();
    }

    private Outcome create(Wanted wanted, List<PartMember> asked, Optional<KeyUse> key) {
        long now = clock.instant().getEpochSecond();
        long first = firstStart(wanted, asked, now);
        var refused = new TreeMap<Integer, Rejection>();
        for (int i = 0; i < asked.size(); i++) {
            switch (asked.get(i).earliest(request(wanted, i), OptionalLong.empty())) {
                case Asked.Never(var reason) -> refused.put(i, reason);
                case Asked.Unavailable() -> {
                    return unavailable(wanted.parts.get(i).cluster);
                }
                case Asked.At _, Asked.Nothing _ -> {
                    // there may be room with the others
                }
            }
        }
        if (!refused.isEmpty()) {
            return new Outcome.Never(refused);
        }
        var outcome = search(wanted, asked, first, key);
        return outcome instanceof Outcome.NoSlot && wanted.leeway.isPresent()
                ? instead(wanted, asked, wanted.leeway.get(), key)
                : outcome;
    }

    /** The nearest other start at which all can be held. */
    private Outcome instead(Wanted wanted, List<PartMember> asked, Leeway leeway, Optional<KeyUse> key) {
        for (var other : others(wanted, asked, leeway, ATTEMPTS).starts) {
            var requests = IntStream.range(0, asked.size())
                    .mapToObj(i -> at(other.places.get(i), request(wanted, i)))
                    .toList();
            switch (holdAll(requests, asked, other.start)) {
                case Held.Granted() -> {
                    return confirmed(wanted, requests, other.start, key);
                }
                case Held.Lost() -> {
                    // the next one
                }
                case Held.Ended(var answer) -> {
                    return new Outcome.Ended(answer);
                }
            }
        }
        return new Outcome.NoSlot();
    }

    /** What stays in its window keeps it. */
    private static PartMember.PartRequest at(OtherPlace place, PartMember.PartRequest part) {
        return place.phi().signum() == 0
                ? part
                : new PartMember.PartRequest(
                        part.id(), part.origin().accepting(place.phi()), part.limits(), place.terms(part.terms()));
    }

    /** What would fit instead of what is refused. Changes nothing. */
    public Remedies remedies(Wanted wanted) {
        return others(wanted, members(wanted), Leeway.ANY, Instead.LIMIT);
    }

    /**
     * Other starts: the alternatives of each part by itself (paper 000, Algorithm 2), and the earliest common start at or after
     * the ready times however late, as far as all other parts have room there and their clusters offer it. Those that are near in
     * time are looked at first, as long as there is time.
     *
     * @param limit the most to find
     */
    private Remedies others(Wanted wanted, List<PartMember> asked, Leeway leeway, int limit) {
        var requests = IntStream.range(0, asked.size())
                .mapToObj(i -> request(wanted, i))
                .toList();
        long now = clock.instant().getEpochSecond();
        long first = firstStart(wanted, asked, now);
        var search = new Search(clock.millis() + BerthClient.PATIENCE.toMillis());
        var open = requests.stream()
                .map(part -> part.on(part.terms().withoutDeadline()))
                .toList();
        var late = search.commonStart(asked, open, first);
        var starts = new TreeSet<Long>();
        late.ifPresent(starts::add);
        boolean isTruncated = false;
        for (int i = 0; i < asked.size(); i++) {
            var others = search.isOver() ? Instead.NOT_LOOKED_FOR : asked.get(i).others(requests.get(i), leeway);
            others.places().forEach(place -> starts.add(place.slot().start()));
            isTruncated |= others.isTruncated();
        }
        starts.removeIf(start -> start < now + lead(asked));
        var found = new ArrayList<OtherStart>();
        for (long start : nearest(starts, first, lastStart(wanted))) {
            if (found.size() < limit && !search.isOver()) {
                search.at(asked, requests, start)
                        .filter(other -> other.places.stream().allMatch(place -> leeway.takes(place.phi())))
                        .ifPresent(found::add);
            } else {
                isTruncated = true;
            }
        }
        found.sort(OtherStart.NEAREST_FIRST);
        return new Remedies(
                List.copyOf(found),
                isTruncated || search.isBrokenOff,
                late.isPresent() ? search.end(asked, open, late.getAsLong()) : OptionalLong.empty());
    }

    /** By how far they lie from the starts that all windows have in common. */
    private static List<Long> nearest(Collection<Long> starts, long first, long last) {
        return starts.stream()
                .sorted(Comparator.comparingLong(start -> Math.max(first - start, start - last)))
                .toList();
    }

    /** The last that all windows have in common, on standard PEs. */
    private static long lastStart(Wanted wanted) {
        return wanted.parts.stream()
                .mapToLong(part -> part.terms.deadline().orElse(Long.MAX_VALUE) - part.terms.duration())
                .min()
                .orElseThrow();
    }

    private static Outcome unavailable(String cluster) {
        return new Outcome.Ended(
                new Answer.NotDecided("Cluster %s cannot be asked at the moment; try again later.".formatted(cluster)));
    }

    /** Not before any ready time, and late enough that all holds can be confirmed before they end at the start. */
    private static long firstStart(Wanted wanted, List<PartMember> asked, long now) {
        long ready = wanted.parts.stream()
                .mapToLong(part -> part.terms.readyTime().orElse(now))
                .max()
                .orElseThrow();
        return Math.max(ready, now + lead(asked));
    }

    private static long lead(List<PartMember> asked) {
        return asked.stream().mapToLong(PartMember::leadTime).max().orElseThrow();
    }

    private static PartMember.PartRequest request(Wanted wanted, int part) {
        return new PartMember.PartRequest(wanted.ids.get(), wanted.origin, wanted.limits, wanted.parts.get(part).terms);
    }

    private Outcome search(Wanted wanted, List<PartMember> asked, long first, Optional<KeyUse> key) {
        if (isApart(wanted, asked, first)) {
            return new Outcome.Apart();
        }
        long from = first;
        var search = new Search(clock.millis() + PATIENCE.toMillis());
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            var requests = IntStream.range(0, asked.size())
                    .mapToObj(i -> request(wanted, i))
                    .toList();
            var start = search.commonStart(asked, requests, from);
            if (start.isEmpty()) {
                return search.isBrokenOff ? new Outcome.Ended(BROKEN_OFF) : new Outcome.NoSlot();
            }
            switch (holdAll(requests, asked, start.getAsLong())) {
                case Held.Granted() -> {
                    return confirmed(wanted, requests, start.getAsLong(), key);
                }
                case Held.Lost() -> from = start.getAsLong() + 1;
                case Held.Ended(var answer) -> {
                    return new Outcome.Ended(answer);
                }
            }
        }
        return new Outcome.NoSlot();
    }

    /** Whether a part could not start at or after the ready time of all, however free its cluster were. */
    private boolean isApart(Wanted wanted, List<PartMember> asked, long first) {
        return IntStream.range(0, asked.size())
                .anyMatch(
                        i -> asked.get(i).earliest(request(wanted, i), OptionalLong.of(first)) instanceof Asked.Never);
    }

    /** The questions of one request, until they have taken too long, or one is not answered. */
    private final class Search {
        private final long end;
        private boolean isBrokenOff;

        Search(long end) {
            this.end = end;
        }

        boolean isOver() {
            return clock.millis() > end;
        }

        OptionalLong commonStart(List<PartMember> asked, List<PartMember.PartRequest> parts, long from) {
            var questions = IntStream.range(0, asked.size())
                    .<LongFunction<OptionalLong>>mapToObj(i -> time -> earliest(asked.get(i), parts.get(i), time))
                    .toList();
            return CommonStart.find(from, questions);
        }

        /** The places of all parts at exactly that start; empty if one of them has none. */
        Optional<OtherStart> at(List<PartMember> asked, List<PartMember.PartRequest> parts, long start) {
            var places = new ArrayList<OtherPlace>();
            for (int i = 0; i < asked.size() && places.size() == i; i++) {
                var place = asked.get(i).at(parts.get(i), start);
                isBrokenOff |= place.isTruncated();
                places.addAll(place.places());
            }
            return places.size() == asked.size()
                    ? Optional.of(new OtherStart(start, List.copyOf(places)))
                    : Optional.empty();
        }

        /** When the last of the parts ends that begin then; empty if one of them does not any more. */
        OptionalLong end(List<PartMember> asked, List<PartMember.PartRequest> parts, long start) {
            var slots = new ArrayList<Slot>();
            for (int i = 0; i < asked.size(); i++) {
                if (asked.get(i).earliest(parts.get(i), OptionalLong.of(start)) instanceof Asked.At(var slot)
                        && slot.start() == start) {
                    slots.add(slot);
                }
            }
            return slots.size() == asked.size()
                    ? slots.stream().mapToLong(Slot::end).max()
                    : OptionalLong.empty();
        }

        private OptionalLong earliest(PartMember member, PartMember.PartRequest part, long time) {
            isBrokenOff |= isOver();
            if (isBrokenOff) {
                return OptionalLong.empty();
            }
            return switch (member.earliest(part, OptionalLong.of(time))) {
                case Asked.At(var slot) -> OptionalLong.of(slot.start());
                case Asked.Nothing _, Asked.Never _ -> OptionalLong.empty();
                case Asked.Unavailable() -> {
                    isBrokenOff = true;
                    yield OptionalLong.empty();
                }
            };
        }
    }

    /** Those first whose outcome may stay unknown; what was held is given up where another is not. */
    private Held holdAll(List<PartMember.PartRequest> requests, List<PartMember> asked, long start) {
        var held = new ArrayList<Integer>();
        for (int part : remoteFirst(asked)) {
            var outcome = hold(asked.get(part), requests.get(part), start);
            held.add(part);
            if (!(outcome instanceof Held.Granted)) {
                // also of the last one: it may be held without our knowledge
                held.forEach(
                        other -> asked.get(other).giveUp(requests.get(other).id()));
                return outcome;
            }
        }
        return new Held.Granted();
    }

    /** Those at other Berths are within the limits of the account here. */
    private Held hold(PartMember member, PartMember.PartRequest part, long start) {
        return switch (member) {
            case LocalPart here -> here.hold(part, start);
            case RemotePart there ->
                desks.within(
                        part.origin().owner(),
                        part.limits(),
                        Part.whole(
                                new Slot(start, start + part.terms().duration()), RemoteCluster.fewest(part.terms())),
                        () -> there.hold(part, start),
                        Held.Ended::new);
        };
    }

    private static List<Integer> remoteFirst(List<PartMember> members) {
        return IntStream.range(0, members.size())
                .boxed()
                .sorted((a, b) -> Boolean.compare(
                        members.get(b).isRemote(), members.get(a).isRemote()))
                .toList();
    }

    private Outcome confirmed(Wanted wanted, List<PartMember.PartRequest> held, long start, Optional<KeyUse> key) {
        long now = clock.instant().getEpochSecond();
        var parts = IntStream.range(0, held.size())
                .mapToObj(i -> new Coallocation.Part(
                        wanted.parts.get(i).cluster, held.get(i).id()))
                .toList();
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
        store.create(coallocation, key);
        return outcome(settle(coallocation.id()));
    }

    private static Outcome outcome(Coallocation recorded) {
        return recorded.state() == CoallocationState.ABANDONED ? new Outcome.NoSlot() : new Outcome.Granted(recorded);
    }

    /** One that is recorded. */
    public Optional<Coallocation> find(UUID id) {
        return store.find(id);
    }

    /** Gives up all parts of one that was confirmed; answers it as it is then. */
    public Coallocation cancel(UUID id) {
        synchronized (lock(id)) {
            var present = store.find(id).orElseThrow();
            if (present.state() == CoallocationState.CONFIRMED) {
                store.update(present.becomes(CoallocationState.CANCELLED, false, now()));
            }
            return settle(id);
        }
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private Object lock(UUID id) {
        return locks.computeIfAbsent(id, _ -> new Object());
    }

    /**
     * Does what is still to be done about those that are not settled; what cannot be done yet is left for the next time. Each is
     * settled by itself: its holds end, and it must not wait for the clusters of others.
     */
    public void settleAll() {
        try (var settlers = Executors.newVirtualThreadPerTaskExecutor()) {
            store.unsettled().forEach(unsettled -> settlers.execute(() -> trySettling(unsettled.id())));
        }
    }

    private void trySettling(UUID id) {
        try {
            settle(id);
        } catch (RuntimeException e) {
            log.debug("Co-allocation {} is not settled yet.", id, e);
        }
    }

    /**
     * Tells the live parts of those of which a part has failed, also of those whose part failed while this service was away.
     * What cannot be told now is told the next time; those with nothing left to tell are watched no longer.
     */
    public void degradeAll() {
        for (var broken : store.broken()) {
            try {
                degrade(broken);
            } catch (RuntimeException e) {
                log.debug("The parts of co-allocation {} do not know yet.", broken.id(), e);
            }
        }
    }

    private void degrade(Coallocation broken) {
        synchronized (lock(broken.id())) {
            boolean isDone = true;
            for (var part : broken.parts()) {
                isDone &= members.of(part.cluster()).degrade(part.reservation());
            }
            var present = store.find(broken.id()).orElseThrow();
            if (isDone && present.isWatched()) {
                store.update(present.unwatched());
            }
            locks.remove(broken.id());
        }
    }

    /** Confirms the parts of one, or gives them up, as far as that can be done now. */
    Coallocation settle(UUID id) {
        synchronized (lock(id)) {
            var present = store.find(id).orElseThrow();
            var after = present.isSettled() ? present : advanced(present);
            if (after.isSettled()) {
                locks.remove(id);
            }
            return after;
        }
    }

    private Coallocation advanced(Coallocation present) {
        var after = present.state() == CoallocationState.CONFIRMING ? confirm(present) : present;
        boolean isToBeGivenUp =
                after.state() == CoallocationState.ABANDONED || after.state() == CoallocationState.CANCELLED;
        return isToBeGivenUp ? giveUp(after) : after;
    }

    private Coallocation confirm(Coallocation held) {
        var asked =
                held.parts().stream().map(part -> members.of(part.cluster())).toList();
        for (int part : remoteFirst(asked)) {
            switch (asked.get(part).confirm(held.parts().get(part).reservation(), held.start())) {
                case Confirmed.Done() -> {
                    // on to the next
                }
                case Confirmed.Unknown() -> {
                    return held;
                }
                case Confirmed.Gone() -> {
                    log.info(
                            "Co-allocation {}: {} could not be confirmed.",
                            held.id(),
                            held.parts().get(part));
                    return updated(held.becomes(CoallocationState.ABANDONED, false, now()));
                }
            }
        }
        return updated(held.becomes(CoallocationState.CONFIRMED, true, now()));
    }

    private Coallocation giveUp(Coallocation given) {
        boolean isDone = true;
        for (var part : given.parts()) {
            isDone &= members.of(part.cluster()).giveUp(part.reservation());
        }
        return isDone ? updated(given.becomes(given.state(), true, now())) : given;
    }

    private Coallocation updated(Coallocation next) {
        store.update(next);
        return next;
    }
}
