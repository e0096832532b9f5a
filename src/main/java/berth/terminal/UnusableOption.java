package berth.terminal;

/** An option whose value is of no use; the message names it, its value and what to do. */
public final class UnusableOption extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnusableOption(String message) {
        super(message);
    }
}
