package berth.yard;

/** What goes wrong in the yard. */
enum Fault {
    /** A commit fails before anything is recorded, and says so. */
    COMMIT_FAILS,
    /** A commit succeeds; its answer is lost. */
    ANSWER_LOST,
    /** A commit succeeds, and ends with a warning: what is recorded may not last, and the same is said until it does. */
    COMMIT_WARNS,
    /** A commit fails, and its answer is lost. */
    COMMIT_AND_ANSWER_LOST,
    /** A commit whose answer is lost is still under way when the outcome is asked for, and arrives later. */
    LATE,
    /** The database takes its time. */
    STALL,
    /** For a while nothing can be recorded. */
    DISK_FULL,
    /** A doubt cannot be settled yet. */
    SETTLE_FAILS,
    /** A doubt is settled; the answer is lost. */
    SETTLE_ANSWER_LOST,
    /** Something cannot be read, or recorded beside the journal. */
    STORE_FAILS,
    /** What is recorded beside the journal is recorded, but its answer is lost. */
    STORE_ANSWER_LOST,
    /** The process dies. */
    CRASH,
    /** The process is asked to end. */
    STOP,
    /** Another process takes the database over while this one goes on. */
    RIVAL,
    /** A process stands still for a while, and goes on. */
    STANDSTILL,
    /** A process and its database do not reach each other for a while. */
    CUT_OFF,
    /** A clock jumps. */
    CLOCK_JUMPS,
    /** A clock stands still. */
    CLOCK_STOPS,
    /** A request never arrives. */
    REQUEST_LOST,
    /** An answer never arrives. */
    REPLY_LOST,
    /** A request arrives twice. */
    REQUEST_REPEATED,
    /** What one Berth asks another never arrives. */
    LINK_LOSES,
    /** What one Berth answers another never arrives. */
    LINK_LOSES_REPLY,
    /** What one Berth asks another arrives twice, now or later. */
    LINK_REPEATS,
    /** What one Berth asks another arrives when it is waited for no longer. */
    LINK_DELAYS,
    /** What one Berth answers another arrives when much may have happened there since, but in time. */
    LINK_IS_SLOW
}
