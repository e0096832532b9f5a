package berth.scheduling;

import berth.budget.Funds;
import berth.sla.AccountName;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The facts on which a decision is based.
 *
 * @param schedule the schedule of the cluster after everything due has happened
 * @param now the time of the decision, in seconds since the epoch: never before that of any decision in {@code schedule}, whatever the
 *     clock shows
 * @param allowances how much more an account may reserve; empty while another decision for the account is in progress
 * @param pendingElsewhere how many reservations of an account wait for approval on other clusters
 */
public record Basis(
        ClusterSchedule schedule,
        long now,
        Function<AccountName, Optional<Allowance>> allowances,
        ToLongFunction<AccountName> pendingElsewhere) {

    private static final Optional<Allowance> UNLIMITED = Optional.of(Allowance.UNLIMITED);

    /** Creates a basis on which no account has limits or other clusters. */
    public Basis(ClusterSchedule schedule, long now) {
        this(schedule, now, _ -> 0);
    }

    /** Creates a basis on which no account has limits. */
    public Basis(ClusterSchedule schedule, long now, ToLongFunction<AccountName> pendingElsewhere) {
        this(schedule, now, _ -> UNLIMITED, pendingElsewhere);
    }

    /** Returns the same basis with another schedule. */
    public Basis on(ClusterSchedule other) {
        return new Basis(other, now, allowances, pendingElsewhere);
    }

    /** Returns the same basis with that allowance for the account that the command concerns. */
    public Basis within(Allowance allowance) {
        var only = Optional.of(allowance);
        return new Basis(schedule, now, _ -> only, pendingElsewhere);
    }

    /** Returns the same basis with other funds of projects. */
    public Basis funded(Funds funds) {
        return on(schedule.funding(funds));
    }

    /** Returns how much more an account may reserve, for which no other decision is in progress. */
    public Allowance allowance(AccountName owner) {
        return allowances.apply(owner).orElseThrow();
    }
}
