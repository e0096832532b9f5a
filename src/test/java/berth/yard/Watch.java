package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.desk.Ledger.Batch;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.Type;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Part;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Looks at everything that is recorded, and at everything that is said, and fails at the first thing that must not be. */
final class Watch {

    /** What changes the terms of a reservation. */
    private static final Set<Type> AGREEMENTS = EnumSet.of(Type.RENEGOTIATED, Type.ACCEPTED);

    /** What may change where it lies, beside that. */
    private static final Set<Type> MOVES = EnumSet.of(
            Type.MOVED, Type.COMPLETED, Type.STARTED, Type.PAUSED, Type.RESUMED, Type.CANCELLED, Type.FAILED);

    /** What may change what it owes, beside that. */
    private static final Set<Type> CHARGES = EnumSet.of(
            Type.FIXED, Type.COMPLETED, Type.CANCELLED, Type.EXPIRED, Type.FAILED, Type.MOVED, Type.RELEASED);

    private final InstantSource latest;
    private final Function<AccountName, AccountLimits> limits;
    private final Map<ClusterId, Cluster> clusters = new LinkedHashMap<>();
    private final Map<ClusterId, Long> sequences = new HashMap<>();
    private final Map<OutageId, Outage> outages = new LinkedHashMap<>();
    private final Map<ReservationId, Reservation> reservations = new LinkedHashMap<>();

    /** Every reservation as it was in each of its versions. */
    private final Map<ReservationId, Map<Integer, Reservation>> versions = new HashMap<>();

    /** What was asked for, by the name that it was given. */
    private final Map<String, Ask> asks;

    /** When the last event of each cluster happened. */
    private final Map<ClusterId, Long> last = new HashMap<>();

    /** Requests that were withdrawn, as their clients have heard. */
    private final Set<ReservationId> withdrawn = new HashSet<>();

    private long events;

    /** What a client has asked for, and heard. */
    static final class Ask {
        private final AccountName owner;
        private final boolean isOnce;
        private boolean isDenied;
        private boolean isDoubtful;

        /** @param isOnce whether it is to happen once, however often it is asked for */
        Ask(AccountName owner, boolean isOnce) {
            this.owner = owner;
            this.isOnce = isOnce;
        }

        boolean isOnce() {
            return isOnce;
        }

        /** It is asked for once more. */
        void again() {
            isDenied = false;
        }

        /** Something was said that leaves open what has become of it, or nothing. */
        void doubtful() {
            isDoubtful = true;
        }

        /** It was said that nothing has changed: nothing ever will for it. */
        void denied() {
            isDenied = true;
        }
    }

    /**
     * @param latest what time it may be at most, for whoever believes a clock that is not far off
     * @param asks what was asked for at all Berths, which may ask each other
     */
    Watch(
            List<Cluster> clusters,
            InstantSource latest,
            Function<AccountName, AccountLimits> limits,
            Map<String, Ask> asks) {
        this.latest = latest;
        this.asks = asks;
        clusters.forEach(cluster -> this.clusters.put(cluster.id(), cluster));
        this.limits = limits;
    }

    long events() {
        return events;
    }

    Ask ask(String name, AccountName owner, boolean isOnce) {
        var ask = new Ask(owner, isOnce);
        asks.put(name, ask);
        return ask;
    }

    /** A reservation as it is recorded. */
    Reservation present(ReservationId id) {
        return Objects.requireNonNull(reservations.get(id), "not recorded: " + id);
    }

    boolean isRecorded(ReservationId id) {
        return reservations.containsKey(id);
    }

    List<Reservation> reservations() {
        return List.copyOf(reservations.values());
    }

    List<Outage> outages() {
        return outages.values().stream()
                .filter(outage -> outage.endedAt().isEmpty())
                .toList();
    }

    Cluster cluster(ClusterId id) {
        return Objects.requireNonNull(clusters.get(id));
    }

    /** A client has heard that a reservation is so. */
    void told(Reservation reservation) {
        var known = versions.getOrDefault(reservation.id(), Map.of())
                .get(reservation.status().version());
        assertThat(known).as("what was told is recorded").isEqualTo(reservation);
    }

    /** A client has heard that a request is withdrawn: nothing comes of it. */
    void withdrawn(ReservationId request) {
        withdrawn.add(request);
        assertThat(reservations).as("what came of a request that is withdrawn").doesNotContainKey(request);
    }

    /** Whether a reservation was ever more than held. */
    boolean wasConfirmed(ReservationId id) {
        return versions.getOrDefault(id, Map.of()).values().stream()
                .anyMatch(version -> version.state() == ReservationState.CONFIRMED);
    }

    /** Something was recorded. */
    void recorded(Batch batch) {
        assertThat(batch.sequence())
                .as("the sequence of %s goes on without a gap", batch.cluster())
                .isEqualTo(sequences.getOrDefault(batch.cluster(), 0L));
        sequences.put(batch.cluster(), batch.lastSequence());
        events += batch.events().size();
        for (var event : batch.events()) {
            if (Boolean.getBoolean("berth.yard.loud")) {
                System.out.println("recorded " + event);
            }
            recorded(batch.cluster(), event);
        }
        neverTakesMoreThanThereIs(batch.cluster(), batch.events().getLast().at());
        batch.events().stream()
                .filter(ReservationEvent.class::isInstance)
                .map(event -> ((ReservationEvent) event).reservation().origin().owner())
                .distinct()
                .forEach(this::keepsToItsLimits);
    }

