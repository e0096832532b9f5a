package berth.budget;

/** How strictly a project's budget applies. */
public enum BudgetMode {
    /** Berth records what the project spends and rejects nothing. */
    TRACK,
    /** Berth rejects what the project cannot pay. */
    ENFORCE
}
