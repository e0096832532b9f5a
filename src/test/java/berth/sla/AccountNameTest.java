package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountNameTest {

    private static final String LONGEST = "0123456789012345678901234567890123456789012345678901234567890ab";

    @ParameterizedTest
    @ValueSource(strings = {"a", "7f3c", "Ada.Lovelace_1815@example-grid", LONGEST})
    void isWellFormed(String value) {
        assertThat(new AccountName(value).isWellFormed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".ada", "@ada", "-ada", "_ada", "ada lovelace", "a/b", "ada\n", "ä", LONGEST + "c"})
    void isNotWellFormed(String value) {
        assertThat(new AccountName(value).isWellFormed()).isFalse();
    }
}
