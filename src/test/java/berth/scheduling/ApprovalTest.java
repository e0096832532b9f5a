package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.approval.Approval.Answer;
import berth.approval.ApprovalRule;
import berth.approval.ApprovalRules;
import berth.approval.ClusterApproval;
import berth.approval.Side;
import berth.budget.BudgetUnit;
import berth.budget.Funds;
import berth.budget.Funds.Filing;
import berth.budget.Funds.Fund;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.reservation.Assignment;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Approve;
import berth.scheduling.commands.BookSeries;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.Decline;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.Transfer;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;

class ApprovalTest {

    private static final AccountName CAROL = new AccountName("carol");
    private static final AccountName OWNER = new AccountName("olga");
    private static final AccountName ADMIN = new AccountName("root");
    private static final String PROJECT = "climate";

    private static final ApprovalRule ABOVE_FOUR = rule(4);

    /** Asks for more than four PEs, within 100 seconds; leaves ten seconds for an answer. */
    private static final ClusterApproval RULES =
            new ClusterApproval(new ApprovalRules(List.of(ABOVE_FOUR), 100), List.of(CAROL), 10);

    private final Set<AccountName> closedTo = new HashSet<>();
    private ApprovalRules ofProject = ApprovalRules.NONE;
    private ClusterSchedule schedule =
            ClusterSchedule.empty(SampleCluster.of(8).approval(RULES).cluster());
    private long now;

    private static ApprovalRule rule(int pesAbove) {
        return new ApprovalRule(
                OptionalInt.of(pesAbove),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty());
    }

    private final Filing filing = new Filing() {
        @Override
        public boolean isOpen(AccountName account, String label) {
            return !closedTo.contains(account);
        }

        @Override
        public ApprovalRules approval(String label) {
            return label.equals(PROJECT) ? ofProject : ApprovalRules.NONE;
        }

        @Override
        public boolean owns(AccountName account, String label) {
            return account.equals(OWNER);
        }

        @Override
        public boolean isAdministrator(AccountName account) {
            return account.equals(ADMIN);
        }
    };

    private Decision decide(Command command, Funds funds) {
        return decide(command, funds, Allowance.UNLIMITED);
    }

    private Decision decide(Command command, Funds funds, Allowance allowance) {
        var due = new AdvanceClock(Integer.MAX_VALUE)
                .decide(new Basis(schedule.funding(funds), now))
                .next();
        var decision = command.decide(new Basis(due, now).within(allowance));
        schedule = decision instanceof Decision.Accepted(var _, var next) ? next : due;
        return decision;
    }

    private Decision decide(Command command) {
        return decide(command, new Funds(HashTreePMap.empty(), filing));
    }

    private Reservation granted(Command command) {
        return granted(decide(command));
    }

    private static Reservation granted(Decision decision) {
        return ((Event.ReservationEvent) ((Decision.Accepted) decision).events().getLast()).reservation();
    }

    private Funds left(String amount) {
        return new Funds(
                HashTreePMap.singleton(PROJECT, new Fund(Optional.of(BudgetUnit.of("USD")), new BigDecimal(amount))),
                filing);
    }

    private Rejection refused(Command command) {
        return ((Decision.Rejected) decide(command)).reason();
    }

    private static Approve approve(AccountName by) {
        return new Approve(Request.target(1), by, Optional.empty());
    }

