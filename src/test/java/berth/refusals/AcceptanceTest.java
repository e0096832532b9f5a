package berth.refusals;

import static org.assertj.core.api.Assertions.assertThat;

import berth.refusals.Acceptance.Lead;
import berth.refusals.Acceptance.Size;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AcceptanceTest {

    @Test
    void eachNumberOfPesHasOneSize() {
        for (int pes = 1; pes < 200; pes++) {
            var size = Size.of(pes);
            assertThat(pes).isGreaterThanOrEqualTo(size.least());
            assertThat(size.most().orElse(Integer.MAX_VALUE)).isGreaterThanOrEqualTo(pes);
        }
        assertThat(Arrays.stream(Size.values()).map(Size::most).filter(Optional::isEmpty))
                .hasSize(1);
    }

    @Test
    void theEndOfALeadBelongsToTheNext() {
        assertThat(Lead.of(0)).isEqualTo(Lead.NOW);
        assertThat(Lead.of(1)).isEqualTo(Lead.UNDER_AN_HOUR);
        assertThat(Lead.of(3599)).isEqualTo(Lead.UNDER_AN_HOUR);
        assertThat(Lead.of(3600)).isEqualTo(Lead.UNDER_SIX_HOURS);
        assertThat(Lead.of(604_800)).isEqualTo(Lead.LATER);
    }
}
