package berth.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets the locale of all")
class CsvFileTest {

    @Test
    void writesNumbersWithoutNeedlessDecimalsWhateverTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            CsvFile table = new CsvFile("a", "b", "c", "d", "e");
            table.add(3.0, 0.25, 1.0 / 3, Double.NaN, 100);
            assertThat(table.lines()).containsExactly("a,b,c,d,e", "3,0.25,0.333333,,100");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void quotesWhatWouldBeTakenForMoreFields() {
        CsvFile table = new CsvFile("a", "b");
        table.add("x, y", "say \"so\"");

        assertThat(table.lines()).last().isEqualTo("\"x, y\",\"say \"\"so\"\"\"");
    }

    @Test
    void saysWhichFileCouldNotBeWritten(@TempDir Path directory) {
        Path nowhere = directory.resolve("missing/runs.csv");

        assertThatThrownBy(() -> new CsvFile("a").writeTo(nowhere))
                .hasMessageStartingWith(nowhere + " is missing or not complete");
    }

    @Test
    void refusesARowOfTheWrongLength() {
        assertThatThrownBy(() -> new CsvFile("a", "b").add("x")).hasMessageContaining("1 fields");
    }
}
