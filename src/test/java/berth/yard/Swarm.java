package berth.yard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What there is in a yard and what may go wrong there: each seed draws its own, so that no fault always hides another.
 *
 * @param clusters how many
 * @param collecting of them how many collect requests
 * @param isCollectingAnywhere whether requests without a cluster are collected
 * @param clients how many
 * @param asks of each client
 * @param pace the longest that a client thinks between two asks
 * @param grain by how much whoever sleeps may oversleep
 * @param limited whether accounts have limits
 */
record Swarm(
        int clusters,
        int collecting,
        boolean isCollectingAnywhere,
        int clients,
        int asks,
        Duration pace,
        Duration grain,
        boolean limited,
        Set<Deed> deeds,
        Set<Fault> faults) {

    static Swarm of(long seed) {
        var random = new Random(seed ^ 0x5eed);
        int clusters = 1 + random.nextInt(4);
        var grain = Duration.ofMillis(List.of(0, 500, 5_000, 60_000).get(random.nextInt(4)));
        // small steps for a short time, or leaps for a long one
        var pace = Duration.ofSeconds(List.of(2, 60, 600, 3600).get(random.nextInt(4)));
        var slow = Duration.ofSeconds(Math.max(1, pace.toSeconds() / 30));
        return new Swarm(
                clusters,
                random.nextInt(clusters + 1) / 2,
                random.nextInt(3) == 0,
                2 + random.nextInt(4),
                10 + random.nextInt(30),
                pace,
                grain.compareTo(slow) > 0 || pace.toSeconds() > 100 ? slow : grain,
                random.nextInt(3) == 0,
                some(random, Deed.class, 0.8),
                some(random, Fault.class, 0.4));
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

    /** Smaller ones, the smallest first. */
    private List<Swarm> smaller() {
        var smaller = new ArrayList<Swarm>();
        for (int number : new int[] {asks / 4, asks / 2, asks - 1}) {
            if (number > 0 && number < asks) {
                smaller.add(new Swarm(
                        clusters,
                        collecting,
                        isCollectingAnywhere,
                        clients,
                        number,
                        pace,
                        grain,
                        limited,
                        deeds,
                        faults));
            }
        }
        if (clients > 1) {
            smaller.add(new Swarm(
                    clusters,
                    collecting,
                    isCollectingAnywhere,
                    clients - 1,
                    asks,
                    pace,
                    grain,
                    limited,
                    deeds,
                    faults));
        }
        for (var fault : faults) {
            var others = EnumSet.copyOf(faults);
            others.remove(fault);
            smaller.add(new Swarm(
                    clusters, collecting, isCollectingAnywhere, clients, asks, pace, grain, limited, deeds, others));
        }
        for (var deed : deeds) {
            var others = EnumSet.copyOf(deeds);
            others.remove(deed);
            smaller.add(new Swarm(
                    clusters, collecting, isCollectingAnywhere, clients, asks, pace, grain, limited, others, faults));
        }
        if (limited) {
            smaller.add(new Swarm(
                    clusters, collecting, isCollectingAnywhere, clients, asks, pace, grain, false, deeds, faults));
        }
        if (isCollectingAnywhere) {
            smaller.add(new Swarm(clusters, collecting, false, clients, asks, pace, grain, limited, deeds, faults));
        }
        if (clusters > 1 && clusters > collecting) {
            smaller.add(new Swarm(
                    clusters - 1,
                    collecting,
                    isCollectingAnywhere,
                    clients,
                    asks,
                    pace,
                    grain,
                    limited,
                    deeds,
                    faults));
        }
        return smaller;
    }

    /**
     * The smallest one that is found by leaving out one thing after the other in which something is still so.
     *
     * @param most to try
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
