package berth.desk;

import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.scheduling.Allowance;
import berth.scheduling.Allowance.Holding;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Rejection;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Violation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Keeps accounts to what they may have booked, over all clusters here and at other Berths: each of an account's bookings sees
 * those before it. Accounts without limits wait for nobody. Safe to use from any thread.
 */
public final class Limits {

    private static final String UNDER_WAY =
            "Other requests of the same account, which has limits, are still under way; repeat this one later.";

    private final Supplier<Collection<ClusterSchedule>> schedules;
    private final Records records;
    private final InstantSource clock;
    private final Duration patience;
    private final Turns<AccountName> accounts;

    private volatile Function<AccountName, List<IntakeRequest>> collected = _ -> List.of();
    private volatile Function<AccountName, Optional<AccountLimits>> known = _ -> Optional.empty();

    /**
     * @param schedules of all clusters, as they were last applied
     * @param patience how long a booking waits for those of its account before it
     */
    Limits(
            Supplier<Collection<ClusterSchedule>> schedules,
            Records records,
            Threads threads,
            InstantSource clock,
            Duration patience) {
        this.accounts = new Turns<>(threads);
        this.schedules = schedules;
        this.records = records;
        this.clock = clock;
        this.patience = patience;
    }

    /** How much more an account may book on a cluster, as things stand. */
    public Allowance allowance(ClusterId cluster, AccountName owner, AccountLimits limits) {
        if (limits.equals(AccountLimits.NONE)) {
            return Allowance.UNLIMITED;
        }
        return allowance(id -> !id.equals(cluster), owner, limits);
    }

    /** @param counts the clusters of this Berth on which is counted what is booked there */
    private Allowance allowance(Predicate<ClusterId> counts, AccountName owner, AccountLimits limits) {
        var elsewhere = schedules.get().stream()
                .filter(schedule -> counts.test(schedule.cluster().id()))
                .map(schedule -> Holding.of(schedule, owner))
                .reduce(Holding.waiting(collected.apply(owner)), Holding::and);
        return new Allowance(
                limits, elsewhere, records.mirrored(owner, clock.instant().getEpochSecond()));
    }

    /** Counts, from now on, the requests without a cluster that an account has waiting, too. */
    public void count(Function<AccountName, List<IntakeRequest>> requests) {
        collected = requests;
    }

    /** Looks up, from now on, what an account may have booked, by its name: whose requests wait for room is not there to tell. */
    public void know(Function<AccountName, AccountLimits> limits) {
        known = owner -> Optional.of(limits.apply(owner));
    }

    /**
     * That nobody else books for an account.
     *
     * @param allowance how much more it may book
     * @param release what to run, once, when the outcome of what was booked is known
     */
    record Entered(Allowance allowance, Runnable release) {

        static final Entered UNLIMITED = new Entered(Allowance.UNLIMITED, () -> {});
    }

    /** Books for an account on a cluster, unless others do, or what it has at other Berths cannot be read; waits for nobody. */
    Optional<Entered> enterAtOnce(ClusterId cluster, AccountName owner) {
        return known.apply(owner)
                .flatMap(limits -> limits.equals(AccountLimits.NONE)
                        ? Optional.of(Entered.UNLIMITED)
                        : accounts.enterAtOnce(owner).flatMap(release -> entered(cluster, owner, limits, release)));
    }

    private Optional<Entered> entered(ClusterId cluster, AccountName owner, AccountLimits limits, Runnable release) {
        try {
            return Optional.of(new Entered(allowance(cluster, owner, limits), release));
        } catch (StorageUnavailable e) {
            release.run();
            return Optional.empty();
        }
    }

    /** Hands in what books on a cluster, as soon as the outcome of the account's bookings before it is known. */
    Pending submit(ClusterId cluster, AccountName owner, AccountLimits limits, Function<Allowance, Pending> booking) {
        return limits.equals(AccountLimits.NONE)
                ? booking.apply(Allowance.UNLIMITED)
                : accounts.submit(
                        owner,
                        patience,
                        new Answer.NotDecided(UNDER_WAY),
                        () -> booking.apply(allowance(cluster, owner, limits)));
    }

    /**
     * Does what books on no cluster of this Berth while nobody else books for the account, if that stays within its limits.
     *
     * @param exceeded the limit that it would exceed, of what is left at that time
     * @param instead what to answer if it does not
     */
    public <T> T within(
            AccountName owner,
            AccountLimits limits,
            BiFunction<Allowance, Long, Optional<Violation>> exceeded,
            Supplier<T> work,
            Function<Answer, T> instead) {
        if (limits.equals(AccountLimits.NONE)) {
            return work.get();
        }
        var release = accounts.enter(owner, patience);
        if (release.isEmpty()) {
            return instead.apply(new Answer.NotDecided(UNDER_WAY));
        }
        try {
            return exceeded.apply(
                            allowance(_ -> true, owner, limits), clock.instant().getEpochSecond())
                    .map(violation -> instead.apply(new Answer.Refused(new Rejection.LimitExceeded(violation))))
                    .orElseGet(work);
        } finally {
            release.get().run();
        }
    }
}
