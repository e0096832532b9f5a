package berth.proof;

/** Something that is not as it was said. */
public record Finding(Rule rule, String what) {

    /** What must hold. */
    public enum Rule {
        /** What was acknowledged is there. */
        LOST,
        /** It stays as it was agreed, until an event that may change or end it. */
        CHANGED,
        /** Nothing is there that nobody asked for, and nothing twice. */
        INVENTED,
        /** The same key has the same answer. */
        TWO_ANSWERS,
        /** No more PEs are promised at any time than are in service, and none twice. */
        DOUBLE_BOOKED,
        /** An account is told of all that is its own and of nothing else. */
        STRANGER,
        /** The events of a cluster are numbered one after the other. */
        GAP,
        /** Who asks again under a key hears what has become of it. */
        UNSETTLED
    }

    @Override
    public String toString() {
        return rule + ": " + what;
    }
}
