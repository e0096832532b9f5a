package berth.experiment;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One of several commands that share the runs of some studies, each on a machine of its own: it makes every {@code count}th
 * run of the shuffled order, from its {@code number} on.
 *
 * @param number from 0 to {@code count - 1}
 * @param count how many share the runs
 */
record Shard(int number, int count) {
    static final int MAX = 10_000;
    private static final Pattern FORM = Pattern.compile("(\\d{1,5})/(\\d{1,5})");

    /** The shard of that name, as in {@code 3/16}; none if there is no such shard. */
    static Optional<Shard> named(String name) {
        var matcher = FORM.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var shard = new Shard(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        return Optional.of(shard).filter(known -> known.number < known.count && known.count <= MAX);
    }

    /** Whether the run at that place of the shuffled order is its own. */
    boolean has(int index) {
        return index % count == number;
    }

    /** Its name where there may be no slash, as in {@code 3-of-16}. */
    String fileName() {
        return number + "-of-" + count;
    }

    @Override
    public String toString() {
        return number + "/" + count;
    }
}
