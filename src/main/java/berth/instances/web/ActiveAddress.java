package berth.instances.web;

import berth.instances.Instance;
import berth.instances.Instances;
import berth.instances.Instances.Turn;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Checks every second that the address of the active instance leads to that instance. From an address that leads nowhere, clients of a
 * standby get no response; one that leads elsewhere would get their tokens. The active instance checks its own address, and only warns: its
 * network may not lead back to it. Thread-safe.
 */
public final class ActiveAddress {

    private static final Logger log = LoggerFactory.getLogger(ActiveAddress.class);

    /** The header in which the response to a check has the id of the instance. */
    static final String INSTANCE = "Berth-Instance";

    /** The value of {@link Relay#RELAYED} in a check. */
    static final String CHECK = "check";

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Instances instances;
    private final Duration lease;
    private final HttpClient client = Relay.client();

    private volatile Optional<Reached> reached = Optional.empty();
    private volatile boolean isWarned;

    // used only by the scheduled check
    private @Nullable CompletableFuture<Boolean> asking;

    /** The last time at which an address led to its instance, by {@link System#nanoTime}. */
    private record Reached(UUID instance, long at) {}

    /**
     * Creates the check.
     *
     * @param lease how long a successful check counts
     */
    public ActiveAddress(Instances instances, Duration lease, MeterRegistry registry) {
        this.instances = instances;
        this.lease = lease;
        Gauge.builder(
                        "berth.active.reached",
                        this,
                        it -> it.checked().filter(it::isReached).isPresent() ? 1 : 0)
                .description("1 if the address of the active instance leads to it from this instance, else 0.")
                .register(registry);
    }

    /** Returns the active instance as far as this instance knows it. */
    private Optional<Instance> checked() {
        return switch (instances.turn()) {
            case Turn.Here() -> instances.self();
            case Turn.There(var active) -> Optional.of(active);
            case Turn.Nobody() -> Optional.empty();
        };
    }

    /** Begins the next check unless the last one is in progress. */
    @Scheduled(fixedDelayString = "PT1S")
    void look() {
        if (asking != null && !asking.isDone()) {
            return;
        }
        checked().ifPresent(instance -> {
            if (asking != null && !isReached(instance)) {
                warn(instance);
            } else if (isReached(instance)) {
                isWarned = false;
            }
            asking = ask(instance);
        });
    }

    private void warn(Instance instance) {
        if (!isWarned) {
            isWarned = true;
            log.warn(advice(instance));
        }
    }

    /** Returns what an operator can do about an address that does not lead to its instance. */
    public static String advice(Instance instance) {
        return "The address %s does not lead to the active instance, %s. Set BERTH_INSTANCES_URL there to an address at which the other instances reach it."
                .formatted(instance.url(), instance.name());
    }

    /** Whether the address led to that instance at some time within the last lease. */
    public boolean isReached(Instance instance) {
        return reached.filter(it -> it.instance.equals(instance.id()) && System.nanoTime() - it.at < lease.toNanos())
                .isPresent();
    }

    /** Whether the address has led to that instance since it became active; checks it if that is not known yet. */
    boolean leadsTo(Instance instance) throws InterruptedException {
        if (reached.filter(it -> it.instance.equals(instance.id())).isPresent()) {
            return true;
        }
        try {
            return ask(instance).get();
        } catch (ExecutionException e) {
            return false;
        }
    }

    private CompletableFuture<Boolean> ask(Instance instance) {
        long now = System.nanoTime();
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(
                            instance.url().resolve(instance.url().getRawPath() + "/"))
                    .header(Relay.RELAYED, CHECK)
                    .timeout(TIMEOUT)
                    .build();
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(false);
        }
        return client.sendAsync(request, BodyHandlers.discarding())
                .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .handle((response, failure) -> {
                    boolean isIt = failure == null && isFrom(instance, response);
                    if (isIt) {
                        reached = Optional.of(new Reached(instance.id(), now));
                    }
                    return isIt;
                });
    }

    /** Instances of other versions may not say who they are. */
    private boolean isFrom(Instance instance, HttpResponse<?> response) {
        return response.headers()
                .firstValue(INSTANCE)
                .map(instance.id().toString()::equals)
                .orElseGet(() -> instances
                        .self()
                        .filter(self -> !self.version().equals(instance.version()))
                        .isPresent());
    }
}
