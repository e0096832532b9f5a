package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadingTableTest {
    private static final Check HOLDS = new Check("A > B", true, "2, 1");
    private static final Check FAILS = new Check("to x2", false, "3, 2");

    private static PaperClaim claim(String id, Check... checks) {
        return PaperClaim.of("009-" + id, "A is above B.", "the mean of A is above B's", List.of(checks));
    }

    private static Paper paper() {
        return new Paper("009", "On A and B", "N. N., 2009", new Nothing("009"), List.of());
    }

    /** A study without runs. */
    private record Nothing(String name) implements Study<Nothing, Nothing> {
        @Override
        public String title() {
            return name;
        }

        @Override
        public List<Nothing> runs() {
            return List.of();
        }

        @Override
        public Nothing figures(Nothing run) {
            return run;
        }

        @Override
        public Class<Nothing> kept() {
            return Nothing.class;
        }

        @Override
        public Findings findings(Map<Nothing, Nothing> figures) {
            return findingsOf();
        }
    }

    private static Findings findingsOf(PaperClaim... claims) {
        return Findings.of("12 PEs", List.of(), List.of(claims), CsvFile.of(new Columns<String>(), List.of()));
    }

    private static List<String> table(Paper paper, Findings main, OtherReading... readings) {
        return ReadingTable.of(new Report(
                "berth 1",
                List.of("A quick run."),
                List.of(new Report.Section(paper, main, List.of(readings), List.of())),
                List.of()));
    }

    @Test
    void everyReadingHasAVerdictForEveryClaimThatItsRunsJudge() {
        var main = findingsOf(claim("C1", HOLDS, HOLDS), claim("C2", FAILS), claim("C3"));
        var sameRuns = new OtherReading("over a day", List.of(claim("C2", HOLDS, FAILS))).leaving(main.claims());
        var otherRuns = new OtherReading("more jobs", List.of(claim("C1", FAILS)));

        assertThat(table(paper(), main, sameRuns, otherRuns))
                .contains("A quick run.", "## Paper 009", "12 PEs.")
                .containsSubsequence(
                        "| reading | C1 | C2 | C3 |",
                        "| --- | --- | --- | --- |",
                        "| our main reading | ✓ 2/2 | ✗ 0/1 | – |",
                        "| over a day | ✓ 2/2 | ◐ 1/2 | – |",
                        "| more jobs | ✗ 0/1 |  |  |");
    }

    @Test
    void theReadingThatTheTextSupportsBestIsNamedWithTheReason() {
        var main = findingsOf(claim("C1", HOLDS));
        var other = new OtherReading("more jobs", List.of(claim("C1", FAILS)));

        assertThat(table(paper().supporting("more jobs", "It says so."), main, other))
                .contains("The text supports best: **more jobs**. It says so.", "| **more jobs** | ✗ 0/1 |");
        assertThat(table(paper().supporting("", "It says so."), main, other))
                .contains(
                        "The text supports best: **our main reading**. It says so.",
                        "| **our main reading** | ✓ 1/1 |");
        assertThat(table(paper().supporting("fewer jobs", "It says so."), main, other))
                .contains("The text supports best: **fewer jobs**, which these jobs do not allow. It says so.");
        assertThat(Optional.of(paper()).flatMap(Paper::supported)).isEmpty();
    }
}
