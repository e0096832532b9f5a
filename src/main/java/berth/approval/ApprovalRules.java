package berth.approval;

import static berth.sla.Components.checked;

import berth.approval.ApprovalRule.Run;
import berth.sla.InvalidFigure;
import berth.sla.Settable;
import java.util.List;
import java.util.Optional;

/**
 * The rules by which a cluster or a project asks for approval.
 *
 * @param rules the rules, at most 20; each that matches a request asks for approval. None, if left out
 * @param expires how long a reservation waits for approval before it expires; it expires at its start at the latest
 */
public record ApprovalRules(
        @Settable List<ApprovalRule> rules,

        @Settable(min = "1", max = MAX_TIME, example = "P2D")
        long expires) {

    /** The most rules of a cluster or a project. */
    public static final int MAX_RULES = 20;

    /** The longest time in a rule: ten years of 365 days, in seconds. */
    static final String MAX_TIME = "" + 3650L * 24 * 3600;

    /** Asks for nothing. */
    public static final ApprovalRules NONE = new ApprovalRules(List.of(), 2L * 24 * 3600);

    /** @throws InvalidFigure if there are too many rules, or if the time is out of range */
    public ApprovalRules {
        rules = List.copyOf(rules);
        if (rules.size() > MAX_RULES) {
            throw new InvalidFigure("rules", rules.size(), "must be at most %d rules".formatted(MAX_RULES));
        }
        checked(ApprovalRules.class, "expires", expires);
    }

    /** Returns the first rule that matches a run; empty if none does. */
    public Optional<ApprovalRule> matching(Run run) {
        return rules.stream().filter(rule -> rule.matches(run)).findFirst();
    }
}
