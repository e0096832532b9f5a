package berth.outcome;

/**
 * What was asked for, or why it was not done.
 *
 * @param <T> the type of what was asked for
 * @param <R> the type of the reasons
 */
public sealed interface Outcome<T, R> {

    record Done<T, R>(T value) implements Outcome<T, R> {}

    record NotDone<T, R>(R why) implements Outcome<T, R> {}
}
