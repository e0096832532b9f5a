package berth.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.availability.PeSet;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OutageTest {

    private static Outage of(int pes, Optional<PeSet> peIds) {
        return new Outage(
                new OutageId(new UUID(0, 1)),
                new ClusterId("sp2"),
                pes,
                peIds,
                10,
                OptionalLong.of(20),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    @Test
    void namesAsManyPesAsItTakes() {
        assertThat(of(3, Optional.of(PeSet.parse("1,4-5"))).pes()).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(2, Optional.of(PeSet.parse("1,4-5"))))
                .withMessageContaining("names the PEs 1,4-5");
    }

    @Test
    void takesItsNamedPesAsFarAsTheClusterHasThem() {
        var named = of(3, Optional.of(PeSet.parse("1,4-5")));

        assertThat(named.peIdsBelow(5)).contains(PeSet.of(1, 4));
        assertThat(named.pesBelow(5)).isEqualTo(2);
        assertThat(named.pesBelow(1)).isZero();
    }

    @Test
    void takesItsNumberOfPesIfItNamesNone() {
        assertThat(of(3, Optional.empty()).peIdsBelow(2)).isEmpty();
        assertThat(of(3, Optional.empty()).pesBelow(2)).isEqualTo(3);
    }

    @Test
    void keepsItsPesWhenItEnds() {
        var named = of(1, Optional.of(PeSet.of(4)));

        assertThat(named.ended(15).peIds()).isEqualTo(named.peIds());
        assertThat(named.displacing(List.of(), List.of())).isEqualTo(named);
    }
}
