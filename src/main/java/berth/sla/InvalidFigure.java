package berth.sla;

/** A figure that is out of range, by the contract's name of its field. */
public final class InvalidFigure extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String field;
    private final String rule;

    /**
     * @param field the contract's name of the field, within what is being made
     * @param value what it was
     * @param rule what it must be, such as {@code must be at least 1}
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
