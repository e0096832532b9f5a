package berth.booking;

import berth.cluster.Intake;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.engine.Records;
import berth.peers.BerthClient;
import berth.peers.HttpBerthClient;
import berth.peers.MirrorStore;
import berth.peers.PeerNetworks;
import berth.peers.PeerStore;
import berth.peers.Peers;
import berth.peers.QuestionStore;
import berth.peers.WireTerms;
import berth.runtime.Threads;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the broker. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BrokerSettings.class)
class BrokerConfiguration {

    @Bean
    BerthClient berthClient(BrokerSettings settings) {
        return new HttpBerthClient(new PeerNetworks(settings.peers().networks()));
    }

    @Bean
    Peers peers(PeerStore store, BerthClient client, Threads threads, InstantSource clock) {
        return new Peers(store, client, threads, clock);
    }

    @Bean
    HoldTimes holds(BrokerSettings settings) {
        return settings.holds().times();
    }

    @Bean
    Mirrors mirrors(
            Peers peers,
            MirrorStore store,
            QuestionStore questions,
            WireTerms wire,
            Threads threads,
            InstantSource clock,
            HoldTimes holds) {
        return new Mirrors(peers, store, questions, wire, threads, clock, holds);
    }

    @Bean
    Clusters clusters(
            Desks desks,
            AdmissionControl admission,
            Records records,
            Peers peers,
            Mirrors mirrors,
            WireTerms wire,
            HoldTimes holds,
            InstantSource clock) {
        return new Clusters(desks, admission, records, peers, mirrors, wire, holds, clock);
    }

    @Bean
    Broker broker(Desks desks, Clusters clusters, Threads threads, InstantSource clock) {
        return new Broker(desks.keys(), clusters, threads, clock);
    }

    @Bean
    Probes probes(Desks desks, AdmissionControl admission, Clusters clusters, Broker broker) {
        return new Probes(desks, admission, clusters, broker);
    }

    @Bean
    Renegotiations renegotiations(Desks desks, AdmissionControl admission, Records records) {
        return new Renegotiations(desks, admission, records);
    }

    @Bean
    Intake intakeWithoutCluster(BrokerSettings settings) {
        return settings.broker().intake().rules();
    }

    @Bean
    BrokerIntake brokerIntake(Intake rules, BrokerRounds rounds, Desks desks, Clusters clusters, InstantSource clock) {
        return new BrokerIntake(rules, rounds, desks, clusters, clock);
    }

    @Bean
    CoallocationCompletion coallocationCompletion(
            CoallocationStore store, Clusters clusters, Threads threads, InstantSource clock) {
        return new CoallocationCompletion(store, clusters, threads, clock);
    }

    @Bean
    Coallocations coallocations(
            Desks desks,
            CoallocationStore store,
            Clusters clusters,
            CoallocationCompletion completion,
            InstantSource clock) {
        return new Coallocations(desks.keys(), store, clusters, completion, clock);
    }

    @Bean
    BrokerTasks brokerTasks(
            Desks desks, CoallocationCompletion coallocations, Mirrors mirrors, Peers peers, CoallocationStore store) {
        return new BrokerTasks(desks, coallocations, mirrors, peers, store);
    }
}
