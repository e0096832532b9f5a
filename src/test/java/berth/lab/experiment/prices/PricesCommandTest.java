package berth.lab.experiment.prices;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.prices.PriceRun.Way;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PricesCommandTest {

    private static final Instant START = Instant.parse("2027-01-04T00:00:00Z");

    @TempDir
    private Path folder;

    /** Writes prices of ten days: 20 by night, 60 by day. */
    private Path file() throws IOException {
        var lines = IntStream.range(0, 240)
                .mapToObj(hour -> "%s,%d".formatted(START.plusSeconds(3600L * hour), hour % 24 < 12 ? 20 : 60))
                .collect(Collectors.joining("\n", "time,price\n", "\n"));
        return Files.writeString(folder.resolve("prices.csv"), lines);
    }

    @Test
    void aWiderWindowSavesMoreAndClientsWhoChooseSaveMost() throws IOException {
        var prices = EnergyPrices.read(file());
        assertThat(prices.mean()).isEqualTo(40);

        var first = PriceRun.of(prices, 0.5, 12 * EnergyPrices.HOUR, Way.FIRST, 1);
        var narrow = PriceRun.of(prices, 0.5, 3 * EnergyPrices.HOUR, Way.CHEAPEST, 1);
        var wide = PriceRun.of(prices, 0.5, 12 * EnergyPrices.HOUR, Way.CHEAPEST, 1);
        var following = PriceRun.of(prices, 0.5, 12 * EnergyPrices.HOUR, Way.FOLLOWS, 1);

        assertThat(narrow.paid()).isLessThan(first.paid());
        assertThat(wide.paid()).isLessThan(narrow.paid());
        assertThat(following.paid()).isLessThanOrEqualTo(wide.paid());
        assertThat(wide.energy()).isBetween(20.0, first.energy());
        assertThat(wide.paid()).isBetween(0.75, 1.25);
        assertThat(PriceRun.of(prices, 0.5, 12 * EnergyPrices.HOUR, Way.FOLLOWS, 1))
                .isEqualTo(following);
    }

    @Test
    void theTableHasARowForEachSlackAndWay() throws IOException {
        var out = run("--prices", file().toString(), "--seeds", "1");

        assertThat(out.lines().filter(line -> line.contains("FOLLOWS"))).hasSize(5);
        assertThat(out).contains("240 hours of prices, 40.00 on average").contains("  0 h  FIRST");
    }

    @Test
    void whatIsWrongIsNamed() throws IOException {
        assertThat(run("--prices", "/nowhere.csv")).contains("/nowhere.csv");
        assertThat(run("--prices", file().toString(), "--share", "1.5")).contains("--share is 1.5");
        assertThat(run("--prices", file().toString(), "--seeds", "0")).contains("--seeds is 0");
        var gap = Files.writeString(
                folder.resolve("gap.csv"), "time,price\n2027-01-04T00:00:00Z,1\n2027-01-04T02:00:00Z,1\n");
        assertThat(run("--prices", gap.toString())).contains("Line 3").contains("next hour");
        var word = Files.writeString(folder.resolve("word.csv"), "time,price\n2027-01-04T00:00:00Z,dear\n");
        assertThat(run("--prices", word.toString())).contains("Line 2");
        var day = Files.writeString(folder.resolve("short.csv"), "time,price\n2027-01-04T00:00:00Z,1\n");
        assertThat(run("--prices", day.toString())).contains("at least a week");
    }

    private static String run(String... args) {
        var out = new StringWriter();
        new CommandLine(new PricesCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(args);
        return out.toString();
    }
}
