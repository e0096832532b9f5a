package berth.reservation;

import java.util.Arrays;
import java.util.Optional;

/** The code of a refusal. Clients read its word in the API; counters and recorded requests use it too. */
public enum RefusalCode {
    /** The request contradicts itself, the clock or the cluster's rules. */
    INVALID_TERMS("invalid-terms"),
    /** The cluster could never hold the run. */
    NEVER_FITS("never-fits"),
    /** No slot is free. */
    NO_SLOT("no-slot"),
    /** A slot is free but costs more than the request's budget. */
    OVER_BUDGET("over-budget"),
    /** The account has reached one of its limits. */
    LIMIT_EXCEEDED("limit-exceeded"),
    /** The project would exceed its budget. */
    BUDGET_EXCEEDED("budget-exceeded"),
    /** The account may not file under the project. */
    FORBIDDEN("forbidden"),
    /** A person must approve it first, which this request cannot wait for. */
    NEEDS_APPROVAL("needs-approval"),
    /** The state of the reservation, request, job, outage or cluster does not allow the change. */
    WRONG_STATE("wrong-state"),
    /** The reservation, request or cluster has changed since the client read it. */
    STALE_VERSION("stale-version");

    private final String word;

    RefusalCode(String word) {
        this.word = word;
    }

    /** Returns the code as the API writes it. */
    public String word() {
        return word;
    }

    /**
     * Returns the code with that word.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static RefusalCode of(String word) {
        return find(word)
                .orElseThrow(() -> new IllegalArgumentException("There is no refusal code %s.".formatted(word)));
    }

    /** Returns the code with that word; empty if there is none. */
    public static Optional<RefusalCode> find(String word) {
        return Arrays.stream(values()).filter(code -> code.word.equals(word)).findAny();
    }
}
