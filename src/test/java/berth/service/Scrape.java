package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the service tells Prometheus, at one moment. */
public record Scrape(List<Sample> samples) {

    private static final Pattern SAMPLE = Pattern.compile("(?<name>[a-z_0-9]+)(?:\\{(?<labels>.*)})? (?<value>\\S+)");
    private static final Pattern LABEL = Pattern.compile("(?<key>\\w+)=\"(?<value>[^\"]*)\"");

    record Sample(String name, Map<String, String> labels, double value) {}

    public static Scrape of(Api api) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var request = api.request("/actuator/prometheus").GET().build();
            var response = http.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            return new Scrape(response.body()
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Scrape::sample)
                    .toList());
        }
    }

    private static Sample sample(String line) {
        var sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        var text = sample.group("labels");
        var labels = new HashMap<String, String>();
        if (text != null) {
            LABEL.matcher(text).results().forEach(label -> labels.put(label.group("key"), label.group("value")));
        }
        return new Sample(sample.group("name"), labels, Double.parseDouble(sample.group("value")));
    }

    /** The samples of a name that have these labels among theirs. */
    public List<Sample> of(String name, Map<String, String> labels) {
        return samples.stream()
                .filter(sample -> sample.name.equals(name))
                .filter(sample -> sample.labels.entrySet().containsAll(labels.entrySet()))
                .toList();
    }

    /** The value of the only sample of this name with these labels. */
    public double value(String name, Map<String, String> labels) {
        assertThat(of(name, labels)).as("%s%s", name, labels).hasSize(1);
        return of(name, labels).getFirst().value;
    }
}
