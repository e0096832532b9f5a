package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.approval.Approval;
import berth.approval.Side;
import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.budget.BudgetUnit;
import berth.budget.Dues;
import berth.budget.LowBudget;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.engine.Ledger.Batch;
import berth.intake.IntakeRequest;
import berth.peers.Mirror;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.ReturnCredit;
import berth.scheduling.Event.Type;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.FairUse;
import berth.sla.FairUse.CoolDown;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.math.BigDecimal;
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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks everything that is recorded and every answer, and fails at the first error. */
final class Watch {

    /** The events that change the terms of a reservation. */
    private static final Set<Type> AGREEMENTS = EnumSet.of(Type.RENEGOTIATED, Type.ACCEPTED, Type.EXTENDED);

    /** The other events that can change its place. */
    private static final Set<Type> MOVES = EnumSet.of(
            Type.MOVED,
            Type.REPLACED,
            Type.DEGRADED,
            Type.COMPLETED,
            Type.STARTED,
            Type.PAUSED,
            Type.RESUMED,
            Type.CANCELLED,
            Type.APPROVAL_DECLINED,
            Type.FAILED);

    /** The other events that can change what it owes. */
    private static final Set<Type> CHARGES = EnumSet.of(
            Type.FIXED,
            Type.COMPLETED,
            Type.CANCELLED,
            Type.EXPIRED,
            Type.FAILED,
            Type.MOVED,
            Type.RELEASED,
            Type.RETURN_CREDITED,
            Type.RETURN_ENDED,
            Type.APPROVAL_DECLINED);

    /** The events that can come after its end. */
    private static final Set<Type> AFTERWARDS = EnumSet.of(Type.RETURN_CREDITED, Type.RETURN_ENDED);

    /** The events that leave its state and its hold unchanged. */
    private static final Set<Type> WITHIN_A_STATE = EnumSet.of(
            Type.FIXED,
            Type.EXTENDED,
            Type.NOT_EXTENDED,
            Type.STARTING,
            Type.ENDING,
            Type.PAUSED,
            Type.RESUMED,
            Type.CLAIMED,
            Type.CLAIM_POSTPONED,
            Type.ENFORCED,
            Type.ENFORCEMENT_FAILED,
            Type.ENFORCEMENT_POSTPONED,
            Type.USERS_CHANGED,
            Type.TRANSFERRED,
            Type.RECEIVED,
            Type.PROPOSED,
            Type.ACCEPTED,
            Type.DECLINED,
            Type.MOVED,
            Type.LOSING,
            Type.REPLACED,
            Type.RESTORED,
            Type.DEGRADED,
            Type.RETURN_CREDITED,
            Type.RETURN_ENDED);

    /** The events by which an account reserves more with an existing reservation. */
    private static final Set<Type> BOOKINGS =
            EnumSet.of(Type.RENEGOTIATED, Type.ACCEPTED, Type.EXTENDED, Type.RECEIVED);

    private final InstantSource latest;
    private final Function<AccountName, AccountLimits> limits;
    private final Function<AccountName, List<Part>> mirrored;
    private final Map<ClusterId, Cluster> clusters = new LinkedHashMap<>();
    private final Map<ClusterId, Long> sequences = new HashMap<>();
    private final Optional<BigDecimal> budget;
    private final Optional<Oversight> oversight;
    private BigDecimal taken = BigDecimal.ZERO;

    /** What was credited to others on behalf of a reservation that has had the time which they returned. */
    private final Map<ReservationId, Money> paid = new HashMap<>();

    /** The epochs under which each cluster may be written. */
    private final Map<ClusterId, Long> epochs = new HashMap<>();

    private final Map<OutageId, Outage> outages = new LinkedHashMap<>();
    private final Map<ReservationId, Reservation> reservations = new LinkedHashMap<>();

    private final Map<ClusterId, Map<JobId, BatchJob>> jobs = new HashMap<>();
    private final Map<ReservationId, IntakeRequest> requests = new LinkedHashMap<>();

    /** Reservations and jobs that lost their PEs to others, so that they may exceed their account's limits. */
    private final Set<Object> movedByOthers = new HashSet<>();

    /** Runs that are no longer extended automatically although their terms had it. */
    private final Set<ReservationId> notExtended = new HashSet<>();

