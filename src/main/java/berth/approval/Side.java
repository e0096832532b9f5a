package berth.approval;

/** A party whose approval a reservation may need. */
public enum Side {
    /** The operator of the cluster: its administrators, and the approvers that its rules name. */
    CLUSTER,
    /** The project under which the reservation is filed: its owners. */
    PROJECT,
    /** The site's policy program, which leaves the answer to those who approve for the cluster. */
    POLICY
}