    @Test
    void aRequestThatMatchesARuleKeepsItsPlaceUntilItIsApproved() {
        var pending = granted(Request.of(1, 5, 10).start(50).reserve());

        assertThat(pending.state()).isEqualTo(ReservationState.PENDING);
        assertThat(pending.status().approval().orElseThrow().openSides()).containsExactly(Side.CLUSTER);
        assertThat(pending.status().approval().orElseThrow().asked().getFirst().rule())
                .contains(ABOVE_FOUR);
        assertThat(granted(Request.of(2, 4, 10).start(70).reserve()).state()).isEqualTo(ReservationState.CONFIRMED);
        assertThat(refused(Request.of(3, 4, 10).start(50).reserve())).isEqualTo(new Rejection.NoSlot());

        now = 20;
        var approved = granted(new Approve(Request.target(1), CAROL, Optional.of("fine")));

        assertThat(approved.state()).isEqualTo(ReservationState.CONFIRMED);
        assertThat(approved.price()).isEqualTo(pending.price());
        assertThat(approved.status().approval().orElseThrow().last())
                .contains(new Answer(CAROL, 20, Optional.of("fine")));
        now = 50;
        decide(new Cancel(Request.target(9)));
        assertThat(schedule.find(Request.id(1)).orElseThrow().state()).isEqualTo(ReservationState.RUNNING);
    }

    @Test
    void onlySomebodyWhoMayApproveConfirmsOrDeclinesIt() {
        granted(Request.of(1, 5, 10).start(50).reserve());

        for (var other : List.of(new AccountName("ada"), OWNER)) {
            assertThat(refused(approve(other))).isEqualTo(new Rejection.MayNotApprove(List.of(Side.CLUSTER)));
            assertThat(refused(new Decline(Request.target(1), other, "no")))
                    .isEqualTo(new Rejection.MayNotApprove(List.of(Side.CLUSTER)));
        }
        assertThat(refused(new Confirm(Request.target(1))))
                .isEqualTo(new Rejection.WrongState(ReservationState.PENDING));
        assertThat(granted(approve(ADMIN)).state()).isEqualTo(ReservationState.CONFIRMED);
        assertThat(refused(approve(ADMIN))).isEqualTo(new Rejection.WrongState(ReservationState.CONFIRMED));
    }

    @Test
    void whoeverMayApproveIsNotAsked() {
        for (var name : List.of("carol", "root")) {
            assertThat(granted(Request.of(name.length(), 5, 10)
                                    .owner(name)
                                    .start(50L * name.length())
                                    .reserve())
                            .state())
                    .isEqualTo(ReservationState.CONFIRMED);
        }
    }

    private static Reserve requestedFor(AccountName owner, AccountName by, Reserve request) {
        return new Reserve(
                request.id(),
                request.origin().assigned(new Assignment(owner, Optional.empty(), by)),
                request.terms(),
                request.start(),
                request.hold());
    }

    @Test
    void nobodyUsesTheNameOfAnAccountThatMayApprove() {
        var inHerName = Request.of(1, 5, 10).owner("carol").project(PROJECT).start(50);

        assertThat(granted(requestedFor(CAROL, OWNER, inHerName.reserve())).state())
                .isEqualTo(ReservationState.PENDING);
        var hold = Request.of(2, 5, 10).owner("carol").start(70).hold(20).reserve();
        granted(requestedFor(CAROL, OWNER, hold));
        assertThat(granted(new Confirm(Request.target(2))).state()).isEqualTo(ReservationState.PENDING);
        var byAdmin = Request.of(3, 5, 10).start(90).reserve();
        assertThat(granted(requestedFor(new AccountName("ada"), ADMIN, byAdmin)).state())
                .isEqualTo(ReservationState.CONFIRMED);
    }

    @Test
    void oneThatNobodyWasAskedAboutIsHandedOverOnlyByWhoMayApprove() {
        granted(Request.of(1, 5, 10).owner("carol").project(PROJECT).start(50).reserve());
        granted(Request.of(2, 5, 10).project(PROJECT).start(70).reserve());
        granted(new Approve(Request.target(2), CAROL, Optional.empty()));
        var ada = new AccountName("ada");

        assertThat(refused(new Transfer(Request.target(1), OWNER, OWNER))).isInstanceOf(Rejection.NeedsApproval.class);
        assertThat(granted(new Transfer(Request.target(1), ada, CAROL)).origin().owner())
                .isEqualTo(ada);
        assertThat(granted(new Transfer(Request.target(2), OWNER, ada)).origin().owner())
                .as("one that was approved")
                .isEqualTo(OWNER);
    }