    /** Clients' wishes for a reservation, by the reservation and the resulting event. */
    private final Map<Wish, Ask> wishes = new HashMap<>();

    /** Every version of every reservation. */
    private final Map<ReservationId, Map<Integer, Reservation>> versions = new HashMap<>();

    /** Requests by name. */
    private final Map<String, Ask> asks;

    /** The time of the last event of each cluster. */
    private final Map<ClusterId, Long> last = new HashMap<>();

    /** Requests that were withdrawn, as their clients know. */
    private final Set<ReservationId> withdrawn = new HashSet<>();

    private final SeriesWatch series;

    private long events;

    private record Wish(ReservationId reservation, Type event, AccountName by) {}

    /** A client's request and the answers to it. */
    static final class Ask {
        private final String what;
        private final AccountName owner;
        private final boolean isOnce;
        private boolean isDenied;
        private boolean isDoubtful;
        private boolean isGranted;
        private boolean isRecorded;

        private Ask(String what, AccountName owner, boolean isOnce) {
            this.what = what;
            this.owner = owner;
            this.isOnce = isOnce;
        }

        boolean isOnce() {
            return isOnce;
        }

        /** Notes that the request was repeated. */
        void again() {
            isDenied = false;
        }

        /** Notes an answer that leaves the result open, or no answer. */
        void doubtful() {
            isDoubtful = true;
        }

        /** Notes that the client was told that it is done; a repetition may be told that it cannot be done again. */
        void granted() {
            isGranted = true;
        }

        /** Notes that the client was told that nothing has changed and never will. */
        void denied() {
            isDenied = true;
            requireTruth();
        }

        /** Notes a refusal, after which a request must never be granted, even by a call without an answer. */
        void refused() {
            denied();
            assertThat(isOnce && isRecorded)
                    .as("whether %s was refused, though it had been granted", what)
                    .isFalse();
        }

        private void recorded() {
            isRecorded = true;
            requireTruth();
        }

        private void requireTruth() {
            assertThat(isDenied && isRecorded && !isDoubtful && !isGranted)
                    .as("whether %s was denied, and is recorded nevertheless", what)
                    .isFalse();
        }
    }

    /**
     * Creates a watch.
     *
     * @param latest returns the latest possible time, given that clocks may be slightly off
     * @param mirrored returns the places of an account's reservations at other Berths, as known here
     * @param asks the requests at all Berths, which may call each other
     */
    Watch(
            List<Cluster> clusters,
            InstantSource latest,
            Function<AccountName, AccountLimits> limits,
            Function<AccountName, List<Part>> mirrored,
            Map<String, Ask> asks,
            Optional<BigDecimal> budget,
            Optional<Oversight> oversight) {
        this.budget = budget;
        this.oversight = oversight;
        this.latest = latest;
        this.mirrored = mirrored;
        this.asks = asks;
        clusters.forEach(cluster -> this.clusters.put(cluster.id(), cluster));
        this.limits = limits;
        this.series = new SeriesWatch(this, latest);
    }

    /** Returns the watch for series and maintenances. */
    SeriesWatch series() {
        return series;
    }

    long events() {
        return events;
    }

    /**
     * Registers a request.
     *
     * @param isOnce whether it must be executed once, however often it is repeated
     */
    Ask ask(String name, AccountName owner, boolean isOnce) {
        var ask = new Ask(name, owner, isOnce);
        asks.put(name, ask);
        return ask;
    }

    /** Registers a wish of a reservation's owner, or of an approver, that nobody else can fulfil. */
    Ask wish(ReservationId reservation, Type event, AccountName owner) {
        return wishes.computeIfAbsent(
                new Wish(reservation, event, owner), _ -> new Ask(event + " of " + reservation, owner, false));
    }

    /** Notes that a cluster is written under that epoch from now on. */
    void writes(ClusterId cluster, long epoch) {
        assertThat(epoch)
                .as("the epoch of %s, after that of the writer before", cluster)
                .isGreaterThan(epochs.getOrDefault(cluster, 0L));
        epochs.put(cluster, epoch);
    }

    /** Returns the recorded reservation. */
    Reservation present(ReservationId id) {
        return Objects.requireNonNull(reservations.get(id), "not recorded: " + id);
    }

