package berth.experiment;

import berth.experiment.StudyRuns.Result;
import berth.experiment.StudyRuns.Result.Broken;
import berth.experiment.StudyRuns.Result.Found;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What was found of some papers.
 *
 * @param program that made the runs
 * @param notices what a reader must know first, such as that a run is too small to judge by
 * @param sections one for each paper but those that broke
 * @param broken the papers that have no section, because a run of one of their studies broke a rule
 */
record Report(String program, List<String> notices, List<Section> sections, List<BrokenPaper> broken) {

    /**
     * A paper without findings.
     *
     * @param why see {@link Broken#what}
     */
    record BrokenPaper(Paper paper, String why) {
        private String notice() {
            return "Paper %s, %s, is missing: a run broke a rule that every schedule keeps. %s"
                    .formatted(paper.number(), paper.title(), why);
        }
    }

    /**
     * What was found of a paper.
     *
     * @param main of the study as we read the paper
     * @param readings how its claims fare where something is read otherwise
     * @param variations the findings of the studies that read something otherwise, in the order of the paper's
     */
    record Section(Paper paper, Findings main, List<Reading> readings, List<Findings> variations) {

        static Section of(Paper paper, List<Findings> findings) {
            Findings main = findings.getFirst();
            List<Findings> varied = findings.subList(1, findings.size());
            List<Reading> readings = new ArrayList<>(main.readings());
            for (int i = 0; i < varied.size(); i++) {
                String says = paper.variations().get(i).says();
                Reading own = new Reading(says, varied.get(i).claims());
                if (!own.claims().isEmpty()) {
                    readings.add(own);
                }
                varied.get(i)
                        .readings()
                        .forEach(other -> readings.add(new Reading(says + "; " + other.says(), other.claims())));
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

    /** Makes the studies of all papers, see {@link StudyRuns#of}. */
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

    /** What a reader must know first, the papers that are missing among it. */
    List<String> allNotices() {
        return Stream.concat(notices.stream(), broken.stream().map(BrokenPaper::notice))
                .toList();
    }

    /** For people at a terminal: all of a single paper, and of what has no claims; of several papers a line for each claim. */
    void print(PrintWriter out) {
        allNotices().forEach(out::println);
        if (sections.size() == 1 || !hasClaims()) {
            sections.forEach(section -> section.print(out));
        } else {
            sections.forEach(section -> section.printShortly(out));
        }
        out.flush();
    }

    /** Whether there is a claim at all: an operator's question has none. */
    boolean hasClaims() {
        return sections.stream().anyMatch(section -> !section.main().claims().isEmpty());
    }

    /** The files of every study; {@code index.html}; and, if there are any, all claims in {@code claims.csv}. */
    void writeTo(ReportDirectory directory) {
        sections.forEach(section -> section.writeTo(directory));
        List<Claim> claims = sections.stream()
                .flatMap(section -> section.main().claims().stream())
                .toList();
        if (!claims.isEmpty()) {
            directory.write("claims.csv", ClaimReport.summary(claims).lines());
        }
        directory.write("index.html", Page.of(this));
    }
}
