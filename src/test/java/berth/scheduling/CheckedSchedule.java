package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlainSchedule.Booking;
import berth.scheduling.PlainSchedule.Change;
import berth.scheduling.PlainSchedule.Verdict;
import berth.scheduling.Probe.Answer;
import berth.scheduling.Probe.Offer;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A schedule that is watched: every decision is foretold by {@link PlainSchedule}, and after each one the rules hold
 * that a schedule must never break. The clock is brought up to date before each command, as its one writer does.
 */
final class CheckedSchedule {

    private final Cluster cluster;
    private final Slot all;
    private final PlainSchedule oracle;
    private final List<Event> events = new ArrayList<>();
    private final List<String> outcomes = new ArrayList<>();

    /** What was promised and has neither ended nor been given up, as it was accepted. */
    private final Map<ReservationId, Reservation> promised = new HashMap<>();

    private ClusterSchedule schedule;

    /** Grows by events alone. */
    private ClusterSchedule folded;

    CheckedSchedule(SchedulingWorld world) {
        this.cluster = world.cluster();
        this.all = world.all();
        this.oracle = new PlainSchedule(cluster, Math.toIntExact(all.end()));
        this.schedule = ClusterSchedule.empty(cluster);
        this.folded = schedule;
    }

    ClusterSchedule schedule() {
        return schedule;
    }

    List<Event> events() {
        return events;
    }

    /** What became of the commands, one word each. */
    List<String> outcomes() {
        return outcomes;
    }

    /** @throws AssertionError at the first thing that is not as it must be */
    void play(List<SchedulingWorld.Step> steps) {
        for (var step : steps) {
            if (!(step.command() instanceof AdvanceClock)) {
                catchUp(step.now());
            }
            decide(step.command(), step.now());
        }
        var rebuilt = ClusterSchedule.of(cluster, schedule.reservations(), schedule.outages());
        var rest = new AdvanceClock(Integer.MAX_VALUE);
        assertThat(rest.decide(rebuilt, all.end())).isEqualTo(rest.decide(schedule, all.end()));
        catchUp(all.end());
        assertThat(schedule).isEqualTo(ClusterSchedule.empty(cluster));
    }

    /** Two at a time, so that it takes several rounds. */
    private void catchUp(long now) {
        while (schedule.nextDue().filter(due -> due.at() <= now).isPresent()) {
            decide(new AdvanceClock(2), now);
        }
        assertThat(oracle.decide(new AdvanceClock(1), now))
                .as("what is due by %d", now)
                .isEqualTo(new Verdict.Granted(List.of()));
    }

    private void decide(Command command, long now) {
        var reservationsBefore = List.copyOf(schedule.reservations());
        var profileBefore = schedule.profile().steps(all);
        var dueBefore = schedule.nextDue();

        var decision = command.decide(schedule, now);
        probePromisesWhatIsDecided(command, decision, now);
        assertThat(command.decide(schedule, now)).as("decided again").isEqualTo(decision);

        assertThat(schedule.reservations()).containsExactlyInAnyOrderElementsOf(reservationsBefore);
        assertThat(schedule.profile().steps(all)).isEqualTo(profileBefore);
        assertThat(schedule.nextDue()).isEqualTo(dueBefore);

        assertThat(told(decision)).isEqualTo(oracle.decide(command, now));
        switch (decision) {
            case Decision.Rejected(var reason) -> outcomes.add(reason.getClass().getSimpleName());
            case Decision.Accepted(var happened, var next) -> {
                schedule = next;
                happened.forEach(event -> follow(event, command));
            }
        }
        agreesWithTheOracle();
        neverTakesMoreThanThereIs();
        keepsItsPromises();
        isWhatItsEventsAddUpTo();
        isWhatItsReservationsMakeUp();
    }

    private void probePromisesWhatIsDecided(Command command, Decision decision, long now) {
        if (!(command instanceof Reserve reserve)
                || reserve.start().isPresent()
                || reserve.hold().isPresent()) {
            return;
        }
        var answer = new Probe(reserve.terms(), reserve.origin().serviceClass(), 3).ask(schedule, now);
        switch (decision) {
            case Decision.Accepted(var happened, var _) -> {
                var granted = reservation(happened.getFirst());
                assertThat(chosen(answer))
                        .containsExactly(
                                new Offer(granted.slot(), granted.terms().pes(), granted.price(), true, true));
            }
            case Decision.Rejected(Rejection.OverBudget(var price, var _)) -> {
                assertThat(chosen(answer)).isEmpty();
                assertThat(((Answer.Offers) answer).offers().getFirst())
                        .returns(price, Offer::price)
                        .returns(false, Offer::withinBudget);
            }
            case Decision.Rejected(var reason) -> assertThat(answer).isEqualTo(new Answer.Nothing(reason));
        }
    }

