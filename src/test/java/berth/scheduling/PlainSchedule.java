package berth.scheduling;

import static berth.pricing.RigidPrices.looser;
import static berth.pricing.RigidPrices.price;
import static berth.pricing.RigidPrices.prolonged;
import static berth.pricing.RigidPrices.renegotiated;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.cluster.Admission;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.pricing.RigidPrices;
import berth.reservation.Losses;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlainJuggling.Waiting;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.Admit;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Approve;
import berth.scheduling.commands.BookSeries;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.CancelJob;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.ChangeSignal;
import berth.scheduling.commands.ChangeUsers;
import berth.scheduling.commands.Claim;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.Decline;
import berth.scheduling.commands.DeclineProposal;
import berth.scheduling.commands.Degrade;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.ExtendRuns;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.FollowPrices;
import berth.scheduling.commands.GrantWaiting;
import berth.scheduling.commands.Propose;
import berth.scheduling.commands.PullForward;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
import berth.scheduling.commands.ReplaceLostPes;
import berth.scheduling.commands.ReplaceOutages;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.ReserveAt;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.commands.TellEnforcement;
import berth.scheduling.commands.Transfer;
import berth.scheduling.commands.TurnDown;
import berth.scheduling.commands.WaitForRoom;
import berth.scheduling.commands.Withdraw;
import berth.scheduling.places.DisplacementRules;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.DeadlineSource;
import berth.sla.Fixing;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.MoveBounds;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The oracle for {@link ClusterSchedule} and its commands: reservations, outages and {@linkplain PlainJobs batch jobs} in maps, free PEs
 * counted second by second in {@link PlainRoom}, each place found by trying all, and the next event found by examining everything. Mutable;
 * it remembers only decisions. After a loss of PEs it adopts which reservations stay, move, fail and wait again; {@link DisplacementRules}
 * checks those.
 *
 * <p>Runs have one part and one shape, prices do not depend on the load, requests accept no alternatives, and no cluster has a minimum
 * availability by plans, because a second implementation of those would repeat the first; {@link EverythingSchedule} checks their rules.
 */
public final class PlainSchedule {

    /**
     * What the owner of a run has returned.
     *
     * @param owed the money that is still owed for it
     * @param extra the PE-seconds that the run had before, beyond those of its present PEs from its start on
     */
    record Returned(Money owed, long extra) {

        static Returned of(Reservation reservation) {
            var charge = reservation.charge();
            var slot = reservation.slot();
            boolean isWhole = reservation.parts().size() == 1;
            return new Returned(
                    charge.returned()
                            .map(back ->
                                    back.agreed().money().less(back.credited().money()))
                            .orElseGet(() -> charge.price().none()),
                    isWhole
                            ? reservation.placement().work()
                                    - slot.duration()
                                            * reservation.parts().getFirst().pes()
                            : 0);
        }
    }

    /** The relevant part of a reservation. */
    record Booking(
            AccountName owner,
            ServiceClass serviceClass,
            ReservationState state,
            Terms terms,
            Slot slot,
            long fixesAt,
            Optional<PeSet> peIds,
            Money price,
            OptionalLong holdExpiresAt,
            OptionalLong claimBy,
            int version,
            long acceptedAt,
            Optional<Proposal> proposal,
            Losses losses,
            List<String> users,
            Returned returned,
            int moves,
            Slot agreedSlot) {

        Booking {
            boolean isWhole = losses.lacks().isEmpty() && state != ReservationState.RUNNING;
            losses = isWhole ? Losses.NONE : losses;
        }

        static Booking of(Reservation reservation) {
            return new Booking(
                    reservation.origin().owner(),
                    reservation.origin().serviceClass(),
                    reservation.state(),
                    reservation.terms(),
                    reservation.slot(),
                    reservation.placement().fixesAt(),
                    reservation.placement().peIds(),
                    reservation.price(),
                    reservation.status().holdExpiresAt(),
                    reservation.status().claimBy(),
                    reservation.status().version(),
                    reservation.status().createdAt(),
                    reservation.proposal(),
                    reservation.placement().losses(),
                    reservation.origin().users(),
                    Returned.of(reservation),
                    reservation.status().moves().count(),
                    reservation.status().moves().agreed().orElse(reservation.slot()));
        }

        private Booking confirmed() {
            return new Booking(
                    owner,
                    serviceClass,
                    ReservationState.CONFIRMED,
                    terms,
                    slot,
                    fixesAt,
                    peIds,
                    price,
                    OptionalLong.empty(),
                    claimBy,
                    version + 1,
                    acceptedAt,
                    Optional.empty(),
                    losses,
                    users,
                    returned,
                    moves,
                    agreedSlot);
        }

        private Booking running(Optional<PeSet> ids, OptionalLong by) {
            return new Booking(
                    owner,
                    serviceClass,
                    ReservationState.RUNNING,
                    terms,
                    slot,
                    fixesAt,
                    ids,
                    price,
                    OptionalLong.empty(),
                    by,
                    version + 1,
                    acceptedAt,
                    Optional.empty(),
                    losses,
                    users,
                    returned,
                    moves,
                    agreedSlot);
        }

        private Booking with(Losses other) {
            return new Booking(
                    owner,
                    serviceClass,
                    state,
                    terms,
                    slot,
                    fixesAt,
                    peIds,
                    price,
                    holdExpiresAt,
                    claimBy,
                    version,
                    acceptedAt,
                    proposal,
                    other,
                    users,
                    returned,
                    moves,
                    agreedSlot);
        }

        private Booking fixed(Cluster cluster, long at) {
            var cost = RigidPrices.fixed(cluster.tariff(), price, terms, slot.start(), serviceClass);
            return agreed(terms, new PlainPlace(slot, peIds), at, cost);
        }

        private Booking agreed(Terms on, PlainPlace where, long fixes, Money cost) {
            long later = where.slot().start() - slot.start();
            var by = claimBy.isPresent() ? OptionalLong.of(claimBy.getAsLong() + later) : claimBy;
            return new Booking(
                    owner,
                    serviceClass,
                    state,
                    on,
                    where.slot(),
                    fixes,
                    where.peIds(),
                    cost,
                    holdExpiresAt,
                    by,
                    version + 1,
                    acceptedAt,
                    proposal,
                    within(where.slot()),
                    users,
                    returned,
                    moves,
                    agreedSlot);
        }

        private Booking proposing(Optional<Proposal> other) {
            return new Booking(
                    owner,
                    serviceClass,
                    state,
                    terms,
                    slot,
                    fixesAt,
                    peIds,
                    price,
                    holdExpiresAt,
                    claimBy,
                    version,
                    acceptedAt,
                    other,
                    losses,
                    users,
                    returned,
                    moves,
                    agreedSlot);
        }

        /** Returns the next version with or without a proposal. */
        private Booking next(Optional<Proposal> other) {
            return degraded().proposing(other);
        }

        private Optional<Proposal> open(int number, long now) {
            return proposal.filter(one -> one.number() == number && now < one.expiresAt());
        }

        private Booking degraded() {
            return agreed(terms, new PlainPlace(slot, peIds), fixesAt, price);
        }

        private Booking usedBy(List<String> others) {
            return new Booking(
                    owner,
                    serviceClass,
                    state,
                    terms,
                    slot,
                    fixesAt,
                    peIds,
                    price,
                    holdExpiresAt,
                    claimBy,
                    version + 1,
                    acceptedAt,
                    proposal,
                    losses,
                    others,
                    returned,
                    moves,
                    agreedSlot);
        }

        /** After two events, one for each owner. */
        private Booking ownedBy(AccountName to) {
            var others = users.stream()
                    .map(user -> user.equals(owner.value()) ? to.value() : user)
                    .distinct()
                    .toList();
            return new Booking(
                    to,
                    serviceClass,
                    state,
                    terms,
                    slot,
                    fixesAt,
                    peIds,
                    price,
                    holdExpiresAt,
                    claimBy,
                    version + 2,
                    acceptedAt,
                    proposal,
                    losses,
                    others,
                    returned,
                    moves,
                    agreedSlot);
        }

        private Booking returning(Returned other) {
            return new Booking(
                    owner,
                    serviceClass,
                    state,
                    terms,
                    slot,
                    fixesAt,
                    peIds,
                    price,
                    holdExpiresAt,
                    claimBy,
                    version,
                    acceptedAt,
                    proposal,
                    losses,
                    users,
                    other,
                    moves,
                    agreedSlot);
        }

        private boolean isMovable(long now) {
            return state == ReservationState.CONFIRMED
                    && now < fixesAt
                    && losses.lacks().isEmpty()
                    && moves < terms.mobility().maxMoves().orElse(Integer.MAX_VALUE);
        }

        private Waiting waiting(ReservationId id) {
            return new Waiting(
                    id,
                    serviceClass,
                    moves,
                    terms,
                    PlainJuggling.within(terms, agreedSlot),
                    acceptedAt,
                    new PlainPlace(slot, peIds));
        }

        /** Returns the booking whose place is that of its terms, however often it was moved. */
        private Booking agreedAnew() {
            return with(moves, slot);
        }

        private Booking with(int count, Slot agreed) {
            return new Booking(
                    owner,
                    serviceClass,
                    state,
                    terms,
                    slot,
                    fixesAt,
                    peIds,
                    price,
                    holdExpiresAt,
                    claimBy,
                    version,
                    acceptedAt,
                    proposal,
                    losses,
                    users,
                    returned,
                    count,
                    agreed);
        }

        private Booking moved(PlainPlace to, Cluster cluster, long now) {
            var there = pulled(to, cluster, now);
            return there.agreed(terms, to, there.fixesAt(), afterMove(cluster, there.price()))
                    .with(moves + 1, agreedSlot)
                    .inVersion(version + 1);
        }

        /** Returns the booking after it was pulled forward, which neither counts nor has a rebate. */
        private Booking pulled(PlainPlace to, Cluster cluster, long now) {
            long start = to.slot().start();
            long fixes =
                    terms.fixing().movedTo(now, fixesAt, start, cluster.policy().notice());
            var mobility = usable(cluster, Mobility.until(fixes, now, start), terms, 0);
            return agreed(
                    terms, to, fixes, RigidPrices.moved(cluster.tariff(), price, terms, start, mobility, serviceClass));
        }

        private Booking inVersion(int number) {
            return new Booking(
                    owner,
                    serviceClass,
                    state,
                    terms,
                    slot,
                    fixesAt,
                    peIds,
                    price,
                    holdExpiresAt,
                    claimBy,
                    number,
                    acceptedAt,
                    proposal,
                    losses,
                    users,
                    returned,
                    moves,
                    agreedSlot);
        }

        private boolean takes(long second) {
            return slot.contains(second);
        }

        /** Returns the losses of a run that ends at another time. */
        private Losses within(Slot other) {
            return new Losses(
                    losses.lost(),
                    losses.since(),
                    losses.lacks().stream()
                            .filter(lack -> lack.slot().start() < other.end())
                            .map(lack -> lack.until(other.end()))
                            .toList());
        }

        private void takeFrom(PlainRoom room) {
            room.take(slot, terms.pes(), peIds, losses);
        }

        /** Returns when it loses PEs or gets some back: the first second in which it does not lack the same as when it last changed. */
        private OptionalLong changesAt() {
            return LongStream.range(losses.since() + 1, slot.end())
                    .filter(second -> !lacking(second).equals(lacking(losses.since())))
                    .findFirst();
        }

        private Optional<Part> lacking(long second) {
            return losses.lacks().stream()
                    .filter(lack -> lack.slot().contains(second))
                    .map(lack -> lack.during(slot))
                    .findAny();
        }

        /** Returns the PEs that it holds now. */
        private PeSet held() {
            var lost = state == ReservationState.RUNNING ? lacking(losses.since()) : Optional.<Part>empty();
            return peIds.orElse(PeSet.NONE).minus(lost.flatMap(Part::peIds).orElse(PeSet.NONE));
        }
    }

