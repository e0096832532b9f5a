package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.time.Slot;
import berth.time.Window;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TermsTest {

    private final Terms terms = terms(new Window(100, 160), 20, 4);

    @Test
    void areAsFlexibleAsTheWindowIsLongerThanTheRun() {
        assertThat(terms.flexibility()).isEqualTo(40);
        assertThat(terms(new Window(100, 160), 60, 4).flexibility()).isZero();
    }

    @Test
    void mustBeginByTheLatestStartToMeetTheDeadline() {
        assertThat(terms.latestStart()).isEqualTo(140);
        assertThat(terms(new Window(100, 160), 60, 4).latestStart()).isEqualTo(100);
    }

    @Test
    void allowSlotsOfTheirDurationInsideTheWindow() {
        assertThat(terms.allow(List.of(Part.whole(new Slot(100, 120), terms.pes()))))
                .isTrue();
        assertThat(terms.allow(List.of(Part.whole(new Slot(140, 160), terms.pes()))))
                .isTrue();
        assertThat(terms.allow(List.of(Part.whole(new Slot(99, 119), terms.pes()))))
                .isFalse();
        assertThat(terms.allow(List.of(Part.whole(new Slot(141, 161), terms.pes()))))
                .isFalse();
        assertThat(terms.allow(List.of(Part.whole(new Slot(100, 119), terms.pes()))))
                .isFalse();
        assertThat(terms.allow(List.of(Part.whole(new Slot(100, 121), terms.pes()))))
                .isFalse();
    }

    @Test
    void refuseARunThatIsLongerThanItsWindow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms(new Window(100, 160), 61, 4))
                .withMessage("A run of 61 s does not fit a window of 60 s.");
    }

    @Test
    void refuseARunOfNoTimeOrNoPes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms(new Window(100, 160), 0, 4))
                .withMessage("A shape of 4 PEs for 0 s: both must be positive.");
        assertThatIllegalArgumentException().isThrownBy(() -> terms(new Window(100, 160), 20, 0));
    }

    private static Terms terms(Window window, long duration, int pes) {
        return new Terms(
                window,
                duration,
                List.of(new Shape(pes, duration)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
    }
}
