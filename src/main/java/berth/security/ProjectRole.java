package berth.security;

/** What a member of a project may do with all that is filed under it. */
public enum ProjectRole {
    /** Whatever the account may do that has reserved it; names the project and its members. */
    OWNER,
    /** Reads it, and files under the project. */
    MEMBER,
    /** Reads it. */
    VIEWER;

    /** Whether it may file under the project. */
    public boolean files() {
        return this != VIEWER;
    }
}
