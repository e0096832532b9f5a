package berth.load;

/** Result of a call. */
sealed interface CallResult {

    record Status(int code) implements CallResult {
        @Override
        public String toString() {
            return "answered " + code;
        }
    }

    /** No response: it is unknown whether the call was carried out. */
    record None(String why) implements CallResult {
        @Override
        public String toString() {
            return "no answer: " + why;
        }
    }

    /** Returns whether the service answered with success. */
    default boolean isSuccess() {
        return this instanceof Status(int code) && code >= 200 && code < 300;
    }
}
