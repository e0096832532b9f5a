package berth.experiment;

/** How much of a study is run. */
public enum Extent {
    /** So little that it takes seconds: to see that it works, not to judge by. */
    QUICK,
    /** As much as the paper did, or more. */
    WHOLE;

    /** One value for each. */
    public int of(int quick, int whole) {
        return this == QUICK ? quick : whole;
    }
}
