package berth.sla;

/**
 * An error in a request.
 *
 * @param field the API's name of the field
 * @param message the rule that the field breaks and what to do
 */
public record Violation(String field, String message) {}
