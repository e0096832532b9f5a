package berth.desk;

import berth.pricing.Tariff;
import berth.scheduling.Cluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the desks once everything else is there. Until then the service answers that it is not available. */
@Configuration(proxyBeanMethods = false)
class DeskConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DeskConfiguration.class);

    /** The cluster of a fresh service, so that there is something to try. */
    static final Cluster DEMO = new Cluster("demo", 64, Cluster.STANDARD_HORIZON, Tariff.STANDARD);

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    Desks desks(Ledger ledger, Records records, InstantSource clock, @Value("${berth.patience}") Duration patience) {
        return new Desks(ledger, records, clock, patience);
    }

    @Bean
    ApplicationRunner recovery(Desks desks) {
        return arguments -> {
            desks.recover();
            if (desks.clusters().isEmpty()) {
                desks.create(DEMO, Optional.empty());
                log.info("Created cluster {} with {} PEs to try things on.", DEMO.id(), DEMO.pes());
            }
        };
    }

    @Bean
    HealthIndicator desksHealthIndicator(Desks desks) {
        return () -> {
            if (!desks.isRecovered()) {
                return Health.outOfService().build();
            }
            var closed = desks.closed();
            return closed.isEmpty()
                    ? Health.up().build()
                    : Health.down().withDetails(closed).build();
        };
    }
}
