package berth.sla;

/**
 * An error in a request.
 *
 * @param field the API's name of the field
 * @param message the rule that the field breaks and what to do
 * @param excess how many times the bound was requested, more than 1; infinite if no smaller figure would do
 */
public record Violation(String field, String message, double excess) {

    /** Creates an error that is not about a bound. */
    public Violation(String field, String message) {
        this(field, message, Double.POSITIVE_INFINITY);
    }
}
