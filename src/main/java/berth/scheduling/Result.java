package berth.scheduling;

import java.util.function.Function;

/**
 * What was searched for, or why there is none.
 *
 * @param <T> the type of what was searched for
 */
public sealed interface Result<T> {

    record Found<T>(T value) implements Result<T> {}

    record Rejected<T>(Rejection reason) implements Result<T> {}

    /** Returns the result with what {@code then} makes of the value. */
    default <R> Result<R> map(Function<T, R> then) {
        return switch (this) {
            case Found<T>(var value) -> new Found<>(then.apply(value));
            case Rejected<T>(var reason) -> new Rejected<>(reason);
        };
    }
}
