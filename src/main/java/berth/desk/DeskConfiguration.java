package berth.desk;

import berth.pricing.Tariff;
import berth.scheduling.Cluster;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
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
        return arguments -> desks.recover(DEMO);
    }

    @Bean
    ApplicationListener<PayloadApplicationEvent<WriterReplaced>> replacement(Desks desks) {
        return event -> {
            var why = "Another Berth (%s) has taken over the database; this one must be restarted."
                    .formatted(event.getPayload().by());
            log.error(why);
            desks.close(why);
        };
    }

    @Bean
    HealthIndicator desksHealthIndicator(Desks desks) {
        return () -> {
            if (!desks.isHealthy()) {
                return Health.down().build();
            }
            return (desks.isRecovered() ? Health.up() : Health.outOfService()).build();
        };
    }
}
