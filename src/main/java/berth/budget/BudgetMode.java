package berth.budget;

/** What a project's budget does. */
public enum BudgetMode {
    /** It is counted what the project spends; nothing is refused. */
    TRACK,
    /** Nothing is granted that the project cannot pay. */
    ENFORCE
}