    /** Whether a run is no longer extended automatically: its terms no longer have it, whatever a client wanted. */
    boolean isNotExtended(ReservationId id) {
        return notExtended.contains(id);
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

    /** Checks a reservation in an answer to a client. */
    void told(Reservation reservation) {
        var known = versions.getOrDefault(reservation.id(), Map.of())
                .get(reservation.status().version());
        assertThat(known).as("what was told is recorded").isEqualTo(reservation);
    }

    /** Notes that a client was told that a request is withdrawn, so it must have no result. */
    void withdrawn(ReservationId request) {
        withdrawn.add(request);
        assertThat(reservations).as("what came of a request that is withdrawn").doesNotContainKey(request);
    }

    /** Whether a reservation was ever more than held. */
    boolean wasConfirmed(ReservationId id) {
        return versions.getOrDefault(id, Map.of()).values().stream()
                .anyMatch(version -> version.state() == ReservationState.CONFIRMED);
    }

    /** Checks a recorded batch. */
    void recorded(Batch batch) {
        assertThat(batch.sequence())
                .as("the sequence of %s goes on without a gap", batch.cluster())
                .isEqualTo(sequences.getOrDefault(batch.cluster(), 0L));
        sequences.put(batch.cluster(), batch.lastSequence());
        assertThat(batch.epoch())
                .as("the epoch under which %s is written", batch.cluster())
                .isEqualTo(epochs.get(batch.cluster()));
        events += batch.events().size();
        for (var event : batch.events()) {
            if (Boolean.getBoolean("berth.yard.loud")) {
                System.out.println("recorded " + event);
            }
            recorded(batch.cluster(), event);
        }
        series.recorded(batch.events());
        neverTakesMoreThanThereIs(batch.cluster(), batch.events().getLast().at());
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
            case ClusterEvent(var _, var changed, var _) -> clusters.put(changed.id(), changed);
            case OutageEvent(var _, var outage, var _) -> outages.put(outage.id(), outage);
            case RequestEvent(var type, var request, var _) -> {
                var before = requests.put(request.id(), request);
                if (type == Type.REJECTED && before == null) {
                    var unused = wanted(request.origin());
                }
                if (type == Type.REQUESTED || type == Type.WAITING && before == null) {
                    var unused = wanted(request.origin());
                    keepsToItsLimits(request, event.at());
                }
            }
            case JobEvent(var type, var job, var _) -> recorded(cluster, type, job, event.at());
            case DelayEvent(var job, var delay, var _) -> {
                assertThat(jobsOf(cluster).get(job.id()))
                        .as("the job that is delayed on %s", cluster)
                        .isEqualTo(job);
                assertThat(delay.to().orElse(Long.MAX_VALUE))
                        .as("the later start of %s", job.id())
                        .isGreaterThanOrEqualTo(delay.from() + 60);
            }
            case BudgetEvent(var budget, var _) ->
                assertThat(budget.percent()).as("what is told of a budget").isIn(LowBudget.PERCENTS);
            case JobsEvent(var told, var _) -> {
                var all = jobsOf(cluster);
                all.clear();
                told.forEach(job -> all.put(job.id(), job));
                assertThat(told)
                        .as("what an outside batch system tells of %s", cluster)
                        .allMatch(job -> job.source() == JobSource.OUTSIDE
                                && asks.containsKey(job.name().orElseThrow()));
            }
        }
    }

    private Map<JobId, BatchJob> jobsOf(ClusterId cluster) {
        return jobs.computeIfAbsent(cluster, _ -> new LinkedHashMap<>());
    }

    private void recorded(ClusterId cluster, Type type, BatchJob job, long at) {
        var all = jobsOf(cluster);
        if (type == Type.JOB_REQUEUED) {
            movedByOthers.add(job.id());
        }
        if (!job.state().isLive()) {
            all.remove(job.id());
            return;
        }
        all.put(job.id(), job);
        if (type == Type.JOB_QUEUED) {
            var unused =
                    wanted(new Origin(job.owner(), ServiceClass.STANDARD, ClientLabels.NONE.with("name", job.name())));
            keepsToItsLimits(job, at);
        }
    }

