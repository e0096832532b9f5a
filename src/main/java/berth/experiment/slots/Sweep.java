package berth.experiment.slots;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** The three series of experiments: one thing varies, the others keep their defaults. */
enum Sweep {
    /** Larger and longer jobs. */
    SIZES("umed", medium -> new Setting(medium, 1, 3), 5, 6, 7, 8, 9),
    /** Denser requests. */
    ARRIVALS("arrival factor", factor -> new Setting(7, factor, 3), 0.5, 0.75, 1, 1.25, 1.5),
    /** Requests further ahead and with looser deadlines. */
    FLEXIBILITY("artime and deadline factor", factor -> new Setting(7, 1, factor), 1, 2, 3, 4, 5);

    private final String axis;
    private final DoubleFunction<Setting> setting;
    private final List<Double> points;

    Sweep(String axis, DoubleFunction<Setting> setting, double... points) {
        this.axis = axis;
        this.setting = setting;
        this.points = DoubleStream.of(points).boxed().toList();
    }

    /** What varies. */
    String axis() {
        return axis;
    }

    /** Its values, as names. */
    List<String> points() {
        return points.stream()
                .map(point -> String.valueOf(point).replaceFirst("\\.0$", ""))
                .toList();
    }

    List<Setting> settings() {
        return points.stream().map(setting::apply).toList();
    }
}
