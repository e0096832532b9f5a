package berth.runtime;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * The work that waits for its turn, in a line for each caller, and the time that each caller has used lately. The next turn goes to the
 * caller that has used the least. Among callers that have used the same, it goes to the one whose work has waited longest. So a caller that
 * has used less than another never waits for work of the other that has not begun. Not thread-safe; times are in nanoseconds.
 */
final class Lines<T> {

    /** The time after which half of what a caller has used is forgotten. */
    static final long HALF_LIFE = 5_000_000_000L;

    /** The used time below which a caller counts as one that has used nothing. */
    private static final double NOTHING = 1000;

    private final int each;
    private final Map<Object, Line<T>> lines = new HashMap<>();
    private int waiting;
    private long arrivals;
    private long swept;

    /** Work and its caller. */
    record Next<T>(Object caller, T work) {}

    private record Arrived<T>(T work, long number) {}

    private static final class Line<T> {
        private final Queue<Arrived<T>> waiting = new ArrayDeque<>();
        private int underWay;
        private double used;
        private long usedAt;

        private double used(long now) {
            return used * Math.pow(0.5, (double) (now - usedAt) / HALF_LIFE);
        }
    }

    /** @param each how many turns of one caller may be in progress at a time */
    Lines(int each) {
        this.each = each;
    }

    /** Returns how many pieces of work wait. */
    int waiting() {
        return waiting;
    }

    /** Returns how many pieces of work of a caller wait. */
    int waiting(Object caller) {
        var line = lines.get(caller);
        return line == null ? 0 : line.waiting.size();
    }

    /** Returns the time that a caller has used lately, in nanoseconds. */
    double used(Object caller, long now) {
        var line = lines.get(caller);
        return line == null ? 0 : line.used(now);
    }

    void add(Object caller, T work) {
        lines.computeIfAbsent(caller, _ -> new Line<>()).waiting.add(new Arrived<>(work, arrivals++));
        waiting++;
    }

    /** Removes waiting work. Returns whether it was still waiting. */
    boolean remove(Object caller, T work) {
        var line = lines.get(caller);
        boolean waited = line != null && line.waiting.removeIf(arrived -> arrived.work.equals(work));
        if (waited) {
            waiting--;
        }
        return waited;
    }

    /** Begins the next turn; empty if no caller with waiting work may have another turn. */
    Optional<Next<T>> next(long now) {
        return lines.entrySet().stream()
                .filter(entry -> !entry.getValue().waiting.isEmpty() && entry.getValue().underWay < each)
                .min(Comparator.comparingDouble((Map.Entry<Object, Line<T>> entry) -> {
                            double used = entry.getValue().used(now);
                            return used < NOTHING ? 0 : used;
                        })
                        .thenComparing(entry -> entry.getValue().waiting.element().number))
                .map(entry -> {
                    var line = entry.getValue();
                    line.underWay++;
                    waiting--;
                    return new Next<>(entry.getKey(), line.waiting.remove().work);
                });
    }

    /** Ends a turn of a caller and charges its time. */
    void end(Object caller, long began, long now) {
        var line = lines.get(caller);
        if (line == null) {
            throw new IllegalStateException("%s has no turn.".formatted(caller));
        }
        line.used = line.used(now) + (now - began);
        line.usedAt = now;
        line.underWay--;
        if (now - swept > HALF_LIFE) {
            swept = now;
            lines.values().removeIf(old -> old.waiting.isEmpty() && old.underWay == 0 && old.used(now) < NOTHING);
        }
    }
}
