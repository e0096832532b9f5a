package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.pricing.Tariff;
import berth.reservation.Event;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;

/**
 * A cluster that runs from second 0 on and takes reservations for 1000 seconds ahead. What it grants counts from then
 * on; its clock is moved by hand, and nothing falls due but in {@link #advance}.
 */
final class LiveCluster {

    static final long HORIZON = 1_000;

    /** A cent per PE and second, and down to half of it for a start that comes one duration after the ready time. */
    private static final Tariff CENT_PER_SECOND = new Tariff(
            Currency.getInstance("USD"),
            new BigDecimal("36"),
            new BigDecimal("3"),
            BigDecimal.ZERO,
            new BigDecimal("0.5"),
            BigDecimal.ONE);

    private ClusterSchedule schedule;
    private long now;

    private LiveCluster(ClusterSchedule schedule) {
        this.schedule = schedule;
    }

    static LiveCluster of(int pes) {
        return new LiveCluster(ClusterSchedule.empty(new Cluster("sp2", pes, HORIZON, CENT_PER_SECOND)));
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

    /** The reservation as the command, which must be granted, leaves it. */
    Reservation grant(Command command) {
        var decision = command.decide(schedule, now);
        assertThat(decision).isInstanceOf(Decision.Accepted.class);
        var accepted = (Decision.Accepted) decision;
        assertThat(accepted.events()).hasSize(1);
        schedule = accepted.next();
        return accepted.events().getFirst().reservation();
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
