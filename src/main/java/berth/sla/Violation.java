package berth.sla;

/**
 * One thing that is wrong with what was asked.
 *
 * @param field the contract's name of the offending field
 * @param message what it must be, and what to do
 */
public record Violation(String field, String message) {}
