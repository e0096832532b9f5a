package berth.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A kind of call to make repeatedly.
 *
 * @param call the kind of call
 * @param rate calls per second, whatever the service answers (open loop); empty: as fast as the service answers (closed loop)
 */
record Traffic(Call call, OptionalDouble rate) {
    private static final double MAX = 1_000_000;

    enum Call {
        PROBE,
        RESERVE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the traffic in the notation of the command line. */
    @Override
    public String toString() {
        return rate.isPresent() ? "%s@%s".formatted(call, plain(rate.getAsDouble())) : call.toString();
    }

    private static String plain(double rate) {
        return rate == Math.rint(rate) ? String.valueOf((long) rate) : String.valueOf(rate);
    }

    /** Reads {@code probe} or {@code probe@200}. */
    static final class Converter implements ITypeConverter<Traffic> {
        private static final Pattern TEXT = Pattern.compile("([a-z]+)(?:@(\\d{1,9}(?:\\.\\d{1,9})?))?");

        @Override
        public Traffic convert(String text) {
            Matcher matcher = TEXT.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "'%s' is not a call; give probe or reserve, or either with a rate, such as probe@200"
                                .formatted(text));
            }
            Call call = Arrays.stream(Call.values())
                    .filter(each -> each.toString().equals(matcher.group(1)))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is not a call; give probe or reserve".formatted(matcher.group(1))));
            return matcher.group(2) == null
                    ? new Traffic(call, OptionalDouble.empty())
                    : new Traffic(call, OptionalDouble.of(rate(matcher.group(2))));
        }

        private static double rate(String text) {
            double rate = Double.parseDouble(text);
            if (!(rate > 0 && rate <= MAX)) {
                throw new TypeConversionException(
                        "a rate of %s is out of range; give more than 0 and at most %.0f calls per second"
                                .formatted(text, MAX));
            }
            return rate;
        }
    }
}
