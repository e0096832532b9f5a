package berth.approval;

import static berth.sla.Components.checked;

import berth.sla.AccountName;
import berth.sla.Inline;
import berth.sla.InvalidFigure;
import berth.sla.Settable;
import java.util.List;

/**
 * Which requests for a cluster must be approved, and by whom.
 *
 * @param asks which requests must be approved
 * @param approvers the accounts that may approve for the cluster, beside the administrators, at most 50
 * @param leadTime the least time that Berth leaves for an answer: it chooses a start that is later than this for a request that must be
 *     approved, if the request allows it
 */
public record ClusterApproval(
        @Inline ApprovalRules asks,
        @Settable List<AccountName> approvers,

        @Settable(min = "0", max = ApprovalRules.MAX_TIME, example = "PT1H")
        long leadTime) {

    /** The most approvers of a cluster. */
    public static final int MAX_APPROVERS = 50;

    /** Asks for nothing. */
    public static final ClusterApproval NONE = new ClusterApproval(ApprovalRules.NONE, List.of(), 3600);

    /** @throws InvalidFigure if there are too many approvers, or if the time is out of range */
    public ClusterApproval {
        approvers = List.copyOf(approvers);
        if (approvers.size() > MAX_APPROVERS) {
            throw new InvalidFigure(
                    "approvers", approvers.size(), "must be at most %d accounts".formatted(MAX_APPROVERS));
        }
        checked(ClusterApproval.class, "leadTime", leadTime);
    }
}