    @Test
    void theLeadOfAnUnchangedStartCountsFromTheRequest() {
        var sudden = new ApprovalRule(
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.of(60),
                Optional.empty());
        schedule = ClusterSchedule.empty(SampleCluster.of(8)
                .approval(new ClusterApproval(new ApprovalRules(List.of(sudden), 100), List.of(CAROL), 10))
                .cluster());
        granted(Request.of(1, 5, 10).start(100).reserve());
        now = 50;

        assertThat(granted(Request.of(1, 4, 10).start(100).renegotiate()).slot().start())
                .isEqualTo(100);
        assertThat(refused(Request.of(1, 6, 10).start(100).renegotiate()))
                .as("larger")
                .isInstanceOf(Rejection.NeedsApproval.class);
        assertThat(refused(Request.of(1, 4, 10).ready(80).deadline(90).renegotiate()))
                .as("sooner")
                .isInstanceOf(Rejection.NeedsApproval.class);
        assertThat(granted(Request.of(1, 4, 10).ready(120).deadline(130).renegotiate())
                        .slot()
                        .start())
                .as("later")
                .isEqualTo(120);
    }

    @Test
    void everySideMustApprove() {
        ofProject = new ApprovalRules(List.of(rule(0)), 30);
        var origin = Request.of(1, 5, 10).project(PROJECT).start(50).reserve();

        var pending = granted(new Reserve(
                origin.id(),
                origin.origin().toApprove("a Sunday"),
                origin.terms(),
                origin.start(),
                OptionalLong.empty()));

        var approval = pending.status().approval().orElseThrow();
        assertThat(approval.openSides()).containsExactly(Side.CLUSTER, Side.PROJECT, Side.POLICY);
        assertThat(approval.expiresAt()).as("the patience of the least patient").isEqualTo(30);
        assertThat(granted(approve(OWNER)).state()).isEqualTo(ReservationState.PENDING);
        assertThat(refused(approve(OWNER))).isEqualTo(new Rejection.MayNotApprove(List.of(Side.CLUSTER, Side.POLICY)));
        assertThat(granted(approve(CAROL)).state()).isEqualTo(ReservationState.CONFIRMED);
    }

    @Test
    void aDeclinedOneFreesItsPlaceAndOwesNothing() {
        granted(Request.of(1, 5, 10).start(50).reserve());

        var declined = granted(new Decline(Request.target(1), CAROL, "too large"));

        assertThat(declined.state()).isEqualTo(ReservationState.CANCELLED);
        assertThat(declined.status().reason()).contains(EndReason.DECLINED);
        assertThat(declined.price().amount()).isZero();
        assertThat(declined.status()
                        .approval()
                        .orElseThrow()
                        .last()
                        .orElseThrow()
                        .reason())
                .contains("too large");
        assertThat(granted(Request.of(2, 4, 10).start(50).reserve()).slot()).isEqualTo(new Slot(50, 60));
    }

    @Test
    void itExpiresAtItsStartAtTheLatest() {
        granted(Request.of(1, 5, 10).start(50).reserve());
        granted(Request.of(2, 5, 10).start(300).reserve());

        now = 50;
        assertThat(refused(approve(CAROL))).isEqualTo(new Rejection.NotLive(Request.id(1)));
        now = 99;
        assertThat(refused(approve(CAROL))).isInstanceOf(Rejection.NotLive.class);
        assertThat(schedule.find(Request.id(2))).isPresent();
        now = 100;
        assertThat(refused(new Approve(Request.target(2), CAROL, Optional.empty())))
                .isInstanceOf(Rejection.NotLive.class);
        assertThat(granted(Request.of(3, 4, 10).start(300).reserve()).state()).isEqualTo(ReservationState.CONFIRMED);
    }

