package berth.yard;

/** An action in the yard. */
enum Deed {
    RESERVE,
    RESERVE_WITH_KEY,
    HOLD,
    RESERVE_ANYWHERE,
    COALLOCATE,
    CANCEL_COALLOCATION,
    CONFIRM,
    CANCEL,
    FIX,
    CLAIM,
    COMPLETE,
    RENEGOTIATE,
    ACCEPT,
    DECLINE,
    READ_ANOTHERS,
    PROPOSE,
    RECORD_OUTAGE,
    END_OUTAGE,
    CHANGE_RULES,
    CLOSE,
    SUBMIT_JOB,
    COMPLETE_JOB,
    PROBE,
    TELL_QUEUE,
    ENFORCE
}
