package berth.persistence;

/** How many instances may use a database at a time: the setting {@code berth.instances}. */
enum InstanceMode {
    /** This one, which refuses to start beside another. */
    ONE(
            "pg_try_advisory_lock",
            "Stop that process first, or give this one a database of its own. For several instances on one database start all of"
                    + " them with BERTH_INSTANCES=MANY."),

    /** Several, of which one decides and the others stand by. */
    MANY(
            "pg_try_advisory_lock_shared",
            "It runs alone: stop it, and start it with BERTH_INSTANCES=MANY, too, or give this one a database of its own.");

    private final String lock;
    private final String wayOn;

    InstanceMode(String lock, String wayOn) {
        this.lock = lock;
        this.wayOn = wayOn;
    }

    /** The function by which it holds the lock on the database. */
    String lock() {
        return lock;
    }

    /** What to do where somebody else has the lock. */
    String wayOn() {
        return wayOn;
    }
}
