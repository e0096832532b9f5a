package berth.yard;

import berth.approval.ApprovalRule;
import berth.approval.ApprovalRules;
import berth.approval.ClusterApproval;
import berth.approval.Side;
import berth.budget.Funds.Filing;
import berth.reservation.Reservation;
import berth.sla.AccountName;
import berth.sla.Part;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;

/** The approval that requests need, and the accounts that leave the project. */
final class Oversight implements Filing {

    /** The account that may approve for the clusters. */
    static final AccountName APPROVER = new AccountName("approver");

    /** The owner of the project. */
    static final AccountName OWNER = new AccountName("owner");

    /** The account to which reservations are handed over. */
    static final AccountName HEIR = new AccountName("heir");

    /** How long a decision may take until it is recorded. */
    private static final Duration LONGEST_COMMIT = Session.LONGEST_STALL.multipliedBy(5);

    private final ClusterApproval ofClusters;
    private final ApprovalRules ofProject;
    private final Map<AccountName, Duration> leaving;
    private final Supplier<Duration> elapsed;

    /**
     * Creates rules that ask for the approval of many requests.
     *
     * @param leaver an account that leaves the project at some time
     * @param elapsed returns the time since the beginning
     */
    Oversight(Random random, Swarm swarm, AccountName leaver, Supplier<Duration> elapsed) {
        long expires = List.of(600L, 7_200L, 86_400L).get(random.nextInt(3));
        var ofMany = rule(OptionalInt.of(2 + random.nextInt(5)), OptionalLong.empty());
        ofClusters = new ClusterApproval(
                new ApprovalRules(List.of(ofMany), expires), List.of(APPROVER), random.nextInt(2) * 600L);
        var ofLong = rule(OptionalInt.empty(), OptionalLong.of(1_200L * (1 + random.nextInt(5))));
        ofProject = new ApprovalRules(List.of(ofLong), expires);
        long whole = swarm.pace().multipliedBy(swarm.asks()).toMillis();
        var leaves = Duration.ofMillis(random.nextLong(whole / 2));
        var always = LONGEST_COMMIT.multipliedBy(2).negated();
        leaving = random.nextBoolean() ? Map.of(leaver, leaves, HEIR, always) : Map.of(leaver, leaves);
        this.elapsed = elapsed;
    }

    private static ApprovalRule rule(OptionalInt pesAbove, OptionalLong durationAbove) {
        return new ApprovalRule(
                pesAbove, OptionalInt.empty(), Optional.empty(), durationAbove, OptionalLong.empty(), Optional.empty());
    }

    ClusterApproval ofClusters() {
        return ofClusters;
    }

    @Override
    public boolean isOpen(AccountName account, String label) {
        return !hasLeft(account, Duration.ZERO);
    }

    /** Whether an account left the project so long ago that no decision from before is still to be recorded. */
    boolean isOutsider(AccountName account) {
        return hasLeft(account, LONGEST_COMMIT);
    }

    private boolean hasLeft(AccountName account, Duration ago) {
        return Optional.ofNullable(leaving.get(account))
                .filter(then -> elapsed.get().minus(ago).compareTo(then) > 0)
                .isPresent();
    }

    @Override
    public ApprovalRules approval(String label) {
        return ofProject;
    }

    @Override
    public boolean owns(AccountName account, String label) {
        return account.equals(OWNER);
    }

    /** Returns the account that answers for a side. */
    static AccountName whoAnswers(Side side) {
        return side == Side.PROJECT ? OWNER : APPROVER;
    }

    /** Whether the cluster must approve a reservation. */
    boolean asks(Reservation reservation) {
        int pes = reservation.parts().stream().mapToInt(Part::pes).max().orElse(0);
        return pes > ofClusters.asks().rules().getFirst().pesAbove().orElseThrow();
    }
}
