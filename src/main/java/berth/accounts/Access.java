package berth.accounts;

/** The rights of an account to a reservation or to something else that has an owner and a project. */
public enum Access {
    /** The account cannot see it. */
    NONE,
    /** The account can read it. */
    READS,
    /** The account can read and change it as its owner can: it is the owner itself, or an owner of the project. */
    OWNS,
    /** The account can read and change it on behalf of the provider: it is an administrator or the cluster's agent. */
    PROVIDES;

    /** Whether the account can change it. */
    public boolean acts() {
        return this == OWNS || this == PROVIDES;
    }
}
