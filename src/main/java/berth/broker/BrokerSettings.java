package berth.broker;

import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an operator sets for the broker, below {@code berth}. A wrong value stops the start, and is named.
 *
 * @param holds how long slots are held
 * @param peers where other Berths may be
 */
@ConfigurationProperties("berth")
record BrokerSettings(
        @DefaultValue Requests broker,
        @DefaultValue HoldTimes holds,
        @DefaultValue Elsewhere peers) {

    /** See {@link PeerNetworks}. */
    record Elsewhere(@DefaultValue List<String> networks) {

        /** @throws IllegalArgumentException if one of them is no network */
        Elsewhere {
            var unused = new PeerNetworks(networks);
        }
    }

    /** @param intake how requests without a cluster are taken in */
    record Requests(@DefaultValue Collecting intake) {}

    /** Like the intake of a cluster; see {@link Intake}. */
    record Collecting(
            @DefaultValue("ARRIVAL") IntakeOrder order,
            @DefaultValue("0s") Duration window,
            @DefaultValue("10") int levels,
            @DefaultValue("3") int jobsPerUser) {

        /** @throws IllegalArgumentException if a figure makes no sense */
        Collecting {
            if (window.getNano() != 0) {
                throw new IllegalArgumentException("The window must be whole seconds.");
            }
            rules(order, window, levels, jobsPerUser);
        }

        private static Intake rules(IntakeOrder order, Duration window, int levels, int jobsPerUser) {
            return new Intake(order, window.toSeconds(), levels, jobsPerUser);
        }

        Intake rules() {
            return rules(order, window, levels, jobsPerUser);
        }
    }

    /** See {@link Holds}. */
    record HoldTimes(
            @DefaultValue("60s") Duration elsewhere,
            @DefaultValue("120s") Duration here,
            @DefaultValue("30s") Duration doubt) {

        /** @throws IllegalArgumentException if they contradict each other */
        HoldTimes {
            Holds.of(elsewhere, here, doubt);
        }

        Holds toHolds() {
            return Holds.of(elsewhere, here, doubt);
        }
    }
}
