package berth.projects;

/** What a member may do with everything filed under the project. */
public enum ProjectRole {
    /** Changes it as the account that reserved it can, and manages the project's name and members. */
    OWNER,
    /** Reads it and files under the project. */
    MEMBER,
    /** Reads it. */
    VIEWER;

    /** Whether the member may file under the project. */
    public boolean files() {
        return this != VIEWER;
    }
}
