package berth.yard;

/** A fault in the yard. */
enum Fault {
    /** A commit fails before anything is recorded, and says so. */
    COMMIT_FAILS,
    /** A commit succeeds, but its answer is lost. */
    ANSWER_LOST,
    /** A commit succeeds with a warning, so it may not be durable; this continues for a while. */
    COMMIT_WARNS,
    /** A commit fails, and its answer is lost. */
    COMMIT_AND_ANSWER_LOST,
    /** A commit without an answer is still in progress when its result is requested, and arrives later. */
    LATE,
    /** The database is slow. */
    STALL,
    /** For a while nothing can be recorded. */
    DISK_FULL,
    /** Resolving a doubt fails for now. */
    SETTLE_FAILS,
    /** A doubt is resolved, but the answer is lost. */
    SETTLE_ANSWER_LOST,
    /** A read, or a write outside the journal, fails. */
    STORE_FAILS,
    /** A write outside the journal succeeds, but its answer is lost. */
    STORE_ANSWER_LOST,
    /** The process dies. */
    CRASH,
    /** The process is asked to end. */
    STOP,
    /** Another process takes over the database while this one continues. */
    RIVAL,
    /** A process pauses for a while and continues. */
    STANDSTILL,
    /** A process and its database cannot reach each other for a while. */
    CUT_OFF,
    /** A clock jumps. */
    CLOCK_JUMPS,
    /** A clock stops. */
    CLOCK_STOPS,
    /** A request never arrives. */
    REQUEST_LOST,
    /** An answer never arrives. */
    REPLY_LOST,
    /** A request arrives twice. */
    REQUEST_REPEATED,
    /** A request from one Berth to another never arrives. */
    LINK_LOSES,
    /** An answer from one Berth to another never arrives. */
    LINK_LOSES_REPLY,
    /** A request from one Berth to another arrives twice, now or later. */
    LINK_REPEATS,
    /** A request from one Berth to another arrives after the timeout. */
    LINK_DELAYS,
    /** An answer from one Berth to another arrives in time, but after much may have happened there. */
    LINK_IS_SLOW
}
