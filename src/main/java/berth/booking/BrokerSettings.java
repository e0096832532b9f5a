package berth.booking;

import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.peers.PeerNetworks;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The broker's settings below {@code berth}. An invalid value prevents the start, with a message that names it.
 *
 * @param holds how long slots are held
 * @param peers where other Berths may be
 */
@ConfigurationProperties("berth")
record BrokerSettings(
        @DefaultValue Requests broker,
        @DefaultValue Holds holds,
        @DefaultValue Elsewhere peers) {

    /** The networks of other Berths, see {@link PeerNetworks}. */
    record Elsewhere(@DefaultValue List<String> networks) {

        /** @throws IllegalArgumentException if one of them is not a network */
        Elsewhere {
            var unused = new PeerNetworks(networks);
        }
    }

    /**
     * The intake of requests without a cluster.
     *
     * @param intake how they are taken in
     */
    record Requests(@DefaultValue Collecting intake) {}

    /** The same settings as for the intake of a cluster, see {@link Intake}. */
    record Collecting(
            @DefaultValue("ARRIVAL") IntakeOrder order,
            @DefaultValue("0s") Duration window,
            @DefaultValue("10") int levels,
            @DefaultValue("3") int jobsPerUser) {

        /** @throws IllegalArgumentException if a figure is out of range */
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

    /** The lengths of holds, see {@link HoldTimes}. */
    record Holds(
            @DefaultValue("60s") Duration elsewhere,
            @DefaultValue("120s") Duration here,
            @DefaultValue("30s") Duration doubt) {

        /** @throws IllegalArgumentException if they contradict each other */
        Holds {
            HoldTimes.of(elsewhere, here, doubt);
        }

        HoldTimes times() {
            return HoldTimes.of(elsewhere, here, doubt);
        }
    }
}
