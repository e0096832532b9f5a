package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.lab.experiment.StudyRuns.Made;
import berth.lab.experiment.StudyRuns.Result.Broken;
import berth.lab.experiment.StudyRuns.Result.Found;
import berth.lab.simulation.BrokenRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Checks with a made-up study which runs are recorded, made again and rejected. */
@Isolated("sets the locale of all")
class StudyRunsTest {
    private static final String PROGRAM = "berth 1";

    /** The numbers of the runs that were made, in any order. */
    private static final List<Integer> MADE = Collections.synchronizedList(new ArrayList<>());

    private static final List<String> TOLD = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    private Path directory;

    @BeforeEach
    void nothingIsMadeYet() {
        MADE.clear();
        TOLD.clear();
    }

    record Run(int number) {}

    record Figures(double third, List<Double> odd, SortedMap<String, Integer> refused, Optional<String> word) {}

    /** @param broken the run that breaks a rule; 0 if none does */
    record Numbers(String name, int most, int broken) implements Study<Run, Figures> {
        @Override
        public String title() {
            return "numbers up to " + most;
        }

        @Override
        public List<Run> runs() {
            return IntStream.rangeClosed(1, most).mapToObj(Run::new).toList();
        }

        @Override
        public Figures figures(Run run) {
            if (run.number() == broken) {
                throw new BrokenRule("A PE was held twice.");
            }
            MADE.add(run.number());
            return new Figures(
                    run.number() / 3.0,
                    List.of(Double.NaN, Double.NEGATIVE_INFINITY, -0.0, 1e-300),
                    new TreeMap<>(Map.of("no-slot", run.number())),
                    run.number() % 2 == 0 ? Optional.of("even") : Optional.empty());
        }

        @Override
        public Class<Figures> kept() {
            return Figures.class;
        }

        @Override
        public Findings findings(Map<Run, Figures> figures) {
            var columns = new Columns<Entry<Run, Figures>>()
                    .with("run", Entry::getKey)
                    .with("figures", Entry::getValue);
            var table = CsvFile.of(columns, figures.entrySet());
            return Findings.of(title(), List.of(), List.of(), table);
        }
    }

    @Test
    void findsTheSameWithOneThreadAndWithTwoAndWithADirectory() {
        var study = new Numbers("numbers", 40, 0);
        var one = found(study, 1, Optional.empty());

        assertThat(one).hasSize(41);
        assertThat(found(study, 2, Optional.empty())).isEqualTo(one);
        assertThat(found(study, 2, prepared())).isEqualTo(one);
    }

    @Test
    void makesOnlyTheRunsThatAreMissing() throws IOException {
        var study = new Numbers("numbers", 20, 0);
        var all = found(study, 1, prepared());
        Path runLog = directory.resolve("runs/numbers.jsonl");
        List<String> lines = Files.readAllLines(runLog);
        String cut = lines.get(8).substring(0, 10);
        Files.writeString(runLog, String.join("\n", lines.subList(0, 8)) + "\n" + cut);
        MADE.clear();

        assertThat(found(study, 2, prepared())).isEqualTo(all);
        assertThat(MADE).hasSize(13);
        assertThat(Files.readAllLines(runLog)).hasSize(21).containsExactlyInAnyOrderElementsOf(lines);
    }

    @Test
    void keepsTheRunsMadeBeforeARunBrokeARule() {
        List<Study<?, ?>> study = List.of(new Numbers("numbers", 20, 7));
        var broken = new Broken("Study numbers, Run[number=7]: A PE was held twice.");

        assertThat(StudyRuns.of(study, 1, prepared(), PROGRAM, TOLD::add)).containsExactly(broken);
        assertThat(StudyRuns.of(study, 1, prepared(), PROGRAM, TOLD::add)).containsExactly(broken);
        assertThat(MADE).doesNotHaveDuplicates().doesNotContain(7);
    }

