package berth.lab.experiment.prices;

import berth.lab.experiment.prices.PriceRun.Figures;
import berth.lab.experiment.prices.PriceRun.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth experiment prices}: shows what slack saves under prices of energy by the hour. */
@Command(
        name = "prices",
        mixinStandardHelpOptions = true,
        description = {
            "What slack saves a client if the price of a PE-hour follows a price of energy.",
            "",
            "A cluster of 64 PEs without discounts gets random requests for half of it. Each day at noon it learns the prices of the next"
                    + " day. Clients take the first place in their window, or the cheapest, or follow later prices from there. All ways"
                    + " get the same requests, and equal options give equal tables."
        })
public final class PricesCommand implements Callable<Integer> {

    private static final List<Long> SLACKS = List.of(0L, 3L, 6L, 12L, 24L, 48L);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            required = true,
            description =
                    "A first line of names, and then the time and the price of each hour, such as 2027-01-31T14:00:00Z,52.10.")
    private @Nullable Path file;

    @Option(
            names = "--share",
            paramLabel = "SHARE",
            defaultValue = "0.4",
            description =
                    "The share of energy in the price of a PE-hour, above 0 and up to 1; default ${DEFAULT-VALUE}.")
    private double share;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "10",
            description = "The number of runs of each row, 1 to 1000; default ${DEFAULT-VALUE}.")
    private int seeds;

    @Override
    public Integer call() {
        if (!(share > 0 && share <= 1)) {
            throw wrong("--share is %s: give more than 0 and at most 1.".formatted(share));
        }
        if (seeds < 1 || seeds > 1000) {
            throw wrong("--seeds is %d: give 1 to 1000.".formatted(seeds));
        }
        var prices = prices();
        var out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%d hours of prices, %.2f on average; a share of %s of a PE-hour is energy; %d runs of each row.%n%n",
                prices.hourly().size(),
                prices.mean(),
                share,
                seeds);
        out.println("slack  way       granted  price of a PE-hour  energy  delay");
        for (long slack : SLACKS) {
            for (var way : Way.values()) {
                if (slack > 0 || way == Way.FIRST) {
                    var runs = LongStream.rangeClosed(1, seeds)
                            .mapToObj(seed -> PriceRun.of(prices, share, slack * EnergyPrices.HOUR, way, seed))
                            .toList();
                    out.printf(
                            Locale.ROOT,
                            "%3d h  %-8s  %5.1f %%  %18.3f  %6.2f  %3.1f h%n",
                            slack,
                            way,
                            100 * mean(runs, run -> (double) run.granted() / run.asked()),
                            mean(runs, Figures::paid),
                            mean(runs, Figures::energy),
                            mean(runs, Figures::delay));
                }
            }
        }
        out.flush();
        return 0;
    }

    private static double mean(List<Figures> runs, ToDoubleFunction<Figures> figure) {
        return runs.stream().mapToDouble(figure).average().orElseThrow();
    }

    private EnergyPrices prices() {
        try {
            return EnergyPrices.read(Objects.requireNonNull(file));
        } catch (IOException | IllegalArgumentException e) {
            throw wrong("--prices is %s, which cannot be used: %s".formatted(file, e.getMessage()));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
