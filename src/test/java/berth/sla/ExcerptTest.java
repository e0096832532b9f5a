package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExcerptTest {

    @ParameterizedTest
    @CsvSource({
        "abc,               2, ab",
        "abc,               3, abc",
        "a\uD83D\uDE80b,    2, a\uD83D\uDE80",
        "a\uD83Db\uDE80,    9, a?b?",
        "a\u0000b,          2, a?"
    })
    void anExcerptHasWholeCharactersOnly(String text, int most, String excerpt) {
        assertThat(Excerpt.of(text, most)).isEqualTo(excerpt);
    }
}
