package berth.experiment.juggling;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Allowance;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import berth.sla.Fixing;
import berth.sla.QosScenario;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;

/**
 * Small clusters that are asked for more than they have, one request after the other before anything starts: what each way
 * to place the waiting queue anew refuses, and how much of that could have been granted if it had been placed as well as
 * can be. Each way goes on from what it has granted itself, so that those that grant more get harder questions later.
 *
 * @param instances how many clusters, at least 1
 * @param seed of all requests
 */
record ExactStudy(int instances, long seed) {

    /** The most that wait when a newcomer comes. */
    static final int MOST_WAITING = 7;

    private static final int REQUESTS = 20;
    private static final int PES = 4;
    private static final int LONGEST = 12;
    private static final int LATEST_READY = 30;
    private static final int MOST_SLACK = 3;

    /** Every deadline lies before it. */
    private static final int END = LATEST_READY + LONGEST + MOST_SLACK * LONGEST + 1;

    /** A way to place the queue anew. */
    record Way(Juggling juggling, ReplanOrder order) {

        /** All of them; where nobody is placed anew the order does not matter. */
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
            var standard = Cluster.of("small", PES);
            var policy = standard.policy();
            return new Cluster(
                    standard.id(),
                    PES,
                    standard.rating(),
                    standard.labels(),
                    standard.binding(),
                    standard.admission(),
                    new Policy(
                            policy.placement(),
                            order,
                            juggling,
                            policy.horizon(),
                            0,
                            policy.claimWithin(),
                            policy.alternativesMaxPhi(),
                            policy.availability(),
                            policy.limits()),
                    standard.intake(),
                    standard.tariff(),
                    0);
        }
    }

    /**
     * What a way has come to.
     *
     * @param requests how many were decided
     * @param refused of these
     * @param exact of the refused, how many could have been granted beside those that wait
     */
    record Outcome(int requests, int refused, int exact) {

        private static final Outcome NONE = new Outcome(0, 0, 0);

        private Outcome granted() {
            return new Outcome(requests + 1, refused, exact);
        }

        private Outcome refused(boolean isFeasible) {
            return new Outcome(requests + 1, refused + 1, exact + (isFeasible ? 1 : 0));
        }

        /** The share of the refused that could have been granted; 0 if none was refused. */
        double share() {
            return refused == 0 ? 0 : (double) exact / refused;
        }
    }

    /** Takes time in proportion to the instances. */
    Map<Way, Outcome> outcomes() {
        var outcomes = new LinkedHashMap<Way, Outcome>();
        for (var way : Way.all()) {
            var outcome = Outcome.NONE;
            for (int instance = 0; instance < instances; instance++) {
                outcome = outcome(way, requests(new Random(seed + instance)), outcome);
            }
            outcomes.put(way, outcome);
        }
        return outcomes;
    }

    private static List<Terms> requests(Random random) {
        var requests = new ArrayList<Terms>();
        for (int number = 0; number < REQUESTS; number++) {
            long duration = 1 + random.nextInt(LONGEST);
            long ready = 1 + random.nextInt(LATEST_READY);
            long slack = random.nextLong(MOST_SLACK * duration + 1);
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
        var schedule = ClusterSchedule.empty(way.cluster());
        for (int number = 0; number < requests.size(); number++) {
            if (schedule.reservations().size() > MOST_WAITING) {
                break;
            }
            var asked = requests.get(number);
            switch (reserve(asked, number).decide(schedule, 0)) {
                case Decision.Accepted(var _, var next) -> {
                    outcome = outcome.granted();
                    schedule = next;
                }
                case Decision.Rejected(Rejection.NoSlot _) -> outcome = outcome.refused(isFeasible(schedule, asked));
                case Decision.Rejected(var reason) -> throw new IllegalStateException(reason.toString());
            }
        }
        return outcome;
    }

    private static Reserve reserve(Terms asked, int number) {
        return new Reserve(
                new ReservationId(new UUID(0, number)),
                new Origin("anybody", ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
                RequestedTerms.of(asked),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Allowance.UNLIMITED);
    }

    private static boolean isFeasible(ClusterSchedule schedule, Terms newcomer) {
        var all = new ArrayList<>(
                schedule.reservations().stream().map(Reservation::terms).toList());
        all.add(newcomer);
        return ExactSearch.isFeasible(PES, END, all);
    }
}
