package berth.experiment;

import java.util.List;

/**
 * A claim of a paper, and what the experiment has to say to it.
 *
 * @param id such as {@code 004-C1}
 * @param says the claim, in our words
 * @param rule when each of its checks holds, in words
 * @param checks what it comes down to; none if it cannot be checked
 */
public record Claim(String id, String says, String rule, List<Check> checks) {

    public Claim {
        checks = List.copyOf(checks);
    }

    public Verdict verdict() {
        return Verdict.of(checks);
    }

    /** The checks that do not hold. */
    public List<Check> failing() {
        return checks.stream().filter(check -> !check.holds()).toList();
    }
}
