package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CurveTableTest {

    @Test
    void keepsColumnsApartForWideIntervals() {
        var wide = new Sample(List.of(70.0, 100.0));
        var text = new StringWriter();
        var curves = new Curves<>(List.of("1", "2"), Map.of("FF", List.of(wide, wide)));
        CurveTable.print("accepted", "umed", curves, new PrintWriter(text, true));

        assertThat(text.toString().lines().skip(1))
                .containsExactly(
                        "accepted",
                        "                          1                2  umed",
                        "FF         85.000 ± 190.593 85.000 ± 190.593");
    }

    @Test
    void namesLinesAndPointsInWords() {
        Curves<String> curves = Curves.of(
                List.of(1, 2),
                load -> "x" + load,
                List.of(10, 20),
                share -> share + " %",
                (load, share) -> Sample.of(2, repetition -> 100.0 * load + share + repetition));

        assertThat(curves.points()).containsExactly("10 %", "20 %");
        assertThat(curves.keys()).containsExactly("x1", "x2");
        assertThat(curves.at("x2", 1).values()).containsExactly(221.0, 222.0);
    }
}
