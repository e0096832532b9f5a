package berth.lab.replay;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 3d}, {@code 12h}, {@code 30m} or {@code 90s} as seconds. */
final class LogOffset implements ITypeConverter<Long> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})([dhms])");

    @Override
    public Long convert(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'%s' is not a time; give a number and d, h, m or s, such as 3d or 12h".formatted(text));
        }
        long seconds = switch (matcher.group(2)) {
            case "d" -> 86_400;
            case "h" -> 3_600;
            case "m" -> 60;
            default -> 1;
        };
        return Long.parseLong(matcher.group(1)) * seconds;
    }
}
