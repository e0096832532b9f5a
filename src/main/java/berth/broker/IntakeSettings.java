package berth.broker;

import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.sla.InvalidFigure;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/** How requests without a cluster are taken in: what an operator sets below {@value #PREFIX}. A wrong value stops the start. */
final class IntakeSettings {

    static final String PREFIX = "berth.broker.intake.";

    private static final String ORDER = PREFIX + "order";
    private static final String WINDOW = PREFIX + "window";
    private static final String LEVELS = PREFIX + "levels";
    private static final String JOBS_PER_USER = PREFIX + "jobs-per-user";

    private static final Intake STANDARD = Intake.STANDARD;

    private IntakeSettings() {}

    /** @throws InvalidConfigurationPropertyValueException if a value makes no sense; it names the property */
    static Intake read(Environment environment) {
        var order = value(environment, ORDER, STANDARD.order(), IntakeSettings::order);
        long window = value(environment, WINDOW, STANDARD.window(), IntakeSettings::seconds);
        int levels = value(environment, LEVELS, STANDARD.levels(), IntakeSettings::number);
        int jobsPerUser = value(environment, JOBS_PER_USER, STANDARD.jobsPerUser(), IntakeSettings::number);
        try {
            return new Intake(order, window, levels, jobsPerUser);
        } catch (InvalidFigure e) {
            var name = e.field().equals("jobsPerUser") ? JOBS_PER_USER : PREFIX + e.field();
            throw new InvalidConfigurationPropertyValueException(name, environment.getProperty(name), e.getMessage());
        }
    }

    private static <T> T value(Environment environment, String name, T standard, Function<String, T> reading) {
        var text = environment.getProperty(name, "").strip();
        if (text.isEmpty()) {
            return standard;
        }
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(name, text, e.getMessage());
        }
    }

    private static IntakeOrder order(String text) {
        return Arrays.stream(IntakeOrder.values())
                .filter(order -> order.name().equals(text))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(
                        "It must be one of %s.".formatted(Arrays.toString(IntakeOrder.values()))));
    }

    private static long seconds(String text) {
        Duration window;
        try {
            window = DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("It must be a duration, such as 10s or PT10S.", e);
        }
        if (window.getNano() != 0) {
            throw new IllegalArgumentException("It must be whole seconds.");
        }
        return window.toSeconds();
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("It must be a whole number.", e);
        }
    }
}
