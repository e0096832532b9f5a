package berth.yard;

import berth.sla.AccountLimits;
import berth.sla.FairUse;
import berth.sla.FairUse.CoolDown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The content of a yard and its possible faults. Each seed draws its own, so that no fault always hides another.
 *
 * @param berths the number of Berths
 * @param instances the processes of each Berth, of which one is active
 * @param clusters the clusters of each Berth
 * @param collecting how many of them collect requests
 * @param isCollectingAnywhere whether requests without a cluster are collected
 * @param clients the number of clients
 * @param asks the calls of each client
 * @param pace the longest pause of a client between two calls
 * @param grain how much a sleeping thread may oversleep
 * @param recurring the number of clients that request series and maintenances
 * @param limits the limits of the account that several clients share; {@link AccountLimits#NONE} if each client has its own account without
 *     limits
 */
record Swarm(
        int berths,
        int instances,
        int clusters,
        int collecting,
        boolean isCollectingAnywhere,
        int clients,
        int asks,
        Duration pace,
        Duration grain,
        AccountLimits limits,
        int recurring,
        Set<Deed> deeds,
        Set<SeriesDeed> seriesDeeds,
        Set<Fault> faults) {

    static Swarm of(long seed) {
        var random = new Random(seed ^ 0x5eed);
        // a separate generator, so that seeds without series stay as they were
        var ofSeries = new Random(seed ^ 0x5e71e5);
        int clusters = 1 + random.nextInt(4);
        var grain = Duration.ofMillis(List.of(0, 500, 5_000, 60_000).get(random.nextInt(4)));
        // small steps for a short time or large ones for a long time
        var pace = Duration.ofSeconds(List.of(2, 60, 600, 3600).get(random.nextInt(4)));
        var slow = Duration.ofSeconds(Math.max(1, pace.toSeconds() / 30));
        int berths = 1 + Math.max(0, random.nextInt(5) - 2);
        return new Swarm(
                berths,
                // instances check five times a second, which would take long in a long history
                pace.toSeconds() < 100 && random.nextInt(2) == 0 ? 2 + random.nextInt(2) : 1,
                berths > 1 ? Math.min(2, clusters) : clusters,
                random.nextInt((berths > 1 ? Math.min(2, clusters) : clusters) + 1) / 2,
                random.nextInt(3) == 0,
                2 + random.nextInt(4),
                10 + random.nextInt(30),
                pace,
                grain.compareTo(slow) > 0 || pace.toSeconds() > 100 ? slow : grain,
                random.nextInt(3) == 0 ? limits(random).with(fairUse(new Random(seed ^ 0xfa12))) : AccountLimits.NONE,
                ofSeries.nextInt(3) == 0 ? 1 + ofSeries.nextInt(3) : 0,
                some(random, Deed.class, 0.8),
                some(ofSeries, SeriesDeed.class, 0.8),
                some(random, Fault.class, 0.4));
    }

    private static AccountLimits limits(Random random) {
        return new AccountLimits(
                some(random, 2 + random.nextInt(4)),
                some(random, 4 + random.nextInt(8)),
                random.nextBoolean() ? OptionalLong.of(4 + random.nextInt(40)) : OptionalLong.empty(),
                some(random, 1 + random.nextInt(2)),
                some(random, 1 + random.nextInt(2)),
                some(random, 1),
                random.nextBoolean() ? OptionalLong.of(900) : OptionalLong.empty());
    }

    /** Returns rules of fair use, in every other history none. */
    private static FairUse fairUse(Random random) {
        if (random.nextBoolean()) {
            return FairUse.NONE;
        }
        return new FairUse(
                random.nextBoolean() ? OptionalLong.of(2 + random.nextInt(30)) : OptionalLong.empty(),
                random.nextInt(3) == 0
                        ? Optional.of(new CoolDown(60 * (1 + random.nextInt(30)), 600 * random.nextInt(3)))
                        : Optional.empty(),
                some(random, 1 + random.nextInt(3)));
    }

    private static OptionalInt some(Random random, int most) {
        return random.nextInt(3) > 0 ? OptionalInt.of(most) : OptionalInt.empty();
    }

    private static <E extends Enum<E>> Set<E> some(Random random, Class<E> type, double share) {
        var chosen = EnumSet.noneOf(type);
        for (var each : type.getEnumConstants()) {
            if (random.nextDouble() < share) {
                chosen.add(each);
            }
        }
        return chosen;
    }

    private Swarm with(int fewerBerths, int fewerInstances, int fewerClusters, int fewerClients, int fewerAsks) {
        return new Swarm(
                fewerBerths,
                fewerInstances,
                fewerClusters,
                Math.min(collecting, fewerClusters),
                isCollectingAnywhere,
                fewerClients,
                fewerAsks,
                pace,
                grain,
                limits,
                recurring,
                deeds,
                seriesDeeds,
                faults);
    }

    private Swarm with(boolean isAnywhere, AccountLimits limit, Set<Deed> fewerDeeds, Set<Fault> fewerFaults) {
        return new Swarm(
                berths,
                instances,
                clusters,
                collecting,
                isAnywhere,
                clients,
                asks,
                pace,
                grain,
                limit,
                recurring,
                fewerDeeds,
                seriesDeeds,
                fewerFaults);
    }

    private Swarm with(int fewerRecurring, Set<SeriesDeed> fewerDeeds) {
        return new Swarm(
                berths,
                instances,
                clusters,
                collecting,
                isCollectingAnywhere,
                clients,
                asks,
                pace,
                grain,
                limits,
                fewerRecurring,
                deeds,
                fewerDeeds,
                faults);
    }

    /** Whether any client requests series or maintenances. */
    boolean isRecurring() {
        return recurring > 0;
    }

    /** Returns smaller swarms, smallest first. */
    private List<Swarm> smaller() {
        var smaller = new ArrayList<Swarm>();
        if (berths > 1) {
            smaller.add(with(berths - 1, instances, clusters, clients, asks));
        }
        if (instances > 1) {
            smaller.add(with(berths, instances - 1, clusters, clients, asks));
        }
        for (int fewer : new int[] {asks / 4, asks / 2, asks - 1}) {
            if (fewer > 0) {
                smaller.add(with(berths, instances, clusters, clients, fewer));
            }
        }
        if (clients > 1) {
            smaller.add(with(berths, instances, clusters, clients - 1, asks));
        }
        if (clusters > 1) {
            smaller.add(with(berths, instances, clusters - 1, clients, asks));
        }
        if (isRecurring()) {
            smaller.add(with(recurring - 1, seriesDeeds));
            seriesDeeds.forEach(deed -> smaller.add(with(recurring, without(seriesDeeds, deed))));
        }
        faults.forEach(fault -> smaller.add(with(isCollectingAnywhere, limits, deeds, without(faults, fault))));
        deeds.forEach(deed -> smaller.add(with(isCollectingAnywhere, limits, without(deeds, deed), faults)));
        if (!limits.equals(AccountLimits.NONE)) {
            smaller.add(with(isCollectingAnywhere, AccountLimits.NONE, deeds, faults));
        }
        if (isCollectingAnywhere) {
            smaller.add(with(false, limits, deeds, faults));
        }
        return smaller;
    }

    private static <E extends Enum<E>> Set<E> without(Set<E> all, E one) {
        var others = EnumSet.copyOf(all);
        others.remove(one);
        return others;
    }

    /**
     * Returns the smallest swarm, found by removing one thing after another, for which the predicate still holds.
     *
     * @param most the most attempts
     */
    Swarm shrunk(Predicate<Swarm> still, int most) {
        var present = this;
        int tries = 0;
        boolean isSmaller = true;
        while (isSmaller && tries < most) {
            isSmaller = false;
            for (var next : present.smaller()) {
                if (tries++ >= most) {
                    break;
                }
                if (still.test(next)) {
                    present = next;
                    isSmaller = true;
                    break;
                }
            }
        }
        return present;
    }
}
