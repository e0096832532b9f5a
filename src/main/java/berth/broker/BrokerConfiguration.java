package berth.broker;

import berth.cluster.Intake;
import berth.desk.Desks;
import berth.desk.Records;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.Scheduled;

/** Sets the broker up. */
@Configuration(proxyBeanMethods = false)
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
    Holds holds(
            @Value("${berth.holds.elsewhere}") Duration elsewhere,
            @Value("${berth.holds.here}") Duration here,
            @Value("${berth.holds.doubt}") Duration doubt) {
        return Holds.of(elsewhere, here, doubt);
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
    Intake intakeWithoutCluster(Environment environment) {
        return IntakeSettings.read(environment);
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

    /** Does what is still to be done about co-allocations and for other Berths, also after a restart. */
    static final class Settler {
        private static final Logger log = LoggerFactory.getLogger(Settler.class);

        private final Desks desks;
        private final Coallocations coallocations;
        private final Mirrors mirrors;
        private final Providers providers;
        private final CoallocationStore store;
        private final AtomicBoolean refreshing = new AtomicBoolean();
        private final AtomicBoolean settling = new AtomicBoolean();
        private final AtomicBoolean paying = new AtomicBoolean();

        Settler(
                Desks desks,
                Coallocations coallocations,
                Mirrors mirrors,
                Providers providers,
                CoallocationStore store) {
            this.desks = desks;
            this.coallocations = coallocations;
            this.mirrors = mirrors;
            this.providers = providers;
            this.store = store;
        }

        /**
         * What the clusters of other Berths are, and the parts of co-allocations there, may change there. At a fixed rate, too: see
         * {@link #settle}.
         */
        @Scheduled(initialDelayString = "PT30S", fixedRateString = "PT30S")
        void refresh() {
            if (!refreshing.compareAndSet(false, true)) {
                return;
            }
            try {
                providers.refresh();
                mirrors.refresh(store.watchedElsewhere());
                store.forgetEnded();
            } catch (RuntimeException e) {
                log.debug("The clusters of other Berths were not read anew.", e);
            } finally {
                refreshing.set(false);
            }
        }

        /** At a fixed rate it has a thread of its own: what does not answer holds up nothing else. */
        @Scheduled(fixedRateString = "PT2S")
        void settle() {
            once(settling, () -> {
                coallocations.settleAll();
                coallocations.degradeAll();
            });
        }

        @Scheduled(fixedRateString = "PT2S")
        void pay() {
            once(paying, mirrors::settleAll);
        }

        private void once(AtomicBoolean running, Runnable work) {
            if (!desks.isRecovered() || !running.compareAndSet(false, true)) {
                return;
            }
            try {
                work.run();
            } catch (RuntimeException e) {
                log.debug("What is still to be done is not done yet.", e);
            } finally {
                running.set(false);
            }
        }
    }
}
