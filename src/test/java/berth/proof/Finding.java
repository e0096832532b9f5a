package berth.proof;

/** A difference between what was said and what is. */
public record Finding(Rule rule, String what) {

    /** A rule that must hold. */
    public enum Rule {
        /** What was acknowledged exists. */
        LOST,
        /** It stays as agreed until an event that may change or end it. */
        CHANGED,
        /** Nothing exists that nobody requested, and nothing exists twice. */
        INVENTED,
        /** The same key always gets the same answer. */
        TWO_ANSWERS,
        /** No more PEs are promised at any time than are in service, and none twice. */
        DOUBLE_BOOKED,
        /** An account sees everything of its own and nothing else. */
        STRANGER,
        /** The events of a cluster are numbered without gaps. */
        GAP,
        /** A repetition with the same key gets the result. */
        UNSETTLED
    }

    @Override
    public String toString() {
        return rule + ": " + what;
    }
}