    @Test
    void aBrokenRuleFailsOnlyItsOwnStudy() {
        var whole = new Numbers("whole", 40, 0);
        var results =
                StudyRuns.of(List.of(new Numbers("numbers", 40, 7), whole), 2, Optional.empty(), PROGRAM, TOLD::add);

        assertThat(results.getFirst()).isInstanceOf(Broken.class);
        assertThat(results.getLast())
                .isInstanceOfSatisfying(
                        Found.class,
                        found -> assertThat(found.findings().runs().lines())
                                .isEqualTo(found(whole, 1, Optional.empty())));
    }

    @Test
    void takesNoRunsOfAnotherStudyOrProgram() {
        found(new Numbers("numbers", 3, 0), 1, prepared());

        assertThatThrownBy(() -> found(new Numbers("numbers", 4, 0), 1, prepared()))
                .isInstanceOf(UnusableDirectory.class)
                .hasMessageContaining("it has runs of another study or of another version of Berth");
        assertThatThrownBy(
                        () -> StudyRuns.of(List.of(new Numbers("numbers", 3, 0)), 1, prepared(), "berth 2", TOLD::add))
                .isInstanceOf(UnusableDirectory.class);
    }

    @Test
    void rejectsLinesOfAnotherStudy() throws IOException {
        var study = new Numbers("numbers", 3, 0);
        found(study, 1, prepared());
        Path runLog = directory.resolve("runs/numbers.jsonl");
        Files.writeString(runLog, Files.readString(runLog) + "{\"run\":77,\"figures\":{}}\n");

        assertThatThrownBy(() -> found(study, 1, prepared()))
                .isInstanceOf(UnusableDirectory.class)
                .hasMessageContaining("{\"run\":77");
    }

    @Test
    void keepsRunsUnderALocaleWithOtherDigits() {
        Locale usual = Locale.getDefault(Locale.Category.FORMAT);
        var study = new Numbers("numbers", 3, 0);
        try {
            Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG"));
            found(study, 1, prepared());
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, usual);
        }

        found(study, 1, prepared());
        assertThat(MADE).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void letsOneProgramAtATimeWrite() {
        var study = new Numbers("numbers", 3, 0);
        try (var runLog = RunLog.open(directory.resolve("runs/numbers.jsonl"), List.of(), study, PROGRAM)) {
            assertThat(runLog.kept()).isEmpty();
            assertThatThrownBy(() -> found(study, 1, prepared()))
                    .isInstanceOf(UnusableDirectory.class)
                    .hasMessageContaining("another program is writing to it");
        }
    }

    @Test
    void shardsMakeEveryRunOnceAndTheLastCommandNone() {
        List<Study<?, ?>> studies = List.of(new Numbers("numbers", 20, 0), new Numbers("others", 11, 0));
        var made = IntStream.range(0, 3).mapToObj(i -> made(i, 3, studies)).toList();

        assertThat(made)
                .containsExactly(new Made(11, 11, List.of()), new Made(10, 10, List.of()), new Made(10, 10, List.of()));
        assertThat(MADE).hasSize(31);
        MADE.clear();

        assertThat(found(studies.getFirst(), 2, prepared())).isEqualTo(found(studies.getFirst(), 1, Optional.empty()));
        assertThat(MADE).as("without a directory").hasSize(20);
        assertThat(found(studies.getLast(), 2, prepared())).hasSize(12);
        assertThat(MADE).hasSize(20);
    }

    @Test
    void theLastCommandMakesTheRunsThatShardsLeft() throws IOException {
        List<Study<?, ?>> studies = List.of(new Numbers("numbers", 20, 0));
        made(0, 3, studies);
        made(2, 3, studies);
        Path cut = directory.resolve("runs/numbers.2-of-3.jsonl");
        String whole = Files.readString(cut);
        Files.writeString(cut, whole.substring(0, whole.length() - 2));
        made(1, 7, studies);
        MADE.clear();

        var all = found(studies.getFirst(), 1, prepared());
        assertThat(MADE)
                .as("the seven of shard 1/3 but one, and that whose line is cut")
                .hasSizeBetween(6, 7)
                .doesNotHaveDuplicates();
        assertThat(all).isEqualTo(found(studies.getFirst(), 1, Optional.empty()));
        assertThat(cut).as("somebody may be writing to it").hasContent(whole.substring(0, whole.length() - 2));
    }