    /** Checks that a client has made the request and was not told otherwise. */
    private Ask wanted(Origin origin) {
        var name = origin.labels().name().orElseThrow();
        var ask = asks.get(name);
        assertThat(ask).as("whether somebody has asked for %s", name).isNotNull();
        Objects.requireNonNull(ask);
        assertThat(ask.owner).as("the owner of %s", name).isEqualTo(origin.owner());
        ask.recorded();
        return ask;
    }

    private void recorded(ClusterId cluster, ReservationEvent event) {
        var now = event.reservation();
        assertThat(now.cluster()).isEqualTo(cluster);
        var before = reservations.put(now.id(), now);
        keepsToItsBudget(event.type(), before, now);
        assertThat(before == null || before.cluster().equals(cluster))
                .as("whether %s is only where it was before: %s", now, before)
                .isTrue();
        versions.computeIfAbsent(now.id(), _ -> new HashMap<>())
                .put(now.status().version(), now);
        if (before == null) {
            appeared(now);
            isApproved(now);
            keepsToItsLimits(now, event.at());
            return;
        }
        keepsItsPromise(event, before, now);
        event.returned().ifPresent(credit -> isPaid(before, now, credit));
        if (event.type() == Type.MOVED) {
            movedByOthers.add(now.id());
        }
        if (event.type() == Type.NOT_EXTENDED) {
            notExtended.add(now.id());
        }
        if (BOOKINGS.contains(event.type())) {
            keepsToItsLimits(now, event.at());
        }
        isApproved(event.type(), before, now);
        Optional.ofNullable(wishes.get(
                        new Wish(now.id(), event.type(), before.origin().owner())))
                .ifPresent(Ask::recorded);
    }

    /** Checks that the project never takes more than it has, on whichever cluster, and only for accounts that may file under it. */
    private void keepsToItsBudget(Type type, @Nullable Reservation before, Reservation now) {
        if (now.origin().project().isEmpty()) {
            return;
        }
        var dollars = BudgetUnit.of("USD");
        var more = Dues.of(now).taken(dollars);
        if (before != null) {
            more = more.subtract(Dues.of(before).taken(dollars));
        }
        taken = taken.add(more);
        if (more.signum() > 0 || type == Type.APPROVED || type == Type.RECEIVED) {
            assertThat(oversight.filter(rules -> rules.isOutsider(now.origin().owner())))
                    .as("whether an outsider spends for the project, after %s of %s", type, now)
                    .isEmpty();
        }
        if (more.signum() > 0) {
            assertThat(taken).as("what the project takes, with %s", now).isLessThanOrEqualTo(budget.orElseThrow());
        }
    }

    /** Checks that a reservation that waits is confirmed only by those whose approval it needs, who have wanted that. */
    private void isApproved(Type type, Reservation before, Reservation now) {
        isApproved(now);
        assertThat(before.state() == ReservationState.PENDING && now.state().isAgreed())
                .as("whether %s confirms what has waited for approval: %s", type, before)
                .isEqualTo(type == Type.APPROVED
                        && !now.status().approval().orElseThrow().isOpen());
        var open = before.status().approval().map(Approval::openSides).orElse(List.of());
        if (type == Type.APPROVED || type == Type.APPROVAL_DECLINED) {
            var answers = now.status().approval().orElseThrow().asked().stream()
                    .filter(ask -> open.contains(ask.by()) && !ask.isOpen())
                    .toList();
            assertThat(answers).as("the answers with %s", type).isNotEmpty();
            for (var ask : answers) {
                var by = ask.answer().orElseThrow().by();
                assertThat(by).as("who answers for %s", ask).isEqualTo(Oversight.whoAnswers(ask.by()));
                var wish = wishes.get(new Wish(now.id(), type, by));
                assertThat(wish).as("whether %s wanted %s of %s", by, type, now).isNotNull();
                Objects.requireNonNull(wish).recorded();
            }
        }
    }

    /** Checks that a reservation that its cluster must approve is approved. */
    private void isApproved(Reservation now) {
        if (now.state().isAgreed() && oversight.filter(rules -> rules.asks(now)).isPresent()) {
            assertThat(now.status().approval().filter(given -> given.isGivenBy(Side.CLUSTER)))
                    .as("the approval of %s", now)
                    .isPresent();
        }
    }

