package berth.engine;

import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.instances.Instances;
import berth.runtime.RestartNeeded;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.runtime.Timekeeper;
import berth.runtime.Uptime;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Scheduled;

/** Creates the desks. */
@Configuration(proxyBeanMethods = false)
public class DeskConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DeskConfiguration.class);

    /** The cluster of a new service, for first steps. */
    static final Cluster DEMO = Cluster.of("demo", 64).under(Policy.SERVICE);

    @Bean
    Timekeeper clock() {
        return new Timekeeper(InstantSource.system(), System::nanoTime, Uptime::uptime);
    }

    @Bean
    MeterBinder clockMeters(Timekeeper timekeeper) {
        return registry -> Gauge.builder(
                        "berth.clock.jump",
                        timekeeper,
                        it -> it.jump().orElse(Duration.ZERO).toMillis() / 1000.0)
                .description(
                        "How far the clock is ahead of the elapsed time, or behind it if negative. 0 while Berth believes the"
                                + " clock.")
                .baseUnit("seconds")
                .register(registry);
    }

    /** The bean's name is the name of the component in the health report. */
    @Bean
    public HealthIndicator clockHealthIndicator(Timekeeper timekeeper) {
        return () -> timekeeper
                .jump()
                .map(jump -> Health.down()
                        .withDetail("jump", Timekeeper.advice(jump))
                        .build())
                .orElseGet(() -> Health.up().build());
    }

    @Bean
    Threads threads() {
        return Threads.OF_THE_JVM;
    }

    @Bean
    Budgets budgets(BudgetStore store) {
        return new Budgets(store);
    }

    @Bean
    BudgetClock budgetClock(Desks desks, Budgets budgets, InstantSource clock) {
        return new BudgetClock(desks, budgets, clock);
    }

    @Bean
    Desks desks(
            Ledger ledger,
            Records records,
            Budgets budgets,
            Threads threads,
            InstantSource clock,
            @Value("${berth.patience}") Duration patience,
            MeterRegistry registry) {
        return new Desks(ledger, records, budgets, threads, clock, patience, registry);
    }

    @Bean
    AdmissionControl admissionControl(Desks desks) {
        return new AdmissionControl(desks);
    }

    @Bean
    QueuePlans queuePlans(Desks desks, InstantSource clock) {
        return new QueuePlans(desks, clock);
    }

    @Bean
    Agents agents(InstantSource clock, MeterRegistry registry) {
        return new Agents(clock, registry);
    }

    @Bean
    Cluster firstCluster() {
        return DEMO;
    }

    @Bean
    ApplicationListener<PayloadApplicationEvent<RestartNeeded>> end(Desks desks, ApplicationEventPublisher events) {
        return event -> {
            var why = event.getPayload().why();
            log.error(why);
            AvailabilityChangeEvent.publish(events, desks, LivenessState.BROKEN);
            if (event.getPayload().cause() == RestartNeeded.Cause.REPLACED) {
                desks.close(why);
            }
        };
    }

    @Bean
    DeskWatch deskWatch(Desks desks, Ledger ledger, ApplicationEventPublisher events) {
        return new DeskWatch(desks, ledger, events, new AtomicBoolean());
    }

    /** Ends a process in which a desk has worked and works no more, since a new process may open it. */
    record DeskWatch(Desks desks, Ledger ledger, ApplicationEventPublisher events, AtomicBoolean isTold) {
        @Scheduled(fixedDelayString = "PT1S")
        void look() {
            var lost = desks.lost();
            if (lost.isEmpty() || isTold.get()) {
                return;
            }
            try {
                // says itself if another process has taken over
                ledger.requireWriter();
            } catch (StorageUnavailable e) {
                log.debug("Whether another process has taken over is not known yet.", e);
                return;
            }
            isTold.set(true);
            events.publishEvent(new RestartNeeded(RestartNeeded.Cause.DESK_LOST, lost.get()));
        }
    }

    @Bean
    RefusalRecorder refusalRecorder(Desks desks) {
        return new RefusalRecorder(desks);
    }

    /** Periodically records how many requests were refused. */
    record RefusalRecorder(Desks desks) {
        @Scheduled(fixedDelayString = "PT5S")
        void record() {
            try {
                desks.recordRefusals();
            } catch (StorageUnavailable e) {
                log.debug("The rejections were not counted; Berth counts them later.", e);
            }
        }
    }

    /** Reports a cluster that cannot record in the details; it does not take the whole service out of service. */
    @Bean
    HealthIndicator desksHealthIndicator(Desks desks, Instances instances) {
        return () -> {
            if (instances.turn() instanceof Instances.Turn.There(var active)) {
                return Health.up()
                        .withDetail(
                                "standby",
                                "This instance stands by and passes calls on to %s.".formatted(active.name()))
                        .build();
            }
            if (!desks.isRecovered()) {
                return Health.outOfService().build();
            }
            var health = desks.isHealthy() ? Health.up() : Health.down();
            desks.closed().ifPresent(why -> health.withDetail("closed", why));
            desks.troubles().forEach((cluster, why) -> health.withDetail(cluster.value(), why));
            return health.build();
        };
    }
}