    @Test
    void aShardMakesOnlyItsMissingRuns() throws IOException {
        List<Study<?, ?>> studies = List.of(new Numbers("numbers", 20, 0));
        made(0, 2, studies);
        Path runLog = directory.resolve("runs/numbers.0-of-2.jsonl");
        List<String> lines = Files.readAllLines(runLog);
        Files.write(runLog, lines.subList(0, 8));

        assertThat(made(0, 2, studies)).isEqualTo(new Made(10, 3, List.of()));
        assertThat(Files.readAllLines(runLog)).containsExactlyInAnyOrderElementsOf(lines);
        found(studies.getFirst(), 1, prepared());
        assertThat(made(1, 2, studies)).as("after a command that made all").isEqualTo(new Made(10, 0, List.of()));
    }

    @Test
    void aShardKeepsTheRunsMadeBeforeARunBrokeARule() {
        List<Study<?, ?>> studies = List.of(new Numbers("numbers", 20, 7), new Numbers("whole", 4, 0));
        var broken = new Broken("Study numbers, Run[number=7]: A PE was held twice.");

        assertThat(IntStream.range(0, 3).mapToObj(i -> made(i, 3, studies).broken()))
                .containsOnlyOnce(List.of(broken))
                .contains(List.of());
        assertThat(StudyRuns.of(studies, 1, prepared(), PROGRAM, TOLD::add))
                .first()
                .isEqualTo(broken);
    }

    @Test
    void takesNoRunsOfAShardOfAnotherStudyOrProgram() {
        made(2, 3, List.of(new Numbers("numbers", 3, 0)));

        assertThatThrownBy(() -> found(new Numbers("numbers", 4, 0), 1, prepared()))
                .isInstanceOf(UnusableDirectory.class)
                .hasMessageContaining("it has runs of another study or of another version of Berth in")
                .hasMessageContaining("numbers.2-of-3.jsonl");
        assertThatThrownBy(() -> made(2, 3, List.of(new Numbers("numbers", 4, 0))))
                .isInstanceOf(UnusableDirectory.class);
        assertThat(found(new Numbers("number", 4, 0), 1, prepared())).hasSize(5);
    }

    @Test
    void takesNoTwoFiguresOfOneRun() throws IOException {
        List<Study<?, ?>> studies = List.of(new Numbers("numbers", 3, 0));
        made(0, 1, studies);
        Path runLog = directory.resolve("runs/numbers.0-of-1.jsonl");
        Path other = directory.resolve("runs/numbers.1-of-2.jsonl");
        Files.copy(runLog, other);
        found(studies.getFirst(), 1, prepared());
        Files.writeString(other, Files.readString(other).replace("0.333", "0.334"));

        assertThatThrownBy(() -> found(studies.getFirst(), 1, prepared()))
                .isInstanceOf(UnusableDirectory.class)
                .hasMessageContaining("different figures for the same run: {\"run\":0");
    }

    @Test
    void worksOnAFileSystemWithoutLocks() {
        assertThat(RunLog.lock(() -> {
                    throw new IOException("No locks available");
                }))
                .contains("No locks available");
    }

    private Made made(int number, int count, List<Study<?, ?>> studies) {
        return StudyRuns.ofShard(
                new Shard(number, count), studies, 2, prepared().orElseThrow(), PROGRAM, TOLD::add);
    }

    private Optional<ReportDirectory> prepared() {
        return Optional.of(ReportDirectory.prepare(directory));
    }

    private static List<String> found(Study<?, ?> study, int threads, Optional<ReportDirectory> place) {
        var result = (Found)
                StudyRuns.of(List.of(study), threads, place, PROGRAM, TOLD::add).getFirst();
        return result.findings().runs().lines();
    }
}
