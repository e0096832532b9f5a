package berth.proof;

import java.util.List;

/**
 * What the checker found.
 *
 * @param acknowledged requests that were promised something, each counted once
 * @param refused requests of which nothing has come
 * @param unknown requests that were without an answer at least once
 * @param unknownRecorded how many of these are there
 * @param findings what is wrong; none, if all is as it was said
 */
public record Verdict(int acknowledged, int refused, int unknown, int unknownRecorded, List<Finding> findings) {

    /** How many findings are of that rule. */
    public long count(Finding.Rule rule) {
        return findings.stream().filter(finding -> finding.rule() == rule).count();
    }

    public boolean isClean() {
        return findings.isEmpty();
    }
}
