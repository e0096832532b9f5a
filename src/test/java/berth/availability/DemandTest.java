package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.time.Window;
import org.junit.jupiter.api.Test;

class DemandTest {

    private static final Window WINDOW = new Window(100, 160);

    @Test
    void startsAtTheLatestSoThatItEndsAtTheDeadline() {
        assertThat(new Demand(WINDOW, 20, 1, 100).latestStart()).isEqualTo(140);
    }

    @Test
    void hasFiguresInRange() {
        assertThat(new Demand(WINDOW, 1, 1, 100).present()).isEqualTo(100);
        assertThatIllegalArgumentException().isThrownBy(() -> new Demand(WINDOW, 0, 1, 100));
        assertThatIllegalArgumentException().isThrownBy(() -> new Demand(WINDOW, 1, 0, 100));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Demand(WINDOW, 1, 2, 101))
                .withMessage(
                        "A demand needs a duration (1) and PEs (2) of at least 1, and the present (101) must not lie after the"
                                + " ready time of Window[readyTime=100, deadline=160].");
    }
}
