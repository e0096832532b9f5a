package berth.booking;

import berth.booking.AnyCluster.Found;
import berth.booking.AnyCluster.Probed;
import berth.booking.AnyCluster.Taken;
import berth.booking.BrokerRounds.Withdrawal;
import berth.engine.Answer;
import berth.engine.KeyUse;
import berth.engine.Keys;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Trial;
import berth.intake.IntakeRequest;
import berth.peers.BerthClient;
import berth.peers.RemoteProbe;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.reservation.TriedCluster;
import berth.runtime.Threads;
import berth.scheduling.Rejection;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Preference.Choice;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Finds a place for a request on any cluster: the Grid Reservation Service of paper 001, section 3, by the steps of its figure 1. The
 * information service is what this Berth knows of each cluster; the clusters' reservation services are {@link AnyCluster}.
 *
 * <p>In steps 2 to 5, the broker probes every cluster that could ever hold the request. In step 6 it reserves the best of all slots by the
 * client's preference. If that fails, in step 7 it drops the slot and probes again, because the schedules may have changed. The paper sets
 * no end; here the broker stops after {@value #ATTEMPTS} slots. It skips a cluster that does not answer and reports that to the client. If
 * no slot is left, a client that accepts alternatives (paper 000, Algorithm 2) gets the nearest one of all clusters.
 *
 * <p>A dropped slot does not count as a refusal. A request that is refused in the end counts once for each cluster that had no room.
 */
public final class Broker implements AutoCloseable {

    /** The time limit for finding alternatives, equal to that of an answer from another Berth. */
    private static final Duration PATIENCE = BerthClient.PATIENCE;

    /** The most slots to try for a request, and the most alternatives. */
    static final int ATTEMPTS = 10;

    private final Keys keys;
    private final Clusters clusters;
    private final InstantSource clock;
    private final Threads threads;
    private final ExecutorService probes;

    Broker(Keys keys, Clusters clusters, Threads threads, InstantSource clock) {
        this.keys = keys;
        this.threads = threads;
        this.probes = Executors.newThreadPerTaskExecutor(threads.light());
        this.clusters = clusters;
        this.clock = clock;
    }

    /** The result of a request. */
    public sealed interface Outcome {
        /** It was granted; the origin states what was tried before. */
        record Granted(BookedReservation booked) implements Outcome {}

        /** It waits for its round, or the same request with that key did so before. */
        record Collected(IntakeRequest request) implements Outcome {}

        /** No cluster could ever hold it, with the reasons by cluster. */
        record NeverFits(Map<ClusterId, Rejection> reasons) implements Outcome {}

        /** No cluster has room now. */
        record NoSlot(List<TriedCluster> tried, Rejection reason) implements Outcome {}

        /** Something other than the clusters decided it, such as a limit of the account or a key, or its result is unknown. */
        record Ended(Answer answer) implements Outcome {}
    }

    /** A slot offered by a cluster. */
    private record Offered(AnyCluster cluster, Found found) {

        Choice choice() {
            return found.choice(cluster.id());
        }

        TriedCluster tried(TriedCluster.Obstacle outcome) {
            return new TriedCluster(cluster.id(), OptionalLong.of(found.slot().start()), outcome);
        }
    }

    /** The use of a slot that the broker has chosen. */
    private interface Use {

        /** Reserves the slot, or tries to. */
        Taken take(Offered offered, Request request);

        /** Notes that a cluster has no room for a request that was refused in the end. */
        void refused(AnyCluster cluster, Request request, Rejection reason);
    }

    /** Reserves the slot. */
    private record Reserving(Keys.Turn turn) implements Use {

        @Override
        public Taken take(Offered offered, Request request) {
            return offered.cluster.take(request, offered.found.slot(), offered.found.start(request), turn);
        }

        @Override
        public void refused(AnyCluster cluster, Request request, Rejection reason) {
            cluster.countRefusal(request, reason);
        }
    }

    /** Tries a slot of this Berth, and keeps the last trial. Changes nothing. */
    private static final class Trying implements Use {
        private Optional<Trial> last = Optional.empty();

        @Override
        public Taken take(Offered offered, Request request) {
            return switch (offered.cluster) {
                case LocalCluster here -> {
                    var tried = here.tryToTake(request, offered.found.start(request));
                    last = tried.trial();
                    yield tried.outcome();
                }
                case RemoteCluster there -> new Taken.Ended(notHere(there.id()));
            };
        }

        @Override
        public void refused(AnyCluster cluster, Request request, Rejection reason) {
            // only actual requests are counted
        }
    }

    /** Returns the refusal to try something at another Berth. */
    static Answer notHere(ClusterId cluster) {
        return new Answer.Refused(Rejection.InvalidTerms.of(
                "dryRun",
                "is not supported on cluster \"%s\", which belongs to another Berth; leave it out".formatted(cluster)));
    }

    /** The answers of all clusters to one round of probes. */
    private record Round(List<Offered> slots, Map<AnyCluster, Rejection> refusals, Map<ClusterId, Rejection> never) {

        /** Returns the reason of a cluster that has no room now, where waiting may help. */
        Optional<Rejection> reason() {
            return refusals.values().stream().findFirst();
        }
    }

    /**
     * Reserves the best slot for a collected request, exactly once however often this is tried. While the result of one attempt is unknown,
     * there is no other, even if the database does not answer for longer than anybody waits.
     */
    public Outcome reserveOnce(Request request) {
        return keys.once(
                Optional.of(ownKey(request.id(), request.origin().owner())),
                Broker::again,
                Outcome.Ended::new,
                turn -> reserve(request, turn));
    }

    /** Withdraws a collected request unless {@link #reserveOnce} has reserved something for it or may still do so. */
    public Withdrawal withdraw(IntakeRequest request, Supplier<Withdrawal> withdrawal) {
        return keys.once(
                Optional.of(ownKey(request.id(), request.origin().owner())),
                _ -> Optional.of(new Withdrawal.Decided()),
                _ -> new Withdrawal.UnderWay(),
                _ -> withdrawal.get());
    }

    /** Returns a key that no client can use: clients' keys have no spaces. */
    static KeyUse ownKey(ReservationId request, AccountName owner) {
        return new KeyUse(owner, "request " + request, request.toString());
    }

    /**
     * Returns the earlier result. A key that refers to an id belongs to a reservation at another Berth, which the rounds find by the id of
     * its request.
     */
    private static Optional<Outcome> again(KeyResult first) {
        return first instanceof KeyResult.Happened(var event)
                ? new Answer.Done(List.of(event))
                        .reservation()
                        .map(BookedReservation.Here::new)
                        .map(Outcome.Granted::new)
                : Optional.of(new Outcome.Ended(
                        new Answer.NotDecided("The reservation is being recorded; try again later.")));
    }

    /**
     * Reserves the best slot.
     *
     * @param turn the turn of the request's key
     */
    Outcome reserve(Request request, Keys.Turn turn) {
        return reserve(request, new Reserving(turn));
    }

    /** Returns what {@link #reserve} would do. Asks the same clusters, and tries the best slot if it is one of this Berth. */
    TrialOutcome<Outcome> tryToReserve(Request request) {
        var use = new Trying();
        return new TrialOutcome<>(reserve(request, use), use.last);
    }

    private Outcome reserve(Request request, Use use) {
        var mistakes = mistakes(request);
        if (!mistakes.isEmpty()) {
            return new Outcome.Ended(new Answer.Refused(new Rejection.InvalidTerms(mistakes)));
        }
        var tried = new ArrayList<TriedCluster>();
        var dropped = new HashSet<Choice>();
        var passedOver = new HashSet<ClusterId>();
        var round = probe(request, tried, passedOver);
        if (round.slots.isEmpty() && round.refusals.isEmpty() && passedOver.isEmpty()) {
            return new Outcome.NeverFits(round.never);
        }
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            var best = best(request, round, dropped);
            if (best.isEmpty()) {
                break;
            }
            var offered = best.get();
            var outcome = taken(offered, request.after(tried), use, tried);
            if (outcome.isPresent()) {
                return outcome.get();
            }
            dropped.add(offered.choice());
            if (tried.getLast().outcome() == TriedCluster.Obstacle.UNAVAILABLE) {
                passedOver.add(offered.cluster.id());
            }
            round = probe(request, tried, passedOver);
        }
        var last = round;
        return alternative(request, use, tried, passedOver).orElseGet(() -> refused(request, last, use, tried));
    }

    /** Finds errors that every cluster would report in its own way. */
    private List<Violation> mistakes(Request request) {
        var mistakes = new ArrayList<Violation>();
        if (request.hold().isPresent() && request.hold().getAsLong() < 1) {
            mistakes.add(new Violation("hold", "must be longer than zero"));
        }
        if (request.start().isPresent()
                && request.start().getAsLong() < clock.instant().getEpochSecond()) {
            mistakes.add(new Violation("start", "must not lie in the past"));
        }
        return mistakes;
    }

    /** Reserves a slot; empty if it is not available, which is noted. */
    private static Optional<Outcome> taken(Offered offered, Request request, Use use, List<TriedCluster> tried) {
        return switch (use.take(offered, request)) {
            case Taken.Granted(var booked) -> Optional.of(new Outcome.Granted(booked));
            case Taken.Lost(var why) -> {
                tried.add(offered.tried(why));
                yield Optional.empty();
            }
            case Taken.Ended(var answer) -> Optional.of(new Outcome.Ended(answer));
        };
    }

    /** Reserves the nearest acceptable place outside the window, or the next one if another request was faster. */
    private Optional<Outcome> alternative(
            Request request, Use use, List<TriedCluster> tried, Set<ClusterId> passedOver) {
        if (request.leeway().isEmpty()) {
            return Optional.empty();
        }
        var others = gathered(
                request,
                passedOver,
                cluster -> cluster.others(request, request.leeway().get()));
        for (var place : others.nearest(ATTEMPTS).places()) {
            var wanted = request.at(place).after(tried);
            var outcome = cluster(place)
                    .flatMap(cluster -> taken(new Offered(cluster, Found.of(place.choice())), wanted, use, tried));
            if (outcome.isPresent()) {
                return outcome;
            }
        }
        return Optional.empty();
    }

    /** Returns the cluster that offers a place; empty if it is no longer known. */
    private Optional<? extends AnyCluster> cluster(AlternativePlace place) {
        var id = place.choice().cluster();
        return switch (place) {
            case AlternativePlace.Here _ -> Optional.of(clusters.here(id));
            case AlternativePlace.There _ -> clusters.elsewhere(id);
        };
    }

    /** Returns what would fit instead of a refused request on all clusters that may be asked, nearest first. */
    public Counteroffer remedies(Request request) {
        return gathered(request, Set.of(), cluster -> cluster.remedy(request)).nearest(Counteroffer.LIMIT);
    }

    /**
     * Terms that a cluster of this Berth rejected.
     *
     * @param by the account in whose turn the search for others runs
     * @param customer the account that would pay
     * @param renegotiated the reservation whose terms they would change; empty for a new reservation
     */
    public record RejectedTerms(
            AccountName by,
            Customer customer,
            ClusterId cluster,
            RequestedTerms terms,
            Optional<ReservationId> renegotiated) {}

    /** Returns the slots and terms that would fit on the same cluster in place of terms that it rejected for want of room. */
    public Counteroffer remedies(RejectedTerms rejected) {
        return clusters.here(rejected.cluster).remedy(rejected);
    }

    /** Asks all clusters at the same time, within the time limit. */
    private Counteroffer gathered(
            Request request, Set<ClusterId> passedOver, Function<AnyCluster, Counteroffer> question) {
        long end = threads.nanoTime() + PATIENCE.toNanos();
        var elsewhere = clusters.elsewhere(request, passedOver).stream()
                .map(cluster -> ask(() -> question.apply(cluster)))
                .toList();
        var all = Counteroffer.of(List.of(), false);
        for (var cluster : clusters.here(request, passedOver)) {
            all = all.and(threads.nanoTime() < end ? question.apply(cluster) : Counteroffer.NOT_LOOKED_FOR);
        }
        for (var answer : elsewhere) {
            all = all.and(answer(answer, Counteroffer.NOT_LOOKED_FOR));
        }
        return all;
    }

    private static Outcome refused(Request request, Round round, Use use, List<TriedCluster> tried) {
        round.refusals.forEach((cluster, reason) -> use.refused(cluster, request, reason));
        boolean isUnavailable = round.refusals.isEmpty()
                && round.slots.isEmpty()
                && tried.stream().allMatch(one -> one.outcome() == TriedCluster.Obstacle.UNAVAILABLE);
        return isUnavailable
                ? new Outcome.Ended(
                        new Answer.NotDecided(
                                "The clusters that could hold this reservation cannot be reached at the moment; try again later."))
                : new Outcome.NoSlot(List.copyOf(tried), round.reason().orElseGet(Rejection.NoSlot::new));
    }

    /** Returns the best slot that was not dropped (steps 6 and 7). */
    private static Optional<Offered> best(Request request, Round round, Set<Choice> dropped) {
        var left = round.slots.stream()
                .filter(offered -> !dropped.contains(offered.choice()))
                .toList();
        return request.preference().order(left, Offered::choice).stream().findFirst();
    }

    /** Probes all clusters at the same time, except skipped ones (steps 2 to 5). */
    private Round probe(Request request, List<TriedCluster> tried, Set<ClusterId> passedOver) {
        var round = new Round(new ArrayList<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        var elsewhere = clusters.elsewhere(request, passedOver).stream()
                .map(cluster -> Map.entry(cluster, ask(() -> cluster.probe(request, AnyCluster.SLOTS))))
                .toList();
        // in this thread while the other Berths answer
        for (var cluster : clusters.here(request, passedOver)) {
            note(cluster, cluster.probe(request, AnyCluster.SLOTS), round, tried, passedOver);
        }
        elsewhere.forEach(asking ->
                note(asking.getKey(), answer(asking.getValue(), new Probed.Unavailable()), round, tried, passedOver));
        return round;
    }

    /**
     * Asks clusters of other Berths at the same time what would fit; skips those that do not answer.
     *
     * @param asked the clusters
     * @param limit the most slots from each
     * @param meanwhile runs in this thread while they answer
     */
    RemoteProbe show(
            RequestedTerms terms, Preference preference, int limit, List<RemoteCluster> asked, Runnable meanwhile) {
        var answers = asked.stream()
                .map(cluster -> Map.entry(cluster.id(), ask(() -> cluster.show(terms, preference, limit))))
                .toList();
        meanwhile.run();
        return answers.stream()
                .map(asking -> answer(asking.getValue(), RemoteProbe.silent(asking.getKey())))
                .reduce(RemoteProbe.NOTHING, RemoteProbe::and);
    }

    /** Starts to ask. After this broker is closed, there is no answer. */
    private <T> Future<T> ask(Callable<T> question) {
        try {
            return probes.submit(question);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns the answer. It takes hardly longer than the timeout of the client that asks. */
    private static <T> T answer(Future<T> probe, T none) {
        try {
            return probe.get();
        } catch (ExecutionException e) {
            return none;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return none;
        }
    }

    private static void note(
            AnyCluster cluster, Probed probed, Round round, List<TriedCluster> tried, Set<ClusterId> passedOver) {
        switch (probed) {
            case Probed.Slots(var found) -> found.forEach(each -> round.slots.add(new Offered(cluster, each)));
            case Probed.NoRoom(var reason) -> round.refusals.put(cluster, reason);
            case Probed.Never(var reason) -> round.never.put(cluster.id(), reason);
            case Probed.Unavailable() -> {
                passedOver.add(cluster.id());
                tried.add(new TriedCluster(cluster.id(), OptionalLong.empty(), TriedCluster.Obstacle.UNAVAILABLE));
            }
        }
    }

    /** Stops asking other Berths. */
    @Override
    public void close() {
        probes.shutdownNow();
    }
}
