package berth.simulation;

/** A rule that every schedule keeps was broken, so that no figure of the run can be believed; the message says which. */
public final class BrokenRule extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BrokenRule(String message) {
        super(message);
    }
}
