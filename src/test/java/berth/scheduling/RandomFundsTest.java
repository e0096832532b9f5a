package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.budget.BudgetUnit;
import berth.budget.Funds;
import berth.budget.Funds.Filing;
import berth.budget.Funds.Fund;
import berth.budget.Funds.Shortage;
import berth.cluster.ProjectRule;
import berth.reservation.ClientLabels;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Approve;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.ReserveAt;
import berth.scheduling.commands.Transfer;
import berth.sla.AccountName;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;

/**
 * Random sequences of all commands in a project with a budget, on a cluster that takes only projects. Decisions equal those without a
 * budget unless the project cannot pay, or the request has another label.
 */
class RandomFundsTest {

    private static final String PROJECT = "climate";
    private static final String LABEL = "climat";
    private static final BudgetUnit DOLLARS = new BudgetUnit.InMoney(Currency.getInstance("USD"));
    private static final int WORLDS = Seeds.of(300);

    @Test
    void noReservationIsGrantedThatTheProjectCannotPay() {
        var refused = new Refused();
        for (int seed = 1; seed <= WORLDS; seed++) {
            try {
                decideIn(seed, refused);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("In world %d: %s".formatted(seed, e.getMessage()), e);
            }
        }
        assertThat(refused.forMoney).isGreaterThan(WORLDS / 3);
        assertThat(refused.forFiling).isGreaterThan(WORLDS / 3);
        assertThat(refused.forLabel).isGreaterThan(WORLDS / 3);
        assertThat(refused.approvals).isGreaterThan(WORLDS / 30);
        assertThat(refused.transfers).isPositive();
    }

    /**
     * How many requests are refused for lack of money, because their account may not file, and because their label is no project; and how
     * many approvals and transfers would be refused.
     */
    static final class Refused {
        private int forMoney;
        private int forFiling;
        private int forLabel;
        private int approvals;
        private int transfers;
    }

