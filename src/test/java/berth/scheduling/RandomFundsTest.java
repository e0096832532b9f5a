package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.budget.BudgetUnit;
import berth.budget.Funds;
import berth.budget.Funds.Fund;
import berth.budget.Funds.Shortage;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.ReservationEvent;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;

/** Random sequences of all commands in a project with a budget. Decisions equal those without a budget unless the project cannot pay. */
class RandomFundsTest {

    private static final String PROJECT = "climate";
    private static final int WORLDS = Seeds.of(300);

    @Test
    void nothingIsGrantedThatTheProjectCannotPay() {
        int refused = 0;
        for (int seed = 1; seed <= WORLDS; seed++) {
            try {
                refused += refusedIn(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("In world %d: %s".formatted(seed, e.getMessage()), e);
            }
        }
        assertThat(refused).isGreaterThan(WORLDS / 2);
    }

    /** Returns how many requests are refused for lack of money. */
    private static int refusedIn(int seed) {
        var world = EverythingWorld.of(seed);
        var own = new Random(seed);
        var unit = own.nextBoolean() ? BudgetUnit.PE_HOURS : new BudgetUnit.InMoney(Currency.getInstance("USD"));
        var left = BigDecimal.valueOf(own.nextInt(200), unit.money().isPresent() ? 2 : 0);
        var schedule = ClusterSchedule.empty(world.cluster());
        int refused = 0;
        for (var step : world.steps()) {
            schedule = new AdvanceClock(Integer.MAX_VALUE)
                    .decide(schedule.funding(funds(unit, left)), step.now())
                    .next();
            left = left(schedule);
            var before = schedule.funding(funds(unit, left));
            var command = inProject(EverythingWorld.command(step, before), own);
            var free = command.decide(before.funding(Funds.FREE), step.now());
            var decision = command.decide(before, step.now());
            if (!(free instanceof Decision.Accepted(var events, var _))) {
                assertThat(decision).isEqualTo(free);
                continue;
            }
            var spent = spent(before, events, unit);
            boolean isShort = spent.signum() > 0 && spent.compareTo(left) > 0;
            if (isOne(command) && isShort) {
                refused++;
                assertThat(decision)
                        .isEqualTo(new Decision.Rejected(
                                new Rejection.BudgetExceeded(new Shortage(PROJECT, unit, left, spent))));
            } else if (!isShort && isOne(command)) {
                assertThat(decision)
                        .isInstanceOfSatisfying(
                                Decision.Accepted.class,
                                accepted -> assertThat(accepted.events()).isEqualTo(events));
            }
            if (decision instanceof Decision.Accepted(var happened, var next)) {
                var after = left.subtract(spent(before, happened, unit));
                assertThat(left(next)).as("what is left after %s", command).isEqualByComparingTo(after);
                assertThat(after.signum() >= 0 || after.compareTo(left) >= 0)
                        .as("%s, of %s, after %s", after, left, command)
                        .isTrue();
                schedule = next;
                left = after;
            }
        }
        return refused;
    }

    private static BigDecimal left(ClusterSchedule schedule) {
        return Objects.requireNonNull(schedule.funds().byProject().get(PROJECT)).available();
    }

    /** Whether the command concerns one reservation only, in one way only. */
    private static boolean isOne(Command command) {
        return command instanceof Reserve
                || command instanceof ReserveAt
                || command instanceof Renegotiate
                || command instanceof Fix
                || command instanceof AcceptProposal;
    }

    private static BigDecimal spent(ClusterSchedule before, List<Event> events, BudgetUnit unit) {
        Map<ReservationId, Reservation> last = new HashMap<>();
        var spent = BigDecimal.ZERO;
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var after, var _, var _, var _)
                    && after.origin().project().isPresent()) {
                var was = Optional.ofNullable(last.put(after.id(), after)).or(() -> before.find(after.id()));
                spent = spent.add(takenBy(after, unit))
                        .subtract(was.map(one -> takenBy(one, unit)).orElse(BigDecimal.ZERO));
            }
        }
        return spent;
    }

    /** Returns the amount by the words of docs/billing.md, which are simple here because late cancellation is free. */
    private static BigDecimal takenBy(Reservation reservation, BudgetUnit unit) {
        boolean hasBegun = reservation.placement().begun() > 0;
        boolean owes = switch (reservation.state()) {
            case HELD, CONFIRMED, RUNNING, COMPLETED -> true;
            case CANCELLED -> hasBegun;
            case EXPIRED, FAILED -> false;
        };
        var hours = unit.equals(BudgetUnit.PE_HOURS);
        if (reservation.charge().credit().isPresent()) {
            return hours
                    ? BigDecimal.ZERO
                    : reservation.charge().credit().get().amount().negate();
        }
        if (!owes) {
            return BigDecimal.ZERO;
        }
        return hours
                ? BigDecimal.valueOf(reservation.parts().stream()
                        .mapToLong(part ->
                                part.pes() * (part.slot().end() - part.slot().start()))
                        .sum())
                : reservation.price().amount();
    }

    private static Funds funds(BudgetUnit unit, BigDecimal available) {
        return new Funds(HashTreePMap.singleton(PROJECT, new Fund(Optional.of(unit), available)));
    }

    private static Command inProject(Command command, Random own) {
        return command instanceof Reserve(var id, var origin, var terms, var start, var hold, var allowance)
                        && own.nextInt(4) > 0
                ? new Reserve(
                        id,
                        new Origin(origin.owner(), origin.serviceClass(), Optional.empty(), Optional.of(PROJECT)),
                        terms,
                        start,
                        hold,
                        allowance)
                : command;
    }
}
