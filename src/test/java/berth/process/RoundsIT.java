package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import berth.proof.Finding;
import berth.proof.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients make every kind of call, a fault strikes, and at the end their answers are compared with the actual state: one fault in each
 * round, at a moment drawn from the seed. The property {@code berth.proof.rounds} sets the number of rounds, {@code berth.proof.first} the
 * number of the first, and {@code berth.proof.seed} the base of the seeds, by default the date. With {@code berth.proof.minutes} there is
 * one round of that many minutes instead, in which one of three instances after another ends.
 */
class RoundsIT {

    private static final int ROUNDS = Integer.getInteger("berth.proof.rounds", 1);
    private static final int FIRST = Integer.getInteger("berth.proof.first", 1);
    private static final long SEED =
            Long.getLong("berth.proof.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());
    private static final OptionalLong MINUTES = Stream.ofNullable(Long.getLong("berth.proof.minutes"))
            .mapToLong(Long::longValue)
            .findFirst();
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Kinds of faults, in order: every build runs the first, {@code -Pfull} the first four. */
    private static final List<Supplier<Fault>> FAULTS = List.of(
            () -> new Fault.Kill(true, true),
            Fault.Term::new,
            Fault.CutCommits::new,
            () -> new Fault.OneOfThree(Fault.End.KILL),
            () -> new Fault.Kill(true, false),
            () -> new Fault.Kill(false, true),
            () -> new Fault.Stop(Duration.ofMinutes(1)),
            Fault.DiskFull::new,
            () -> new Fault.SlowDisk(5),
            () -> new Fault.SlowDisk(50),
            Fault.ClockSteps::new,
            Fault.HalfSent::new,
            Fault.HungDatabase::new,
            () -> new Fault.Failover(true),
            () -> new Fault.Failover(false),
            () -> new Fault.OneOfThree(Fault.End.STOP),
            () -> new Fault.OneOfThree(Fault.End.TERM));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @ParameterizedTest(name = "round {0}: {1}, seed {2}")
    @MethodSource("rounds")
    void noFaultBreaksAnAcknowledgedPromise(int round, String name, long seed) throws Exception {
        var random = new Random(seed);
        try (var fault = fault(round);
                var installation = fault.open(Files.createDirectory(directory.resolve("round-" + round)))) {
            var site = new Site(installation);
            site.traffic().start(seed);
            Thread.sleep(random.nextLong(500, 2000));
            var remark = fault.strike(site, random);
            var servesAgain = site.servesAgain(PATIENCE);
            Thread.sleep(300);
            site.traffic().stop();
            var verdict = site.check();
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %s | %d | %d | %d | %d | %d | %d of %d | %s | %s |%n",
                    round,
                    name,
                    seed,
                    verdict.acknowledged(),
                    lost(verdict),
                    verdict.count(Finding.Rule.INVENTED) + verdict.count(Finding.Rule.TWO_ANSWERS),
                    verdict.count(Finding.Rule.DOUBLE_BOOKED),
                    verdict.unknownRecorded(),
                    verdict.unknown(),
                    servesAgain
                            .map(after -> "%.1f".formatted(after.toMillis() / 1000.0))
                            .orElse("never"),
                    remark);
            // strange answers are missing in the history
            assertThat(site.traffic().odd())
                    .as("answers that nobody should get")
                    .isEmpty();
            assertThat(verdict.findings()).as("seed %d", seed).isEmpty();
            assertThat(verdict.acknowledged()).isPositive();
            assertThat(servesAgain).as("serves again").isPresent();
        }
    }

    private static long lost(Verdict verdict) {
        return verdict.count(Finding.Rule.LOST)
                + verdict.count(Finding.Rule.CHANGED)
                + verdict.count(Finding.Rule.UNSETTLED);
    }

    private static Fault fault(int round) {
        return MINUTES.isPresent()
                ? new Fault.OneAfterTheOther(Duration.ofMinutes(MINUTES.getAsLong()))
                : FAULTS.get((round - 1) % FAULTS.size()).get();
    }

    static Stream<Arguments> rounds() {
        System.out.println(
                "| round | fault | seed | acknowledged | lost | invented | double-booked | unknown recorded |"
                        + " serves again after, s | |");
        return IntStream.range(FIRST, FIRST + (MINUTES.isPresent() ? 1 : ROUNDS))
                .mapToObj(round -> Arguments.of(round, fault(round).name(), SEED * 1000 + round));
    }
}
