package berth.sla;

/** A record of settings. */
public interface Configuration<R extends Record> {

    /**
     * Returns the same settings, but one component has another value.
     *
     * @throws InvalidFigure if the value is out of bounds
     */
    @SuppressWarnings("unchecked")
    default R with(String component, Object value) {
        return (R) Components.with((Record) this, component, value);
    }
}
