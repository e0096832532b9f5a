package berth.proof;

import java.util.List;

/**
 * The result of a check.
 *
 * @param acknowledged the number of requests with a promise, each counted once
 * @param refused the number of requests without effect
 * @param unknown the number of requests without an answer at least once
 * @param unknownRecorded how many of these exist
 * @param findings the errors; empty if everything is as said
 */
public record Verdict(int acknowledged, int refused, int unknown, int unknownRecorded, List<Finding> findings) {

    /** Returns the number of findings against that rule. */
    public long count(Finding.Rule rule) {
        return findings.stream().filter(finding -> finding.rule() == rule).count();
    }

    public boolean isClean() {
        return findings.isEmpty();
    }
}
