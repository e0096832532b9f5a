package berth.persistence;

import berth.broker.Peers;
import berth.cluster.Cluster;
import berth.desk.Desks;
import berth.desk.Instance;
import berth.desk.Instances;
import berth.security.Accounts;
import berth.security.AdminToken;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Wires when an instance opens its desks: at its start where it is alone, else when it is its turn. */
@Configuration(proxyBeanMethods = false)
class InstancesConfiguration {

    @Bean
    Opening opening(Accounts accounts, AdminToken adminToken, Peers peers, Desks desks, Cluster firstCluster) {
        return new Opening(accounts, adminToken, peers, desks, firstCluster);
    }

    /** Opens the desks of an instance that is alone, once everything else is there. Until then it answers that it is not available. */
    @Bean
    @ConditionalOnProperty(name = "berth.instances", havingValue = "ONE")
    ApplicationRunner recovery(Opening opening) {
        return _ -> opening.open();
    }

    @Bean
    @ConditionalOnProperty(name = "berth.instances", havingValue = "ONE")
    Instances alone(Generation generation, Environment environment, InstantSource clock) {
        return new Alone(self(generation, environment, clock).in(Instance.State.ACTIVE), clock);
    }

    @Bean
    @ConditionalOnProperty(name = "berth.instances", havingValue = "MANY")
    PostgresInstances instances(
            JdbcConnectionDetails database,
            Durability durability,
            Generation generation,
            Succession succession,
            ObjectProvider<Opening> opening,
            Environment environment,
            InstantSource clock,
            @Value("${berth.lease}") Duration lease,
            MeterRegistry registry) {
        return new PostgresInstances(
                database,
                durability,
                generation,
                succession,
                opening::getObject,
                () -> self(generation, environment, clock),
                lease,
                registry);
    }

    /** Once calls are taken. */
    @Bean
    @ConditionalOnProperty(name = "berth.instances", havingValue = "MANY")
    ApplicationRunner standingBy(PostgresInstances instances) {
        return _ -> instances.standBy();
    }

    private static Instance self(Generation generation, Environment environment, InstantSource clock) {
        var url = environment.getRequiredProperty("berth.instance.url");
        var now = clock.instant();
        return new Instance(
                generation.process(),
                generation.name(),
                URI.create(
                        url.isBlank()
                                ? "http://%s:%s".formatted(Generation.hostName(), port(environment))
                                : url.strip().replaceAll("/+$", "")),
                environment.getProperty("spring.application.version", "development"),
                Instance.State.STANDBY,
                now,
                now);
    }

    /** Where calls are taken; the one that was wanted as long as there is none. */
    private static String port(Environment environment) {
        return environment.getProperty("local.server.port", environment.getRequiredProperty("server.port"));
    }
}