    /** Checks that a credit for returned time is paid by another owner who was charged for it. */
    private void isPaid(Reservation before, Reservation now, ReturnCredit credit) {
        var payer = Objects.requireNonNull(reservations.get(credit.by()));
        var money = credit.credited().money();
        assertThat(payer.state().isLive())
                .as("whether %s is charged later", payer)
                .isFalse();
        assertThat(payer.origin().owner())
                .as("who pays for what was returned")
                .isNotEqualTo(now.origin().owner());
        assertThat(now.price()).isEqualTo(before.price().less(money));
        assertThat(paid.merge(payer.id(), money, Money::plus).exceeds(payer.price()))
                .as("whether more than its price was paid for %s", payer)
                .isFalse();
    }

    /** Returns what the project has taken. */
    BigDecimal taken() {
        return taken;
    }

    /** Checks that a client has requested the reservation and was not told otherwise. */
    private void appeared(Reservation now) {
        assertThat(withdrawn).as("requests that were withdrawn").doesNotContain(now.id());
        var name = now.origin().labels().name().orElseThrow();
        if (now.origin().owner().value().startsWith("berth-")) {
            // another Berth holds it, possibly repeatedly, for a client there
            assertThat(asks).as("what somebody has asked for").containsKey(name);
            assertThat(now.state()).as("what another Berth asks for").isEqualTo(ReservationState.HELD);
            return;
        }
        if (wanted(now.origin()).isOnce) {
            assertThat(reservations.values().stream()
                            .filter(other -> other.origin()
                                            .labels()
                                            .name()
                                            .equals(now.origin().labels().name())
                                    && other.cluster().equals(now.cluster()))
                            .count())
                    .as("how often %s, asked for once, is recorded", name)
                    .isOne();
        }
    }

    private static void keepsItsPromise(ReservationEvent event, Reservation before, Reservation now) {
        var type = event.type();
        assertThat(before.state().isLive() || AFTERWARDS.contains(type))
                .as("whether %s was live before %s", now.id(), type)
                .isTrue();
        assertThat(now.origin())
                .isEqualTo(
                        switch (type) {
                            case USERS_CHANGED ->
                                before.origin().withUsers(now.origin().users());
                            case TRANSFERRED ->
                                before.origin()
                                        .assigned(now.origin().assignment().orElseThrow());
                            case RECEIVED -> before.origin().received();
                            default -> before.origin();
                        });
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
        if (WITHIN_A_STATE.contains(type)) {
            assertThat(now.state()).as("state after %s", type).isEqualTo(before.state());
            assertThat(now.status().holdExpiresAt())
                    .as("end of the hold after %s", type)
                    .isEqualTo(before.status().holdExpiresAt());
        }
        if (type == Type.EXTENDED) {
            var how = before.terms().autoExtension().orElseThrow();
            assertThat(now.slot().end() - before.slot().end()).as("a step").isBetween(1L, how.step());
            assertThat(now.slot().end()).as("the last end").isLessThanOrEqualTo(how.until());
        }
        if (type == Type.MOVED) {
            assertThat(now.price().amount())
                    .as("the price after a move")
                    .isLessThanOrEqualTo(before.price().amount());
            keepsToItsBounds(event.move().orElseThrow().why(), before, now);
        }
        now.status().nearestPlace().ifPresent(slot -> {
            assertThat(type).as("what names a nearest place").isEqualTo(Type.FAILED);
            assertThat(now.status().reason()).hasValue(EndReason.PES_LOST);
            assertThat(before.placement().begun()).as("parts that have begun").isZero();
            assertThat(slot.start())
                    .as("start of the nearest place")
                    .isGreaterThanOrEqualTo(
                            Math.max(event.at(), now.terms().window().readyTime()));
        });
        if (now.status()
                .reason()
                .filter(why -> why == EndReason.NOT_ENFORCED || why == EndReason.USERS_UNKNOWN)
                .isPresent()) {
            assertThat(before.enforcement().within())
                    .as("until when %s had to be in place", now)
                    .isPresent();
            assertThat(before.enforcement().isInPlace(0))
                    .as("whether %s was in place", now)
                    .isFalse();
        } else if (type == Type.COMPLETED && event.at() == now.slot().end()) {
            assertThat(before.enforcement().within())
                    .as("what %s still had to be when it was over", now)
                    .isEmpty();
        }
        assertThat(type == Type.MOVED)
                .as("a move has a reason")
                .isEqualTo(event.move().isPresent());
    }

