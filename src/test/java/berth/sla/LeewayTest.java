package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeewayTest {

    private static Leeway within(String phi, boolean earlier) {
        return new Leeway(Optional.of(new BigDecimal(phi)), earlier);
    }

    @ParameterizedTest
    @CsvSource({
        "0.5,  false, 0.500000,  true",
        "0.5,  false, 0.500001,  false",
        "0.5,  false, -0.1,      false",
        "0.5,  true,  -0.5,      true",
        "0.5,  true,  -0.500001, false",
        "0,    false, 0,         true"
    })
    void takesAlternativesWithinItsDistanceOnTheAllowedSide(String most, boolean earlier, String phi, boolean isTaken) {
        assertThat(within(most, earlier).takes(new BigDecimal(phi))).isEqualTo(isTaken);
    }

    @Test
    void goesNoFartherThanAClusterOffers() {
        assertThat(within("3", true).maxPhi(BigDecimal.ONE)).isEqualByComparingTo("1");
        assertThat(within("0.5", true).maxPhi(BigDecimal.ONE)).isEqualByComparingTo("0.5");
        assertThat(Leeway.ANY.maxPhi(BigDecimal.TEN)).isEqualByComparingTo("10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.000001", "1000.000001", "1e999999999", "-1e-999999999"})
    void liesBetweenZeroAndThousand(String phi) {
        assertThatThrownBy(() -> within(phi, true))
                .isInstanceOf(InvalidFigure.class)
                .hasMessageContaining("between 0 and 1000");
    }

    @Test
    void isCutToTheDecimalsOfPhi() {
        assertThat(within("0.1234569", true)).isEqualTo(within("0.123456", true));
        assertThat(within("1e-999999999", true)).isEqualTo(within("0", true));
    }
}
