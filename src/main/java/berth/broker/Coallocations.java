package berth.broker;

import berth.broker.PartMember.Asked;
import berth.broker.PartMember.Confirmed;
import berth.broker.PartMember.Held;
import berth.desk.Answer;
import berth.desk.Desks;
import berth.desk.KeyUse;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Rejection;
import berth.sla.AccountLimits;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
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
     */
    public record Wanted(
            UUID id, Supplier<ReservationId> ids, Origin origin, AccountLimits limits, List<WantedPart> parts) {}

    /** What is to run on one cluster. */
    public record WantedPart(String cluster, RequestedTerms terms) {}

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
        return desks.inTurn(key, () -> repeated(key).orElseGet(() -> create(wanted, members(wanted), key)))
                .orElseGet(() -> new Outcome.Ended(new Answer.NotDecided(
                        "Another request with the same Idempotency-Key is still under way; repeat this one later.")));
    }

    private Optional<Outcome> repeated(Optional<KeyUse> key) {
        return key.flatMap(use -> store.first(use)
                .map(first -> first.fingerprint().equals(use.fingerprint())
                        ? outcome(first.coallocation())
                        : new Outcome.Ended(new Answer.KeyReused()))
                .or(() -> desks.firstAnswer(use).map(_ -> new Outcome.Ended(new Answer.KeyReused()))));
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
        return search(wanted, asked, first, key);
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
        long lead = asked.stream().mapToLong(PartMember::leadTime).max().orElseThrow();
        return Math.max(ready, now + lead);
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
            var questions = IntStream.range(0, asked.size())
                    .<LongFunction<OptionalLong>>mapToObj(
                            i -> time -> search.earliest(asked.get(i), request(wanted, i), time))
                    .toList();
            var start = CommonStart.find(from, questions);
            if (start.isEmpty()) {
                return search.isBrokenOff ? new Outcome.Ended(BROKEN_OFF) : new Outcome.NoSlot();
            }
            var requests = IntStream.range(0, asked.size())
                    .mapToObj(i -> request(wanted, i))
                    .toList();
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

        OptionalLong earliest(PartMember member, PartMember.PartRequest part, long time) {
            isBrokenOff |= clock.millis() > end;
            if (isBrokenOff) {
                return OptionalLong.empty();
            }
            return switch (member.earliest(part, OptionalLong.of(time))) {
                case Asked.At(long start) -> OptionalLong.of(start);
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
