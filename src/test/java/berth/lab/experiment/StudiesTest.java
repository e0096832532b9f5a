package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.adaptive.AdaptivePaper;
import berth.lab.experiment.flexible.FlexiblePaper;
import berth.lab.experiment.priority.PriorityPaper;
import berth.lab.experiment.slots.SlotPaper;
import berth.lab.experiment.whatif.WhatIfPaper;
import berth.lab.workload.JobWindows;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the assumptions of {@link StudyRuns} for every study of the papers. */
class StudiesTest {
    private static final String PROGRAM = "berth 1";

    @TempDir
    private Path directory;

    static List<Paper> papers() {
        var jobs = JobWindows.modelled(1, 1, Sp2Setup.WINDOW);
        return List.of(
                FlexiblePaper.of(jobs, Judged.SOME, 1),
                WhatIfPaper.of(Optional.empty(), Extent.QUICK, 1),
                PriorityPaper.of(Extent.QUICK, 1),
                AdaptivePaper.of(jobs, Judged.SOME, 1),
                SlotPaper.of(Extent.QUICK, 1));
    }

    static Stream<Study<?, ?>> studies() {
        return papers().stream().flatMap(paper -> paper.studies().stream());
    }

    @ParameterizedTest
    @MethodSource("studies")
    <R extends Record, F extends Record> void readsTheFiguresOfARunBackFromItsLog(Study<R, F> study) {
        Path file = directory.resolve("runs.jsonl");
        R run = study.runs().getLast();
        F figures = study.figures(run);
        try (var runLog = RunLog.open(file, List.of(), study, PROGRAM)) {
            runLog.keep(run, figures);
        }

        try (var runLog = RunLog.open(file, List.of(), study, PROGRAM)) {
            assertThat(runLog.kept()).isEqualTo(Map.of(run, figures));
        }
        assertThat(study.figures(run)).isEqualTo(figures);
    }

    @ParameterizedTest
    @MethodSource("studies")
    void isARecordWhoseTextIsTheSameInEveryProgram(Study<?, ?> study) {
        assertThat(study).isInstanceOf(Record.class);
        assertThat(study.toString())
                .as("no identity hash, as of an array or a class without a text")
                .doesNotContainPattern("[\\w$;\\[]@[0-9a-f]{4,}\\b");
        assertThat(study.runs()).doesNotHaveDuplicates().isNotEmpty();
    }

    @Test
    void haveNamesOfTheirOwn() {
        assertThat(studies().map(Study::name)).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z0-9-]+"));
    }

    @Test
    void nameTheReadingThatEachTextSupportsBest() {
        assertThat(papers()).allSatisfy(paper -> {
            var supported = paper.supported().orElseThrow();
            assertThat(supported.because()).isNotBlank();
            // modelled jobs have neither queues nor records that are not sound
            if (!List.of("001", "003").contains(paper.number())) {
                assertThat(Stream.concat(
                                Stream.of(""), paper.variations().stream().map(Paper.Variation::says)))
                        .contains(supported.says());
            }
        });
    }

    @Test
    void judgeEveryClaimOfTheFivePapers() {
        var claims = new TreeMap<String, Integer>();
        papers().forEach(paper -> claims.put(paper.number(), claims(paper.study())));

        assertThat(claims).isEqualTo(Map.of("000", 8, "001", 9, "002", 7, "003", 7, "004", 9));
    }

    /** Returns the number of claims regardless of results: all runs of the study get the figures of the first. */
    private static <R extends Record, F extends Record> int claims(Study<R, F> study) {
        F figures = study.figures(study.runs().getFirst());
        Map<R, F> all = new LinkedHashMap<>();
        study.runs().forEach(run -> all.put(run, figures));
        return (int) study.findings(all).claims().stream()
                .filter(PaperClaim::isFirstWording)
                .count();
    }
}
