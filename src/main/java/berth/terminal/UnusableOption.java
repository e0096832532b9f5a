package berth.terminal;

/** An option with an invalid value. The message names the option, its value and what to do. */
public final class UnusableOption extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnusableOption(String message) {
        super(message);
    }
}
