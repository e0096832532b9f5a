package berth.lab.experiment;

/** How much of a study is run. */
public enum Extent {
    /** A small part that takes seconds: enough to see that the study works, too little for a verdict. */
    QUICK,
    /** As much as in the paper, or more. */
    WHOLE;

    /** Returns the value for this extent. */
    public int of(int quick, int whole) {
        return this == QUICK ? quick : whole;
    }
}
