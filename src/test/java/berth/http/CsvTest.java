package berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\uFF1D1+1", "\uFF0B1", "\uFF0D1", "\uFF20x"})
    void aTextThatBeginsLikeAFormulaGetsAnApostrophe(String text) {
        assertThat(Csv.text(text)).isEqualTo("'" + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", "a\nb", "a\rb", "a\u0085b", "a\u2028b", "a\u2029b"})
    void aTextThatCouldEndAValueOrALineIsQuoted(String text) {
        assertThat(line(text, "plain")).isEqualTo("\"" + text + "\",plain\r\n");
    }

    @Test
    void quotesAreDoubled() {
        assertThat(line("say \"yes\"", "")).isEqualTo("\"say \"\"yes\"\"\",\r\n");
    }

    private static String line(String... values) {
        var out = new StringWriter();
        Csv.line(out, List.of(values));
        return out.toString();
    }
}