    @Test
    void anAskedForPlaceLeavesTimeForAnAnswer() {
        assertThat(granted(Request.of(1, 5, 10).reserve()).slot()).isEqualTo(new Slot(10, 20));
        assertThat(granted(Request.of(2, 3, 10).reserve()).slot())
                .as("one that needs no approval")
                .isEqualTo(new Slot(0, 10));
        assertThat(granted(Request.of(3, 5, 10).ready(22).deadline(32).reserve())
                        .slot())
                .isEqualTo(new Slot(22, 32));
        assertThat(granted(Request.of(4, 5, 5).ready(5).deadline(10).reserve())
                        .status()
                        .approval()
                        .orElseThrow()
                        .expiresAt())
                .as("without room for a later start")
                .isEqualTo(5);
        assertThat(refused(Request.of(5, 5, 5).start(0).reserve())).isInstanceOf(Rejection.NeedsApproval.class);
    }

    @Test
    void aPlaceThatLeavesTimeMustNotBreakALimitOrABudget() {
        schedule = ClusterSchedule.empty(SampleCluster.like(schedule.cluster())
                .tariff(SampleCluster.CENT_PER_SECOND.with(
                        "signal", new Signal("dear", List.of(SignalStep.of(10, BigDecimal.TWO)), 1_000)))
                .cluster());
        var wanted = Request.of(1, 5, 5).project(PROJECT).ready(5).reserve();

        assertThat(granted(decide(wanted, left("0.30"))).slot()).isEqualTo(new Slot(5, 10));
        decide(new Cancel(Request.target(1)));
        granted(Request.of(2, 3, 50).start(10).reserve());
        var sevenPes = new Allowance(
                new AccountLimits(OptionalInt.empty(), OptionalInt.of(7), OptionalLong.empty()), List.of());
        var limited = granted(decide(wanted, left("9"), sevenPes));
        assertThat(limited.slot()).isEqualTo(new Slot(5, 10));
        assertThat(limited.state()).isEqualTo(ReservationState.PENDING);
    }

    @Test
    void aHoldIsApprovedAfterItsConfirmation() {
        assertThat(granted(Request.of(1, 5, 10).start(50).hold(20).reserve()).state())
                .isEqualTo(ReservationState.HELD);

        var pending = granted(new Confirm(Request.target(1)));

        assertThat(pending.state()).isEqualTo(ReservationState.PENDING);
        assertThat(pending.status().holdExpiresAt()).isEmpty();
        assertThat(pending.version()).isEqualTo(1);
        now = 30;
        assertThat(granted(approve(CAROL)).state()).isEqualTo(ReservationState.CONFIRMED);
    }

    @Test
    void aChangeThatWouldNeedApprovalIsOnlyForThoseWhoMayApprove() {
        granted(Request.of(1, 4, 10).start(50).reserve());
        var larger = Request.of(1, 5, 10).start(50).renegotiate();

        assertThat(refused(larger)).isInstanceOf(Rejection.NeedsApproval.class);
        assertThat(granted(new Extend(Request.target(1), 10, 10)).state()).isEqualTo(ReservationState.CONFIRMED);
        assertThat(granted(new Renegotiate(larger.target(), larger.wanted(), Optional.empty(), Optional.of(CAROL)))
                        .parts()
                        .getFirst()
                        .pes())
                .isEqualTo(5);
    }

    @Test
    void anApprovedOneStaysApprovedUnlessItBecomesLarger() {
        granted(Request.of(1, 6, 10).start(50).reserve());
        granted(approve(CAROL));

        assertThat(refused(new Extend(Request.target(1), 5, 5))).isInstanceOf(Rejection.NeedsApproval.class);
        assertThat(granted(Request.of(1, 5, 10).start(50).renegotiate())
                        .parts()
                        .getFirst()
                        .pes())
                .isEqualTo(5);
        assertThat(refused(Request.of(1, 6, 10).start(50).renegotiate())).isInstanceOf(Rejection.NeedsApproval.class);
    }

