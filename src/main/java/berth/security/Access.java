package berth.security;

/** What an account may do with a reservation, or whatever else is filed as reservations are. */
public enum Access {
    /** It does not hear of it. */
    NONE,
    /** It reads it, and changes nothing. */
    READS,
    /** It reads and changes it as the account that has reserved it does: its own, or as an owner of its project. */
    OWNS,
    /** It reads and changes it for the provider: as an administrator, or as the cluster's agent. */
    PROVIDES;

    /** Whether it may be changed. */
    public boolean acts() {
        return this == OWNS || this == PROVIDES;
    }
}
