package berth.lab.experiment;

import berth.lab.experiment.Inquiry.Cause;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A report as one page, to be read in a browser or printed: the values that the template {@code page.mustache} shows.
 *
 * @param program the program that made the runs
 * @param notices what a reader must know first
 * @param counts how many claims have each verdict, in their first wording
 */
record ReportPage(String title, String program, List<String> notices, List<Count> counts, List<Section> sections) {
    private static final String TEMPLATE = "page.mustache";

    /** The number of claims with a verdict. */
    record Count(String style, String word, long count) {}

    /** The section of a paper. */
    record Section(
            String anchor,
            String number,
            String heading,
            String source,
            String ran,
            List<TextTable> answers,
            List<ClaimView> claims,
            List<ReadingView> readings,
            List<ChartView> charts) {

        boolean hasOwnClaims() {
            return !claims.isEmpty();
        }

        boolean hasReadings() {
            return !readings.isEmpty();
        }

        boolean hasCharts() {
            return !charts.isEmpty();
        }

        static Section of(Report.Section section) {
            Paper paper = section.paper();
            Findings main = section.main();
            return new Section(
                    "paper-" + paper.number(),
                    paper.number(),
                    main.claims().isEmpty() ? paper.title() : "%s: %s".formatted(paper.number(), paper.title()),
                    paper.source(),
                    main.title(),
                    main.answers(),
                    main.claims().stream()
                            .map(claim -> ClaimView.of(claim, paper.study()))
                            .toList(),
                    section.readings().stream()
                            .map(reading -> ReadingView.of(reading, main.claims()))
                            .toList(),
                    Stream.concat(Stream.of(main), section.variations().stream().filter(Section::isByItself))
                            .flatMap(ChartView::of)
                            .toList());
        }

        /** Returns whether the study has no claims, because it asks something else. */
        private static boolean isByItself(Findings variation) {
            return variation.claims().isEmpty();
        }
    }

    /** A claim on the page. */
    record ClaimView(
            String id,
            VerdictView verdict,
            String says,
            String paper,
            String rule,
            String checks,
            List<InquiryView> inquiry,
            String corrects,
            List<String> failing) {

        String shortId() {
            return id.substring(id.indexOf('-') + 1);
        }

        boolean hasFailing() {
            return !failing.isEmpty();
        }

        boolean isFirstWording() {
            return corrects.isEmpty();
        }

        String failingCount() {
            return failing.size() == 1 ? "the check that fails" : "the %d checks that fail".formatted(failing.size());
        }

        static ClaimView of(PaperClaim claim, Study<?, ?> study) {
            boolean isInDoubt = claim.verdict() != Verdict.REPRODUCED;
            return new ClaimView(
                    claim.id(),
                    VerdictView.of(claim),
                    claim.says(),
                    claim.paper(),
                    claim.rule(),
                    claim.checks().isEmpty() ? "There is nothing to check the claim by." : claim.holding() + ".",
                    claim.inquiry().stream()
                            .filter(inquiry -> isInDoubt && inquiry.isOf(study))
                            .map(InquiryView::of)
                            .toList(),
                    claim.corrects().orElse(""),
                    claim.failing().stream()
                            .map(check -> "%s (%s)".formatted(check.what(), check.figures()))
                            .toList());
        }
    }

    /** An inquiry on the page. */
    record InquiryView(String cause, String tried) {
        static InquiryView of(Inquiry inquiry) {
            return new InquiryView(words(inquiry.cause()), inquiry.tried());
        }

        private static String words(Cause cause) {
            return switch (cause) {
                case READING -> "It depends on what the paper leaves open.";
                case PAPER -> "The paper's own figures or words contradict what it describes.";
                case CHANCE -> "There are too few data to tell it from chance.";
                case OPEN -> "The reason is not known.";
            };
        }
    }

    /** A reading with a verdict for each claim of the main study; the verdict is empty if the reading does not judge the claim. */
    record ReadingView(String says, List<VerdictView> verdicts) {
        static ReadingView of(OtherReading reading, List<PaperClaim> claims) {
            return new ReadingView(
                    reading.says(),
                    claims.stream()
                            .map(claim -> VerdictView.of(reading.claims().stream()
                                    .filter(other -> other.id().equals(claim.id()))
                                    .findFirst()))
                            .toList());
        }
    }

    /** A verdict in a table; empty texts if there is none. */
    record VerdictView(String style, String word, String mark, String ours) {
        static VerdictView of(Optional<PaperClaim> claim) {
            return claim.map(VerdictView::of).orElse(new VerdictView("", "", "", ""));
        }

        private static VerdictView of(PaperClaim claim) {
            var verdict = claim.verdict();
            return new VerdictView(verdict.name(), verdict.word(), sign(verdict), claim.ours());
        }
    }

    /** A chart with its numbers. */
    record ChartView(String svg, List<String> columns, List<List<String>> rows) {
        boolean hasRows() {
            return !rows.isEmpty();
        }

        static Stream<ChartView> of(Findings findings) {
            return Stream.concat(
                    findings.figures().stream().map(ChartView::of),
                    findings.charts().values().stream()
                            .map(chart -> new ChartView(String.join("\n", chart.drawing()), List.of(), List.of())));
        }

        private static ChartView of(PaperFigure figure) {
            List<List<String>> rows = new ArrayList<>();
            figure.curves()
                    .lines()
                    .forEach((line, samples) -> rows.add(
                            Stream.concat(Stream.of(line), samples.stream().map(CurveTable::cell))
                                    .toList()));
            return new ChartView(
                    String.join("\n", figure.chart().drawing()), figure.curves().points(), rows);
        }
    }

    boolean hasClaims() {
        return counts.stream().anyMatch(count -> count.count() > 0);
    }

    String chartStyle() {
        return LineChart.STYLE;
    }

    static List<String> of(Report report) {
        List<Section> sections = report.sections().stream().map(Section::of).toList();
        List<Count> counts = Stream.of(Verdict.values())
                .map(verdict -> new Count(verdict.name(), verdict.word(), count(sections, verdict)))
                .toList();
        return new ReportPage(title(report), report.program(), report.allNotices(), counts, sections).html();
    }

    private static String title(Report report) {
        return report.sections().size() > 1 && report.hasClaims()
                ? "%d papers, claim by claim".formatted(report.sections().size())
                : report.sections().getFirst().paper().title();
    }

    private static long count(List<Section> sections, Verdict verdict) {
        return sections.stream()
                .flatMap(section -> section.claims().stream())
                .filter(ClaimView::isFirstWording)
                .filter(claim -> claim.verdict().style().equals(verdict.name()))
                .count();
    }

    private static String sign(Verdict verdict) {
        return switch (verdict) {
            case REPRODUCED -> "✓";
            case PARTLY -> "◐";
            case NOT_REPRODUCED -> "✗";
            case NOT_CHECKABLE -> "–";
        };
    }

    private List<String> html() {
        try (InputStream bytes = Optional.ofNullable(ReportPage.class.getResourceAsStream(TEMPLATE))
                        .orElseThrow();
                var template = new InputStreamReader(bytes, StandardCharsets.UTF_8)) {
            return Mustache.compiler()
                    .emptyStringIsFalse(true)
                    .compile(template)
                    .execute(this)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be read.".formatted(TEMPLATE), e);
        }
    }
}
