package berth.demo;

import berth.cluster.Cluster;
import berth.cluster.Limits;
import berth.cluster.Nodes;
import berth.cluster.Policy;
import berth.cluster.Visibility;
import berth.pricing.Cancellation;
import berth.pricing.Tariff;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** The invented site: its clusters, projects and people, and what they run. */
final class Site {

    static final String CURRENCY = "EUR";
    static final int HOUR = 3600;
    static final int DAY = 24 * HOUR;

    /** The account that signs in as a client; most of what there is to try concerns it. */
    static final String CLIENT = "anna";

    static final String OPERATOR = "olivia";
    static final String MANAGER = "martin";

    /** The account in the service class PREMIUM. */
    static final String PREMIUM = "grace";

    static final List<Project> PROJECTS = List.of(
            new Project("cryo-em", "Structures by cryo-EM", 0.85, List.of(CLIENT, "ben", "chloe")),
            new Project("climate", "Regional climate", 0.6, List.of("david", "elif", "farid")),
            new Project("language", "Language models", 0.72, List.of(PREMIUM, "hugo", "ines")),
            new Project("materials", "Battery materials", 0.45, List.of("jonas", "kim", "lena")));

    static final Machine GPUS = new Machine(
            cluster("demo-gpu", 16, 8, "gpu[01-16]", "GPU", "2.20")
                    .with("bulletin", Optional.of("New firmware at the maintenance next Tuesday.")),
            List.of(
                    new Habit("cryo-em", "particle picking", 1, 2, 2, 4, 0),
                    new Habit("cryo-em", "3D refinement", 1, 3, 6, 14, 36),
                    new Habit("climate", "downscaling", 2, 4, 6, 12, 48),
                    new Habit("language", "pre-training", 4, 6, 12, 20, 96),
                    new Habit("language", "fine-tuning", 1, 3, 4, 10, 24),
                    new Habit("language", "evaluation", 1, 1, 1, 3, 12),
                    new Habit("materials", "force fields", 1, 4, 4, 10, 48),
                    new Habit("materials", "notebook", 1, 1, 2, 4, 0)));

    static final Machine CPUS = new Machine(
            cluster("demo-cpu", 32, 64, "cpu[01-32]", "core", "0.03"),
            List.of(
                    new Habit("cryo-em", "movie alignment", 2, 6, 4, 10, 24),
                    new Habit("climate", "ensemble", 4, 10, 8, 14, 72),
                    new Habit("climate", "post-processing", 1, 4, 2, 4, 0),
                    new Habit("language", "tokenising", 2, 6, 3, 8, 36),
                    new Habit("materials", "molecular dynamics", 2, 8, 8, 20, 72)));

    static final List<Machine> MACHINES = List.of(CPUS, GPUS);

    private Site() {}

    private static Cluster cluster(String id, int nodes, int granule, String names, String unit, String price) {
        var tariff = Tariff.STANDARD
                .with("currency", Currency.getInstance(CURRENCY))
                .with("pricePerPeHour", new BigDecimal(price))
                .with("cancellation", new Cancellation(DAY, new BigDecimal("0.5")));
        return Cluster.of(id, nodes * granule)
                .dividedInto(Nodes.of(granule, Optional.of(names)))
                .with("unit", unit)
                .under(Policy.SERVICE
                        .with("visibility", Visibility.NAMES)
                        // people hold a place as long by their own clock if time runs fast
                        .withLimits(Limits.STANDARD.with("maxHold", OptionalLong.of(DAY))))
                .charging(tariff);
    }

    /**
     * A project.
     *
     * @param spent the share of its budget that is spent or held when the demo begins
     * @param members names of accounts
     */
    record Project(String id, String name, double spent, List<String> members) {

        static Project of(String id) {
            return PROJECTS.stream()
                    .filter(project -> project.id.equals(id))
                    .findAny()
                    .orElseThrow();
        }
    }

    /** A cluster and the habits of its users. */
    record Machine(Cluster cluster, List<Habit> habits) {

        /**
         * Returns a wish of one of the users.
         *
         * @param around about when the run is to begin, in seconds since the epoch
         */
        Wish wish(RandomGenerator draws, long around) {
            var habit = habits.get(draws.nextInt(habits.size()));
            var members = Project.of(habit.project).members;
            int nodes = draws.nextInt(habit.minNodes, habit.maxNodes + 1);
            long duration = (long) draws.nextInt(habit.minHours, habit.maxHours + 1) * HOUR;
            long hour = around - around % HOUR;
            // people who want a fixed time want it in the day
            long start = habit.slackHours > 0 ? hour : hour - hour % DAY + draws.nextLong(7, 16) * HOUR;
            return new Wish(
                    members.get(draws.nextInt(members.size())),
                    habit.project,
                    habit.run,
                    nodes * cluster.nodes().granule(),
                    start,
                    duration,
                    (long) habit.slackHours * HOUR);
        }
    }

    /** What members of a project run, in nodes and hours. Without slack its time is fixed. */
    record Habit(String project, String run, int minNodes, int maxNodes, int minHours, int maxHours, int slackHours) {}

    /**
     * A run that somebody wants.
     *
     * @param start the earliest start, or the only one if there is no slack, in seconds since the epoch
     * @param duration seconds
     * @param slack seconds by which it may begin later
     */
    record Wish(String owner, String project, String run, int pes, long start, long duration, long slack) {}
}
