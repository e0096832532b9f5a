package berth.projects;

/** What a token of the issuer does to a membership that somebody made by hand. */
public enum GroupsMode {
    /** It leaves the membership as it is. */
    ADDITIVE,
    /** It ends the membership, or replaces it by the one that the groups of the token give. */
    EXACT
}
