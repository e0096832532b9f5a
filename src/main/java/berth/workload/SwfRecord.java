package berth.workload;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The 18 numbers of one line. All are checked, though a job keeps only some; any may be written as a decimal. */
final class SwfRecord {
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");
    private static final double LARGEST = 1e12;
    private static final List<String> NAMES = List.of(
            "job",
            "submit time",
            "wait time",
            "run time",
            "allocated processors",
            "average CPU time",
            "used memory",
            "requested processors",
            "requested time",
            "requested memory",
            "status",
            "user",
            "group",
            "executable",
            "queue",
            "partition",
            "preceding job",
            "think time");

    private SwfRecord() {}

    /** @throws SwfException made by {@code failure} of what is wrong, if the line is no record */
    static SwfJob parse(String line, Function<String, SwfException> failure) {
        String[] texts = WHITE_SPACE.split(line, -1);
        if (texts.length != NAMES.size()) {
            throw failure.apply("has %d fields where a job has %d. Maybe this is no SWF log, or the line was cut."
                    .formatted(texts.length, NAMES.size()));
        }
        double[] numbers = new double[texts.length];
        for (int i = 0; i < texts.length; i++) {
            numbers[i] = number(i, texts[i], failure);
        }
        return new SwfJob(
                (long) numbers[0],
                (long) Math.floor(numbers[1]),
                (long) Math.ceil(numbers[3]),
                (long) numbers[4],
                (long) numbers[7],
                (long) Math.ceil(numbers[8]),
                (long) numbers[11]);
    }

    private static double number(int index, String text, Function<String, SwfException> failure) {
        try {
            double number = Double.parseDouble(text);
            if (Math.abs(number) <= LARGEST) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below, as for a number out of range
        }
        throw failure.apply("field %d (%s) is \"%s\" where a number within +-1e12 is expected."
                .formatted(index + 1, NAMES.get(index), text.length() > 40 ? text.substring(0, 40) : text));
    }
}
