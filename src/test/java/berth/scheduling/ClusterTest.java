package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.pricing.Tariff;
import org.junit.jupiter.api.Test;

class ClusterTest {

    @Test
    void hasPesAndAHorizonWithinBounds() {
        assertThat(cluster(1, 1).pes()).isEqualTo(1);
        assertThat(cluster(Cluster.MAX_PES, Cluster.MAX_HORIZON).pes()).isEqualTo(10_000_000);
    }

    @Test
    void namesTheFigureThatIsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster(0, 1))
                .withMessage("The pes (0) must lie between 1 and 10000000.");
        assertThatIllegalArgumentException().isThrownBy(() -> cluster(Cluster.MAX_PES + 1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster(1, 0))
                .withMessage("The horizon (0 s) must lie between 1 s and 315360000 s.");
        assertThatIllegalArgumentException().isThrownBy(() -> cluster(1, Cluster.MAX_HORIZON + 1));
    }

    private static Cluster cluster(int pes, long horizon) {
        return new Cluster("sp2", pes, horizon, Tariff.STANDARD);
    }
}
