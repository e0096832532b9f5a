package berth.lab.experiment.whatif;

/** The run times that the scheduler knows. */
enum Estimates {
    /** The users' estimates. */
    AS_GIVEN("as given"),
    /** The actual run times. */
    EXACT("exact");

    private final String words;

    Estimates(String words) {
        this.words = words;
    }

    /** Returns a name as in {@code as-given}. */
    String slug() {
        return words.replace(' ', '-');
    }

    /** Returns a text as in {@code as given}. */
    String words() {
        return words;
    }
}
