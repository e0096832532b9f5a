package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.ReservationEvent;
import java.util.List;

/**
 * A cluster that runs from second 0 on and takes reservations for 1000 seconds ahead. What it grants counts from then
 * on; its clock is moved by hand, and nothing falls due but in {@link #advance}.
 */
final class LiveCluster {

    static final long HORIZON = SampleCluster.HORIZON;

    private ClusterSchedule schedule;
    private long now;

    private LiveCluster(ClusterSchedule schedule) {
        this.schedule = schedule;
    }

    static LiveCluster of(int pes) {
        return of(SampleCluster.of(pes));
    }

    static LiveCluster of(SampleCluster sample) {
        return new LiveCluster(ClusterSchedule.empty(sample.cluster()));
    }

    ClusterSchedule schedule() {
        return schedule;
    }

    LiveCluster at(long second) {
        now = second;
        return this;
    }

    Reservation grant(Request request) {
        return grant(request.reserve());
    }

    /** The reservation as the command, which must be granted and do nothing else, leaves it. */
    Reservation grant(Command command) {
        var events = happens(command);
        assertThat(events).hasSize(1).hasOnlyElementsOfType(ReservationEvent.class);
        return ((ReservationEvent) events.getFirst()).reservation();
    }

    /** What comes of the command, which must be granted. */
    List<Event> happens(Command command) {
        var decision = command.decide(schedule, now);
        assertThat(decision).isInstanceOf(Decision.Accepted.class);
        var accepted = (Decision.Accepted) decision;
        schedule = accepted.next();
        return accepted.events();
    }

    Rejection refuse(Request request) {
        return refuse(request.reserve());
    }

    /** Why the command, which must be refused, is. */
    Rejection refuse(Command command) {
        var decision = command.decide(schedule, now);
        assertThat(decision).isInstanceOf(Decision.Rejected.class);
        return ((Decision.Rejected) decision).reason();
    }

    /** The field that makes the request invalid. */
    String refusedField(Request request) {
        var reason = refuse(request);
        assertThat(reason).isInstanceOf(Rejection.InvalidTerms.class);
        var violations = ((Rejection.InvalidTerms) reason).violations();
        assertThat(violations).hasSize(1);
        return violations.getFirst().field();
    }

    Probe.Answer ask(Probe probe) {
        return probe.ask(schedule, now);
    }

    List<Event> advance(int most) {
        var accepted = new AdvanceClock(most).decide(schedule, now);
        schedule = accepted.next();
        return accepted.events();
    }

    List<Event> advance() {
        return advance(Integer.MAX_VALUE);
    }

    Reservation find(ReservationId id) {
        return schedule.find(id).orElseThrow();
    }
}
