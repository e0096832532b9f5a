package berth.desk;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.desk.ClusterWriter.Next;
import berth.desk.MemoryLedger.Fault;
import berth.reservation.ReservationId;
import berth.scheduling.ChangeCluster;
import berth.scheduling.Command;
import berth.scheduling.Event;
import berth.scheduling.RandomCommands;
import berth.scheduling.Reserve;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * A cluster's writer in a world where everything goes wrong: commits fail, their answers are lost, the process dies before and after them, a
 * rival takes over, the clock jumps and stands still. One thread, one generator: a seed always makes the same history. The property
 * {@code berth.yard.seeds} says how many.
 */
class YardTest {

    private static final int SEEDS = Integer.getInteger("berth.yard.seeds", 1000);
    private static final int STEPS = 120;
    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");

    private static final Logger LOG = (Logger) LoggerFactory.getLogger(ClusterWriter.class);

    /** What goes wrong here is told so often that nobody could read it. */
    @BeforeAll
    static void beSilent() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(null);
    }

    /** How often something was reached, by what it was. */
    private final Map<String, Integer> reached = new TreeMap<>();

    @Test
    void noSeedBreaksAPromise() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var yard = new Yard(seed);
            try {
                yard.run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("Seed %d fails in step %d: %s".formatted(seed, yard.step, e.getMessage()), e);
            }
        }
        System.out.println("The yard, %d seeds: %s".formatted(SEEDS, reached));
        for (var fault : Fault.values()) {
            assertThat(reached).containsKey("commit " + fault);
        }
        assertThat(reached)
                .containsKeys(
                        "Done",
                        "Refused",
                        "NotDecided",
                        "OutcomeUnknown",
                        "crash in doubt",
                        "crash",
                        "rival",
                        "Pause",
                        "End",
                        "recovered without traffic",
                        "recovered with traffic");
    }

    @Test
    void aWriterThatCouldNotRecordFindsOutByItselfThatItCanAgain() {
        var yard = new Yard(1);
        yard.ledger.faults.add(Fault.FAILS);
        yard.submit(new ChangeCluster(yard.cluster, yard.commands.cluster(Binding.LATE)));
        yard.ledger.settleFailures = 2;

        assertThat(yard.turn()).isInstanceOf(Next.Turn.class);
        assertThat(yard.unanswered).isEmpty();
        for (int i = 0; i < 2; i++) {
            assertThat(yard.turn()).isEqualTo(new Next.Turn(Duration.ofMillis(500)));
            assertThat(yard.writer.isRecording()).isFalse();
        }
        yard.turn();

        assertThat(yard.writer.isRecording()).isTrue();
        assertThat(yard.recorded()).isZero();
    }

    @Test
    void whoAsksWhileNothingIsRecordedIsToldAtOnce() {
        var yard = new Yard(1);
        var change = new ChangeCluster(yard.cluster, yard.commands.cluster(Binding.LATE));
        yard.ledger.faults.add(Fault.FAILS);
        yard.submit(change);
        yard.turn();
        yard.ledger.settleFailures = 1;

        yard.submit(change);
        yard.turn();
        assertThat(yard.unanswered).isEmpty();
        yard.submit(change);
        yard.turn();

        assertThat(yard.writer.isRecording()).isTrue();
        assertThat(yard.recorded()).isOne();
    }

    @Test
    void aSeedAlwaysMakesTheSameHistory() {
        var first = new Yard(7);
        var second = new Yard(7);
        first.run();
        second.run();

        assertThat(first.ledger.history(first.cluster.id()))
                .isNotEmpty()
                .isEqualTo(second.ledger.history(second.cluster.id()));
    }

    /** The history of one seed. */
    private final class Yard {

        private final Random random;
        private final SettableClock clock = new SettableClock(NOON);
        private final Cluster cluster = Cluster.of("yard", 8);
        private final MemoryLedger ledger = new MemoryLedger(cluster);
        private final RandomCommands commands;

        /** Commands that have not been answered yet, in the order in which they came. */
        private final List<Pending> unanswered = new ArrayList<>();

        /** Those of them that are before the writer. */
        private List<Pending> waiting = new ArrayList<>();

        /** What must not be recorded: a client has heard that it is not. */
        private final Set<ReservationId> notPromised = new HashSet<>();

        private final Set<ReservationId> promised = new HashSet<>();
        private final Set<Event> history = new HashSet<>();

        /** How many events were recorded when the writer last knew all of them. */
        private int known;

        /** How many of them clients may have heard of. */
        private int heard;

        /** Whether another process has taken the cluster over since the writer has. */
        private boolean isRivalled;

        private ClusterWriter writer;
        private int step;

        Yard(long seed) {
            random = new Random(seed);
            commands = new RandomCommands(random, () -> new UUID(random.nextLong(), random.nextLong()), cluster, clock);
            writer = start();
        }

        private ClusterWriter start() {
            return new ClusterWriter(
                    ledger.takeOver(cluster.id()),
                    ledger,
                    Threads.OF_THE_JVM,
                    clock,
                    new RefusalCounts(),
                    new DeskMeters(new SimpleMeterRegistry(), cluster.id()));
        }

        void run() {
            submit(new ChangeCluster(cluster, commands.cluster(Binding.values()[random.nextInt(2)])));
            for (step = 0; step < STEPS; step++) {
                letTimePass();
                for (int i = random.nextInt(4); i > 0; i--) {
                    submit(commands.next(writer.schedule()));
                }
                letSomethingGoWrong();
                turn();
            }
            calmDown();
        }

        private void submit(Command command) {
            var pending = new Pending(command, Optional.empty());
            unanswered.add(pending);
            waiting.add(pending);
        }

        private void letTimePass() {
            switch (random.nextInt(12)) {
                case 0 -> clock.advance(Duration.ofHours(1));
                case 1 -> clock.advance(Duration.ofSeconds(-random.nextInt(300)));
                case 2, 3, 4 -> {
                    // it stands still
                }
                default -> clock.advance(Duration.ofSeconds(random.nextInt(600)));
            }
        }

        private void letSomethingGoWrong() {
            if (random.nextInt(4) == 0) {
                ledger.faults.add(Fault.values()[random.nextInt(Fault.values().length)]);
            }
            if (random.nextInt(12) == 0) {
                ledger.settleFailures = random.nextInt(3);
            }
            if (random.nextInt(40) == 0) {
                count("rival");
                isRivalled = true;
                ledger.takeOverByAnother();
            }
            if (random.nextInt(15) == 0) {
                die();
            }
        }

        private Next turn() {
            boolean wasRecording = writer.isRecording();
            int faults = ledger.faults.size();
            var fault = faults == 0 ? Fault.NONE : ledger.faults.getFirst();
            int before = recorded();
            var next = writer.turn(waiting);
            if (ledger.faults.size() < faults || recorded() > before) {
                count("commit " + fault);
            }
            count(next.getClass().getSimpleName());
            if (!wasRecording && writer.isRecording()) {
                count(recorded() == before ? "recovered without traffic" : "recovered with traffic");
            }
            if (next instanceof Next.Turn) {
                known = recorded();
            }
            hear();
            if (next instanceof Next.End(var why)) {
                assertThat(isRivalled)
                        .as("whether another has taken over: %s", why)
                        .isTrue();
                die();
            }
            return next;
        }

        private int recorded() {
            return ledger.history(cluster.id()).size();
        }

        /** The process ends, and another one starts: who waits hears nothing of this one any more. */
        private void die() {
            boolean isKnown = known == recorded();
            count(isKnown ? "crash" : "crash in doubt");
            waiting.forEach(pending -> pending.drop("The process has ended."));
            waiting = new ArrayList<>();
            hear();
            var before = writer.schedule();
            writer = start();
            isRivalled = false;
            known = recorded();
            if (isKnown) {
                assertThat(writer.schedule()).as("the schedule after a restart").isEqualTo(before);
            }
        }

        /** What clients hear must be true, then and for ever. */
        private void hear() {
            history.addAll(ledger.history(cluster.id()).subList(heard, recorded()));
            heard = recorded();
            for (var pending : List.copyOf(unanswered)) {
                if (pending.answer().isDone()) {
                    unanswered.remove(pending);
                    hear(pending.command(), pending.answer().join());
                }
            }
        }

        private void hear(Command command, Answer answer) {
            count(answer.getClass().getSimpleName());
            switch (answer) {
                case Answer.Done(var events) -> {
                    assertThat(history).as("what was answered is recorded").containsAll(events);
                    if (command instanceof Reserve reserve) {
                        promised.add(reserve.id());
                    }
                }
                case Answer.Refused _, Answer.NotDecided _ -> {
                    if (command instanceof Reserve reserve) {
                        notPromised.add(reserve.id());
                    }
                }
                case Answer.OutcomeUnknown _ -> {
                    // may be recorded or not
                }
                case Answer.KeyReused() -> throw new AssertionError("nothing came under a key");
            }
        }

        /** Nothing goes wrong any more: soon everybody has an answer, and all that was said is still true. */
        private void calmDown() {
            ledger.faults.clear();
            ledger.settleFailures = 0;
            for (int i = 0; i < 20 && (!unanswered.isEmpty() || !(turn() instanceof Next.Turn)); i++) {
                turn();
            }
            assertThat(unanswered).as("commands without an answer").isEmpty();
            assertThat(writer.isRecording())
                    .as("whether it knows that it records")
                    .isTrue();
            assertThat(promised).allSatisfy(id -> assertThat(ledger.find(id)).isPresent());
            assertThat(notPromised).allSatisfy(id -> assertThat(ledger.find(id)).isEmpty());
            long sequence = 0;
            for (var batch : ledger.recorded) {
                assertThat(batch.sequence()).as("no gap before a batch").isEqualTo(sequence);
                sequence = batch.lastSequence();
            }
            die();
        }
    }

    private void count(String what) {
        reached.merge(what, 1, Integer::sum);
    }
}
