package berth.reservation;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why something was refused, in the contract's word for programs. The word is what clients read, what counts are kept under and
 * what is recorded of a request.
 */
public enum RefusalCode {
    /** The request contradicts itself, the clock or the cluster's rules. */
    INVALID_TERMS("invalid-terms"),
    /** The cluster could never hold it. */
    NEVER_FITS("never-fits"),
    /** No slot is free. */
    NO_SLOT("no-slot"),
    /** A slot is free, and costs too much. */
    OVER_BUDGET("over-budget"),
    /** The account has as much as it may. */
    LIMIT_EXCEEDED("limit-exceeded"),
    /** The project that it is filed under would spend more than its budget. */
    BUDGET_EXCEEDED("budget-exceeded"),
    /** What is to change is in a state that does not allow it. */
    WRONG_STATE("wrong-state"),
    /** What is to change has changed meanwhile. */
    STALE_VERSION("stale-version");

    private final String word;

    RefusalCode(String word) {
        this.word = word;
    }

    /** As the contract writes it. */
    public String word() {
        return word;
    }

    /** @throws IllegalArgumentException if it is no word of the contract */
    public static RefusalCode of(String word) {
        return find(word).orElseThrow(() -> new IllegalArgumentException("Nothing is refused as %s.".formatted(word)));
    }

    /** The code of that word; empty if there is none. */
    public static Optional<RefusalCode> find(String word) {
        return Arrays.stream(values()).filter(code -> code.word.equals(word)).findAny();
    }
}
