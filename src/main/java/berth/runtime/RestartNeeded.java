package berth.runtime;

/**
 * This process cannot go on; another one, or a new one, can.
 *
 * @param why the reason, as a sentence for the log
 */
public record RestartNeeded(Cause cause, String why) {

    /** Why a process ends by itself; its exit code tells its supervisor. */
    public enum Cause {
        /** Another process has become the database's only writer. */
        REPLACED(3),
        /** A desk that has worked in this process has ended, or cannot be opened again. */
        DESK_LOST(4);

        private final int exitCode;

        Cause(int exitCode) {
            this.exitCode = exitCode;
        }

        /** Returns the exit code of a process that ends for this reason. */
        public int exitCode() {
            return exitCode;
        }
    }

    /** Returns the event that another process, named by {@code by}, writes to the database. */
    public static RestartNeeded replacedBy(String by) {
        return new RestartNeeded(
                Cause.REPLACED,
                "Another Berth (%s) has taken over the database; this one must be restarted.".formatted(by));
    }
}
