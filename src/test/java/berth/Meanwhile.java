package berth;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lets something happen in the middle of a call, between two of its reads. */
public final class Meanwhile {

    private Meanwhile() {}

    /** Returns {@code real} as it is, except that {@code event} happens before the first call of {@code method}. */
    public static <T> T before(String method, Class<T> type, T real, Runnable event) {
        var hasHappened = new AtomicBoolean();
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, called, arguments) -> {
                    if (called.getName().equals(method) && !hasHappened.getAndSet(true)) {
                        event.run();
                    }
                    return called.invoke(real, arguments);
                }));
    }
}
