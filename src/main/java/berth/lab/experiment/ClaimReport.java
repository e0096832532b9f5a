package berth.lab.experiment;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** Claims with their verdicts, as text and as tables. */
final class ClaimReport {
    private ClaimReport() {}

    /** Prints each claim with its verdict and rule, and the figures of every failed check. */
    static void print(List<PaperClaim> claims, PrintWriter out) {
        for (PaperClaim claim : claims) {
            out.printf("%n%s  %-14s %s%n", claim.id(), claim.verdict().word(), claim.holding());
            out.println("  claim: " + claim.says());
            if (!claim.paper().equals(PaperClaim.NO_FIGURE)) {
                out.println("  paper: " + claim.paper());
                out.println("  ours:  " + claim.ours());
            }
            out.println("  rule:  " + claim.rule());
            claim.corrects().ifPresent(said -> out.println("  corrected: " + said));
            claim.failing().forEach(check -> out.printf("  fails: %s (%s)%n", check.what(), check.figures()));
        }
        out.flush();
    }

    /** Prints a line for a claim: its verdict, the paper's figure and ours. */
    static void printShortly(PaperClaim claim, PrintWriter out) {
        String figures = claim.paper().equals(PaperClaim.NO_FIGURE)
                ? claim.ours()
                : "paper %s; ours %s".formatted(claim.paper(), claim.ours());
        out.printf("%s  %-14s  %s (%s)%n", claim.id(), claim.verdict().word(), claim.says(), figures);
    }

    /** Prints a line for each reading, with a word for the verdict of each claim. */
    static void printReadings(List<OtherReading> readings, PrintWriter out) {
        out.println("other readings:");
        for (OtherReading reading : readings) {
            String verdicts = reading.claims().stream()
                    .map(claim -> claim.id() + " " + claim.verdict().word())
                    .collect(Collectors.joining(", "));
            out.printf("  %s: %s%n", reading.says(), verdicts);
        }
        out.flush();
    }

    /**
     * Returns a row for each check. Columns: the id of the claim, its verdict, the condition, whether it holds ({@code true} or {@code
     * false}), and the figures that decided it.
     */
    static CsvFile table(List<PaperClaim> claims) {
        record Checked(PaperClaim claim, Check check) {}

        return CsvFile.of(
                new Columns<Checked>()
                        .with("claim", row -> row.claim.id())
                        .with("verdict", row -> row.claim.verdict())
                        .with("check", row -> row.check.what())
                        .with("holds", row -> row.check.holds())
                        .with("figures", row -> row.check.figures()),
                claims.stream()
                        .flatMap(claim -> claim.checks().stream().map(check -> new Checked(claim, check)))
                        .toList());
    }

    /**
     * Returns a row for each claim. Columns: its id, its verdict, the number of checks and how many hold, the claim in our words, the
     * paper's figure, and ours.
     */
    static CsvFile summary(List<PaperClaim> claims) {
        return CsvFile.of(
                new Columns<PaperClaim>()
                        .with("claim", PaperClaim::id)
                        .with("verdict", PaperClaim::verdict)
                        .with("checks", claim -> claim.checks().size())
                        .with(
                                "holding",
                                claim -> claim.checks().size() - claim.failing().size())
                        .with("says", PaperClaim::says)
                        .with("paper", PaperClaim::paper)
                        .with("ours", PaperClaim::ours),
                claims);
    }
}
