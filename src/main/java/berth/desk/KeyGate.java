package berth.desk;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets one request at a time work with a key, so that of many that come together one is decided and the rest hear it. */
final class KeyGate {

    private record AccountKey(String account, String key) {}

    private final Map<AccountKey, CountDownLatch> underWay = new ConcurrentHashMap<>();

    /**
     * Waits until nobody else works with the key.
     *
     * @return what to run when the work is done and its outcome known; empty if patience ran out
     */
    Optional<Runnable> enter(KeyUse use, Duration patience) {
        var key = new AccountKey(use.account(), use.key());
        var mine = new CountDownLatch(1);
        long end = System.nanoTime() + patience.toNanos();
        try {
            for (var other = underWay.putIfAbsent(key, mine); other != null; other = underWay.putIfAbsent(key, mine)) {
                if (!other.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return Optional.empty();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        return Optional.of(() -> {
            underWay.remove(key);
            mine.countDown();
        });
    }
}
