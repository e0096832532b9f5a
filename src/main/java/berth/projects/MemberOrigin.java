package berth.projects;

/** Why an account is a member of a project. */
public enum MemberOrigin {
    /** An owner of the project or an administrator made the account a member, or gave it its role. */
    HAND,
    /** A group of the issuer makes the account a member, until a token shows that the person has left the group. */
    GROUP
}
