package berth.lab.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The faults of the lines of a log, by kind.
 *
 * @param kinds the lines with each kind of fault that occurs
 */
public record LogFaults(SortedMap<LogFault, Lines> kinds) {
    private static final int NAMED = 5;

    /** No faults. */
    public static final LogFaults NONE = new LogFaults(new TreeMap<>());

    /**
     * Lines with the same fault.
     *
     * @param count the number of lines
     * @param first the numbers of the first of them, from 1, at most five
     */
    public record Lines(long count, List<Long> first) {
        private static final Lines NO_LINES = new Lines(0, List.of());

        public Lines {
            first = List.copyOf(first);
        }

        private Lines with(long line) {
            if (first.size() == NAMED) {
                return new Lines(count + 1, first);
            }
            List<Long> more = new ArrayList<>(first);
            more.add(line);
            return new Lines(count + 1, more);
        }

        private String text(LogFault fault) {
            String numbers = first.stream().map(String::valueOf).collect(Collectors.joining(", "));
            String more = count > first.size() ? " and %d more".formatted(count - first.size()) : "";
            return count == 1
                    ? "1 line %s (line %s)".formatted(fault.words(), numbers)
                    : "%d lines %s (lines %s%s)".formatted(count, fault.words(), numbers, more);
        }
    }

    public LogFaults {
        kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
    }

    /** Returns the faults with one more. */
    LogFaults with(LogFault fault, long line) {
        var more = new TreeMap<>(kinds);
        more.put(fault, more.getOrDefault(fault, Lines.NO_LINES).with(line));
        return new LogFaults(more);
    }

    public boolean isEmpty() {
        return kinds.isEmpty();
    }

    /** Returns how many lines were skipped. */
    public long leftOut() {
        return count(LogFault::isLeftOut);
    }

    long noJobs() {
        return count(LogFault::isNoJob);
    }

    private long count(Predicate<LogFault> which) {
        return kinds.entrySet().stream()
                .filter(kind -> which.test(kind.getKey()))
                .mapToLong(kind -> kind.getValue().count())
                .sum();
    }

    /** Returns a text for each kind, as {@code 3 lines with a wrong number of fields (lines 17, 18, 40)}. */
    public List<String> texts() {
        return kinds.entrySet().stream()
                .map(kind -> kind.getValue().text(kind.getKey()))
                .toList();
    }

    /** Returns the name of a log and, if lines were skipped, how many. */
    String appendedTo(String name) {
        return leftOut() == 0
                ? name
                : "%s (%d %s left out)".formatted(name, leftOut(), leftOut() == 1 ? "line" : "lines");
    }
}
