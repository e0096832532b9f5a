package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ReservationState;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Claim;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Fix.Wish;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TargetTest {

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).claimWithin(9));

    @Test
    void isMissedInAnotherVersion() {
        cluster.grant(Request.of(1, 8, 10).start(50).hold(20));
        cluster.grant(new Confirm(version(0)));

        for (var command : List.of(new Fix(version(0), Wish.OWNERS), new Cancel(version(0)), new Confirm(version(0)))) {
            assertThat(cluster.refuse(command)).isEqualTo(new Rejection.StaleVersion(1));
        }
        assertThat(cluster.grant(new Fix(version(1), Wish.OWNERS)).status().version())
                .isEqualTo(2);
    }

    @Test
    void isMetInItsVersionOrInAny() {
        cluster.grant(Request.of(1, 8, 10));
        cluster.advance();

        cluster.grant(new Claim(version(1)));
        cluster.grant(new Complete(new Target(Request.id(1), OptionalInt.empty())));

        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(cluster.refuse(new Complete(version(3)))).isEqualTo(new Rejection.NotLive(Request.id(1)));
    }

    private static Target version(int version) {
        return new Target(Request.id(1), OptionalInt.of(version));
    }
}
