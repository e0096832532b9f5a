package berth.experiment.whatif;

/** What the scheduler knows of run times. */
enum Estimates {
    /** What the users say. */
    AS_GIVEN("as given"),
    /** How long jobs really run. */
    EXACT("exact");

    private final String words;

    Estimates(String words) {
        this.words = words;
    }

    /** As in {@code as-given}. */
    String slug() {
        return words.replace(' ', '-');
    }

    /** As in {@code as given}. */
    String words() {
        return words;
    }
}
