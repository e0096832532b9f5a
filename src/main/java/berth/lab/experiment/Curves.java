package berth.lab.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A figure of a paper as numbers: lines with a sample at each point of one axis.
 *
 * @param points the names of the points, in order
 * @param lines the lines by what they compare; each has a sample for every point
 * @param <K> the type of what is compared
 */
public record Curves<K>(List<String> points, Map<K, List<Sample>> lines) {

    /** @throws IllegalArgumentException if a line does not have a sample for every point */
    public Curves {
        points = List.copyOf(points);
        var copy = new LinkedHashMap<K, List<Sample>>();
        for (var line : lines.entrySet()) {
            if (line.getValue().size() != points.size()) {
                throw new IllegalArgumentException("The line %s has %d samples, but there are %d points."
                        .formatted(line.getKey(), line.getValue().size(), points.size()));
            }
            copy.put(line.getKey(), List.copyOf(line.getValue()));
        }
        lines = copy;
    }

    /**
     * Creates curves whose lines and points have names.
     *
     * @param keys what is compared
     * @param line returns the name of a line
     * @param places the places along the axis
     * @param point returns the name of a point
     * @param sample returns the sample of a line at a place
     */
    public static <T, P> Curves<String> of(
            List<T> keys,
            Function<? super T, String> line,
            List<P> places,
            Function<? super P, String> point,
            BiFunction<? super T, ? super P, Sample> sample) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (T key : keys) {
            lines.put(
                    line.apply(key),
                    places.stream().map(place -> sample.apply(key, place)).toList());
        }
        return new Curves<>(places.stream().map(point).toList(), lines);
    }

    /** Returns what is compared, in the given order. */
    public Set<K> keys() {
        return lines.keySet();
    }

    /** Returns the sample of a line at a point, counted from 0. */
    public Sample at(K key, int point) {
        return line(key).get(point);
    }

    /**
     * Returns the samples of a line, one for each point.
     *
     * @throws IllegalArgumentException if there is no such line
     */
    public List<Sample> line(K key) {
        List<Sample> line = lines.get(key);
        if (line == null) {
            throw new IllegalArgumentException("There is no line %s.".formatted(key));
        }
        return line;
    }
}
