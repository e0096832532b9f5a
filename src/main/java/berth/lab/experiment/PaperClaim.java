package berth.lab.experiment;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A claim of a paper and the result of the experiment.
 *
 * @param id the id, such as {@code 004-C1}
 * @param says the claim in our words
 * @param paper the paper's figures; {@code no figure} if it states only a direction
 * @param ours our figures, in short
 * @param rule when its checks hold, in words
 * @param checks the comparisons on which it depends; empty if it cannot be checked
 * @param inquiry what was examined, if the claim is not reproduced on the paper's jobs or the jobs closest to them
 * @param corrects what our first wording added to the paper, if this is a second wording; the first stays beside it with its verdict
 */
public record PaperClaim(
        String id,
        String says,
        String paper,
        String ours,
        String rule,
        List<Check> checks,
        Optional<Inquiry> inquiry,
        Optional<String> corrects) {

    /** Stands for the figure of a claim that states only a direction. */
    public static final String NO_FIGURE = "no figure";

    public PaperClaim {
        checks = List.copyOf(checks);
    }

    /**
     * Returns a claim for which the paper gives no figure. Our figure is the number of checks that hold; it is empty if there are no
     * checks.
     */
    public static PaperClaim of(String id, String says, String rule, List<Check> checks) {
        var claim = new PaperClaim(id, says, NO_FIGURE, "", rule, checks, Optional.empty(), Optional.empty());
        return checks.isEmpty() ? claim : claim.with(NO_FIGURE, claim.holding());
    }

    /** Returns a claim that is judged by differences between repetitions. Without repetitions it has neither checks nor figures of ours. */
    public static PaperClaim judged(
            boolean isRepeated,
            String id,
            String says,
            String rule,
            Supplier<List<Check>> checks,
            String paper,
            Supplier<String> ours) {
        return of(id, says, rule, isRepeated ? checks.get() : List.of()).with(paper, isRepeated ? ours.get() : "");
    }

    /** Returns the claim with the paper's figures and ours. */
    public PaperClaim with(String itsFigures, String ourFigures) {
        return new PaperClaim(id, says, itsFigures, ourFigures, rule, checks, inquiry, corrects);
    }

    /** Returns the claim with an inquiry into why it is not reproduced. */
    public PaperClaim with(Inquiry lookedInto) {
        return new PaperClaim(id, says, paper, ours, rule, checks, Optional.of(lookedInto), corrects);
    }

    /** Returns the claim as a second wording of one whose first wording said more than the paper. */
    public PaperClaim correcting(String said) {
        return new PaperClaim(id, says, paper, ours, rule, checks, inquiry, Optional.of(said));
    }

    /** Returns whether this is the first wording of a claim, not a second one that corrects it. */
    public boolean isFirstWording() {
        return corrects.isEmpty();
    }

    public Verdict verdict() {
        return Verdict.of(checks);
    }

    /** Returns how many of its checks hold, as in {@code 3 of 4 checks hold}. */
    String holding() {
        return "%d of %d checks hold".formatted(checks.size() - failing().size(), checks.size());
    }

    /** Returns the checks that do not hold. */
    public List<Check> failing() {
        return checks.stream().filter(check -> !check.holds()).toList();
    }
}
