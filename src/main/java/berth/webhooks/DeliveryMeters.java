package berth.webhooks;

import berth.webhooks.Webhook.DisabledFor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Counts the results of messages and the disabled webhooks. */
final class DeliveryMeters {

    private final Counter arrived;
    private final Counter failed;
    private final Counter gone;
    private final Counter disabledAsGone;
    private final Counter disabledAsFailed;

    /**
     * Registers the meters.
     *
     * @param disabled returns how many webhooks are disabled for a reason
     */
    DeliveryMeters(MeterRegistry registry, Supplier<Number> lag, ToDoubleFunction<DisabledFor> disabled) {
        arrived = counter(registry, "arrived");
        failed = counter(registry, "failed");
        gone = counter(registry, "gone");
        disabledAsGone = disablings(registry, DisabledFor.GONE);
        disabledAsFailed = disablings(registry, DisabledFor.FAILED);
        Gauge.builder("berth.webhooks.lag", lag)
                .description(
                        "Age of the oldest message that is being delivered, of the slowest webhook. A receiver that does not answer"
                                + " counts until its webhook is disabled.")
                .baseUnit("seconds")
                .register(registry);
        for (var why : DisabledFor.values()) {
            Gauge.builder("berth.webhooks.disabled", why, disabled)
                    .description("Webhooks that are disabled, by reason, as the active instance counts them.")
                    .tag("why", word(why))
                    .baseUnit("webhooks")
                    .register(registry);
        }
    }

    private static Counter counter(MeterRegistry registry, String outcome) {
        return Counter.builder("berth.webhooks.deliveries")
                .description("Attempts to deliver a message to a webhook, by outcome. gone: the receiver answered 410.")
                .tag("outcome", outcome)
                .baseUnit("attempts")
                .register(registry);
    }

    private static Counter disablings(MeterRegistry registry, DisabledFor why) {
        return Counter.builder("berth.webhooks.disablings")
                .description("How often Berth has disabled a webhook, by reason. The log names the webhook.")
                .tag("why", word(why))
                .register(registry);
    }

    private static String word(DisabledFor why) {
        return why.name().toLowerCase(Locale.ROOT);
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

    void disabled(DisabledFor why) {
        switch (why) {
            case GONE -> disabledAsGone.increment();
            case FAILED -> disabledAsFailed.increment();
            case OWNER -> {}
        }
    }
}
