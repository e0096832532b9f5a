package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Checks that an account with impossible requests does not delay other accounts. */
class FloodIT extends ServiceSuite {

    private static final int IMPOSSIBLE_AT_A_TIME = 100;

    @Test
    void anAccountThatSendsImpossibleRequestsDoesNotDelayOthers() {
        var cluster = newCluster(8);
        var flooding = client();
        for (int hour = 24; hour < 40; hour++) {
            reserve(flooding, cluster, terms(hour, hour + 1, 7));
        }
        var isOver = new AtomicBoolean();
        Set<Integer> heard = ConcurrentHashMap.newKeySet();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < IMPOSSIBLE_AT_A_TIME; i++) {
                threads.execute(() -> {
                    while (!isOver.get()) {
                        heard.add(reserve(flooding, cluster, terms(24, 40, 8)).status());
                    }
                });
            }
            try {
                while (heard.isEmpty()) {
                    Thread.onSpinWait();
                }
                var other = client();
                for (int hour = 24; hour < 40; hour++) {
                    assertThat(reserve(other, cluster, terms(hour, hour + 1, 1)).status())
                            .isEqualTo(201);
                }
                // expensive requests of all accounts take turns
                assertThat(reserve(other, cluster, terms(24, 40, 8)).status()).isEqualTo(409);
            } finally {
                isOver.set(true);
            }
        }
        assertThat(heard).contains(409).isSubsetOf(409, 429);
    }

    private static String terms(int from, int to, int pes) {
        return """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":%d}""".formatted(at(from), at(to), pes);
    }
}
