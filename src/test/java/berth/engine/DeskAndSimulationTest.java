package berth.engine;

import static berth.engine.DeskSituation.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.lab.simulation.History;
import berth.lab.simulation.Job;
import berth.lab.simulation.JobOutcome;
import berth.lab.simulation.Simulation;
import berth.lab.workload.AdaptiveRequest;
import berth.lab.workload.ReservationRequest;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.runtime.Threads;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Target;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountLimits;
import berth.sla.Fixing;
import berth.sla.Leeway;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The service and the laboratory share one core: the same requests at the same times give the same schedule at a desk and in a simulation.
 * The two share only the ends of runs, which the simulation determines.
 */
@Timeout(60)
class DeskAndSimulationTest {

    private static final ClusterId THE_CLUSTER = new ClusterId("c");
    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final int PES = 8;
    private static final int JOBS = 250;

    /** The result of a request, without the id of a reservation. */
    private sealed interface Fate {
        record Refused(RefusalCode code) implements Fate {}

        /**
         * The request was granted.
         *
         * @param places its place when it was granted, and after each move
         */
        record Granted(
                ReservationState state,
                Terms terms,
                List<List<Part>> places,
                List<Part> occupied,
                Money price,
                long fixesAt)
                implements Fate {

            static Fate of(List<Reservation> places, Reservation last) {
                return new Granted(
                        last.state(),
                        last.terms(),
                        places.stream().map(Reservation::parts).toList(),
                        last.occupied(),
                        last.price(),
                        last.placement().fixesAt());
            }
        }
    }

    private static Stream<Cluster> clusters() {
        Policy rules = Policy.STANDARD;
        Cluster late = Cluster.of("c", PES);
        return Stream.of(
                late.under(rules.withReplanning(Juggling.NEVER, ReplanOrder.FIFO)),
                late.under(rules.withReplanning(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST)),
                late.under(rules.withReplanning(Juggling.ALWAYS, ReplanOrder.LEAST_FLEXIBLE_FIRST)
                        .withHorizon(rules.horizon(), 0)),
                late.bound(Binding.EARLY).under(rules.withReplanning(Juggling.ALWAYS, ReplanOrder.BIGGEST_JOB_FIRST)));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void theServiceAndTheSimulationDecideAlike(Cluster cluster) {
        List<Job> jobs = jobs(new Random(7));
        History simulated = Simulation.run(cluster, jobs);
        List<Fate> expected =
                simulated.outcomes().stream().map(DeskAndSimulationTest::fate).toList();

        assertThat(served(cluster, simulated)).containsExactlyElementsOf(expected);
        assertThat(expected)
                .as("something of everything")
                .hasAtLeastOneElementOfType(Fate.Refused.class)
                .anyMatch(fate -> fate instanceof Fate.Granted granted
                        && granted.occupied().size() > 1)
                .anyMatch(fate -> fate instanceof Fate.Granted granted
                        && granted.terms().moldability().isPresent()
                        && granted.terms().shapes().size() > 1);
        assertThat(simulated.accepted()).anyMatch(one -> one.alternative().isPresent());
        assertThat(simulated.accepted()).anyMatch(DeskAndSimulationTest::hasEndedEarly);
        assertThat(simulated.accepted().stream().anyMatch(one -> one.places().size() > 1))
                .as("some were moved")
                .isEqualTo(cluster.policy().juggling() != Juggling.NEVER);
    }

    /** Shows that the test above can fail. */
    @Test
    void aServiceUnderOtherRulesDecidesDifferently() {
        List<Cluster> clusters = clusters().toList();
        History simulated = Simulation.run(clusters.get(0), jobs(new Random(7)));

        assertThat(served(clusters.get(1), simulated))
                .isNotEqualTo(simulated.outcomes().stream()
                        .map(DeskAndSimulationTest::fate)
                        .toList());
    }

    private static List<Job> jobs(Random random) {
        List<Job> jobs = new ArrayList<>();
        long submit = NOON.getEpochSecond();
        for (int number = 1; number <= JOBS; number++) {
            submit += random.nextInt(900);
            long duration = 60 + random.nextInt(7_140);
            long ready = submit + random.nextInt(4) * random.nextInt(7_200);
            long slack = random.nextBoolean() ? random.nextLong(3 * duration) : 0;
            int pes = 1 + random.nextInt(PES);
            var request = new ReservationRequest(number, submit, ready, ready + duration + slack, duration, pes);
            jobs.add(job(request, random));
        }
        return jobs;
    }

    private static Job job(ReservationRequest request, Random random) {
        int kind = random.nextInt(5);
        Optional<Moldability> moldability = kind == 0 && request.pes() > 1
                ? Optional.of(new Moldability.Function(
                        (request.pes() + 1) / 2, request.pes(), Speedup.LINEAR, Optional.empty(), AllowedPes.ANY))
                : Optional.empty();
        Optional<Preemption> preemption = kind == 1
                ? Optional.of(new Preemption(OptionalInt.empty(), new BigDecimal("0.25"), false))
                : Optional.empty();
        var serviceClass = random.nextInt(4) == 0 ? ServiceClass.PREMIUM : ServiceClass.STANDARD;
        Job job = Job.of(new AdaptiveRequest(request, moldability, preemption, serviceClass))
                .taking(random.nextBoolean() ? 100 : 30 + random.nextInt(70))
                .fixed(fixing(random));
        return random.nextInt(3) == 0 ? job.orElseUpTo(new BigDecimal("0.5")) : job;
    }

    private static Fixing fixing(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new Fixing(Optional.of(new BigDecimal("0.5")), OptionalLong.empty());
            case 1 -> new Fixing(Optional.empty(), OptionalLong.of(1_800));
            default -> Fixing.BY_NOTICE;
        };
    }