    /** Checks that a move for others is one that was agreed, and that it shifts the reservation no further than agreed. */
    private static void keepsToItsBounds(MoveReason why, Reservation before, Reservation now) {
        int most = now.terms().mobility().maxMoves().orElse(Integer.MAX_VALUE);
        int had = before.status().moves().count();
        boolean isOpen = before.whole().isOpen(now.status().updatedAt());
        assertThat(now.status().moves().count())
                .as("how often it was moved")
                .isEqualTo(why == MoveReason.PULLED_FORWARD || why == MoveReason.CHEAPER || !isOpen ? had : had + 1);
        if (!isOpen || now.terms().scenario() == QosScenario.STRICT) {
            assertThat(now.slot()).as("where what has no freedom lies").isEqualTo(before.slot());
        }
        if (why == MoveReason.PES_LOST) {
            return;
        }
        long shift = now.terms().mobility().maxShift().orElse(Integer.MAX_VALUE);
        var agreed = before.status().moves().agreed().orElse(before.slot());
        assertThat(had).as("moves before the next one").isLessThan(most);
        assertThat(now.slot().start()).as("start after a move").isGreaterThanOrEqualTo(agreed.start() - shift);
        assertThat(now.slot().end()).as("end after a move").isLessThanOrEqualTo(agreed.end() + shift);
    }

    /** PEs taken for some time. */
    private record Taken(Object by, Slot slot, int pes, Optional<PeSet> peIds) {

        static Taken of(Object by, Part part) {
            return new Taken(by, part.slot(), part.pes(), part.peIds());
        }
    }

    /** Checks, at each future instant at which something begins, that no more PEs are taken than there are and none twice. */
    private void neverTakesMoreThanThereIs(ClusterId id, long now) {
        var cluster = cluster(id);
        var all = new ArrayList<Taken>();
        reservations.values().stream()
                .filter(reservation ->
                        reservation.cluster().equals(id) && reservation.state().isLive())
                .forEach(reservation -> takes(reservation).forEach(part -> all.add(Taken.of(reservation, part))));
        jobsOf(id).values().stream()
                .filter(job -> job.run().isPresent())
                .forEach(job -> all.add(Taken.of(job, job.part())));
        var claims = outages.values().stream()
                .filter(outage ->
                        outage.cluster().equals(id) && outage.endedAt().isEmpty())
                .toList();
        var beginnings = Stream.concat(
                all.stream().map(taken -> taken.slot.start()), claims.stream().map(Outage::from));
        for (long begins : beginnings.toList()) {
            long at = Math.max(now, begins);
            var out =
                    claims.stream().filter(outage -> outage.slot().contains(at)).toList();
            var named = out.stream()
                    .flatMap(outage -> outage.peIdsBelow(cluster.pes()).stream())
                    .reduce(PeSet.NONE, PeSet::or);
            int unnamed = out.stream()
                    .filter(outage -> outage.peIds().isEmpty())
                    .mapToInt(Outage::pes)
                    .sum();
            int taken = Math.min(cluster.pes(), named.size() + unnamed);
            boolean isTwice = false;
            for (var other : all) {
                if (other.slot.contains(at)) {
                    taken += other.pes;
                    var peIds = other.peIds.orElse(PeSet.NONE);
                    isTwice |= named.intersects(peIds);
                    named = named.or(peIds);
                }
            }
            if (taken > cluster.pes() || isTwice) {
                throw new AssertionError("Of %s, which has %d PEs, %d are taken at %d%s: %s"
                        .formatted(id, cluster.pes(), taken, at, isTwice ? ", some of them twice" : "", all));
            }
        }
    }

    /** Returns the PEs of a reservation from now on, without those that it lacks. */
    private static Stream<Part> takes(Reservation reservation) {
        var placement = reservation.placement();
        return IntStream.range(placement.over(), reservation.parts().size())
                .boxed()
                .flatMap(part -> placement.has(part).stream());
    }

    /** What an account has, except what others have moved. */
    private record Holding(List<Reservation> reservations, List<BatchJob> jobs, List<Part> mirrored) {

