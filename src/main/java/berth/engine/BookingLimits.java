package berth.engine;

import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.scheduling.Allowance;
import berth.scheduling.Allowance.Holding;
import berth.scheduling.Allowance.Past;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Rejection;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.FairUse;
import berth.sla.Violation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Enforces the limits of accounts over all clusters, here and at other Berths: each booking of an account sees the earlier ones. Accounts
 * without limits never wait. Thread-safe.
 */
public final class BookingLimits {

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
     * Creates the component.
     *
     * @param schedules returns the last applied schedules of all clusters
     * @param patience how long a booking waits for earlier ones of its account
     */
    BookingLimits(
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

    /** Returns how much more an account may reserve on a cluster at present. */
    public Allowance allowance(ClusterId cluster, AccountName owner, AccountLimits limits) {
        return allowance(cluster, owner, limits, List.of());
    }

    /**
     * Returns how much more an account may reserve on a cluster if other clusters had other schedules than at present.
     *
     * @param supposed the schedules of these other clusters
     */
    Allowance allowance(ClusterId cluster, AccountName owner, AccountLimits limits, List<ClusterSchedule> supposed) {
        if (limits.equals(AccountLimits.NONE)) {
            return Allowance.UNLIMITED;
        }
        var others = supposed.stream().map(schedule -> schedule.cluster().id()).collect(Collectors.toSet());
        var present = schedules.get().stream()
                .filter(schedule -> !others.contains(schedule.cluster().id()));
        return allowance(Stream.concat(present, supposed.stream()).toList(), Optional.of(cluster), owner, limits);
    }

    /**
     * Returns the allowance.
     *
     * @param all the schedules of the clusters of this Berth
     * @param here the cluster whose desk decides and has a newer schedule; empty if all count as elsewhere
     */
    private Allowance allowance(
            Collection<ClusterSchedule> all, Optional<ClusterId> here, AccountName owner, AccountLimits limits) {
        long now = clock.instant().getEpochSecond();
        var holding = all.stream()
                .filter(schedule -> !Optional.of(schedule.cluster().id()).equals(here))
                .map(schedule -> Holding.of(schedule, owner))
                .reduce(Holding.waiting(collected.apply(owner)), Holding::and);
        return new Allowance(
                limits,
                holding,
                records.mirrored(owner, now),
                limits.fairUse().countsThePast() ? past(all, here, owner, now) : Past.NOTHING);
    }

    private Past past(Collection<ClusterSchedule> all, Optional<ClusterId> here, AccountName owner, long now) {
        var before = all.stream()
                .filter(schedule -> Optional.of(schedule.cluster().id()).equals(here))
                .flatMap(schedule -> schedule.reservationsOf(owner).stream())
                .toList();
        return new Past(records.ended(owner, now - FairUse.WEEK, FairUse.MAX_RUNS + 1), before);
    }

    /** Also counts an account's waiting requests without a cluster, from now on. */
    public void count(Function<AccountName, List<IntakeRequest>> requests) {
        collected = requests;
    }

    /** Sets where to look up the limits of an account by name. A request that waits for room does not carry them. */
    public void know(Function<AccountName, AccountLimits> limits) {
        known = owner -> Optional.of(limits.apply(owner));
    }

    /**
     * The exclusion of other decisions for an account.
     *
     * @param allowance how much more the account may reserve
     * @param release must be run once, when the result of the booking is known
     */
    record Entered(Allowance allowance, Runnable release) {

        static final Entered UNLIMITED = new Entered(Allowance.UNLIMITED, () -> {});
    }

    /**
     * Excludes other decisions for an account without waiting. Empty if another one is in progress, if the account's limits are not known,
     * or if its reservations at other Berths cannot be read.
     */
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

    /** Submits a booking on a cluster once the results of the account's earlier bookings are known. */
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
     * Books something that is on no cluster of this Berth, if the account stays within its limits, and excludes other decisions for the
     * account meanwhile.
     *
     * @param exceeded returns the limit that the booking would exceed, given the allowance
     * @param instead returns the answer if it would exceed one, or if other requests of the account are still in progress
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
                            allowance(schedules.get(), Optional.empty(), owner, limits),
                            clock.instant().getEpochSecond())
                    .map(violation -> instead.apply(new Answer.Refused(new Rejection.LimitExceeded(violation))))
                    .orElseGet(work);
        } finally {
            release.get().run();
        }
    }
}
