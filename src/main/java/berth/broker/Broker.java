package berth.broker;

import static java.util.stream.Collectors.toMap;

import berth.broker.Member.Found;
import berth.broker.Member.Probed;
import berth.broker.Member.Taken;
import berth.desk.Answer;
import berth.desk.Desks;
import berth.desk.KeyUse;
import berth.reservation.ReservationState;
import berth.reservation.Tried;
import berth.scheduling.Preference.Choice;
import berth.scheduling.Rejection;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds a place for a request on any cluster: the Grid Reservation Service of paper 001, section 3, by the steps of its
 * figure 1. The information service is what is known here of every cluster, the reservation services of the clusters are
 * {@link Member}s.
 *
 * <p>Steps 2 to 5: every cluster that could ever hold the request is probed. Step 6: the best of all slots, by the client's
 * preference, is reserved. Step 7: where that fails the slot is dropped, and all is probed again, since whoever took it may
 * have changed more. The paper does not say when to give up: here after {@value #ATTEMPTS} slots. A cluster that cannot be
 * asked is passed over, and the client is told so.
 *
 * <p>A slot that was dropped on the way is no refusal of a client, and is not counted as one. A request that is refused in the
 * end counts once for each cluster that had no room for it.
 */
public final class Broker implements AutoCloseable {

    /** The most slots that are tried for one request. */
    static final int ATTEMPTS = 10;

    /** Keys are spread over so many locks. */
    private static final int STRIPES = 512;

    private final Desks desks;
    private final Providers providers;
    private final Mirrors mirrors;
    private final WireTerms wire;
    private final ExecutorService probes = Executors.newVirtualThreadPerTaskExecutor();

    private final List<Lock> keys = Stream.generate(ReentrantLock::new)
            .limit(STRIPES)
            .<Lock>map(lock -> lock)
            .toList();

    Broker(Desks desks, Providers providers, Mirrors mirrors, WireTerms wire) {
        this.desks = desks;
        this.providers = providers;
        this.mirrors = mirrors;
        this.wire = wire;
    }

    /** What became of a request. */
    public sealed interface Outcome {
        /** Granted; the origin tells what was tried before. */
        record Granted(Booked booked) implements Outcome {}

        /** No cluster could ever hold it; why, by cluster. */
        record NeverFits(Map<String, Rejection> reasons) implements Outcome {}

        /** No cluster has room for it now. */
        record NoSlot(List<Tried> tried, Rejection reason) implements Outcome {}

        /** It was not for the clusters to decide, or is not known: a limit of the account, a key, a commit in doubt. */
        record Ended(Answer answer) implements Outcome {}
    }

    /** A slot that a member has told of. */
    private record Slot(Member member, Found found) {

        Choice choice() {
            return found.choice(member.id());
        }

        Tried tried(Tried.Obstacle outcome) {
            return new Tried(member.id(), OptionalLong.of(found.start()), outcome);
        }
    }

    /** What all members said to one round of probes. */
    private record Round(List<Slot> slots, Map<Member, Rejection> refusals, Map<String, Rejection> never) {

        /** Of those that have no room now: waiting may help there. */
        Optional<Rejection> reason() {
            return refusals.values().stream().findFirst();
        }
    }

    /**
     * Reserves the best slot there is. A request that was granted before under the same key hears the same again, whichever
     * cluster granted it. Requests of one key that come at the same time are served one after the other.
     */
    public Outcome reserve(Request request, Optional<KeyUse> key) {
        if (key.isEmpty()) {
            return search(request, key);
        }
        return inTurn(key.get(), () -> granted(request, key).orElseGet(() -> search(request, key)));
    }

    /** Does what is asked for under a key, one after the other. */
    <T> T inTurn(KeyUse key, Supplier<T> work) {
        var turn = keys.get(Math.floorMod(Objects.hash(key.account(), key.key()), STRIPES));
        turn.lock();
        try {
            return work.get();
        } finally {
            turn.unlock();
        }
    }

    private Outcome search(Request request, Optional<KeyUse> key) {
        var tried = new ArrayList<Tried>();
        var dropped = new HashSet<Choice>();
        var passedOver = new HashSet<String>();
        var round = probe(request, tried, passedOver);
        if (round.slots.isEmpty() && round.refusals.isEmpty() && passedOver.isEmpty()) {
            return new Outcome.NeverFits(round.never);
        }
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            var best = best(request, round, dropped);
            if (best.isEmpty()) {
                break;
            }
            var slot = best.get();
            switch (take(slot, request.after(tried), key)) {
                case Taken.Granted(var booked) -> {
                    return new Outcome.Granted(booked);
                }
                case Taken.Lost(var why) -> {
                    tried.add(slot.tried(why));
                    dropped.add(slot.choice());
                    if (why == Tried.Obstacle.UNAVAILABLE) {
                        passedOver.add(slot.member.id());
                    }
                }
                case Taken.Ended(var answer) -> {
                    return new Outcome.Ended(answer);
                }
            }
            round = probe(request, tried, passedOver);
        }
        var last = round;
        // another request with the same key may have been faster
        return granted(request, key).orElseGet(() -> refused(request, last, tried));
    }

    /** What lies at another Berth is within the limits of the account here. */
    private Taken take(Slot slot, Request request, Optional<KeyUse> key) {
        return switch (slot.member) {
            case LocalCluster here -> here.take(request, slot.found, key);
            case RemoteCluster there ->
                desks.within(
                        request.origin().owner(),
                        request.limits(),
                        Part.whole(slot.found.slot(), RemoteCluster.fewest(request.terms())),
                        () -> there.take(request, slot.found, key),
                        Taken.Ended::new);
        };
    }

    /** What was answered to the key before. */
    Optional<Outcome> granted(Request request, Optional<KeyUse> key) {
        if (key.isEmpty()) {
            return Optional.empty();
        }
        var first = mirrors.first(key.get());
        if (first.isEmpty()) {
            return desks.firstAnswer(key.get()).map(Broker::again);
        }
        if (!first.get().fingerprint().equals(key.get().fingerprint())) {
            return Optional.of(new Outcome.Ended(new Answer.KeyReused()));
        }
        var mirror = mirrors.confirmed(first.get().mirror());
        // what the client did not ask to hold, and yet expired, was never granted
        if (request.hold().isEmpty() && mirror.state() == ReservationState.EXPIRED) {
            mirrors.forget(mirror);
            return Optional.empty();
        }
        return Optional.of(again(mirror));
    }

    private static Outcome again(Mirror mirror) {
        return mirror.owed() == Mirror.Owed.CONFIRMATION
                ? new Outcome.Ended(RemoteCluster.UNKNOWN)
                : new Outcome.Granted(new Booked.There(mirror));
    }

    private static Outcome again(Answer answer) {
        return answer instanceof Answer.Done done && done.reservation().isPresent()
                ? new Outcome.Granted(new Booked.Here(done.reservation().get()))
                : new Outcome.Ended(answer);
    }

    private static Outcome refused(Request request, Round round, List<Tried> tried) {
        round.refusals.forEach((member, reason) -> member.countRefusal(request, reason));
        boolean isUnavailable = round.refusals.isEmpty()
                && round.slots.isEmpty()
                && tried.stream().allMatch(one -> one.outcome() == Tried.Obstacle.UNAVAILABLE);
        return isUnavailable
                ? new Outcome.Ended(
                        new Answer.NotDecided("No cluster that could hold this can be asked at the moment."))
                : new Outcome.NoSlot(List.copyOf(tried), round.reason().orElseGet(Rejection.NoSlot::new));
    }

    /** Steps 6 and 7: the best slot that was not dropped. */
    private static Optional<Slot> best(Request request, Round round, Set<Choice> dropped) {
        var left = round.slots.stream()
                .filter(slot -> !dropped.contains(slot.choice()))
                .toList();
        return request.preference().order(left, Slot::choice).stream().findFirst();
    }

    /** Steps 2 to 5: all are asked at once, but those that were passed over. */
    private Round probe(Request request, List<Tried> tried, Set<String> passedOver) {
        var round = new Round(new ArrayList<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        var elsewhere = providers.all().stream()
                .map(provider -> new RemoteCluster(provider, providers, mirrors, wire))
                .filter(member -> request.allows(member.id()) && !passedOver.contains(member.id()))
                .collect(toMap(member -> member, member -> probes.submit(() -> member.probe(request))));
        // in this thread, while the others answer
        for (var cluster : desks.clusters()) {
            var member = new LocalCluster(cluster.id(), desks);
            if (request.allows(member.id()) && !passedOver.contains(member.id())) {
                note(member, member.probe(request), round, tried, passedOver);
            }
        }
        elsewhere.forEach((member, probe) -> note(member, answer(probe), round, tried, passedOver));
        return round;
    }

    /**
     * Asks clusters of other Berths what would fit, all at once. One that does not answer is passed over.
     *
     * @param asked whom
     * @param limit the most slots of each
     * @param meanwhile done in this thread while they answer
     */
    public ProbedElsewhere show(RequestedTerms terms, int limit, List<Provider> asked, Runnable meanwhile) {
        var answers = asked.stream()
                .map(provider -> new RemoteCluster(provider, providers, mirrors, wire))
                .map(member -> Map.entry(member.id(), probes.submit(() -> member.show(terms, limit))))
                .toList();
        meanwhile.run();
        return answers.stream()
                .map(asking -> shown(asking.getKey(), asking.getValue()))
                .reduce(ProbedElsewhere.NOTHING, ProbedElsewhere::and);
    }

    private static ProbedElsewhere shown(String cluster, Future<ProbedElsewhere> probe) {
        try {
            return probe.get();
        } catch (ExecutionException e) {
            return ProbedElsewhere.silent(cluster);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ProbedElsewhere.silent(cluster);
        }
    }

    /** None of them takes much longer than the patience of the client that asks. */
    private static Probed answer(Future<Probed> probe) {
        try {
            return probe.get();
        } catch (ExecutionException e) {
            return new Probed.Unavailable();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Probed.Unavailable();
        }
    }

    private static void note(Member member, Probed probed, Round round, List<Tried> tried, Set<String> passedOver) {
        switch (probed) {
            case Probed.Slots(var found) -> found.forEach(each -> round.slots.add(new Slot(member, each)));
            case Probed.NoRoom(var reason) -> round.refusals.put(member, reason);
            case Probed.Never(var reason) -> round.never.put(member.id(), reason);
            case Probed.Unavailable() -> {
                passedOver.add(member.id());
                tried.add(new Tried(member.id(), OptionalLong.empty(), Tried.Obstacle.UNAVAILABLE));
            }
        }
    }

    /** Asks nobody any more. */
    @Override
    public void close() {
        probes.shutdownNow();
    }
}
