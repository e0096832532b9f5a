package berth.scheduling;

import java.util.Map.Entry;
import java.util.TreeMap;

/** A mutable set of seconds, stored as intervals. Additions and queries take O(log n) for n separate intervals. */
public final class Stretches {

    /** The ends of the separate intervals, by start. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    public boolean isEmpty() {
        return ends.isEmpty();
    }

    public void add(long start, long end) {
        first = Math.min(first, start);
        last = Math.max(last, end);
        long from = start;
        long to = end;
        for (Entry<Long, Long> other = ends.floorEntry(to);
                other != null && other.getValue() >= from;
                other = ends.floorEntry(to)) {
            from = Math.min(from, other.getKey());
            to = Math.max(to, other.getValue());
            ends.remove(other.getKey());
        }
        ends.put(from, to);
    }

    /** Whether any second of {@code [start, end)} is in the set; {@code start} may equal {@code end}. */
    public boolean overlap(long start, long end) {
        if (end <= first || last <= start) {
            return false;
        }
        var before = ends.lowerEntry(end);
        return before != null && before.getValue() > start;
    }
}