        List<Part> placed() {
            return Stream.of(
                            reservations.stream().flatMap(each -> each.parts().stream()),
                            jobs.stream().filter(job -> job.run().isPresent()).map(BatchJob::part),
                            mirrored.stream())
                    .flatMap(parts -> parts)
                    .toList();
        }

        List<BatchJob> waiting() {
            return jobs.stream().filter(job -> job.run().isEmpty()).toList();
        }
    }

    private Holding unmoved(AccountName owner, Object butFor) {
        return new Holding(
                live(owner)
                        .filter(each -> !each.id().equals(butFor) && !movedByOthers.contains(each.id()))
                        .toList(),
                jobs(owner)
                        .filter(job -> !job.id().equals(butFor) && !movedByOthers.contains(job.id()))
                        .toList(),
                mirrored.apply(owner));
    }

    private Stream<Reservation> live(AccountName owner) {
        return reservations.values().stream()
                .filter(reservation -> reservation.origin().owner().equals(owner)
                        && reservation.state().isLive());
    }

    private Stream<BatchJob> jobs(AccountName owner) {
        return jobs.values().stream()
                .flatMap(all -> all.values().stream())
                .filter(job -> job.owner().equals(owner) && job.source() == JobSource.BERTH);
    }

    /** Checks the limits after a reservation or a change of its terms. */
    private void keepsToItsLimits(Reservation booked, long now) {
        var owner = booked.origin().owner();
        var most = limits.apply(owner);
        if (most.equals(AccountLimits.NONE)) {
            return;
        }
        isAtMost(
                "active reservations",
                owner,
                live(owner).count() + mirrored.apply(owner).size(),
                most.activeReservations());
        if (booked.state() == ReservationState.HELD) {
            isAtMost(
                    "holds",
                    owner,
                    live(owner)
                            .filter(each -> each.state() == ReservationState.HELD)
                            .count(),
                    most.holds());
            assertThat(booked.status().holdExpiresAt().orElseThrow() - now)
                    .as("seconds for which %s holds", owner)
                    .isLessThanOrEqualTo(most.maxHold().orElse(Long.MAX_VALUE));
        }
        takesAtMost(owner, unmoved(owner, booked.id()), booked.parts(), 0, 0, now);
        isFair(booked, now);
    }

    /** Checks how a run of an account follows its others. */
    private void isFair(Reservation booked, long now) {
        var owner = booked.origin().owner();
        var fair = limits.apply(owner).fairUse();
        if (booked.status().version() == 0 && booked.slot().start() > now) {
            isAtMost(
                    "reservations that have not begun",
                    owner,
                    live(owner).filter(each -> each.slot().start() > now).count(),
                    fair.startsAhead());
        }
        var past = reservations.values().stream()
                .filter(each ->
                        each.origin().owner().equals(owner) && !each.state().isLive())
                .map(Reservation::occupied)
                .filter(parts -> !parts.isEmpty());
        var runs = Stream.of(
                        past,
                        unmoved(owner, booked.id()).reservations().stream().map(Reservation::parts),
                        mirrored.apply(owner).stream().map(List::of))
                .flatMap(all -> all)
                .toList();
        fair.coolDown()
                .ifPresent(pause -> runs.forEach(other -> {
                    assertRests(pause, other, booked.parts());
                    assertRests(pause, booked.parts(), other);
                }));
        var parts = Stream.concat(runs.stream().flatMap(List::stream), booked.parts().stream())
                .toList();
        parts.stream()
                .flatMapToLong(
                        part -> LongStream.of(part.slot().start(), part.slot().end() - FairUse.WEEK))
                .filter(from -> new Slot(from, from + FairUse.WEEK).overlaps(booked.slot()))
                .forEach(from -> assertThat(parts.stream()
                                        .mapToLong(part -> part.pes()
                                                * Math.max(
                                                        0,
                                                        Math.min(
                                                                        from + FairUse.WEEK,
                                                                        part.slot()
                                                                                .end())
                                                                - Math.max(
                                                                        from,
                                                                        part.slot()
                                                                                .start())))
                                        .sum()
                                / 3600.0)
                        .as("PE-hours of %s in the week from %d", owner, from)
                        .isLessThanOrEqualTo(fair.peHoursPerWeek().orElse(Long.MAX_VALUE)));
    }