    static void decideIn(int seed, Refused refused) {
        var world = EverythingWorld.of(seed);
        var own = new Random(seed);
        var unit = own.nextBoolean() ? BudgetUnit.PE_HOURS : DOLLARS;
        var left = BigDecimal.valueOf(own.nextInt(200), unit.money().isPresent() ? 2 : 0);
        var schedule = ClusterSchedule.empty(
                SampleCluster.like(world.cluster()).projects(ProjectRule.KNOWN).cluster());
        var outsiders = new HashSet<AccountName>();
        var filing = new Filing() {
            @Override
            public boolean isOpen(AccountName account, String label) {
                return !outsiders.contains(account);
            }

            @Override
            public boolean isProject(String label) {
                return label.equals(PROJECT);
            }
        };
        for (var step : world.steps()) {
            schedule = new AdvanceClock(Integer.MAX_VALUE)
                    .decide(new Basis(schedule.funding(funds(unit, left, filing)), step.now()))
                    .next();
            left = left(schedule);
            var before = schedule.funding(funds(unit, left, filing));
            var command = inProject(EverythingWorld.command(step, before), own);
            var free = command.decide(
                    new Basis(before.funding(Funds.FREE), step.now()).within(EverythingWorld.allowance(step)));
            if (own.nextInt(3) == 0 && free instanceof Decision.Accepted(var events, var _)) {
                owners(events).forEach(own.nextInt(3) > 0 ? outsiders::remove : outsiders::add);
            }
            var decision = command.decide(new Basis(before, step.now()).within(EverythingWorld.allowance(step)));
            if (command instanceof Reserve request && request.origin().project().equals(Optional.of(LABEL))) {
                refused.forLabel++;
                assertThat(decision).isInstanceOf(Decision.Rejected.class);
                if (free instanceof Decision.Accepted) {
                    assertThat(decision)
                            .isEqualTo(new Decision.Rejected(
                                    before.noProject(Optional.of(LABEL)).orElseThrow()));
                }
                continue;
            }
            if (!(free instanceof Decision.Accepted(var events, var _))) {
                assertThat(decision).isEqualTo(free);
                continue;
            }
            var payer = payer(command, before);
            if (payer.isPresent()) {
                refused.approvals += command instanceof Approve ? 1 : 0;
                refused.transfers += command instanceof Transfer ? 1 : 0;
                asksAgain(command, new Basis(before, step.now()), payer.get());
            }
            var spent = spent(before, events, unit);
            var closed = raised(before, events).filter(outsiders::contains);
            boolean isShort = spent.signum() > 0 && spent.compareTo(left) > 0;
            if (isOne(command) && closed.isPresent()) {
                refused.forFiling++;
                assertThat(decision)
                        .isEqualTo(new Decision.Rejected(new Rejection.FilingClosed(PROJECT, closed.get())));
            } else if (isOne(command) && isShort) {
                refused.forMoney++;
                var isOwn = last(events).origin().project().equals(Optional.of(PROJECT));
                assertThat(decision)
                        .isEqualTo(new Decision.Rejected(
                                isOwn
                                        ? new Rejection.BudgetExceeded(new Shortage(PROJECT, unit, left, spent))
                                        : new Rejection.NoSlot()));
            } else if (!isShort && isOne(command)) {
                assertThat(decision)
                        .isInstanceOfSatisfying(
                                Decision.Accepted.class,
                                accepted -> assertThat(accepted.events()).isEqualTo(events));
            }
            if (decision instanceof Decision.Accepted(var happened, var next)) {
                assertThat(raised(before, happened).or(() -> payer).filter(outsiders::contains))
                        .as("who pays more for %s without being a member", command)
                        .isEmpty();
                var after = left.subtract(spent(before, happened, unit));
                assertThat(left(next)).as("what is left after %s", command).isEqualByComparingTo(after);
                assertThat(after.signum() >= 0 || after.compareTo(left) >= 0)
                        .as("%s, of %s, after %s", after, left, command)
                        .isTrue();
                schedule = next;
                left = after;
            }
        }
    }

    /** Returns the account that spends for the project once a reservation is approved or handed over. */
    private static Optional<AccountName> payer(Command command, ClusterSchedule before) {
        return switch (command) {
            case Approve(var target, var _, var _) -> inProject(before, target).map(Origin::owner);
            case Transfer(var target, var to, var _) ->
                inProject(before, target)
                        .filter(origin -> !origin.owner().equals(to))
                        .map(_ -> to);
            default -> Optional.empty();
        };
    }

    /** Checks that an approval or a transfer is refused to those who may not file, and an approval for a project that has overspent. */
    private static void asksAgain(Command command, Basis basis, AccountName payer) {
        var schedule = basis.schedule();
        var all = schedule.funds().byProject();
        var closed = new Basis(schedule.funding(new Funds(all, (_, _) -> false)), basis.now());
        assertThat(command.decide(closed))
                .as("%s, if %s may not file", command, payer)
                .isEqualTo(new Decision.Rejected(new Rejection.FilingClosed(PROJECT, payer)));
        if (command instanceof Approve) {
            var unit = Objects.requireNonNull(all.get(PROJECT)).unit();
            var overspent = HashTreePMap.singleton(PROJECT, new Fund(unit, BigDecimal.ONE.negate()));
            var indebted = new Basis(schedule.funding(new Funds(overspent, (_, _) -> true)), basis.now());
            assertThat(command.decide(indebted))
                    .as("%s, if the project has overspent", command)
                    .isInstanceOfSatisfying(
                            Decision.Rejected.class,
                            no -> assertThat(no.reason()).isInstanceOf(Rejection.BudgetExceeded.class));
        }
    }

    private static Optional<Origin> inProject(ClusterSchedule schedule, Target target) {
        return schedule.find(target.reservation())
                .map(Reservation::origin)
                .filter(origin -> origin.project().isPresent());
    }

