package berth.broker;

import berth.cluster.Intake;
import berth.desk.Desks;
import berth.desk.Records;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sets the broker up. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BrokerSettings.class)
class BrokerConfiguration {

    @Bean
    BerthClient berthClient() {
        return new BerthClient();
    }

    @Bean
    Providers providers(ProviderStore store, BerthClient client, InstantSource clock) {
        return new Providers(store, client, clock);
    }

    @Bean
    Holds holds(BrokerSettings settings) {
        return settings.holds().toHolds();
    }

    @Bean
    Mirrors mirrors(Providers providers, MirrorStore store, WireTerms wire, InstantSource clock, Holds holds) {
        return new Mirrors(providers, store, wire, clock, holds);
    }

    @Bean
    Broker broker(Desks desks, Providers providers, Mirrors mirrors, WireTerms wire, InstantSource clock) {
        return new Broker(desks, providers, mirrors, wire, clock);
    }

    @Bean
    Probes probes(Desks desks, Providers providers, Broker broker, InstantSource clock) {
        return new Probes(desks, providers, broker, clock);
    }

    @Bean
    Renegotiations renegotiations(Desks desks, Records records, InstantSource clock) {
        return new Renegotiations(desks, records, clock);
    }

    @Bean
    Intake intakeWithoutCluster(BrokerSettings settings) {
        return settings.broker().intake().rules();
    }

    @Bean
    BrokerIntake brokerIntake(
            Intake rules,
            BrokerRounds rounds,
            Desks desks,
            Providers providers,
            Mirrors mirrors,
            WireTerms wire,
            InstantSource clock) {
        return new BrokerIntake(
                rules,
                rounds,
                desks,
                () -> providers.all().stream()
                        .map(provider -> new RemoteCluster(provider, providers, mirrors, wire))
                        .toList(),
                clock);
    }

    @Bean
    Coallocations coallocations(
            Desks desks,
            Records records,
            Providers providers,
            Mirrors mirrors,
            WireTerms wire,
            CoallocationStore store,
            InstantSource clock,
            Holds holds) {
        return new Coallocations(
                desks,
                store,
                clock,
                cluster -> providers
                        .find(cluster)
                        .<PartMember>map(provider ->
                                new RemotePart(new RemoteCluster(provider, providers, mirrors, wire), mirrors, clock))
                        .orElseGet(() -> new LocalPart(cluster, desks, records, holds, clock)));
    }

    @Bean
    Settler settler(
            Desks desks, Coallocations coallocations, Mirrors mirrors, Providers providers, CoallocationStore store) {
        return new Settler(desks, coallocations, mirrors, providers, store);
    }
}
