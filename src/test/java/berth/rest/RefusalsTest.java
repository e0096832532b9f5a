package berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.RefusalCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalsTest {

    @ParameterizedTest
    @EnumSource
    void aProblemHasTheCodeThatTheRefusalIsRecordedUnder(RefusalCode code) {
        assertThat(ProblemCode.valueOf(code.name()).word()).isEqualTo(code.word());
    }
}