    private static List<Offer> chosen(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Offers.class);
        return ((Answer.Offers) answer).offers().stream().filter(Offer::chosen).toList();
    }

    /** The decision in the words of the oracle. */
    private static Verdict told(Decision decision) {
        return switch (decision) {
            case Decision.Accepted(var happened, var _) ->
                new Verdict.Granted(happened.stream()
                        .map(event -> new Change(
                                event.at(),
                                reservation(event).id(),
                                reservation(event).state()))
                        .toList());
            case Decision.Rejected(Rejection.InvalidTerms _) -> new Verdict.Refused(PlainSchedule.INVALID);
            case Decision.Rejected(Rejection.NeverFits _) -> new Verdict.Refused(PlainSchedule.NEVER_FITS);
            case Decision.Rejected(var reason) -> new Verdict.Refused(reason);
        };
    }

    private void follow(Event event, Command command) {
        var reservation = reservation(event);
        if (!events.isEmpty()) {
            assertThat(event.at())
                    .as("%s after %s", event, events.getLast())
                    .isGreaterThanOrEqualTo(events.getLast().at());
        }
        switch (event.type()) {
            case HELD -> promised.put(reservation.id(), reservation);
            case CONFIRMED -> promised.putIfAbsent(reservation.id(), reservation);
            case STARTED -> assertThat(event.at()).isEqualTo(reservation.slot().start());
            case COMPLETED -> {
                assertThat(event.at()).isEqualTo(reservation.slot().end());
                promised.remove(reservation.id());
            }
            case EXPIRED -> {
                assertThat(event.at())
                        .isEqualTo(
                                accepted(reservation).status().holdExpiresAt().orElseThrow());
                promised.remove(reservation.id());
            }
            case CANCELLED -> {
                assertThat(command).isInstanceOf(Cancel.class);
                promised.remove(reservation.id());
            }
            default -> throw new AssertionError(event);
        }
        outcomes.add(event.type().name());
        events.add(event);
        folded = folded.with(event);
    }

    private static Reservation reservation(Event event) {
        return ((ReservationEvent) event).reservation();
    }

    /** The reservation as it was promised. */
    private Reservation accepted(Reservation reservation) {
        return Objects.requireNonNull(promised.get(reservation.id()));
    }

    private void agreesWithTheOracle() {
        assertThat(schedule.reservations().stream().collect(Collectors.toMap(Reservation::id, Booking::of)))
                .isEqualTo(oracle.live());
        assertThat(schedule.profile().steps(all)).isEqualTo(oracle.profile().steps(all));
    }

    private void neverTakesMoreThanThereIs() {
        for (long second = all.start(); second < all.end(); second++) {
            int taken = 0;
            for (var reservation : schedule.reservations()) {
                taken += reservation.slot().contains(second)
                        ? reservation.terms().pes()
                        : 0;
            }
            if (taken > cluster.pes()) {
                throw new AssertionError("%d of %d PEs are taken at %d.".formatted(taken, cluster.pes(), second));
            }
        }
    }

    private void keepsItsPromises() {
        assertThat(schedule.reservations())
                .extracting(Reservation::id)
                .containsExactlyInAnyOrderElementsOf(promised.keySet());
        for (var reservation : schedule.reservations()) {
            var accepted = accepted(reservation);
            assertThat(reservation.slot()).isEqualTo(accepted.slot());
            assertThat(reservation.terms()).isEqualTo(accepted.terms());
            assertThat(reservation.price()).isEqualTo(accepted.price());
            assertThat(reservation.terms().window().contains(reservation.slot()))
                    .isTrue();
            assertThat(reservation.slot().duration())
                    .isEqualTo(reservation.terms().duration());
            assertThat(reservation.state())
                    .isIn(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING);
        }
    }

    private void isWhatItsEventsAddUpTo() {
        isTheSameAs(folded);
    }

    private void isWhatItsReservationsMakeUp() {
        isTheSameAs(ClusterSchedule.of(cluster, schedule.reservations(), schedule.outages()));
    }

    private void isTheSameAs(ClusterSchedule other) {
        assertThat(schedule).isEqualTo(other);
        assertThat(schedule.profile()).isEqualTo(other.profile());
        assertThat(schedule.nextDue()).isEqualTo(other.nextDue());
    }
}
