package berth.lab.experiment.juggling;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Findings;
import berth.lab.experiment.Study;
import berth.lab.experiment.TextTable;
import berth.lab.simulation.BrokenRule;
import berth.lab.simulation.SimulatedCluster;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Rejection;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.QosScenario;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;

/**
 * Small clusters that get more requests than they have room for, before anything starts. The study counts what each way of replanning
 * refuses, and how much of that an optimal placement could have granted. Each way continues from what it has granted itself, so ways that
 * grant more get harder requests later.
 *
 * @param instances the number of clusters, at least 1
 * @param seed the seed of all requests
 */
record ExactStudy(int instances, long seed) implements Study<ExactStudy.Way, ExactStudy.Outcome> {

    /** The most waiting reservations when a newcomer arrives. */
    static final int MAX_WAITING = 7;

    private static final int REQUESTS = 20;
    private static final int PES = 4;
    private static final int LONGEST = 12;
    private static final int LATEST_READY = 30;
    private static final int MAX_SLACK = 3;

    private static final String NOTE =
            "For each rejection, an exact search tried every sequence in which the waiting reservations and the"
                    + " newcomer could have been placed. Each method continues from its own decisions, so a method"
                    + " that accepts more gets harder requests later.";

    /** The second after the latest possible deadline. */
    private static final int END = LATEST_READY + LONGEST + MAX_SLACK * LONGEST + 1;

    /** A way of replanning. */
    record Way(Juggling juggling, ReplanOrder order) {

        /** Returns all ways; without replanning the order does not matter. */
        static List<Way> all() {
            var ways = new ArrayList<Way>();
            ways.add(new Way(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST));
            for (var juggling : List.of(Juggling.ON_CONFLICT, Juggling.ALWAYS)) {
                for (var order : ReplanOrder.values()) {
                    ways.add(new Way(juggling, order));
                }
            }
            return ways;
        }

        private Cluster cluster() {
            return Cluster.of("small", PES)
                    .under(Policy.STANDARD.withReplanning(juggling, order).withHorizon(Policy.STANDARD.horizon(), 0));
        }
    }

    /**
     * The result of a way.
     *
     * @param requests the decided requests
     * @param refused how many of them were refused
     * @param exact how many of the refused ones could have been granted beside the waiting reservations
     */
    record Outcome(int requests, int refused, int exact) {

        private static final Outcome NONE = new Outcome(0, 0, 0);

        private Outcome withGranted() {
            return new Outcome(requests + 1, refused, exact);
        }

        private Outcome withRefused(boolean isFeasible) {
            return new Outcome(requests + 1, refused + 1, exact + (isFeasible ? 1 : 0));
        }

        int granted() {
            return requests - refused;
        }

        /** Returns the share of refused requests that could have been granted; 0 if none was refused. */
        double share() {
            return refused == 0 ? 0 : (double) exact / refused;
        }
    }

    @Override
    public String name() {
        return "exact";
    }

    @Override
    public String title() {
        return "Rejections that an exact search would avoid: %d clusters of %d PEs, at most %d waiting, seed %d"
                .formatted(instances, PES, MAX_WAITING, seed);
    }

    @Override
    public List<Way> runs() {
        return Way.all();
    }

    /** Takes time proportional to the number of instances. */
    @Override
    public Outcome figures(Way way) {
        var outcome = Outcome.NONE;
        for (int instance = 0; instance < instances; instance++) {
            outcome = outcome(way, requests(new Random(seed + instance)), outcome);
        }
        return outcome;
    }

    @Override
    public Class<Outcome> kept() {
        return Outcome.class;
    }

    /**
     * Returns a row for each way: its decided requests, how many of them were {@code granted} and {@code refused}, how many of the refused
     * were {@code feasible}, and their share.
     */
    @Override
    public Findings findings(Map<Way, Outcome> outcomes) {
        record Row(Way way, Outcome came) {}

        var rows = outcomes.entrySet().stream()
                .map(each -> new Row(each.getKey(), each.getValue()))
                .toList();
        var decided = new Columns<Row>()
                .with("juggling", row -> row.way.juggling())
                .with("order", row -> row.way.order())
                .with("requests", row -> row.came.requests());
        var written = decided.with("granted", row -> row.came.granted())
                .with("refused", row -> row.came.refused())
                .with("feasible", row -> row.came.exact())
                .with("share", row -> row.came.share());
        var shown = decided.with("granted", row -> percent((double) row.came.granted() / row.came.requests()))
                .with("refused", row -> row.came.refused())
                .with("feasible", row -> row.came.exact())
                .with("share", row -> percent(row.came.share()));
        return Findings.of(title(), List.of(), List.of(), CsvFile.of(written, rows))
                .with(TextTable.of(
                        "Requests that each method rejects, and how many of them were feasible", NOTE, shown, rows));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    private static List<Terms> requests(Random random) {
        var requests = new ArrayList<Terms>();
        for (int number = 0; number < REQUESTS; number++) {
            long duration = 1 + random.nextInt(LONGEST);
            long ready = 1 + random.nextInt(LATEST_READY);
            long slack = random.nextLong(MAX_SLACK * duration + 1);
            requests.add(new Terms(
                    new Window(ready, ready + duration + slack),
                    duration,
                    List.of(new Shape(1 + random.nextInt(PES), duration)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    Fixing.BY_NOTICE,
                    QosScenario.INTERVAL));
        }
        return requests;
    }

    private static Outcome outcome(Way way, List<Terms> requests, Outcome before) {
        var outcome = before;
        var simulated = SimulatedCluster.empty(way.cluster(), _ -> {});
        for (int number = 0; number < requests.size(); number++) {
            if (simulated.schedule().reservations().size() > MAX_WAITING) {
                break;
            }
            var asked = requests.get(number);
            var refusal = simulated.ask(reserve(asked, number), 0);
            if (refusal.isEmpty()) {
                outcome = outcome.withGranted();
            } else if (refusal.get() instanceof Rejection.NoSlot) {
                outcome = outcome.withRefused(isFeasible(simulated.schedule(), asked));
            } else {
                throw new BrokenRule("A request was rejected for another reason: " + refusal.get());
            }
        }
        return outcome;
    }

    private static Reserve reserve(Terms asked, int number) {
        return new Reserve(
                new ReservationId(new UUID(0, number)),
                new Origin(new AccountName("anybody"), ServiceClass.STANDARD),
                RequestedTerms.of(asked),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private static boolean isFeasible(ClusterSchedule schedule, Terms newcomer) {
        var all = new ArrayList<>(
                schedule.reservations().stream().map(Reservation::terms).toList());
        all.add(newcomer);
        return ExactSearch.isFeasible(PES, END, all);
    }
}