    private void recorded(ClusterId cluster, Event event) {
        assertThat(event.at())
                .as("the time of %s on %s, after that of the event before", event.type(), cluster)
                .isGreaterThanOrEqualTo(last.getOrDefault(cluster, Long.MIN_VALUE));
        last.put(cluster, event.at());
        assertThat(Instant.ofEpochSecond(event.at()))
                .as("the time of %s on %s, which no clock that may be believed shows yet", event.type(), cluster)
                .isBeforeOrEqualTo(latest.instant());
        switch (event) {
            case ReservationEvent happened -> recorded(cluster, happened);
            case ClusterEvent(var changed, var _) -> clusters.put(changed.id(), changed);
            case OutageEvent(var _, var outage, var _) -> outages.put(outage.id(), outage);
            case RequestEvent(var _, var request, var _) -> {
                var ask =
                        Objects.requireNonNull(asks.get(request.origin().name().orElseThrow()));
                assertThat(ask.owner).isEqualTo(request.origin().owner());
            }
            case Event.JobEvent _, Event.JobsEvent _ -> {
                // the batch system's
            }
        }
    }

    private void recorded(ClusterId cluster, ReservationEvent event) {
        var now = event.reservation();
        assertThat(now.cluster()).isEqualTo(cluster);
        var before = reservations.put(now.id(), now);
        assertThat(before == null || before.cluster().equals(cluster))
                .as("whether %s is only where it was before: %s", now, before)
                .isTrue();
        versions.computeIfAbsent(now.id(), _ -> new HashMap<>())
                .put(now.status().version(), now);
        if (before == null) {
            appeared(now);
        } else {
            keepsItsPromise(event, before, now);
        }
    }

    /** Somebody has asked for it, and was not told the contrary. */
    private void appeared(Reservation now) {
        assertThat(withdrawn).as("requests that were withdrawn").doesNotContain(now.id());
        var name = now.origin().name().orElseThrow();
        var ask = asks.get(name);
        assertThat(ask).as("somebody has asked for %s", now).isNotNull();
        Objects.requireNonNull(ask);
        if (now.origin().owner().value().startsWith("berth-")) {
            // another Berth holds it for whoever has asked for it there, more than once perhaps
            assertThat(now.state()).as("what another Berth asks for").isEqualTo(ReservationState.HELD);
            return;
        }
        assertThat(ask.owner).as("the owner of %s", name).isEqualTo(now.origin().owner());
        assertThat(ask.isDenied && !ask.isDoubtful)
                .as("whether %s was denied, and is recorded after all", name)
                .isFalse();
        if (ask.isOnce) {
            assertThat(reservations.values().stream()
                            .filter(other ->
                                    other.origin().name().equals(now.origin().name())
                                            && other.cluster().equals(now.cluster()))
                            .count())
                    .as("how often %s, asked for once, is recorded", name)
                    .isOne();
        }
    }

    private static void keepsItsPromise(ReservationEvent event, Reservation before, Reservation now) {
        var type = event.type();
        assertThat(before.state().isLive())
                .as("whether %s was live before %s", now.id(), type)
                .isTrue();
        assertThat(now.origin()).isEqualTo(before.origin());
        assertThat(now.cluster()).isEqualTo(before.cluster());
        assertThat(now.status().version())
                .as("the version of %s (%s) after %s", before, type, now)
                .isGreaterThanOrEqualTo(before.status().version());
        if (!AGREEMENTS.contains(type)) {
            assertThat(now.terms().window())
                    .as("window after %s", type)
                    .isEqualTo(before.terms().window());
            assertThat(now.terms().budget())
                    .as("budget after %s", type)
                    .isEqualTo(before.terms().budget());
            if (!MOVES.contains(type)) {
                assertThat(now.parts()).as("place after %s", type).isEqualTo(before.parts());
            }
            if (!CHARGES.contains(type)) {
                assertThat(now.charge()).as("charge after %s", type).isEqualTo(before.charge());
            }
        }
        if (type == Type.MOVED) {
            assertThat(now.price().amount())
                    .as("the price after a move")
                    .isLessThanOrEqualTo(before.price().amount());
        }
        assertThat(type == Type.MOVED)
                .as("a move has a reason")
                .isEqualTo(event.move().isPresent());
    }

    /** At each instant from now on at which something begins. */
    private void neverTakesMoreThanThereIs(ClusterId id, long now) {
        var cluster = cluster(id);
        var taken = new ArrayList<Part>();
        reservations.values().stream()
                .filter(reservation ->
                        reservation.cluster().equals(id) && reservation.state().isLive())
                .forEach(reservation -> taken.addAll(reservation.parts()));
        for (var part : taken) {
            long at = Math.max(now, part.slot().start());
            int sum = taken.stream()
                    .filter(other -> other.slot().contains(at))
                    .mapToInt(Part::pes)
                    .sum();
            assertThat(sum)
                    .as(
                            "PEs of %s, which has %d, that are taken at %d by %s beside %s",
                            id, cluster.pes(), at, taken, outages())
                    .isLessThanOrEqualTo(cluster.pes() - mostOut(id, cluster.pes(), at));
        }
    }

    private int mostOut(ClusterId cluster, int pes, long at) {
        return outages.values().stream()
                .filter(outage ->
                        outage.cluster().equals(cluster) && outage.endedAt().isEmpty())
                .filter(outage -> outage.from() <= at && at < outage.to().orElse(Long.MAX_VALUE))
                .mapToInt(outage -> outage.peIds()
                        .map(named -> (int)
                                IntStream.range(0, pes).filter(named::contains).count())
                        .orElse(outage.pes()))
                .max()
                .orElse(0);
    }

    private void keepsToItsLimits(AccountName owner) {
        limits.apply(owner)
                .activeReservations()
                .ifPresent(most -> assertThat(reservations.values().stream()
                                .filter(reservation ->
                                        reservation.origin().owner().equals(owner)
                                                && reservation.state().isLive())
                                .count())
                        .as("active reservations of %s", owner)
                        .isLessThanOrEqualTo(most));
    }
}
