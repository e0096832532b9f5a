package berth.lab.experiment;

/** The claims that a study of another reading judges. */
public enum Judged {
    /** Those for which the reading may matter most, which takes the fewest runs. */
    SOME,
    /** All claims of the paper. */
    ALL
}