    private static void assertRests(CoolDown pause, List<Part> first, List<Part> then) {
        long start = first.getFirst().slot().start();
        long end = first.getLast().slot().end();
        long next = then.getFirst().slot().start();
        assertThat(start > next || end - start < pause.after() || next - end >= pause.duration())
                .as("whether there is a pause of %s between %s and %s", pause, first, then)
                .isTrue();
    }

    /** Checks the limits after a batch job was queued. */
    private void keepsToItsLimits(BatchJob queued, long now) {
        var owner = queued.owner();
        isAtMost("jobs", owner, jobs(owner).count(), limits.apply(owner).jobs());
        takesAtMost(
                owner,
                unmoved(owner, queued.id()),
                List.of(),
                queued.pes(),
                (double) queued.pes() * queued.estimate(),
                now);
    }

    /** Checks the limits after a request was collected or began to wait. */
    private void keepsToItsLimits(IntakeRequest collected, long now) {
        var owner = collected.origin().owner();
        var waiting = requests.values().stream()
                .filter(request -> request.origin().owner().equals(owner) && request.isOpen())
                .toList();
        isAtMost("pending requests", owner, waiting.size(), limits.apply(owner).pendingRequests());
        isAtMost(
                "active reservations and pending requests",
                owner,
                live(owner).count() + mirrored.apply(owner).size() + waiting.size(),
                limits.apply(owner).activeReservations());
        takesAtMost(
                owner,
                unmoved(owner, collected.id()),
                List.of(),
                waiting.stream().mapToInt(request -> request.terms().pes()).sum(),
                waiting.stream().mapToDouble(IntakeRequest::length).sum(),
                now);
    }

    private static void isAtMost(String what, AccountName owner, long number, OptionalInt most) {
        assertThat(number).as("%s of %s", what, owner).isLessThanOrEqualTo(most.orElse(Integer.MAX_VALUE));
    }

    /**
     * Checks that the account may have this in addition.
     *
     * @param parts the place of a reservation
     * @param pes the PEs of waiting work, which may need them at any time
     * @param peSeconds the PE-seconds of waiting work
     */
    private void takesAtMost(AccountName owner, Holding others, List<Part> parts, int pes, double peSeconds, long now) {
        var most = limits.apply(owner);
        if (most.equals(AccountLimits.NONE)) {
            return;
        }
        var placed = Stream.concat(others.placed().stream(), parts.stream()).toList();
        int waiting = pes + others.waiting().stream().mapToInt(BatchJob::pes).sum();
        for (var one : placed) {
            long at = Math.max(now, one.slot().start());
            if (parts.isEmpty() || parts.stream().anyMatch(part -> part.slot().contains(at))) {
                isAtMost(
                        "PEs at %d".formatted(at),
                        owner,
                        waiting
                                + placed.stream()
                                        .filter(part -> part.slot().contains(at))
                                        .mapToInt(Part::pes)
                                        .sum(),
                        most.pes());
            }
        }
        double ahead = peSeconds
                + others.waiting().stream()
                        .mapToDouble(job -> (double) job.pes() * job.estimate())
                        .sum()
                + placed.stream()
                        .mapToDouble(part -> (double) part.pes()
                                * Math.max(
                                        0,
                                        part.slot().end()
                                                - Math.max(now, part.slot().start())))
                        .sum();
        assertThat(ahead / 3600)
                .as("PE-hours of %s that lie ahead", owner)
                .isLessThanOrEqualTo(most.peHours().orElse(Long.MAX_VALUE));
    }

    /** Checks a reservation at another Berth. */
    void mirrored(Mirror mirror) {
        var owner = mirror.origin().owner();
        isAtMost(
                "active reservations, here and elsewhere,",
                owner,
                live(owner).count() + mirrored.apply(owner).size(),
                limits.apply(owner).activeReservations());
    }

    /** Returns what other accounts have reserved, requested or have elsewhere. */
    List<ReservationId> ofOthers(AccountName account) {
        return Stream.concat(
                        reservations.values().stream()
                                .filter(each -> !each.origin().owner().equals(account))
                                .map(Reservation::id),
                        requests.values().stream()
                                .filter(each -> !each.origin().owner().equals(account))
                                .map(IntakeRequest::id))
                .distinct()
                .toList();
    }
}
