package berth.experiment;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A claim of a paper, and what the experiment has to say to it.
 *
 * @param id such as {@code 004-C1}
 * @param says the claim, in our words
 * @param paper the figures that the paper has for it; {@code no figure} where it only says which way things go
 * @param ours the same figures as they came out, in short
 * @param rule when each of its checks holds, in words
 * @param checks what it comes down to; none if it cannot be checked
 * @param inquiry what was looked into, if it does not come out on the jobs that the paper has or on those nearest to them
 * @param corrects what our first wording of the claim said beyond the paper, if this is a second one: the first stays beside
 *     it with its verdict
 */
public record Claim(
        String id,
        String says,
        String paper,
        String ours,
        String rule,
        List<Check> checks,
        Optional<Inquiry> inquiry,
        Optional<String> corrects) {

    /** Where a paper only says which way things go. */
    public static final String NO_FIGURE = "no figure";

    public Claim {
        checks = List.copyOf(checks);
    }

    /** A claim without figures; ours are how many of its checks hold. */
    public static Claim of(String id, String says, String rule, List<Check> checks) {
        var claim = new Claim(id, says, NO_FIGURE, "", rule, checks, Optional.empty(), Optional.empty());
        return checks.isEmpty() ? claim : claim.with(NO_FIGURE, claim.holding());
    }

    /**
     * A claim that is judged by what differs between repetitions of runs. Where there are none there is nothing to judge by: it
     * has neither checks nor figures of ours.
     */
    public static Claim judged(
            boolean isRepeated,
            String id,
            String says,
            String rule,
            Supplier<List<Check>> checks,
            String paper,
            Supplier<String> ours) {
        return of(id, says, rule, isRepeated ? checks.get() : List.of()).with(paper, isRepeated ? ours.get() : "");
    }

    /** With figures, the paper's and ours. */
    public Claim with(String itsFigures, String ourFigures) {
        return new Claim(id, says, itsFigures, ourFigures, rule, checks, inquiry, corrects);
    }

    /** With what was looked into. */
    public Claim with(Inquiry lookedInto) {
        return new Claim(id, says, paper, ours, rule, checks, Optional.of(lookedInto), corrects);
    }

    /** As a second wording, of a claim whose first one said more than the paper. */
    public Claim correcting(String said) {
        return new Claim(id, says, paper, ours, rule, checks, inquiry, Optional.of(said));
    }

    /** Whether it is a claim by itself, and not another one in other words. */
    public boolean isFirstWording() {
        return corrects.isEmpty();
    }

    public Verdict verdict() {
        return Verdict.of(checks);
    }

    /** How many of its checks hold, as in {@code 3 of 4 checks hold}. */
    String holding() {
        return "%d of %d checks hold".formatted(checks.size() - failing().size(), checks.size());
    }

    /** The checks that do not hold. */
    public List<Check> failing() {
        return checks.stream().filter(check -> !check.holds()).toList();
    }
}
