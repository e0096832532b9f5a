package berth.outcome;

import java.util.function.Function;

/**
 * What was asked for, or why it was not done.
 *
 * @param <T> the type of what was asked for
 * @param <R> the type of the reasons
 */
public sealed interface Outcome<T, R> {

    record Done<T, R>(T value) implements Outcome<T, R> {}

    record NotDone<T, R>(R why) implements Outcome<T, R> {}

    /** Returns the outcome with what {@code then} makes of the value. */
    default <U> Outcome<U, R> map(Function<T, U> then) {
        return switch (this) {
            case Done<T, R>(var value) -> new Done<>(then.apply(value));
            case NotDone<T, R>(var why) -> new NotDone<>(why);
        };
    }
}
