package berth.approval;

import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The approval that a reservation needs or needed before it was confirmed.
 *
 * @param asked the sides that must approve, at least one, each once
 * @param expiresAt when the reservation expires without the approval of all, in seconds since the epoch
 */
public record Approval(List<Ask> asked, long expiresAt) {

    public Approval {
        asked = List.copyOf(asked);
    }

    /**
     * One side that must approve.
     *
     * @param by the side
     * @param rule the rule that asks; empty if the site's policy does
     * @param why the policy's reason
     * @param answer who has approved or declined for it; empty until then
     */
    public record Ask(Side by, Optional<ApprovalRule> rule, Optional<String> why, Optional<Answer> answer) {

        /** Creates the question of a rule. */
        public static Ask of(Side by, ApprovalRule rule) {
            return new Ask(by, Optional.of(rule), Optional.empty(), Optional.empty());
        }

        /** Creates the question of the site's policy. */
        public static Ask ofPolicy(String why) {
            return new Ask(Side.POLICY, Optional.empty(), Optional.of(why), Optional.empty());
        }

        /** Whether nobody has answered for the side. */
        public boolean isOpen() {
            return answer.isEmpty();
        }
    }

    /**
     * An answer. It declines if the reservation ended with it, and otherwise approves.
     *
     * @param by the account that answered
     * @param at seconds since the epoch
     * @param reason what it said about it
     */
    public record Answer(AccountName by, long at, Optional<String> reason) {}

    /** Whether a side has not answered. */
    public boolean isOpen() {
        return asked.stream().anyMatch(Ask::isOpen);
    }

    /** Whether that side has approved. */
    public boolean isGivenBy(Side side) {
        return asked.stream().anyMatch(ask -> ask.by() == side && !ask.isOpen());
    }

    /** Returns the sides that have not answered. */
    public List<Side> openSides() {
        return asked.stream().filter(Ask::isOpen).map(Ask::by).toList();
    }

    /** Returns the last answer; empty if there is none. */
    public Optional<Answer> last() {
        return asked.stream()
                .map(Ask::answer)
                .flatMap(Optional::stream)
                .reduce((one, other) -> other.at() >= one.at() ? other : one);
    }

    /** Returns the same approval after an answer for some of the open sides. */
    public Approval answered(Set<Side> sides, Answer answer) {
        return new Approval(
                asked.stream()
                        .map(ask -> ask.isOpen() && sides.contains(ask.by())
                                ? new Ask(ask.by(), ask.rule(), ask.why(), Optional.of(answer))
                                : ask)
                        .toList(),
                expiresAt);
    }
}
