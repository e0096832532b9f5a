package berth.load;

/** What came of a call. */
sealed interface Answer {

    record Status(int code) implements Answer {
        @Override
        public String toString() {
            return "answered " + code;
        }
    }

    /** Whether the call was carried out is unknown. */
    record None(String why) implements Answer {
        @Override
        public String toString() {
            return "no answer: " + why;
        }
    }

    /** Whether the service did what was asked for. */
    default boolean isSuccess() {
        return this instanceof Status(int code) && code >= 200 && code < 300;
    }
}
