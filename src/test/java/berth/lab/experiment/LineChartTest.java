package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.LineChart.Line;
import java.io.StringReader;
import java.util.List;
import java.util.stream.DoubleStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class LineChartTest {

    @Test
    void drawsEachLineWhereItsValuesAre() {
        var chart = new LineChart(
                "title",
                "across",
                "upwards",
                LineChart.named(List.of("a", "b", "c")),
                List.of(LineChart.line("one", 0, false, estimates(0.0, 50.0, 100.0))));

        assertThat(String.join("\n", chart.svg()))
                .contains("<polyline points=\"80.0,340.0 320.0,190.0 560.0,40.0\"")
                .contains(">title<", ">across<", ">upwards<", ">a<", ">c<", ">one<", ">20<", ">100<")
                .doesNotContain(">120<");
    }

    @Test
    void reachesBelowZeroAndLeavesOutMissingValues() {
        var chart = new LineChart(
                "",
                "",
                "",
                LineChart.named(List.of("a", "b", "c")),
                List.of(LineChart.line("one", 1, true, estimates(-5.0, Double.NaN, 5.0))));

        assertThat(String.join("\n", chart.svg()))
                .contains("<polyline points=\"80.0,315.0 560.0,65.0\"", "stroke-dasharray", ">-6<", ">0<");
    }

    @Test
    void isWellFormedWithAnyNames() throws Exception {
        var chart = new LineChart(
                "a < b & c",
                "<x>",
                "&",
                LineChart.named(List.of("<", ">")),
                List.of(new Line("&", 9, false, List.of())));

        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(String.join("\n", chart.svg()))));

        assertThat(document.getDocumentElement().getNodeName()).isEqualTo("svg");
        assertThat(document.getDocumentElement().getTextContent()).contains("a < b & c");
    }

    private static List<Estimate> estimates(double... means) {
        return DoubleStream.of(means).mapToObj(mean -> new Estimate(mean, 0)).toList();
    }
}
