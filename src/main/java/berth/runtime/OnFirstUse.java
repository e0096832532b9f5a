package berth.runtime;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first used, such as a client that many services never need. Thread-safe. */
public final class OnFirstUse<T extends Object> {

    private final Supplier<T> maker;
    private @Nullable T made;

    public OnFirstUse(Supplier<T> maker) {
        this.maker = maker;
    }

    public synchronized T get() {
        if (made == null) {
            made = maker.get();
        }
        return made;
    }

    /** Returns it if it has been made. */
    public synchronized Optional<T> made() {
        return Optional.ofNullable(made);
    }
}
