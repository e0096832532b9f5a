package berth.experiment;

import java.util.List;

/** What an experiment says of a claim. The rule is the same for all claims: how many of a claim's checks hold. */
public enum Verdict {
    /** Every check holds. */
    REPRODUCED,
    /** At least half of the checks hold. */
    PARTLY,
    /** Less than half of them do. */
    NOT_REPRODUCED,
    /** There is nothing to check it by. */
    NOT_CHECKABLE;

    /** As people write it, as in {@code NOT REPRODUCED}. */
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
