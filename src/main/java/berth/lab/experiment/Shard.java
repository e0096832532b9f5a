package berth.lab.experiment;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One of several commands that share the runs of some studies, each on its own machine. It makes every {@code count}th run of the shuffled
 * order, beginning with {@code number}.
 *
 * @param number from 0 to {@code count - 1}
 * @param count the number of commands
 */
record Shard(int number, int count) {
    static final int MAX = 10_000;
    private static final Pattern FORM = Pattern.compile("(\\d{1,5})/(\\d{1,5})");

    /** Returns the shard with a name such as {@code 3/16}; empty if the name is invalid. */
    static Optional<Shard> named(String name) {
        var matcher = FORM.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var shard = new Shard(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        return Optional.of(shard).filter(known -> known.number < known.count && known.count <= MAX);
    }

    /** Whether the run at that position of the shuffled order belongs to this shard. */
    boolean has(int index) {
        return index % count == number;
    }

    /** Returns its name without a slash, as in {@code 3-of-16}. */
    String fileName() {
        return number + "-of-" + count;
    }

    @Override
    public String toString() {
        return number + "/" + count;
    }
}
