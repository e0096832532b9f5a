package berth.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.LongStream;
import org.springframework.stereotype.Component;

/** Timers for calls, in addition to the measurements of every HTTP request. {@code docs/how-to/operations.md} describes them. */
@Component
public final class RestMeters {

    private static final Duration[] PROBE_TIMES = LongStream.of(
                    10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
                    1_000_000)
            .mapToObj(micros -> Duration.ofNanos(micros * 1000))
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final Timer slots;
    private final Timer nothing;

    RestMeters(MeterRegistry registry) {
        this.registry = registry;
        this.slots = probes(registry, "slots");
        this.nothing = probes(registry, "nothing");
    }

    private static Timer probes(MeterRegistry registry, String outcome) {
        return Timer.builder("berth.probes")
                .description(
                        "Time to answer a probe on all its clusters, without HTTP. slots: it found slots. nothing: it found none and"
                                + " gave a reason.")
                .tag("outcome", outcome)
                .serviceLevelObjectives(PROBE_TIMES)
                .register(registry);
    }

    public Timer.Sample start() {
        return Timer.start(registry);
    }

    /** Records the time of a probe that has ended. */
    public void probed(Timer.Sample start, boolean isOffered) {
        start.stop(isOffered ? slots : nothing);
    }
}
