package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets the locale of all")
class CsvFileTest {

    @Test
    void writesNumbersWithoutNeedlessDecimalsInAnyLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            var columns = new Columns<Double>()
                    .with("whole", number -> 12 * number)
                    .with("quarter", number -> number)
                    .with("third", number -> number * 4 / 3)
                    .with("none", _ -> Double.NaN)
                    .with("integer", number -> (int) (400 * number));
            assertThat(CsvFile.of(columns, List.of(0.25)).lines())
                    .containsExactly("whole,quarter,third,none,integer", "3,0.25,0.333333,,100");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void quotesTextsWithCommasAndQuotes() {
        var columns =
                new Columns<String>().with("text", text -> text).with("said", text -> "say \"%s\"".formatted(text));

        assertThat(CsvFile.of(columns, List.of("x, y")).lines()).last().isEqualTo("\"x, y\",\"say \"\"x, y\"\"\"");
    }

    @Test
    void putsTheColumnsOfANestedValueInTheirPlace() {
        var length = new Columns<Integer>().with("length", number -> number);
        var columns = new Columns<String>()
                .with("text", text -> text)
                .with(length, String::length)
                .with("last", text -> text.charAt(text.length() - 1));

        assertThat(CsvFile.of(columns, List.of("one", "four")).lines())
                .containsExactly("text,length,last", "one,3,e", "four,4,r");
    }
}