    private static Fate fate(JobOutcome outcome) {
        return switch (outcome) {
            case JobOutcome.Refused(var _, var reason) -> new Fate.Refused(reason.code());
            case JobOutcome.Accepted accepted -> Fate.Granted.of(accepted.places(), accepted.reservation());
        };
    }

    private static boolean hasEndedEarly(JobOutcome.Accepted one) {
        return one.end() < one.places().getLast().slot().end();
    }

    /** A call to the desk. At one instant, ends come before requests. */
    private record Turn(long at, boolean isRequest, int job) {
        static final Comparator<Turn> ORDER = Comparator.comparingLong(Turn::at)
                .thenComparing(Turn::isRequest)
                .thenComparing(Turn::job);
    }

    private static List<Turn> turns(History simulated) {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < simulated.outcomes().size(); i++) {
            var outcome = simulated.outcomes().get(i);
            turns.add(new Turn(outcome.job().request().submit(), true, i));
            if (outcome instanceof JobOutcome.Accepted accepted && hasEndedEarly(accepted)) {
                turns.add(new Turn(accepted.end(), false, i));
            }
        }
        turns.sort(Turn.ORDER);
        return turns;
    }

    /** Sends the same requests to a desk and ends runs early as the simulation did. */
    private static List<Fate> served(Cluster cluster, History simulated) {
        var clock = new SettableClock(NOON);
        var ledger = new MemoryLedger(cluster);
        var codes = new ArrayList<Optional<RefusalCode>>();
        try (var desks = new Desks(
                ledger,
                ledger,
                NoBudgets.none(),
                Threads.OF_THE_JVM,
                clock,
                Duration.ofSeconds(30),
                new SimpleMeterRegistry())) {
            var admission = new AdmissionControl(desks);
            desks.recover(cluster);
            for (Turn turn : turns(simulated)) {
                clock.set(Instant.ofEpochSecond(turn.at()));
                if (turn.isRequest()) {
                    var job = simulated.outcomes().get(turn.job()).job();
                    codes.add(refusal(admission.admit(THE_CLUSTER, booking(job, turn.job()), Optional.empty())));
                } else {
                    desks.decide(THE_CLUSTER, new Complete(target(turn.job())));
                }
            }
            clock.advance(Duration.ofDays(30));
            // cancels nothing; it only makes the desk read its clock
            desks.decide(THE_CLUSTER, new Cancel(target(codes.size())));
        }
        List<Fate> fates = new ArrayList<>();
        for (int i = 0; i < codes.size(); i++) {
            int job = i;
            fates.add(codes.get(i)
                    .<Fate>map(Fate.Refused::new)
                    .orElseGet(() -> granted(ledger.history(THE_CLUSTER), id(job))));
        }
        return fates;
    }

    private static Optional<RefusalCode> refusal(Answer answer) {
        return answer instanceof Answer.Refused(var reason) ? Optional.of(reason.code()) : Optional.empty();
    }

    private static Fate granted(List<Event> history, ReservationId id) {
        List<ReservationEvent> own = history.stream()
                .filter(ReservationEvent.class::isInstance)
                .map(ReservationEvent.class::cast)
                .filter(event -> event.reservation().id().equals(id))
                .toList();
        List<Reservation> places = new ArrayList<>();
        for (ReservationEvent event : own) {
            if (places.isEmpty() || event.type() == Event.Type.MOVED) {
                places.add(event.reservation());
            }
        }
        return Fate.Granted.of(places, own.getLast().reservation());
    }

    /** Books as a client does that accepts the nearest alternative. */
    private static Booking booking(Job job, int number) {
        var origin = new Origin(ALICE, job.serviceClass());
        var terms = terms(job);
        var reserve = new Reserve(id(number), origin, terms, OptionalLong.empty(), OptionalLong.empty());
        var booking = new Booking(ALICE, AccountLimits.NONE, reserve);
        return job.maxPhi()
                .map(most -> new Leeway(Optional.of(most), true))
                .map(leeway -> booking.orElse(new Booking.Fallback(reserve, Optional.of(leeway), Optional.empty())))
                .orElse(booking);
    }

    private static RequestedTerms terms(Job job) {
        var request = job.request();
        return new RequestedTerms(
                OptionalLong.of(request.readyTime()),
                OptionalLong.of(request.deadline()),
                request.duration(),
                request.pes(),
                job.moldability(),
                job.preemption(),
                Optional.empty(),
                Map.of(),
                job.fixing());
    }

    private static Target target(int number) {
        return new Target(id(number), OptionalInt.empty());
    }

    /** Returns an id; later ones sort after earlier ones, as in the service. */
    private static ReservationId id(int number) {
        return new ReservationId(new UUID(1_000L + number, 17L * number));
    }
}
