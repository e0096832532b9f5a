package berth.lab.experiment;

import berth.lab.experiment.StudyRuns.Result;
import berth.lab.experiment.StudyRuns.Result.Broken;
import berth.lab.experiment.StudyRuns.Result.Found;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The results for some papers.
 *
 * @param program the program that made the runs
 * @param notices what a reader must know first, such as that a run is too small to judge
 * @param sections a section for each paper, except broken ones
 * @param broken the papers without a section, because a run of their studies broke a rule
 */
record Report(String program, List<String> notices, List<Section> sections, List<BrokenPaper> broken) {

    /**
     * A paper without findings.
     *
     * @param why see {@link Broken#what}
     */
    record BrokenPaper(Paper paper, String why) {
        private String notice() {
            return "Paper %s, %s, is missing, because a run broke a rule that every schedule must keep. %s"
                    .formatted(paper.number(), paper.title(), why);
        }
    }

    /**
     * The results for a paper.
     *
     * @param main the findings of the main study
     * @param readings the verdicts of its claims under other readings
     * @param variations the findings of the paper's variations, in order
     */
    record Section(Paper paper, Findings main, List<OtherReading> readings, List<Findings> variations) {

        static Section of(Paper paper, List<Findings> findings) {
            Findings main = findings.getFirst();
            List<Findings> varied = findings.subList(1, findings.size());
            List<OtherReading> readings = new ArrayList<>(main.readings());
            for (int i = 0; i < varied.size(); i++) {
                String says = paper.variations().get(i).says();
                OtherReading own = new OtherReading(says, varied.get(i).claims());
                if (!own.claims().isEmpty()) {
                    readings.add(own);
                }
                varied.get(i)
                        .readings()
                        .forEach(other -> readings.add(
                                new OtherReading(says + "; " + other.says(), other.claims(), other.every())));
            }
            return new Section(paper, main, readings, varied);
        }

        private void print(PrintWriter out) {
            main.print(out);
            if (!readings.isEmpty()) {
                out.println();
                ClaimReport.printReadings(readings, out);
            }
        }

        private void printShortly(PrintWriter out) {
            out.printf("%n%s%n", main.title());
            main.claims().forEach(claim -> ClaimReport.printShortly(claim, out));
        }

        private void writeTo(ReportDirectory directory) {
            var studies = paper.studies();
            main.writeTo(directory.of(studies.getFirst().name()));
            for (int i = 0; i < variations.size(); i++) {
                variations.get(i).writeTo(directory.of(studies.get(i + 1).name()));
            }
        }
    }

    /** Runs the studies of all papers, see {@link StudyRuns#of}. */
    static Report of(
            List<Paper> papers,
            List<String> notices,
            int threads,
            Optional<ReportDirectory> directory,
            String program,
            Consumer<String> tell) {
        List<Study<?, ?>> studies =
                papers.stream().flatMap(paper -> paper.studies().stream()).toList();
        Iterator<Result> results =
                StudyRuns.of(studies, threads, directory, program, tell).iterator();
        List<Section> sections = new ArrayList<>();
        List<BrokenPaper> broken = new ArrayList<>();
        for (Paper paper : papers) {
            List<Findings> found = new ArrayList<>();
            List<String> why = new ArrayList<>();
            for (int i = 0; i < paper.studies().size(); i++) {
                switch (results.next()) {
                    case Found(Findings findings) -> found.add(findings);
                    case Broken(String what) -> why.add(what);
                }
            }
            if (why.isEmpty()) {
                sections.add(Section.of(paper, found));
            } else {
                broken.add(new BrokenPaper(paper, String.join(" ", why)));
            }
        }
        return new Report(program, notices, sections, broken);
    }

    /** Returns what a reader must know first, including the missing papers. */
    List<String> allNotices() {
        return Stream.concat(notices.stream(), broken.stream().map(BrokenPaper::notice))
                .toList();
    }

    /** Prints the report: everything for a single paper and for studies without claims; a line for each claim for several papers. */
    void print(PrintWriter out) {
        allNotices().forEach(out::println);
        if (sections.size() == 1 || !hasClaims()) {
            sections.forEach(section -> section.print(out));
        } else {
            sections.forEach(section -> section.printShortly(out));
        }
        out.flush();
    }

    /** Whether there is any claim; an operator's question has none. */
    boolean hasClaims() {
        return sections.stream().anyMatch(section -> !section.main().claims().isEmpty());
    }

    /**
     * Writes the files of every study, {@code index.html}, and, if there are claims, {@code claims.csv} and, with other readings, {@code
     * readings.md}.
     */
    void writeTo(ReportDirectory directory) {
        sections.forEach(section -> section.writeTo(directory));
        List<PaperClaim> claims = sections.stream()
                .flatMap(section -> section.main().claims().stream())
                .toList();
        if (!claims.isEmpty()) {
            directory.write("claims.csv", ClaimReport.summary(claims).lines());
        }
        if (sections.stream().anyMatch(section -> !section.readings().isEmpty())) {
            directory.write("readings.md", ReadingTable.of(this));
        }
        directory.write("index.html", ReportPage.of(this));
    }
}
