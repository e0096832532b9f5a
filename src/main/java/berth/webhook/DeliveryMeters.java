package berth.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** Counts what becomes of messages. */
final class DeliveryMeters {

    private final Counter arrived;
    private final Counter failed;
    private final Counter gone;

    DeliveryMeters(MeterRegistry registry, Supplier<Number> lag, Supplier<Number> disabled) {
        arrived = counter(registry, "arrived");
        failed = counter(registry, "failed");
        gone = counter(registry, "gone");
        Gauge.builder("berth.webhooks.lag", lag)
                .description("For how long what a webhook is told at present has been waiting, of the slowest")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("berth.webhooks.disabled", disabled)
                .description("Webhooks to which nothing is delivered")
                .baseUnit("webhooks")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String outcome) {
        return Counter.builder("berth.webhooks.deliveries")
                .description("Attempts to deliver a message to a webhook, by what came of them")
                .tag("outcome", outcome)
                .baseUnit("attempts")
                .register(registry);
    }

    void arrived() {
        arrived.increment();
    }

    void failed() {
        failed.increment();
    }

    void gone() {
        gone.increment();
    }
}
