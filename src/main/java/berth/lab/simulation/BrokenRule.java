package berth.lab.simulation;

/** A rule that every schedule keeps was broken, so no figure of the run is reliable; the message says which one. */
public final class BrokenRule extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BrokenRule(String message) {
        super(message);
    }
}