    @Test
    void moneyIsSpentOnlyByThoseWhoMaySpendIt() {
        granted(Request.of(1, 5, 10).project(PROJECT).start(50).reserve());
        closedTo.add(new AccountName("ada"));

        assertThat(refused(approve(CAROL))).isEqualTo(new Rejection.FilingClosed(PROJECT, new AccountName("ada")));
        closedTo.clear();
        assertThat(((Decision.Rejected) decide(approve(CAROL), left("-0.01"))).reason())
                .isInstanceOf(Rejection.BudgetExceeded.class);
        assertThat(schedule.find(Request.id(1)).orElseThrow().state()).isEqualTo(ReservationState.PENDING);
        assertThat(granted(approve(CAROL)).state()).isEqualTo(ReservationState.CONFIRMED);
    }

    @Test
    void anAccountHasOnlySoManyThatWait() {
        IntStream.rangeClosed(1, Approvals.MAX_PENDING)
                .forEach(number ->
                        granted(Request.of(number, 5, 1).start(100 + number).reserve()));

        var more = Request.of(50, 5, 1).start(200);
        assertThat(refused(more.reserve())).isInstanceOf(Rejection.LimitExceeded.class);
        assertThat(granted(more.owner("grace").reserve()).state()).isEqualTo(ReservationState.PENDING);
        granted(new Cancel(Request.target(1)));
        assertThat(granted(Request.of(51, 5, 1).start(201).reserve()).state()).isEqualTo(ReservationState.PENDING);
    }

    @Test
    void reservationsThatWaitOnOtherClustersCountToo() {
        var first = Request.of(1, 5, 1).start(100).reserve();
        var held = Request.of(2, 5, 1).start(200).hold(50).reserve();
        var basis = new Basis(schedule, now, _ -> Approvals.MAX_PENDING - 1);
        var after = ((Decision.Accepted) first.decide(basis)).next();
        var full = basis.on(((Decision.Accepted) held.decide(basis.on(after))).next());

        assertThat(Request.of(3, 5, 1).start(300).reserve().decide(full))
                .isInstanceOfSatisfying(
                        Decision.Rejected.class,
                        no -> assertThat(no.reason()).isInstanceOf(Rejection.LimitExceeded.class));
        assertThat(new Confirm(Request.target(2)).decide(full)).isInstanceOf(Decision.Rejected.class);
        assertThat(new Confirm(Request.target(2)).decide(new Basis(full.schedule(), now)))
                .isInstanceOf(Decision.Accepted.class);
    }

    @Test
    void occurrencesOfASeriesAreApprovedEach() {
        var first = Request.of(1, 5, 10).start(50).reserve();
        var second = Request.of(2, 5, 10).start(70).reserve();

        decide(new BookSeries(Optional.empty(), List.of(first, second), 2, 5));

        assertThat(schedule.reservations())
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.state()).isEqualTo(ReservationState.PENDING));
    }

    @Test
    void aRuleMatchesOnlyIfAllItsConditionsHold() {
        var rule = new ApprovalRule(
                OptionalInt.of(4),
                OptionalInt.of(1),
                Optional.of(new BigDecimal("10.00")),
                OptionalLong.of(3600),
                OptionalLong.of(60),
                Optional.of(ServiceClass.STANDARD));
        var run = new ApprovalRule.Run(5, 3601, Request.usd("10.01"), 3601, 59, ServiceClass.STANDARD);

        assertThat(rule.matches(run)).isTrue();
        assertThat(List.of(
                        new ApprovalRule.Run(4, 3601, Request.usd("10.01"), 3601, 59, ServiceClass.STANDARD),
                        new ApprovalRule.Run(5, 3600, Request.usd("10.01"), 3601, 59, ServiceClass.STANDARD),
                        new ApprovalRule.Run(5, 3601, Request.usd("10.00"), 3601, 59, ServiceClass.STANDARD),
                        new ApprovalRule.Run(5, 3601, Request.usd("10.01"), 3600, 59, ServiceClass.STANDARD),
                        new ApprovalRule.Run(5, 3601, Request.usd("10.01"), 3601, 60, ServiceClass.STANDARD),
                        new ApprovalRule.Run(5, 3601, Request.usd("10.01"), 3601, 59, ServiceClass.PREMIUM)))
                .noneMatch(rule::matches);
    }
}
