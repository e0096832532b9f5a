package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountLimitsTest {

    @ParameterizedTest
    @CsvSource({"0,1,1", ",,", "20,256,1000", "2147483647,2147483647,1000000000000"})
    void limitsMayBeLeftOutEachByItself(
            @Nullable Integer activeReservations, @Nullable Integer pes, @Nullable Long peHours) {
        assertThatCode(() -> limits(activeReservations, pes, peHours)).doesNotThrowAnyException();
        assertThat(limits(null, null, null)).isEqualTo(AccountLimits.NONE);
    }

    @ParameterizedTest
    @CsvSource({"-1,,", ",0,", ",-4,", ",,0", ",,-1", ",,1000000000001"})
    void limitsOutOfRangeAreRefused(
            @Nullable Integer activeReservations, @Nullable Integer pes, @Nullable Long peHours) {
        assertThatThrownBy(() -> limits(activeReservations, pes, peHours))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit");
    }

    private static AccountLimits limits(
            @Nullable Integer activeReservations, @Nullable Integer pes, @Nullable Long peHours) {
        return new AccountLimits(
                activeReservations == null ? OptionalInt.empty() : OptionalInt.of(activeReservations),
                pes == null ? OptionalInt.empty() : OptionalInt.of(pes),
                peHours == null ? OptionalLong.empty() : OptionalLong.of(peHours));
    }
}
