package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.places.Probe;
import berth.time.Slot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A cluster from second 0 with a horizon of 1000 seconds. Its clock is moved by hand, and due items are handled only in {@link #advance}.
 * Returned time is credited after each decision.
 */
public final class LiveCluster {

    static final long HORIZON = SampleCluster.HORIZON;

    private final Map<ReservationId, Reservation> latest = new HashMap<>();
    private ClusterSchedule schedule;
    private long now;

    private LiveCluster(ClusterSchedule schedule) {
        this.schedule = schedule;
    }

    public static LiveCluster of(int pes) {
        return of(SampleCluster.of(pes));
    }

    /** Returns an outage of some PEs for some time. */
    public static RecordOutage outage(int number, int pes, long from, long to) {
        return outage(number, pes, OptionalLong.of(from), OptionalLong.of(to));
    }

    /** Returns an outage of some PEs without a known end. */
    public static RecordOutage outage(int number, int pes, long from) {
        return outage(number, pes, OptionalLong.of(from), OptionalLong.empty());
    }

    private static RecordOutage outage(int number, int pes, OptionalLong from, OptionalLong to) {
        return new RecordOutage(outageId(number), pes, Optional.empty(), from, to, Optional.empty());
    }

    /** Returns an outage of these PEs from now on. */
    public static RecordOutage outageOf(int number, String peIds) {
        return outageOf(number, peIds, OptionalLong.empty(), OptionalLong.empty());
    }

    /** Returns an outage of these PEs for some time. */
    public static RecordOutage outageOf(int number, String peIds, long from, long to) {
        return outageOf(number, peIds, OptionalLong.of(from), OptionalLong.of(to));
    }

    private static RecordOutage outageOf(int number, String peIds, OptionalLong from, OptionalLong to) {
        var pes = PeSet.parse(peIds);
        return new RecordOutage(outageId(number), pes.size(), Optional.of(pes), from, to, Optional.empty());
    }

    public static OutageId outageId(int number) {
        return new OutageId(new UUID(1, number));
    }

    public static LiveCluster of(SampleCluster sample) {
        return new LiveCluster(ClusterSchedule.empty(sample.cluster()));
    }

    public ClusterSchedule schedule() {
        return schedule;
    }

    public long now() {
        return now;
    }

    /** Makes announcements for all reservations with exactly these leads. */
    public LiveCluster announcing(Long... seconds) {
        schedule = schedule.announcing(schedule.leads().asking(new Leads.Requests(Set.of(seconds), Map.of()), now));
        return this;
    }

    public LiveCluster at(long second) {
        now = second;
        return this;
    }

    public Reservation grant(Request request) {
        return grant(request.reserve(), request.allowance());
    }

    /** Changes a reservation to the terms of the request. */
    public Reservation renegotiate(Request request) {
        return grant(request.renegotiate(), request.allowance());
    }

    /** Decides a command that must be granted with no other effect; returns the reservation. */
    public Reservation grant(Command command) {
        return grant(command, Allowance.UNLIMITED);
    }

    /** Decides in the same way a command of an account with limits. */
    public Reservation grant(Command command, Allowance allowance) {
        var events = happens(command, allowance);
        assertThat(events).hasSize(1).hasOnlyElementsOfType(ReservationEvent.class);
        return ((ReservationEvent) events.getFirst()).reservation();
    }

    /** Decides a command that must be granted; returns its events. */
    public List<Event> happens(Command command) {
        return happens(command, Allowance.UNLIMITED);
    }

    public List<Event> happens(Command command, Allowance allowance) {
        var decision = command.decide(new Basis(schedule, now).within(allowance));
        assertThat(decision).isInstanceOf(Decision.Accepted.class);
        return apply((Decision.Accepted) decision);
    }

    /** Decides a command; returns its events, none if it is refused. */
    public List<Event> tries(Command command) {
        return command.decide(new Basis(schedule, now)) instanceof Decision.Accepted accepted
                ? apply(accepted)
                : List.of();
    }

    private List<Event> apply(Decision.Accepted accepted) {
        var credited = new CreditReturns(accepted.events()).decide(new Basis(accepted.next(), now));
        schedule = credited.next();
        var events = Stream.concat(accepted.events().stream(), credited.events().stream())
                .toList();
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var reservation, var _, var _, var _, var _)) {
                latest.put(reservation.id(), reservation);
            }
        }
        return events;
    }

    /** Changes the cluster. */
    public List<Event> change(SampleCluster to) {
        return happens(new ChangeCluster(schedule.cluster(), to.cluster()));
    }

    /** Takes PEs out of service. */
    public Outage lose(RecordOutage loss) {
        return ((OutageEvent) happens(loss).getLast()).outage();
    }

    public Rejection refuse(Request request) {
        return refuse(request.reserve(), request.allowance());
    }

    /** Decides a command that must be refused; returns the reason. */
    public Rejection refuse(Command command) {
        return refuse(command, Allowance.UNLIMITED);
    }

    public Rejection refuse(Command command, Allowance allowance) {
        var decision = command.decide(new Basis(schedule, now).within(allowance));
        assertThat(decision).isInstanceOf(Decision.Rejected.class);
        return ((Decision.Rejected) decision).reason();
    }

    /** Returns the field that makes the request invalid. */
    public String refusedField(Request request) {
        return refusedField(request.reserve());
    }

    /** Returns the field that makes the command invalid. */
    public String refusedField(Command command) {
        var reason = refuse(command);
        assertThat(reason).isInstanceOf(Rejection.InvalidTerms.class);
        var violations = ((Rejection.InvalidTerms) reason).violations();
        assertThat(violations).hasSize(1);
        return violations.getFirst().field();
    }

    public Outcome<Probe.Offers, Rejection> ask(Probe probe) {
        return probe.ask(schedule, now);
    }

    public List<Event> advance(int most) {
        return apply(new AdvanceClock(most).decide(new Basis(schedule, now)));
    }

    public List<Event> advance() {
        return advance(Integer.MAX_VALUE);
    }

    /** Returns a live reservation. */
    public Reservation find(ReservationId id) {
        return schedule.find(id).orElseThrow();
    }

    /** Returns the PEs of a live reservation; "none" if they are not chosen. */
    public String peIds(int number) {
        return find(Request.id(number)).placement().peIds().map(PeSet::toString).orElse("none");
    }

    /** Returns the slot of a live reservation. */
    public Slot slot(int number) {
        return find(Request.id(number)).slot();
    }

    /** Returns the last version of a reservation, live or not. */
    public Reservation latest(int number) {
        return Objects.requireNonNull(latest.get(Request.id(number)));
    }
}
