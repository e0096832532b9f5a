package berth.database;

/** The setting {@code berth.instances.mode}: how many instances may use a database at a time. */
public enum InstanceMode {
    /** One instance, which refuses to start while another one runs. */
    ONE(
            "pg_try_advisory_lock",
            "Stop that process first, or give this one a database of its own. To run several instances on one database, start all of"
                    + " them with BERTH_INSTANCES_MODE=MANY."),

    /** Several instances, of which one is active and the others stand by. */
    MANY(
            "pg_try_advisory_lock_shared",
            "That Berth runs as a single instance: restart it with BERTH_INSTANCES_MODE=MANY as well, or give this one a database of its own.");

    private final String lock;
    private final String wayOn;

    InstanceMode(String lock, String wayOn) {
        this.lock = lock;
        this.wayOn = wayOn;
    }

    /** Returns the SQL function that takes the lock on the database. */
    String lock() {
        return lock;
    }

    /** Returns what to do if another process has the lock. */
    String wayOn() {
        return wayOn;
    }
}
