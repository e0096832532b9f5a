package berth.lab.experiment;

import java.util.List;

/** The verdict of an experiment on a claim. The rule is the same for all claims: how many of the claim's checks hold. */
public enum Verdict {
    /** All checks hold. */
    REPRODUCED,
    /** At least half of the checks hold. */
    PARTLY,
    /** Fewer than half of the checks hold. */
    NOT_REPRODUCED,
    /** There are no checks. */
    NOT_CHECKABLE;

    /** Returns the verdict in words, as in {@code NOT REPRODUCED}. */
    public String word() {
        return name().replace('_', ' ');
    }

    static Verdict of(List<Check> checks) {
        if (checks.isEmpty()) {
            return NOT_CHECKABLE;
        }
        long holding = checks.stream().filter(Check::holds).count();
        if (holding == checks.size()) {
            return REPRODUCED;
        }
        return 2 * holding >= checks.size() ? PARTLY : NOT_REPRODUCED;
    }
}