    /** An event and its subject. */
    public record Change(long at, Event.Type what, UUID subject) {}

    /** The expected result of a command. */
    public sealed interface Verdict {
        record Granted(List<Change> changes) implements Verdict {}

        /** PEs are lost, these ones if they are named; reservations may also move or fail. */
        record Lost(Slot when, Optional<PeSet> named, Change last) implements Verdict {}

        /** PEs come back, so that runs may change. */
        record Regained(Change first) implements Verdict {}

        /** Runs that lack PEs get those that have become free. */
        record Replaced() implements Verdict {}

        /** These changes happen, and then a run loses PEs or gets some back. */
        record RunChanges(List<Change> before, ReservationId run, long at) implements Verdict {}

        /** The command is refused, for a reason in one or two words. */
        record Refused(String why) implements Verdict {}
    }

    private static final Verdict.Refused INVALID = new Verdict.Refused("InvalidTerms");
    private static final Verdict.Refused NEVER_FITS = new Verdict.Refused("NeverFits");
    private static final Verdict.Granted UNCHANGED = new Verdict.Granted(List.of());

    private static final PlainPlace NOWHERE = new PlainPlace(new Slot(0, 1), Optional.empty());

    private final Map<ReservationId, Booking> live = new HashMap<>();
    private final Map<OutageId, Outage> outages = new HashMap<>();
    private final Map<ReservationId, Collect> pending = new HashMap<>();
    private final Set<ReservationId> admitted = new HashSet<>();
    private final PlainJobs jobs = new PlainJobs();

    /** The kept place. */
    private Optional<Part> kept = Optional.empty();

    /** The marked reservations, live or not. */
    private final Set<ReservationId> degraded = new HashSet<>();

    private final long end;
    private Cluster cluster;

    /**
     * Creates the oracle.
     *
     * @param end nothing lasts longer, except outages without end
     */
    public PlainSchedule(Cluster cluster, long end) {
        this.end = end;
        this.cluster = cluster;
    }

    Map<ReservationId, Booking> live() {
        return live;
    }

    Map<OutageId, Outage> outages() {
        return outages;
    }

    Map<JobId, BatchJob> jobs() {
        return jobs.all();
    }

    Optional<Part> kept() {
        return kept;
    }

    /** Returns the requests that wait for their round. */
    Set<ReservationId> pending() {
        return pending.keySet();
    }

    boolean isDegraded(ReservationId id) {
        return degraded.contains(id);
    }

    /** Returns the oracle's word for a reason; all errors in terms have the same word. */
    static String word(Rejection reason) {
        return switch (reason) {
            case Rejection.InvalidTerms _ -> "InvalidTerms";
            case Rejection.NeverFits _ -> "NeverFits";
            case Rejection.LimitExceeded(var violation) -> "LimitExceeded " + violation.field();
            default -> reason.toString();
        };
    }

    private static Verdict.Refused refused(Rejection reason) {
        return new Verdict.Refused(word(reason));
    }

    private PlainRoom room() {
        return room(live.values());
    }

    private PlainRoom room(Collection<Booking> bookings) {
        var room = new PlainRoom(cluster, end);
        room.take(outages.values());
        jobs.takeFrom(room);
        kept.ifPresent(part -> room.takeForJob(part.slot(), part.pes(), part.peIds()));
        bookings.forEach(booking -> booking.takeFrom(room));
        return room;
    }

    /** Returns the free PEs in each second; negative if more are taken than there are. */
    int[] free(Slot all) {
        return room().free(all);
    }

    /** How much more the account of the present command may reserve. */
    private Allowance allowance = Allowance.UNLIMITED;

    Verdict decide(Command command, long now) {
        return decide(command, Allowance.UNLIMITED, now);
    }

    Verdict decide(Command command, Allowance within, long now) {
        allowance = within;
        var before = Map.copyOf(live);
        keep(now);
        var verdict = decided(command, now);
        if (verdict instanceof Verdict.Refused) {
            live.clear();
            live.putAll(before);
        }
        keep(now);
        return verdict;
    }

    /** Computes the kept place beside everything else. */
    private void keep(long now) {
        kept = Optional.empty();
        kept = jobs.kept(room(), cluster, now, end);
    }

