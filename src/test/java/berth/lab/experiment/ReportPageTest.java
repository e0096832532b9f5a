package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.Inquiry.Cause;
import berth.lab.experiment.Paper.Variation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportPageTest {
    private static final PaperClaim HOLDS = PaperClaim.of(
            "009-C1", "A is <above> B.", "the mean of A is above B's", List.of(new Check("A > B", true, "2, 1")));
    private static final PaperClaim FAILS = PaperClaim.of(
                    "009-C2",
                    "A rises.",
                    "each mean is above the one before",
                    List.of(new Check("to x2", false, "3, 2")))
            .with("97 %", "81.1 %")
            .with(new Inquiry(Cause.READING, "Taken over a day it is 96 %."));

    /** @param source the source of its jobs */
    private record Nothing(String name, String source) implements Study<Nothing, Nothing> {
        @Override
        public String title() {
            return name;
        }

        @Override
        public Optional<PaperLog> paperLog() {
            return PaperLog.of(source);
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
            return ReportPageTest.findings();
        }
    }

    private static Findings findings(PaperClaim... claims) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        lines.put("A & B", List.of(new Sample(List.of(1.0, 2.0)), new Sample(List.of(3.0))));
        var figure =
                new PaperFigure("figure1", "figure 1", "load", "percent", new Curves<>(List.of("x1", "x2"), lines));
        return Findings.of("12 PEs", List.of(figure), List.of(claims), CsvFile.of(new Columns<String>(), List.of()));
    }

    private static String page(Findings main, List<OtherReading> readings, List<Findings> variations) {
        return page("drawn jobs", main, readings, variations);
    }

    private static String page(String source, Findings main, List<OtherReading> readings, List<Findings> variations) {
        List<Variation> varied = new ArrayList<>();
        variations.forEach(_ -> varied.add(new Variation("other", new Nothing("009-other", source))));
        var paper = new Paper("009", "On A and B", "N. N., 2009", new Nothing("009", source), varied);
        var report = new Report(
                "berth 1",
                List.of("A quick run."),
                List.of(new Report.Section(paper, main, readings, variations)),
                List.of());
        return String.join("\n", ReportPage.of(report));
    }

    @Test
    void showsThePapersFigureOursTheVerdictItsReasonAndTheRuleOfEachClaim() {
        assertThat(page(findings(HOLDS, FAILS), List.of(), List.of()))
                .contains("On A and B", "N. N., 2009", "12 PEs", "A quick run.", "berth 1")
                .contains("A is &lt;above&gt; B.", "no figure", "1 of 1 checks hold")
                .contains("97 %", "81.1 %", "NOT REPRODUCED", "0 of 1 checks hold.", "to x2 (3, 2)")
                .contains("It depends on what the paper leaves open.", "Taken over a day it is 96 %.")
                .contains("each mean is above the one before", "href=\"#009-C2\"");
    }

    @Test
    void drawsTheFiguresWithTheirNumbers() {
        assertThat(page(findings(HOLDS), List.of(), List.of()))
                .contains("<svg class=\"chart\"", "A &amp; B", "1.500 ± 6.353", "3.000");
    }

    @Test
    void showsReadingsBesideTheVerdictsAndStudiesWithoutClaimsByThemselves() {
        var all = page(
                findings(HOLDS, FAILS), List.of(new OtherReading("over a day", List.of(FAILS))), List.of(findings()));

        assertThat(all).contains("over a day").containsOnlyOnce("title=\"NOT REPRODUCED: 81.1 %\"");
        assertThat(all.split("<svg ", -1)).hasSize(3);
    }

    @Test
    void needsNoNetwork() {
        assertThat(page(findings(HOLDS, FAILS), List.of(), List.of()).replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http", "src=", "@import", "url(");
    }

    @Test
    void showsNoInquiryIntoAReproducedClaim() {
        var claim = HOLDS.with(new Inquiry(Cause.PAPER, "It was looked into."));

        assertThat(page(findings(claim), List.of(), List.of())).doesNotContain("It was looked into.");
        assertThat(Optional.of(claim.verdict())).contains(Verdict.REPRODUCED);
    }

    @Test
    void showsNoInquiryIntoOtherJobs() {
        var claim = FAILS.with(new Inquiry(Cause.READING, PaperLog.SDSC_SP2, "On this log it is 95 %."));
        var drawn = findings(FAILS);
        var logged = findings(claim);

        assertThat(page("SDSC-SP2-1998-4.2.swf, 2 lines left out", logged, List.of(), List.of()))
                .contains("On this log it is 95 %.");
        for (var source : List.of("modelled jobs of seed 1", "SDSC-BLUE-2000-4.2.swf", "another.swf")) {
            assertThat(page(source, logged, List.of(), List.of())).doesNotContain("On this log it is 95 %.");
        }
        assertThat(page("SDSC-SP2-1998-4.2.swf", drawn, List.of(), List.of())).doesNotContain("Taken over a day");
    }
}
