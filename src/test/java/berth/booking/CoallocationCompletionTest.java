package berth.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.runtime.Threads;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A service without open co-allocations does not ask its database again and again. */
class CoallocationCompletionTest {

    private int looks;
    private BooleanSupplier isAnyOpen = () -> false;

    @SuppressWarnings("NullAway") // no part is asked for its cluster
    private final CoallocationCompletion completion =
            new CoallocationCompletion(store(), null, Threads.OF_THE_JVM, InstantSource.system());

    private CoallocationStore store() {
        var type = CoallocationStore.class;
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            if (method.getReturnType() == boolean.class) {
                looks++;
                return isAnyOpen.getAsBoolean();
            }
            return List.of();
        }));
    }

    @Test
    void theStoreIsAskedOnceIfNothingIsOpen() {
        completion.workOnOpen();
        completion.workOnOpen();

        assertThat(looks).isEqualTo(1);
    }

    @Test
    void theStoreIsAskedAgainAfterACoallocationWasRecorded() {
        completion.workOnOpen();
        completion.expectOpen();
        completion.workOnOpen();

        assertThat(looks).isEqualTo(2);
    }

    @Test
    void aCoallocationRecordedDuringTheLookIsSeenByTheNext() {
        isAnyOpen = () -> {
            completion.expectOpen();
            return false;
        };
        completion.workOnOpen();
        completion.workOnOpen();

        assertThat(looks).isEqualTo(2);
    }

    @Test
    void theStoreIsAskedAgainWhileSomethingIsOpenOrItFails() {
        isAnyOpen = () -> true;
        completion.workOnOpen();
        isAnyOpen = () -> {
            throw new IllegalStateException("as the test wants it");
        };
        assertThatThrownBy(completion::workOnOpen).isInstanceOf(IllegalStateException.class);
        isAnyOpen = () -> false;
        completion.workOnOpen();

        assertThat(looks).isEqualTo(3);
    }
}