    private Verdict decided(Command command, long now) {
        return switch (command) {
            case SubmitJob submit -> submit(submit, now);
            case CompleteJob(var id) -> ends(id, EnumSet.of(JobState.RUNNING), JobState.COMPLETED, now);
            case CancelJob(var id) -> ends(id, EnumSet.of(JobState.QUEUED, JobState.RUNNING), JobState.CANCELLED, now);
            case ReplaceJobs(var told) -> replace(told, now);
            case StartJobs _ -> startJobs(now);
            case Degrade(var target) ->
                change(
                        target,
                        EnumSet.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING),
                        (id, booking) -> {
                            if (!degraded.add(id)) {
                                return UNCHANGED;
                            }
                            live.put(id, booking.degraded());
                            return granted(now, Event.Type.DEGRADED, id);
                        });
            case Collect collect -> collect(collect, now);
            case Admit(var id, var _) -> admit(id, now);
            case TurnDown(var id, var _) -> decidesOn(id, Event.Type.REJECTED, now);
            case Withdraw(var id) -> decidesOn(id, Event.Type.WITHDRAWN, now);
            case Reserve reserve -> reserve(reserve, now);
            case Extend _, ExtendRuns _ -> throw new IllegalArgumentException("ExtendTest foretells it.");
            case BookSeries _ -> throw new IllegalArgumentException("BookSeriesTest foretells it.");
            case WaitForRoom _, GrantWaiting _ ->
                throw new IllegalArgumentException("EverythingSchedule and WaitForRoomTest foretell it.");
            case Approve _, Decline _ ->
                throw new IllegalArgumentException("EverythingSchedule and ApprovalTest foretell it.");
            case ReserveAt _ -> throw new IllegalArgumentException("ReserveAtTest foretells it.");
            case Confirm(var target) ->
                change(target, EnumSet.of(ReservationState.HELD), (id, held) -> {
                    live.put(id, held.confirmed());
                    return granted(now, Event.Type.CONFIRMED, id);
                });
            case Fix(var target, var _) ->
                change(target, EnumSet.of(ReservationState.CONFIRMED), (id, waiting) -> {
                    if (waiting.fixesAt() <= now) {
                        return UNCHANGED;
                    }
                    live.put(id, waiting.fixed(cluster, now));
                    return granted(now, Event.Type.FIXED, id);
                });
            case Claim(var target) ->
                change(target, EnumSet.of(ReservationState.RUNNING), (id, running) -> {
                    if (running.claimBy().isEmpty()) {
                        return UNCHANGED;
                    }
                    live.put(id, running.running(running.peIds(), OptionalLong.empty()));
                    return granted(now, Event.Type.CLAIMED, id);
                });
            case ChangeUsers(var target, var users) ->
                change(
                        target,
                        EnumSet.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING),
                        (id, booking) -> {
                            if (booking.users().equals(users)) {
                                return UNCHANGED;
                            }
                            live.put(id, booking.usedBy(users));
                            return granted(now, Event.Type.USERS_CHANGED, id);
                        });
            case Transfer(var target, var to, var _) ->
                change(
                        target,
                        EnumSet.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING),
                        (id, booking) -> handOver(id, booking, to, now));
            case Complete(var target) ->
                change(target, EnumSet.of(ReservationState.RUNNING), (id, _) -> ends(id, Event.Type.COMPLETED, now));
            case Cancel(var target, var _) ->
                change(target, EnumSet.allOf(ReservationState.class), (id, _) -> ends(id, Event.Type.CANCELLED, now));
            case Renegotiate(var target, var wanted, var incentive, var _) ->
                change(
                        target,
                        EnumSet.of(ReservationState.CONFIRMED, ReservationState.RUNNING),
                        (id, before) -> renegotiate(wanted, incentive, id, before, now));
            case Propose propose ->
                change(
                        propose.target(),
                        EnumSet.of(ReservationState.CONFIRMED),
                        (id, before) -> propose(propose, id, before, now));
            case AcceptProposal(var target, int number) ->
                change(
                        target,
                        EnumSet.of(ReservationState.CONFIRMED),
                        (id, before) -> before.open(number, now)
                                .map(proposal -> accept(proposal, id, before, now))
                                .orElseGet(() -> refused(new Rejection.ProposalOver(number))));
            case DeclineProposal(var target, int number) ->
                change(target, EnumSet.of(ReservationState.CONFIRMED), (id, before) -> {
                    if (before.open(number, now).isEmpty()) {
                        return refused(new Rejection.ProposalOver(number));
                    }
                    live.put(id, before.next(Optional.empty()));
                    return granted(now, Event.Type.DECLINED, id);
                });
            case ChangeCluster change -> change(change, now);
            case ChangeSignal _ -> throw new IllegalArgumentException("ChangeSignalTest foretells it.");
            case RecordOutage outage -> record(outage, now);
            case ReplaceLostPes _ -> new Verdict.Replaced();
            case TellEnforcement _ -> throw new IllegalArgumentException("TellEnforcementTest foretells it.");
            case ReplaceOutages _ -> throw new IllegalArgumentException("ReplaceOutagesTest foretells it.");
            case EndOutage(var id) -> {
                if (outages.remove(id) == null) {
                    yield refused(new Rejection.OutageOver(id));
                }
                yield new Verdict.Regained(new Change(now, Event.Type.OUTAGE_ENDED, id.value()));
            }
            case AdvanceClock(int most, long _) -> advance(most, now);
            case PullForward(var before) -> pullForward(before, now);
            case FollowPrices _ -> throw new IllegalArgumentException("FollowPricesTest foretells it.");
        };
    }

    /** Adopts the effects of a loss. */
    void follow(List<Event> events, long now) {
        for (var event : events) {
            switch (event) {
                case ReservationEvent(var _, var after, var _, var _, var _, var _) -> {
                    if (after.state().isLive()) {
                        live.put(after.id(), Booking.of(after));
                    } else {
                        live.remove(after.id());
                    }
                }
                case ClusterEvent(var _, var after, var _) -> cluster = after;
                case OutageEvent(var type, var outage, var _) -> {
                    if (type != Event.Type.OUTAGE_ENDED) {
                        outages.put(outage.id(), outage);
                    }
                }
                case JobEvent(var _, var job, var _) -> jobs.put(job);
                case JobsEvent _, DelayEvent _, RequestEvent _, BudgetEvent _ ->
                    throw new AssertionError("Nothing that is lost: " + event);
            }
        }
        keep(now);
    }

    /** Computes the kept place beside everything else, as after a decision at {@code now}. */
    void keptAt(long now) {
        keep(now);
    }

    private interface Changing {
        Verdict of(ReservationId id, Booking found);
    }

    private Verdict change(Target target, Set<ReservationState> states, Changing changing) {
        var id = target.reservation();
        var found = live.get(id);
        if (found == null) {
            return refused(new Rejection.NotLive(id));
        }
        // the first version of a request is 0, so that of the reservation which it becomes is 1
        int version = found.version() + (admitted.contains(id) ? 1 : 0);
        if (target.version().isPresent() && target.version().getAsInt() != version) {
            return refused(new Rejection.StaleVersion(version));
        }
        return states.contains(found.state())
                ? changing.of(id, found)
                : refused(new Rejection.WrongState(found.state()));
    }

    private Verdict handOver(ReservationId id, Booking before, AccountName to, long now) {
        if (before.owner().equals(to)) {
            return UNCHANGED;
        }
        var ofHolds = before.holdExpiresAt().isPresent()
                ? held(allowance.limits(), to, before.holdExpiresAt().getAsLong() - now)
                : Optional.<Verdict>empty();
        return ofHolds.or(() -> exceeded(id, to, before.slot(), before.terms().pes(), true, List.of()))
                .orElseGet(() -> {
                    live.put(id, before.ownedBy(to));
                    return new Verdict.Granted(List.of(
                            new Change(now, Event.Type.TRANSFERRED, id.value()),
                            new Change(now, Event.Type.RECEIVED, id.value())));
                });
    }

    private Verdict ends(ReservationId id, Event.Type how, long now) {
        live.remove(id);
        return granted(now, how, id);
    }

    private static Verdict granted(long at, List<Change> moves, Event.Type what, ReservationId id) {
        var changes = new ArrayList<>(moves);
        changes.add(new Change(at, what, id.value()));
        return new Verdict.Granted(changes);
    }

    private static Verdict granted(long at, Event.Type what, ReservationId id) {
        return new Verdict.Granted(List.of(new Change(at, what, id.value())));
    }

    // ---- reserving

    private Verdict reserve(Reserve asked, long now) {
        var resolved = resolved(asked.terms(), Optional.empty(), now);
        long hold = asked.hold().orElse(1);
        if (hold < 1
                || hold > Math.max(1, cluster.policy().limits().maxHold().orElse(Long.MAX_VALUE))
                        && asked.hold().isPresent()) {
            return INVALID;
        }
        var tooManyHeld = asked.hold().isPresent()
                ? held(allowance.limits(), asked.origin().owner(), hold)
                : Optional.<Verdict>empty();
        if (tooManyHeld.isPresent()) {
            return tooManyHeld.get();
        }
        if (resolved.isEmpty()) {
            return INVALID;
        }
        var terms = resolved.get();
        var refused = ruledOut(terms);
        long lead = cluster.policy().limits().leadTime();
        if (refused.isPresent()) {
            return refused.get();
        }
        if (now + lead > terms.latestStart()) {
            return INVALID;
        }
        var notOpen = notOpen();
        if (notOpen.isPresent()) {
            return notOpen.get();
        }
        long earliest = Math.max(terms.window().readyTime(), now + lead);
        if (asked.hold().isPresent()) {
            earliest = Math.max(earliest, now + 1);
        }
        boolean isByLoad = cluster.policy().availability().method() == AvailabilityMethod.LOAD;
        long busyUntil = isByLoad && !jobs.all().isEmpty()
                ? jobs.presentWork(live.values(), cluster.pes(), now)
                : Long.MIN_VALUE;
        long from = asked.start().orElse(Math.max(earliest, busyUntil));
        long to = asked.start().orElse(terms.latestStart());
        if (asked.start().isPresent() && (from < earliest || to > terms.latestStart())) {
            return INVALID;
        }
        var serviceClass = asked.origin().serviceClass();
        long held = asked.hold().orElse(0);
        LongFunction<Money> price = start ->
                price(cluster.tariff(), lying(terms, start), start, mobility(terms, held, start, now, 0), serviceClass);
        var onlyNow = bookedAhead();
        Function<PlainRoom, Sought> look = room -> {
            if (onlyNow.isPresent()
                    && from <= to
                    && (from > now || asked.start().isEmpty())) {
                boolean fitsNow = from == now && room.isFree(Slot.of(now, terms.runTime()), terms.pes(), reservable());
                return fitsNow ? exactly(room, terms, price, now) : new Sought.None(refused(onlyNow.get()));
            }
            if (busyUntil > asked.start().orElse(to)) {
                var least = cluster.policy().availability().minAvailability();
                return new Sought.None(refused(new Rejection.TooBusy(0, least)));
            }
            return asked.start().isPresent()
                    ? exactly(room, terms, price, from)
                    : chosen(room, terms, price, from, to, now);
        };
        var newcomer = new Waiting(asked.id(), serviceClass, 0, terms, terms.window(), now, NOWHERE);
        var moves = new ArrayList<Change>();
        var sought = look.apply(room());
        boolean always = cluster.policy().juggling() == Juggling.ALWAYS;
        if (always || cluster.policy().juggling() != Juggling.NEVER && mayGetRoom(sought)) {
            sought = juggled(newcomer, asked.start(), look, price, moves, now).orElse(sought);
        }
        return switch (sought) {
            case Sought.None(var why) -> why;
            case Sought.At(var place, var cost) -> {
                var slot = place.slot();
                var limit = exceeded(asked.id(), asked.origin().owner(), slot, terms.pes());
                if (limit.isPresent()) {
                    yield limit.get();
                }
                long fixes = PlainJuggling.isPut(terms)
                        ? now
                        : terms.fixing()
                                .fixesAt(now, slot.start(), cluster.policy().notice());
                var expires = asked.hold().isPresent()
                        ? OptionalLong.of(
                                Math.min(slot.start(), now + asked.hold().getAsLong()))
                        : OptionalLong.empty();
                var state = expires.isPresent() ? ReservationState.HELD : ReservationState.CONFIRMED;
                var within = cluster.policy().claimWithin();
                live.put(
                        asked.id(),
                        new Booking(
                                asked.origin().owner(),
                                serviceClass,
                                state,
                                lying(terms, slot.start()),
                                slot,
                                fixes,
                                place.peIds(),
                                cost,
                                expires,
                                within.isPresent()
                                        ? OptionalLong.of(slot.start() + within.getAsLong())
                                        : OptionalLong.empty(),
                                0,
                                now,
                                Optional.empty(),
                                Losses.NONE,
                                asked.origin().users(),
                                new Returned(cost.none(), 0),
                                0,
                                slot));
                yield granted(now, moves, Event.Type.of(state), asked.id());
            }
        };
    }

    // ---- collected requests

    private Verdict collect(Collect asked, long now) {
        var resolved = resolved(asked.terms(), Optional.empty(), now);
        if (resolved.isEmpty()) {
            return INVALID;
        }
        var terms = resolved.get();
        var refused = ruledOut(terms);
        long earliest = Math.max(
                terms.window().readyTime(), now + cluster.policy().limits().leadTime());
        if (refused.isPresent()) {
            return refused.get();
        }
        if (now + cluster.policy().limits().leadTime() > terms.latestStart()) {
            return INVALID;
        }
        var notOpen = notOpen();
        if (notOpen.isPresent()) {
            return notOpen.get();
        }
        long start = asked.start().orElse(earliest);
        if (asked.start().isPresent() && (start < earliest || start > terms.latestStart())) {
            return INVALID;
        }
        var limits = allowance.limits();
        var owner = asked.origin().owner();
        long waiting = pending.values().stream()
                .filter(other -> other.origin().owner().equals(owner))
                .count();
        if (waiting + 1 > limits.pendingRequests().orElse(Integer.MAX_VALUE)) {
            return new Verdict.Refused("LimitExceeded limits.pendingRequests");
        }
        var exceeded = exceeded(
                asked.id(), owner, new Slot(now, end), asked.terms().pes(), true, List.copyOf(pending.values()));
        if (exceeded.isPresent()) {
            return exceeded.get();
        }
        pending.put(asked.id(), asked);
        return granted(now, Event.Type.REQUESTED, asked.id());
    }

    /**
     * Returns the result of a request for a reservation now, after its window has shrunk; a request without a place is refused for good.
     */
    private Verdict admit(ReservationId id, long now) {
        var asked = pending.get(id);
        if (asked == null) {
            return refused(new Rejection.NotLive(id));
        }
        boolean isLate = asked.terms().readyTime().orElse(now) < now;
        var terms = isLate ? asked.terms().readyAt(now) : asked.terms();
        var before = Map.copyOf(live);
        var reserve = new Reserve(id, asked.origin(), terms, asked.start(), OptionalLong.empty());
        if (reserve(reserve, now) instanceof Verdict.Granted(var changes)) {
            pending.remove(id);
            admitted.add(id);
            var all = new ArrayList<>(List.of(new Change(now, Event.Type.GRANTED, id.value())));
            all.addAll(changes);
            return new Verdict.Granted(all);
        }
        live.clear();
        live.putAll(before);
        return decidesOn(id, Event.Type.REJECTED, now);
    }

    private Verdict decidesOn(ReservationId id, Event.Type how, long now) {
        return pending.remove(id) == null ? refused(new Rejection.NotLive(id)) : granted(now, how, id);
    }

    /** Returns why nothing may be booked ahead; empty if it may. */
    private Optional<Rejection> bookedAhead() {
        var share = cluster.policy().limits().advanceShare();
        int ahead = (int) live.values().stream()
                .filter(booking -> booking.state() != ReservationState.RUNNING)
                .count();
        int runs = live.size() + jobs.all().size();
        int most = 0;
        while (most < runs + 1
                && BigDecimal.valueOf(most).compareTo(share.multiply(BigDecimal.valueOf(runs + 1L))) < 0) {
            most++;
        }
        return ahead + 1 > most && share.compareTo(BigDecimal.ONE) < 0
                ? Optional.of(new Rejection.BookedAhead(ahead, runs, share))
                : Optional.empty();
    }

    private static boolean mayGetRoom(Sought sought) {
        return sought instanceof Sought.None(Verdict.Refused(var why))
                && (why.startsWith("NoSlot") || why.startsWith("OverBudget") || why.startsWith("BookedAhead"));
    }

    /** Returns the place of a newcomer after moving others. */
    private Optional<Sought> juggled(
            Waiting newcomer,
            OptionalLong start,
            Function<PlainRoom, Sought> look,
            LongFunction<Money> price,
            List<Change> moves,
            long now) {
        var movable = live.entrySet().stream()
                .filter(entry -> entry.getValue().isMovable(now))
                .toList();
        var others = live.values().stream()
                .filter(booking -> !booking.isMovable(now))
                .toList();
        var queue = movable.stream()
                .map(entry -> entry.getValue().waiting(entry.getKey()))
                .toList();
        var placed = new PlainJuggling(cluster, () -> room(others), queue, now)
                .admit(
                        newcomer,
                        start,
                        room -> look.apply(room) instanceof Sought.At(var place, var _)
                                ? Optional.of(place)
                                : Optional.empty());
        placed.ifPresent(all -> all.moves().forEach((id, place) -> {
            var before = Objects.requireNonNull(live.get(id));
            live.put(id, before.moved(place, cluster, now));
            moves.add(new Change(now, Event.Type.MOVED, id.value()));
        }));
        return placed.map(all -> payable(newcomer.terms(), price, all.newcomer()));
    }

    /** Returns the complete terms; empty if they have an error. */
    private Optional<Terms> resolved(RequestedTerms asked, Optional<Terms> agreed, long now) {
        long end = now + cluster.policy().horizon();
        boolean sameReady = agreed.isPresent()
                && asked.readyTime()
                        .equals(OptionalLong.of(agreed.get().window().readyTime()));
        boolean sameDeadline = agreed.isPresent()
                && asked.deadline().equals(OptionalLong.of(agreed.get().window().deadline()));
        long runTime = runTime(asked.duration());
        long ready = sameReady
                ? asked.readyTime().getAsLong()
                : Math.max(now, asked.readyTime().orElse(now));
        boolean isFinal = asked.fixing().equals(asked.fixing().atOnce())
                || asked.mobility().maxMoves().equals(OptionalInt.of(0));
        long slack = agreed.isPresent() || isFinal
                ? 0
                : cluster.policy().defaultSlack().orElse(0);
        boolean isPut = asked.deadline().isEmpty() && slack == 0;
        boolean keepsItsStart =
                isPut && sameReady && agreed.map(Terms::scenario).equals(Optional.of(QosScenario.STRICT));
        long latest = slack > 0 ? Math.min(end, ready + runTime + slack) : end;
        long deadline = asked.deadline().isPresent()
                ? sameDeadline
                        ? asked.deadline().getAsLong()
                        : Math.min(end, asked.deadline().getAsLong())
                : keepsItsStart ? ready + runTime : latest;
        var deadlineBy = sameDeadline
                ? agreed.orElseThrow().deadlineBy()
                : isPut
                        ? DeadlineSource.PLACE
                        : slack > 0 && asked.deadline().isEmpty()
                                ? DeadlineSource.DEFAULT_SLACK
                                : asked.deadline().getAsLong() > end ? DeadlineSource.HORIZON : DeadlineSource.REQUEST;
        boolean keepsBounds =
                agreed.isPresent() && asked.mobility().equals(agreed.get().mobility());
        var rules = cluster.policy().replanning().moves().bounds();
        var bounds = keepsBounds
                ? asked.mobility()
                : new MoveBounds(
                        IntStream.concat(asked.mobility().maxMoves().stream(), rules.maxMoves().stream())
                                .min(),
                        LongStream.concat(asked.mobility().maxShift().stream(), rules.maxShift().stream())
                                .min(),
                        asked.mobility().follow());
        boolean boundsNothing = !keepsBounds && isPut && !asked.mobility().equals(MoveBounds.NONE);
        boolean isWrong = boundsNothing
                || asked.duration() < 1
                || asked.pes() < 1
                || agreed.isEmpty() && runTime > cluster.policy().horizon()
                || !sameReady && asked.readyTime().orElse(now) < now - 60
                || !sameReady && asked.readyTime().orElse(now) >= end
                || ready + runTime > deadline;
        if (isWrong) {
            return Optional.empty();
        }
        var before = agreed.map(Terms::scenario);
        boolean isReadyAtOnce = sameReady
                ? before.equals(Optional.of(QosScenario.DEADLINE))
                : asked.readyTime().isEmpty();
        var scenario = isReadyAtOnce ? QosScenario.DEADLINE : QosScenario.INTERVAL;
        scenario = isPut || ready + runTime == deadline ? QosScenario.STRICT : scenario;
        return Optional.of(new Terms(
                new Window(ready, deadline),
                asked.duration(),
                List.of(new Shape(asked.pes(), runTime)),
                Optional.empty(),
                Optional.empty(),
                asked.budget(),
                asked.requires(),
                asked.fixing(),
                scenario,
                Optional.empty(),
                deadlineBy,
                bounds));
    }

    /** Whether a run with these terms stays where it is put first. */
    private static boolean isPut(Terms terms) {
        return terms.scenario() == QosScenario.STRICT
                && terms.window().deadline() - terms.window().readyTime() > terms.runTime();
    }

    /** Returns the terms of a run that begins then: the place of a run that stays there is its window. */
    private static Terms lying(Terms terms, long start) {
        return isPut(terms)
                ? new Terms(
                        new Window(start, start + terms.runTime()),
                        terms.duration(),
                        terms.shapes(),
                        Optional.empty(),
                        Optional.empty(),
                        terms.budget(),
                        terms.requires(),
                        terms.fixing(),
                        QosScenario.STRICT,
                        terms.autoExtension(),
                        terms.deadlineBy(),
                        terms.mobility())
                : terms;
    }

    /** Returns the fewest seconds in which PEs of that speed do what standard ones do in {@code duration}. */
    private long runTime(long duration) {
        long seconds = Math.min(duration, 0);
        while (cluster.rating().multiply(BigDecimal.valueOf(seconds)).compareTo(BigDecimal.valueOf(duration)) < 0) {
            seconds++;
        }
        return seconds;
    }

    /** Returns why the cluster's rules reject the terms; empty if they do not. */
    private Optional<Verdict> ruledOut(Terms terms) {
        return ruledOut(terms, 0, 0, Map.of());
    }

    /** Returns the same for changed terms; agreed terms may stay or shrink under any rules. */
    private Optional<Verdict> ruledOut(Terms terms, Terms agreed) {
        return ruledOut(terms, agreed.runTime(), agreed.pes(), agreed.requires());
    }

    private Optional<Verdict> ruledOut(Terms terms, long hadTime, int hadPes, Map<String, String> required) {
        boolean carriesAll = terms.requires().equals(required)
                || terms.requires().entrySet().stream()
                        .allMatch(label -> carries(cluster.labels().get(label.getKey()), label.getValue()));
        if (!carriesAll) {
            return Optional.of(NEVER_FITS);
        }
        boolean otherMoney = terms.budget().isPresent()
                && !terms.budget().get().currency().equals(cluster.tariff().currency());
        long longest = Math.max(hadTime, cluster.policy().limits().maxDuration().orElse(Long.MAX_VALUE));
        boolean isBroken = terms.shapes().stream().anyMatch(shape -> isBroken(shape.pes()));
        if (otherMoney || isBroken || terms.runTime() > longest) {
            return Optional.of(INVALID);
        }
        return terms.pes() > Math.max(hadPes, cluster.pes() - neverReserved())
                ? Optional.of(NEVER_FITS)
                : Optional.empty();
    }

    private static boolean carries(@Nullable String value, String required) {
        boolean areNumbers = value != null
                && Stream.of(value, required)
                        .allMatch(word -> word.chars().allMatch(Character::isDigit)
                                && (word.length() == 1 || !word.startsWith("0")));
        return areNumbers ? new BigInteger(value).compareTo(new BigInteger(required)) >= 0 : required.equals(value);
    }

    /** Returns the PEs outside the reservable share. */
    private int neverReserved() {
        int reservable = 0;
        var share = cluster.policy().limits().reservableShare().multiply(BigDecimal.valueOf(cluster.pes()));
        while (BigDecimal.valueOf(reservable + 1L).compareTo(share) <= 0) {
            reservable++;
        }
        while (isBroken(reservable)) {
            reservable--;
        }
        return cluster.pes() - reservable;
    }

    /** Whether the number of PEs is not whole nodes. */
    private boolean isBroken(int pes) {
        return pes % cluster.nodes().granule() != 0;
    }

    private sealed interface Sought {
        record At(PlainPlace place, Money price) implements Sought {}

        record None(Verdict why) implements Sought {}
    }

    private int reservable() {
        return cluster.pes() - neverReserved();
    }

    private Sought exactly(PlainRoom room, Terms terms, LongFunction<Money> price, long start) {
        var slot = Slot.of(start, terms.runTime());
        return room.isFree(slot, terms.pes(), reservable())
                ? payable(terms, price, new PlainPlace(slot, room.bound(slot, terms.pes(), reservable())))
                : new Sought.None(refused(new Rejection.NoSlot()));
    }

    private static Sought payable(Terms terms, LongFunction<Money> price, PlainPlace place) {
        var cost = price.apply(place.slot().start());
        return isAffordable(terms, cost)
                ? new Sought.At(place, cost)
                : new Sought.None(
                        refused(new Rejection.OverBudget(cost, terms.budget().orElseThrow())));
    }

    /** Returns the policy's choice among the affordable starts; if there are none, the price of the first fit. */
    private Sought chosen(PlainRoom room, Terms terms, LongFunction<Money> price, long from, long to, long now) {
        var affordable = firstAffordable(terms, price, from, to);
        var start = affordable.isPresent() && !isPut(terms)
                ? room.choose(affordable.getAsLong(), to, terms.runTime(), terms.pes(), reservable(), now)
                : OptionalLong.empty();
        var first = LongStream.rangeClosed(from, to)
                .filter(second -> room.isFree(Slot.of(second, terms.runTime()), terms.pes(), reservable()))
                .findFirst();
        return start.isPresent() || first.isPresent()
                ? exactly(room, terms, price, start.orElseGet(first::getAsLong))
                : new Sought.None(refused(new Rejection.NoSlot()));
    }

    /** Returns the first affordable start; later ones are affordable too. */
    private static OptionalLong firstAffordable(Terms terms, LongFunction<Money> price, long from, long to) {
        var first = LongStream.rangeClosed(from, to)
                .filter(start -> isAffordable(terms, price.apply(start)))
                .findFirst();
        first.ifPresent(start -> assertThat(LongStream.rangeClosed(start, to).boxed())
                .as("a later start never costs more")
                .allMatch(later -> isAffordable(terms, price.apply(later))));
        return first;
    }

    private static boolean isAffordable(Terms terms, Money price) {
        return terms.budget().isEmpty() || !price.exceeds(terms.budget().get());
    }

    private Optional<Verdict> held(AccountLimits limits, AccountName owner, long hold) {
        if (hold > limits.maxHold().orElse(Long.MAX_VALUE)) {
            return Optional.of(new Verdict.Refused("LimitExceeded limits.maxHold"));
        }
        long held = live.values().stream()
                .filter(booking -> booking.owner().equals(owner) && booking.state() == ReservationState.HELD)
                .count();
        return held + 1 > limits.holds().orElse(Integer.MAX_VALUE)
                ? Optional.of(new Verdict.Refused("LimitExceeded limits.holds"))
                : Optional.empty();
    }

    private Optional<Verdict> exceeded(ReservationId id, AccountName owner, Slot slot, int pes) {
        return exceeded(id, owner, slot, pes, !live.containsKey(id), List.of());
    }

    /**
     * Returns the limit that is exceeded.
     *
     * @param isNew whether it is or may become another reservation
     * @param waiting the requests that count as their possible reservations
     */
    private Optional<Verdict> exceeded(
            ReservationId id, AccountName owner, Slot slot, int pes, boolean isNew, List<Collect> waiting) {
        var limits = allowance.limits();
        var others = Stream.concat(
                        live.entrySet().stream()
                                .filter(entry -> !entry.getKey().equals(id)
                                        && entry.getValue().owner().equals(owner))
                                .map(Map.Entry::getValue),
                        allowance.elsewhere().reservations().stream().map(Booking::of))
                .toList();
        var requests = waiting.stream()
                .filter(request ->
                        !request.id().equals(id) && request.origin().owner().equals(owner))
                .toList();
        var own = jobs.all().values().stream()
                .filter(job -> job.owner().equals(owner) && job.source() == JobSource.BERTH)
                .toList();
        int unplaced =
                requests.stream().mapToInt(request -> request.terms().pes()).sum()
                        + own.stream()
                                .filter(job -> job.state() == JobState.QUEUED)
                                .mapToInt(BatchJob::pes)
                                .sum();
        if (isNew
                && others.size() + requests.size() + 1
                        > limits.activeReservations().orElse(Integer.MAX_VALUE)) {
            return Optional.of(new Verdict.Refused("LimitExceeded limits.activeReservations"));
        }
        int most = LongStream.range(slot.start(), slot.end())
                .mapToInt(second -> others.stream()
                                .filter(other -> other.takes(second))
                                .mapToInt(other -> other.terms().pes())
                                .sum()
                        + own.stream()
                                .flatMap(job -> job.run().stream()
                                        .filter(run -> run.taken().start() <= second && second < run.until())
                                        .map(_ -> job.pes()))
                                .mapToInt(Integer::intValue)
                                .sum())
                .max()
                .orElseThrow();
        return most + unplaced + pes > limits.pes().orElse(Integer.MAX_VALUE)
                ? Optional.of(new Verdict.Refused("LimitExceeded limits.pes"))
                : Optional.empty();
    }

    /** Returns when a place becomes final: at once if no move is allowed. */
    private static Fixing finality(Terms terms) {
        return PlainJuggling.isPut(terms)
                ? new Fixing(Optional.of(BigDecimal.ZERO), terms.fixing().before())
                : terms.fixing();
    }

    /** Returns the share of the wait in which a run can move that is placed now and held first, after that many moves. */
    private Mobility mobility(Terms terms, long held, long start, long now, int moves) {
        return PlainJuggling.isPut(terms)
                ? Mobility.NONE
                : usable(cluster, movable(terms, held, start, now), terms, moves);
    }

    /** Returns a price less the rebate for a move. */
    public static Money afterMove(Cluster cluster, Money price) {
        var rest = BigDecimal.ONE.subtract(cluster.policy().replanning().moves().rebate());
        return new Money(price.amount().multiply(rest).setScale(2, RoundingMode.UP), price.currency());
    }

    /** Returns a share of a mobility: with m of p moves left, that of m / (m + 1) in p / (p + 1). */
    public static Mobility usable(Cluster cluster, Mobility mobility, Terms terms, int moves) {
        int most = cluster.policy().replanning().moves().bounds().maxMoves().orElse(Integer.MAX_VALUE);
        int left = terms.mobility().maxMoves().orElse(Integer.MAX_VALUE) - moves;
        if (terms.mobility().maxMoves().isEmpty() || left >= most) {
            return mobility;
        }
        if (left <= 0) {
            return Mobility.NONE;
        }
        boolean isBounded = most < Integer.MAX_VALUE;
        var share = BigDecimal.valueOf((long) left * (isBounded ? most + 1 : 1));
        var whole = BigDecimal.valueOf((left + 1L) * (isBounded ? most : 1));
        return new Mobility(
                mobility.movable().multiply(share), mobility.waiting().multiply(whole));
    }

    private Mobility movable(Terms terms, long held, long start, long now) {
        var wait = BigDecimal.valueOf(start - now);
        long ahead = Math.max(cluster.policy().notice(), terms.fixing().before().orElse(0));
        var movable = wait.subtract(BigDecimal.valueOf(ahead))
                .min(terms.fixing().after().map(wait::multiply).orElse(wait))
                .subtract(BigDecimal.valueOf(Math.min(held, start - now)));
        return movable.signum() > 0 ? new Mobility(movable, wait) : Mobility.NONE;
    }

    // ---- renegotiating

    private Verdict renegotiate(
            RequestedTerms wanted, Optional<Money> incentive, ReservationId id, Booking before, long now) {
        var resolved = resolved(wanted, Optional.of(before.terms()), now);
        if (resolved.isEmpty()) {
            return INVALID;
        }
        var terms = resolved.get();
        if (terms.equals(before.terms()) && incentive.isEmpty()) {
            return UNCHANGED;
        }
        var refused = ruledOut(terms, before.terms());
        if (refused.isPresent()) {
            return refused.get();
        }
        live.remove(id);
        var moves = new ArrayList<Change>();
        boolean isRunning = before.state() == ReservationState.RUNNING;
        boolean sameFixing = finality(terms).equals(finality(before.terms()));
        var there = isRunning ? goingOn(before, terms, now) : staying(before, terms, sameFixing, incentive, now);
        boolean hasStayed = isRunning || there instanceof Sought.At;
        var sought = hasStayed ? there : placedAnew(id, before, terms, incentive, moves, now);
        live.put(id, before);
        return switch (sought) {
            case Sought.None(var why) -> why;
            case Sought.At(var place, var price) -> {
                var slot = place.slot();
                boolean takesMore = terms.pes() > before.terms().pes()
                        || slot.start() < before.slot().start()
                        || slot.end() > before.slot().end();
                if (takesMore && cluster.admission() == Admission.CLOSED) {
                    yield refused(new Rejection.Closed());
                }
                var limit = exceeded(id, before.owner(), slot, terms.pes());
                if (takesMore && limit.isPresent()) {
                    yield limit.get();
                }
                long fixes = hasStayed && sameFixing
                        ? before.fixesAt()
                        : PlainJuggling.isPut(terms)
                                ? now
                                : terms.fixing()
                                        .fixesAt(
                                                now,
                                                slot.start(),
                                                cluster.policy().notice());
                live.remove(id);
                var next = before.agreed(lying(terms, slot.start()), place, fixes, price)
                        .agreedAnew();
                var after = lacking(isRunning ? next.returning(returned(before, terms, now)) : next, now);
                live.put(id, after.proposing(Optional.empty()));
                yield granted(now, moves, incentive.isPresent() ? Event.Type.ACCEPTED : Event.Type.RENEGOTIATED, id);
            }
        };
    }

    /** Returns the price of a changed waiting run; a change that the provider wants costs at most the agreed price minus the incentive. */
    private Money cost(Booking before, Terms terms, long there, Mobility mobility, Optional<Money> incentive) {
        long start = before.slot().start();
        var was = before.terms();
        return incentive
                .map(off -> looser(
                                cluster.tariff(),
                                before.price(),
                                was,
                                start,
                                terms,
                                there,
                                mobility,
                                before.serviceClass())
                        .less(off))
                .orElseGet(() -> renegotiated(
                        cluster.tariff(), before.price(), was, start, terms, there, mobility, before.serviceClass()));
    }

    private Sought staying(Booking before, Terms terms, boolean sameFixing, Optional<Money> incentive, long now) {
        long start = before.slot().start();
        boolean inTime = terms.pes() <= before.terms().pes()
                || start >= now + cluster.policy().limits().leadTime();
        boolean mayStay = inTime && terms.window().readyTime() <= start && start <= terms.latestStart();
        var mobility = sameFixing
                ? usable(cluster, Mobility.until(before.fixesAt(), now, start), terms, before.moves())
                : mobility(terms, 0, start, now, before.moves());
        return Optional.of(terms)
                .filter(_ -> mayStay)
                .flatMap(_ -> stays(before, terms))
                .map(place -> payable(terms, _ -> cost(before, lying(terms, start), start, mobility, incentive), place))
                .orElseGet(() -> new Sought.None(refused(new Rejection.NoSlot())));
    }

    private Sought placedAnew(
            ReservationId id, Booking before, Terms terms, Optional<Money> incentive, List<Change> moves, long now) {
        LongFunction<Money> price = there ->
                cost(before, lying(terms, there), there, mobility(terms, 0, there, now, before.moves()), incentive);
        long from = Math.max(
                terms.window().readyTime(), now + cluster.policy().limits().leadTime());
        Function<PlainRoom, Sought> look = room -> chosen(room, terms, price, from, terms.latestStart(), now);
        var sought = look.apply(room());
        return cluster.policy().juggling() != Juggling.NEVER && mayGetRoom(sought)
                ? juggled(
                                new Waiting(
                                        id,
                                        before.serviceClass(),
                                        before.moves(),
                                        terms,
                                        terms.window(),
                                        before.acceptedAt(),
                                        NOWHERE),
                                OptionalLong.empty(),
                                look,
                                price,
                                moves,
                                now)
                        .orElse(sought)
                : sought;
    }

    private Sought goingOn(Booking before, Terms terms, long now) {
        var was = before.terms();
        var slot = Slot.of(before.slot().start(), terms.runTime());
        boolean onlyItsEnd = terms.window().readyTime() == was.window().readyTime()
                && terms.pes() <= was.pes()
                && terms.requires().equals(was.requires())
                && terms.fixing().equals(was.fixing())
                && terms.mobility().equals(was.mobility());
        if (!onlyItsEnd || slot.end() > terms.window().deadline() || slot.end() <= now) {
            return new Sought.None(INVALID);
        }
        var rest = priceOfTheRest(before, terms, now);
        var longer = prolonged(cluster.tariff(), rest, was, terms, slot.start(), before.serviceClass());
        var price = longer.plus(returned(before, terms, now).owed());
        return stays(before, terms)
                .map(place -> payable(terms, _ -> price, place))
                .orElseGet(() -> new Sought.None(refused(new Rejection.NoSlot())));
    }

    /** Returns the PE-seconds that a run has from now on and would not have under other terms, second by second. */
    private static long givenBack(Booking before, Terms terms, long now) {
        long end = before.slot().start() + terms.runTime();
        return LongStream.range(now, before.slot().end())
                .map(second -> before.terms().pes() - (second < end ? terms.pes() : 0))
                .sum();
    }

    private static Money ofParts(Booking before) {
        return before.price().less(before.returned().owed());
    }

    /** Returns the agreed price of what a run had and keeps. */
    private static Money priceOfTheRest(Booking before, Terms terms, long now) {
        long all = before.returned().extra()
                + before.slot().duration() * before.terms().pes();
        long rest = all - givenBack(before, terms, now);
        var agreed = ofParts(before);
        return Money.roundedUp(
                agreed.amount().multiply(BigDecimal.valueOf(rest)), BigDecimal.valueOf(all), agreed.currency());
    }

    /** Returns what has been returned once a run goes on under other terms. */
    private Returned returned(Booking before, Terms terms, long now) {
        long fewer = before.terms().pes() - terms.pes();
        long extra = before.returned().extra() + fewer * (now - before.slot().start());
        long back = givenBack(before, terms, now);
        boolean lacksSome = LongStream.range(now, before.slot().end())
                .anyMatch(second -> before.lacking(second).isPresent());
        if (back == 0 || lacksSome) {
            return new Returned(before.returned().owed(), extra);
        }
        var agreed = ofParts(before);
        long all = before.returned().extra()
                + before.slot().duration() * before.terms().pes();
        var tariff = cluster.tariff();
        var whole = BigDecimal.valueOf(all);
        var hours = BigDecimal.valueOf(back).multiply(whole).multiply(tariff.pricePerPeHour());
        var today = before.serviceClass() == ServiceClass.PREMIUM ? hours.multiply(tariff.premiumFactor()) : hours;
        // both with the divisor 3600 times all
        var value = agreed.amount()
                .multiply(BigDecimal.valueOf(back))
                .multiply(BigDecimal.valueOf(3600))
                .min(today);
        var credited = new Money(
                value.multiply(tariff.returnShare())
                        .divide(
                                whole.multiply(BigDecimal.valueOf(3600)),
                                agreed.currency().getDefaultFractionDigits(),
                                RoundingMode.FLOOR),
                agreed.currency());
        var owed = agreed.less(priceOfTheRest(before, terms, now)).less(credited);
        return new Returned(before.returned().owed().plus(owed), extra);
    }

    /** Returns the PEs that a run in one part keeps if it has fewer from now on: first those that it lacks at no time. */
    private static PeSet keptOf(Booking before, int pes) {
        var own = before.peIds().orElseThrow();
        var lost = before.losses().lacks().stream()
                .flatMap(lack -> lack.peIds().stream())
                .reduce(PeSet.NONE, PeSet::or)
                .and(own);
        var healthy = own.minus(lost);
        int some = Math.min(pes, healthy.size());
        return healthy.lowest(some).or(lost.lowest(pes - some));
    }

    /** Returns a booking with what it lacks from now on. It must not be among the live ones. */
    private Booking lacking(Booking run, long now) {
        if (run.losses().lacks().isEmpty()) {
            return run;
        }
        long held = live.values().stream()
                .filter(booking -> booking.state() == ReservationState.RUNNING)
                .mapToLong(booking -> PlainRoom.bits(booking.held()))
                .reduce(0, (one, other) -> one | other);
        for (int pe = 0; pe < Long.SIZE; pe++) {
            held |= jobs.hold(pe) ? 1L << pe : 0;
        }
        var lacks = room().lacking(
                        new Slot(Math.max(now, run.slot().start()), run.slot().end()),
                        run.terms().pes(),
                        run.peIds(),
                        held,
                        outages.values());
        long lost = LongStream.range(run.losses().since(), now)
                .map(second -> run.lacking(second).map(Part::pes).orElse(0))
                .sum();
        return run.with(new Losses(run.losses().lost() + lost, now, lacks));
    }

    /** Returns the place of a run that keeps its start if everything beyond its previous place is free, second by second. */
    private Optional<PlainPlace> stays(Booking before, Terms terms) {
        var room = room();
        if (before.state() == ReservationState.RUNNING
                && !before.losses().lacks().isEmpty()) {
            room.spare(
                    outages.values(),
                    before.slot().end(),
                    Math.min(terms.pes(), before.terms().pes()),
                    terms.pes() < before.terms().pes()
                            ? keptOf(before, terms.pes())
                            : before.peIds().orElseThrow());
        }
        var slot = Slot.of(before.slot().start(), terms.runTime());
        boolean more = terms.pes() > before.terms().pes();
        if (cluster.binding() == Binding.LATE) {
            boolean hasRoom = LongStream.range(slot.start(), slot.end())
                    .allMatch(second -> before.takes(second) && !more
                            || room.isFree(Slot.of(second, 1), terms.pes(), reservable()));
            var ids = before.peIds().map(had -> terms.pes() < had.size() ? keptOf(before, terms.pes()) : had);
            return hasRoom ? Optional.of(new PlainPlace(slot, ids)) : Optional.empty();
        }
        boolean fewer = before.state() == ReservationState.RUNNING
                && terms.pes() < before.terms().pes();
        var own = fewer ? keptOf(before, terms.pes()) : before.peIds().orElseThrow();
        var kept = room.bound(before.slot(), own, Math.min(own.size(), terms.pes()), reservable())
                .orElseThrow();
        boolean keepsOn = LongStream.range(before.slot().end(), slot.end())
                .allMatch(second -> (PlainRoom.bits(kept) & ~room.ids(Slot.of(second, 1), reservable())) == 0);
        return keepsOn
                ? room.bound(slot, kept, terms.pes(), reservable()).map(ids -> new PlainPlace(slot, Optional.of(ids)))
                : Optional.empty();
    }

    // ---- proposals

    private Verdict propose(Propose propose, ReservationId id, Booking before, long now) {
        var open = before.proposal().filter(one -> now < one.expiresAt());
        if (open.isPresent()) {
            return refused(
                    new Rejection.ProposalOpen(open.get().number(), open.get().expiresAt()));
        }
        var incentive = propose.incentive();
        var resolved = resolved(propose.wanted(), Optional.of(before.terms()), now);
        boolean isWrong = propose.expiresAt() <= now
                || !incentive.currency().equals(before.price().currency())
                || incentive.exceeds(before.price());
        if (isWrong || resolved.isEmpty()) {
            return INVALID;
        }
        var refused = ruledOut(resolved.get(), before.terms());
        if (refused.isPresent()) {
            return refused.get();
        }
        var proposal =
                new Proposal(before.version() + 1, resolved.get(), incentive, propose.by(), now, propose.expiresAt());
        live.put(id, before.next(Optional.of(proposal)));
        return granted(now, Event.Type.PROPOSED, id);
    }

    /** Returns the result of accepting the offered terms; a ready time in the past means at once, if time is left. */
    private Verdict accept(Proposal proposal, ReservationId id, Booking before, long now) {
        var window = proposal.terms().window();
        boolean isLate = window.readyTime() < now
                && now < window.deadline()
                && window.readyTime() != before.terms().window().readyTime();
        var offered = RequestedTerms.of(proposal.terms());
        var wanted = isLate ? offered.readyAt(now) : offered;
        return renegotiate(wanted, Optional.of(proposal.incentive()), id, before, now);
    }

    // ---- batch jobs

    private Verdict submit(SubmitJob asked, long now) {
        var refused = isNone(asked.pes(), asked.estimate());
        var rules = cluster.policy().limits();
        long longest = Math.min(
                rules.maxDuration().orElse(cluster.policy().horizon()),
                rules.maxJobDuration().orElse(Long.MAX_VALUE));
        if (refused.isPresent()) {
            return refused.get();
        }
        if (asked.estimate() > longest) {
            return INVALID;
        }
        if (cluster.admission() != Admission.OPEN || cluster.policy().jobs() == JobIntake.CLOSED) {
            return refused(new Rejection.Closed());
        }
        if (cluster.policy().jobs() == JobIntake.OUTSIDE || jobs.source().equals(Optional.of(JobSource.OUTSIDE))) {
            return refused(new Rejection.OtherSource(JobSource.OUTSIDE));
        }
        var limits = allowance.limits();
        long there = jobs.all().values().stream()
                .filter(job -> job.owner().equals(asked.owner()) && job.source() == JobSource.BERTH)
                .count();
        if (there + 1 > limits.jobs().orElse(Integer.MAX_VALUE)) {
            return new Verdict.Refused("LimitExceeded limits.jobs");
        }
        var exceeded = exceeded(
                new ReservationId(asked.id().value()),
                asked.owner(),
                new Slot(now, end),
                asked.pes(),
                false,
                List.of());
        if (exceeded.isPresent()) {
            return exceeded.get();
        }
        jobs.put(BatchJob.queued(
                asked.id(),
                cluster.id(),
                asked.owner(),
                asked.name(),
                asked.pes(),
                asked.estimate(),
                now,
                jobs.lastRank() + 1,
                JobSource.BERTH));
        return granted(now, Event.Type.JOB_QUEUED, asked.id());
    }

    /** Returns why no job can have that size; empty if one can. */
    private Optional<Verdict> isNone(int pes, long estimate) {
        if (pes < 1 || estimate < 1 || isBroken(pes)) {
            return Optional.of(INVALID);
        }
        return pes > cluster.pes() ? Optional.of(NEVER_FITS) : Optional.empty();
    }

    private Verdict ends(JobId id, Set<JobState> states, JobState how, long now) {
        var found = jobs.find(id);
        if (found.isEmpty()) {
            return refused(new Rejection.JobNotLive(id));
        }
        var job = found.get();
        if (job.source() == JobSource.OUTSIDE) {
            return refused(new Rejection.OtherSource(JobSource.OUTSIDE));
        }
        if (!states.contains(job.state())) {
            return refused(new Rejection.WrongJobState(job.state()));
        }
        jobs.put(job.ended(how, now));
        return granted(now, how == JobState.COMPLETED ? Event.Type.JOB_COMPLETED : Event.Type.JOB_CANCELLED, id);
    }

    private static Verdict granted(long at, Event.Type what, JobId id) {
        return new Verdict.Granted(List.of(new Change(at, what, id.value())));
    }

    /** Starts jobs in order; a job starts if it fits now and for its whole estimate beside everything else. */
    private Verdict startJobs(long now) {
        var changes = new ArrayList<Change>();
        if (jobs.source().equals(Optional.of(JobSource.BERTH))) {
            while (kept.filter(part -> part.slot().start() == now).isPresent()) {
                var head = jobs.in(JobState.QUEUED).getFirst();
                start(head, kept.get().peIds(), changes, now);
            }
            for (var job : jobs.in(JobState.QUEUED)) {
                var slot = Slot.of(now, job.estimate());
                var room = room();
                if (room.isFree(slot, job.pes(), cluster.pes())) {
                    start(job, room.bound(slot, job.pes(), cluster.pes()), changes, now);
                }
            }
        }
        return new Verdict.Granted(changes);
    }

    private void start(BatchJob job, Optional<PeSet> ids, List<Change> changes, long now) {
        var run = Run.of(Slot.of(now, job.estimate()), ids.orElseGet(() -> nobodys(job.pes())));
        jobs.put(job.running(run));
        changes.add(new Change(now, Event.Type.JOB_STARTED, job.id().value()));
        keep(now);
    }

    private Verdict replace(List<OutsideJob> told, long now) {
        if (jobs.source().equals(Optional.of(JobSource.BERTH))
                || jobs.source().isEmpty() && cluster.policy().jobs() != JobIntake.OUTSIDE) {
            return refused(new Rejection.OtherSource(JobSource.BERTH));
        }
        var names = new HashSet<String>();
        var isTaken = new ArrayList<Boolean>();
        for (var job : told) {
            long latest = now + 60;
            var none = isNone(job.pes(), job.estimate());
            boolean isTwice = !names.add(job.name());
            boolean isMisdated = job.submittedAt() > latest
                    || job.startedAt().orElse(job.submittedAt()) > latest
                    || job.startedAt().orElse(job.submittedAt()) < job.submittedAt();
            boolean isMisnamed = job.peIds()
                    .filter(ids -> ids.size() != job.pes()
                            || ids.length() > cluster.pes()
                            || cluster.binding() == Binding.LATE
                            || job.startedAt().isEmpty())
                    .isPresent();
            isTaken.add(!isTwice && none.isEmpty() && !isMisdated && !isMisnamed);
        }
        var before = List.copyOf(jobs.all().values());
        jobs.all().clear();
        kept = Optional.empty();
        for (boolean isNamed : new boolean[] {true, false}) {
            for (int rank = 0; rank < told.size(); rank++) {
                if (isTaken.get(rank) && told.get(rank).peIds().isPresent() == isNamed) {
                    tell(told.get(rank), rank, now);
                }
            }
        }
        var named = told.stream()
                .filter(job -> job.peIds().isPresent())
                .map(OutsideJob::name)
                .collect(Collectors.toSet());
        var news = jobs.all().values().stream()
                .map(job -> PlainJobs.news(job, named))
                .collect(Collectors.toSet());
        if (news.equals(before.stream().map(job -> PlainJobs.news(job, named)).collect(Collectors.toSet()))) {
            before.forEach(jobs::put);
            return UNCHANGED;
        }
        return new Verdict.Granted(List.of(new Change(now, Event.Type.JOBS_REPLACED, new UUID(0, 0))));
    }

    /**
     * Adopts a reported job. A running one has its PEs, for a minute longer if its estimate is over, until others need them; if that is
     * now, it is skipped.
     */
    private void tell(OutsideJob told, int rank, long now) {
        var job = PlainJobs.told(told, cluster, rank, now);
        if (told.startedAt().isEmpty()) {
            jobs.put(job);
            return;
        }
        long start = Math.min(now, told.startedAt().getAsLong());
        var room = room();
        long until = PlainJobs.until(room, cluster, told, now, Math.max(start + job.estimate(), now + 60));
        if (until > now) {
            var slot = new Slot(now, until);
            var ids = told.peIds()
                    .or(() -> room.bound(slot, job.pes(), cluster.pes()))
                    .orElseGet(() -> nobodys(job.pes()));
            jobs.put(job.running(new Run(start, slot, ids)));
        }
    }

    // ---- cluster and outages

    /** Returns the refusal of a newcomer by a cluster that is not open. */
    private Optional<Verdict> notOpen() {
        return switch (cluster.admission()) {
            case OPEN -> Optional.empty();
            case CLOSED -> Optional.of(refused(new Rejection.Closed()));
            case RETIRED -> Optional.of(refused(new Rejection.Retired()));
        };
    }

    private Verdict change(ChangeCluster change, long now) {
        var after = change.after();
        if (!change.before().equals(cluster)) {
            return refused(new Rejection.StaleVersion(cluster.version()));
        }
        if (after.equals(cluster)) {
            return UNCHANGED;
        }
        if (!live.isEmpty() && after.rating().compareTo(cluster.rating()) != 0) {
            return refused(new Rejection.InUse("rating"));
        }
        if (!live.isEmpty()
                && !after.tariff().currency().equals(cluster.tariff().currency())) {
            return refused(new Rejection.InUse("tariff.currency"));
        }
        boolean isEmpty = live.isEmpty() && outages.isEmpty() && jobs.all().isEmpty();
        if (!isEmpty && after.binding() != cluster.binding()) {
            return refused(new Rejection.InUse("binding"));
        }
        int ahead = (int) outages.values().stream()
                .filter(outage -> outage.beginsAt().isPresent())
                .count();
        int busy = live.size() + pending.size() + jobs.all().size() + ahead;
        if (after.admission() == Admission.RETIRED && cluster.admission() != Admission.RETIRED && busy > 0) {
            return refused(new Rejection.NotAtRest(
                    live.size(), pending.size(), jobs.all().size(), ahead));
        }
        var changed = new Change(now, Event.Type.CLUSTER_CHANGED, new UUID(0, 0));
        if (after.pes() < cluster.pes()) {
            return new Verdict.Lost(new Slot(now, Long.MAX_VALUE), Optional.empty(), changed);
        }
        cluster = after.inVersion(cluster.version() + 1);
        return new Verdict.Regained(changed);
    }

    private Verdict record(RecordOutage outage, long now) {
        long from = Math.max(now, outage.from().orElse(now));
        boolean isWrong = outage.pes() < 1
                || isBroken(outage.pes())
                || outage.from().orElse(now) < now - 60
                || outage.to().orElse(Long.MAX_VALUE) <= from
                || outage.peIds().filter(ids -> isWrong(ids, outage, from, now)).isPresent()
                || outage.pes() > cluster.pes();
        return isWrong
                ? INVALID
                : new Verdict.Lost(
                        new Slot(from, outage.to().orElse(Long.MAX_VALUE)),
                        outage.peIds(),
                        new Change(now, Event.Type.OUTAGE_RECORDED, outage.id().value()));
    }

    private boolean isWrong(PeSet ids, RecordOutage outage, long from, long now) {
        return ids.size() != outage.pes()
                || cluster.binding() == Binding.LATE && from > now
                || ids.length() > cluster.pes();
    }

    // ---- pulling forward

    private Verdict pullForward(ClusterSchedule before, long now) {
        var rules = cluster.policy().replanning();
        var freed = freed(before, now);
        var queue = live.entrySet().stream()
                .filter(entry -> entry.getValue().isMovable(now))
                .map(entry -> entry.getValue().waiting(entry.getKey()))
                .sorted(PlainJuggling.order(cluster, new ReservationId(new UUID(0, 0)), now))
                .toList();
        var moves = new ArrayList<Change>();
        for (var waiting : queue) {
            var booking = Objects.requireNonNull(live.get(waiting.id()));
            var terms = booking.terms();
            long ahead =
                    Math.max(cluster.policy().notice(), terms.fixing().before().orElse(0));
            long earliest = Math.max(waiting.within().readyTime(), now + ahead);
            long present = booking.slot().start();
            boolean mayGain = LongStream.range(earliest, booking.slot().end())
                    .anyMatch(second -> freed.get((int) Math.min(second, end)));
            if (!rules.pullForward()
                    || !mayGain
                    || moves.size() >= rules.maxMoves().orElse(Integer.MAX_VALUE)) {
                continue;
            }
            live.remove(waiting.id());
            var room = room();
            live.put(waiting.id(), booking);
            var sooner = LongStream.range(earliest, present)
                    .mapToObj(start -> Slot.of(start, terms.runTime()))
                    .filter(slot -> room.isFree(slot, terms.pes(), reservable()))
                    .findFirst();
            sooner.ifPresent(slot -> {
                var place = new PlainPlace(slot, room.bound(slot, terms.pes(), reservable()));
                live.put(waiting.id(), booking.pulled(place, cluster, now));
                freed.set((int) present, (int) booking.slot().end());
                moves.add(new Change(now, Event.Type.MOVED, waiting.id().value()));
            });
        }
        return new Verdict.Granted(moves);
    }

    /** Returns the future seconds in which more PEs are free than before. */
    private BitSet freed(ClusterSchedule before, long now) {
        var free = free(new Slot(0, end + 1));
        var freed = new BitSet();
        LongStream.rangeClosed(now, end)
                .filter(second -> free[(int) second] > before.profile().free(second))
                .forEach(second -> freed.set((int) second));
        return freed;
    }

    // ---- the clock

    private Verdict advance(int most, long now) {
        var changes = new ArrayList<Change>();
        while (changes.size() < most) {
            var next = Stream.of(
                            live.entrySet().stream().map(entry -> due(entry.getKey(), entry.getValue())),
                            outages.values().stream()
                                    .filter(outage -> outage.to().isPresent())
                                    .map(outage -> new Change(
                                            outage.to().getAsLong(),
                                            Event.Type.OUTAGE_ENDED,
                                            outage.id().value())),
                            outages.values().stream()
                                    .filter(outage -> outage.beginsAt().isPresent())
                                    .map(outage -> new Change(
                                            outage.from(),
                                            Event.Type.OUTAGE_BEGAN,
                                            outage.id().value())),
                            jobs.in(JobState.RUNNING).stream()
                                    .map(job -> new Change(
                                            job.part().slot().end(),
                                            Event.Type.JOB_COMPLETED,
                                            job.id().value())))
                    .flatMap(dues -> dues)
                    .filter(change -> change.at() <= now)
                    .min(Comparator.comparing(Change::at)
                            .thenComparing(PlainSchedule::turn)
                            .thenComparing(Change::subject));
            if (next.isEmpty()) {
                break;
            }
            if (next.get().what() == RUN_CHANGES) {
                return new Verdict.RunChanges(
                        changes,
                        new ReservationId(next.get().subject()),
                        next.get().at());
            }
            happen(next.get());
            changes.add(next.get());
        }
        return new Verdict.Granted(changes);
    }

    /** Stands for whatever happens to a run that loses PEs or gets some back. */
    private static final Event.Type RUN_CHANGES = Event.Type.LOSING;

    /** Returns when a change happens among those of one second. */
    private static int turn(Change change) {
        return switch (change.what()) {
            case STARTED -> 3;
            case LOSING -> 2;
            default -> 1;
        };
    }

    private static Change due(ReservationId id, Booking booking) {
        long end = booking.changesAt().orElse(booking.slot().end());
        return switch (booking.state()) {
            case HELD -> new Change(booking.holdExpiresAt().orElseThrow(), Event.Type.EXPIRED, id.value());
            case CONFIRMED ->
                new Change(
                        booking.slot().start(),
                        booking.losses().lacks().isEmpty() ? Event.Type.STARTED : RUN_CHANGES,
                        id.value());
            default ->
                booking.claimBy().orElse(end) < end
                        ? new Change(booking.claimBy().getAsLong(), Event.Type.RELEASED, id.value())
                        : new Change(end, end < booking.slot().end() ? RUN_CHANGES : Event.Type.COMPLETED, id.value());
        };
    }

    private void happen(Change due) {
        if (due.what() == Event.Type.OUTAGE_BEGAN) {
            outages.computeIfPresent(new OutageId(due.subject()), (_, outage) -> outage.begun());
            return;
        }
        if (due.what() == Event.Type.OUTAGE_ENDED) {
            outages.remove(new OutageId(due.subject()));
            return;
        }
        if (due.what() == Event.Type.JOB_COMPLETED) {
            jobs.all().remove(new JobId(due.subject()));
            return;
        }
        var id = new ReservationId(due.subject());
        var booking = Objects.requireNonNull(live.remove(id));
        if (due.what() == Event.Type.STARTED) {
            live.put(id, booking.running(Optional.of(starting(booking)), booking.claimBy()));
        }
    }

    /** Returns the PEs on which it starts; it may have them already. */
    private PeSet starting(Booking booking) {
        return booking.peIds().orElseGet(() -> nobodys(booking.terms().pes()));
    }

    /** Returns the lowest-numbered PEs that no run holds. */
    private PeSet nobodys(int pes) {
        return PeSet.of(IntStream.range(0, cluster.pes())
                .filter(pe -> !isHeld(pe) && !jobs.hold(pe))
                .limit(pes)
                .toArray());
    }

    private boolean isHeld(int pe) {
        return Stream.concat(
                        live.values().stream().map(Booking::held),
                        outages.values().stream().flatMap(outage -> outage.peIds().stream()))
                .anyMatch(held -> held.contains(pe));
    }
}