    /** Returns the reservation that a command made or changed, after those that made way for it. */
    private static Reservation last(List<Event> events) {
        return ((ReservationEvent) events.getLast()).reservation();
    }

    private static List<AccountName> owners(List<Event> events) {
        return events.stream()
                .filter(ReservationEvent.class::isInstance)
                .map(event -> ((ReservationEvent) event).reservation().origin().owner())
                .toList();
    }

    /** Returns an account whose reservation in the project costs more after these events than before, in money or in PE-seconds. */
    private static Optional<AccountName> raised(ClusterSchedule before, List<Event> events) {
        var last = new HashMap<ReservationId, Reservation>();
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var after, var _, var _, var _, var _)) {
                last.put(after.id(), after);
            }
        }
        return last.values().stream()
                .filter(after -> after.origin().project().isPresent())
                .filter(after -> Stream.of(BudgetUnit.PE_HOURS, DOLLARS)
                        .anyMatch(unit -> takenBy(after, unit)
                                        .compareTo(before.find(after.id())
                                                .map(was -> takenBy(was, unit))
                                                .orElse(BigDecimal.ZERO))
                                > 0))
                .map(after -> after.origin().owner())
                .findAny();
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
            if (event instanceof ReservationEvent(var _, var after, var _, var _, var _, var _)
                    && after.origin().project().isPresent()) {
                var was = Optional.ofNullable(last.put(after.id(), after)).or(() -> before.find(after.id()));
                spent = spent.add(takenBy(after, unit))
                        .subtract(was.map(one -> takenBy(one, unit)).orElse(BigDecimal.ZERO));
            }
        }
        return spent;
    }

    /** Returns the amount by the words of docs/reference/billing.md, which are simple here because late cancellation is free. */
    private static BigDecimal takenBy(Reservation reservation, BudgetUnit unit) {
        boolean hasBegun = reservation.placement().begun() > 0;
        boolean owes = switch (reservation.state()) {
            case HELD, PENDING, CONFIRMED, RUNNING, COMPLETED -> true;
            case CANCELLED -> hasBegun;
            case EXPIRED, FAILED -> false;
        };
        var hours = unit.equals(BudgetUnit.PE_HOURS);
        if (!owes) {
            return BigDecimal.ZERO;
        }
        if (!hours) {
            return reservation.price().amount();
        }
        var losses = reservation.placement().losses();
        boolean isOver = !reservation.state().isLive();
        // who ends a run that lacks PEs, is to lose some, or shares some, pays only for what it had
        var taken = reservation.enforcement().taken();
        long until = isOver && !(losses.lacks().isEmpty() && taken.now().isEmpty())
                ? reservation.status().updatedAt()
                : Long.MAX_VALUE;
        long stillOwed = reservation
                .charge()
                .returned()
                .map(back -> back.agreed().peSeconds() - back.credited().peSeconds())
                .orElse(0L);
        long reserved = stillOwed
                + reservation.placement().pieces().stream()
                        .mapToLong(part -> part.pes()
                                * Math.max(
                                        0,
                                        Math.min(until, part.slot().end())
                                                - part.slot().start()))
                        .sum();
        return BigDecimal.valueOf(isOver ? reserved - losses.lost() - taken.lost() : reserved);
    }

    private static Funds funds(BudgetUnit unit, BigDecimal available, Filing filing) {
        return new Funds(HashTreePMap.singleton(PROJECT, new Fund(Optional.of(unit), available)), filing);
    }

    private static Command inProject(Command command, Random own) {
        return command instanceof Reserve(var id, var origin, var terms, var start, var hold) && own.nextInt(4) > 0
                ? new Reserve(
                        id,
                        new Origin(
                                origin.owner(),
                                origin.serviceClass(),
                                ClientLabels.NONE.with("project", Optional.of(own.nextInt(8) == 0 ? LABEL : PROJECT))),
                        terms,
                        start,
                        hold)
                : command;
    }
}
