package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrendsTest {

    @Test
    void fallsOnlyIfEveryStepDoes() {
        assertThat(Trends.falls(line(9, 7, 5))).hasSize(3).allMatch(Check::holds);
        assertThat(Trends.falls(line(9, 5, 6)))
                .extracting(Check::what, Check::holds)
                .contains(tuple("line falls from 1 to 2", false));
        assertThat(Trends.rises(line(5, 7, 9))).hasSize(3).allMatch(Check::holds);
        assertThat(Trends.rises(line(9, 7, 5))).noneMatch(Check::holds);
    }

    @Test
    void risesInGeneralWithOneStepBackAtMost() {
        assertThat(Trends.risesInGeneral(line(1, 4, 3, 6))).allMatch(Check::holds);
        assertThat(Trends.risesInGeneral(line(1, 4, 3, 6, 5)))
                .extracting(Check::holds)
                .containsExactly(true, false);
        assertThat(Trends.risesInGeneral(line(1, 4, 5, 0)))
                .extracting(Check::holds)
                .containsExactly(false, true);
    }

    @Test
    void findsNoDirectionInChance() {
        var noisy = new Curves<>(
                List.of("0", "1"),
                Map.of("line", List.of(new Sample(List.of(1.0, 9.0)), new Sample(List.of(9.0, 2.0)))));

        assertThat(Trends.rises(noisy)).extracting(Check::holds).containsExactly(true, false);
    }

    private static Curves<String> line(double... means) {
        List<String> points = Arrays.stream(means).mapToObj(String::valueOf).toList();
        List<String> numbers = points.stream()
                .map(point -> String.valueOf(points.indexOf(point)))
                .toList();
        return new Curves<>(
                numbers,
                Map.of(
                        "line",
                        Arrays.stream(means)
                                .mapToObj(mean -> new Sample(List.of(mean - 0.1, mean + 0.1)))
                                .toList()));
    }
}
