package berth.sla;

/** The error for a figure that is out of range. It names the field as the API does. */
public final class InvalidFigure extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String field;
    private final String rule;

    /**
     * Creates the error.
     *
     * @param field the API's name of the field, relative to the object that has it
     * @param value the rejected value
     * @param rule the rule that it breaks, such as {@code must be at least 1}
     */
    public InvalidFigure(String field, Object value, String rule) {
        super("The %s (%s) %s.".formatted(field, value, rule));
        this.field = field;
        this.rule = rule;
    }

    public String field() {
        return field;
    }

    public String rule() {
        return rule;
    }
}
