package berth.availability;

import berth.time.Slot;

/** An update: certain PEs that are all busy, or all free, throughout {@code [from, to)} become the opposite. */
final class PeChange {

    final long from;
    final long to;
    /** Whether there is a point at {@link #from} after the change, because its value differs from the one before it. */
    final boolean keepsStart;
    /** Whether there is a point at {@link #to} after the change. */
    final boolean keepsEnd;
    /** The change in the number of free PEs; negative if PEs become busy. */
    final int delta;

    /** The index of the first word of a row that contains PEs of the change. */
    final int firstWord;
    /** One more than the index of the last word that contains PEs of the change. */
    final int endWord;

    private final PeSet pes;
    private final long[] words;

    private PeChange(Slot slot, PeSet pes, boolean frees, boolean keepsStart, boolean keepsEnd) {
        this.from = slot.start();
        this.to = slot.end();
        this.keepsStart = keepsStart;
        this.keepsEnd = keepsEnd;
        this.delta = frees ? pes.size() : -pes.size();
        this.pes = pes;
        this.words = pes.words();
        this.endWord = words.length;
        int first = 0;
        while (words[first] == 0) {
            first++;
        }
        this.firstWord = first;
    }

    /**
     * Returns the change that an allocation causes in a tree.
     *
     * @param allocation an allocation of at least one PE
     * @param frees whether the PEs become free
     */
    static PeChange of(PeNode root, Allocation allocation, boolean frees) {
        var slot = allocation.slot();
        var pes = allocation.pes();
        boolean keepsStart = slot.start() == Long.MIN_VALUE || !redundant(root, slot.start(), pes, !frees);
        return new PeChange(slot, pes, frees, keepsStart, !redundant(root, slot.end(), pes, frees));
    }

    /**
     * Whether a change on one side of {@code second} makes the point there repeat the one before it. That is so if the two differ exactly
     * in the PEs of the change, which at the point are all free or all busy, as {@code free} states.
     */
    private static boolean redundant(PeNode root, long second, PeSet pes, boolean free) {
        var leaf = root.leafAt(second);
        int at = Node.floor(leaf.times, second);
        if (leaf.times[at] < second) {
            return false;
        }
        var before = at == 0 ? root.leafAt(second - 1) : leaf;
        int atBefore = at == 0 ? before.times.length - 1 : at - 1;
        for (int i = 0; i < leaf.always.length; i++) {
            long word = pes.word(i);
            long here = leaf.word(at, i);
            if ((here ^ before.word(atBefore, i)) != word || (here & word) != (free ? word : 0)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the change begins before {@code first} and covers all seconds up to {@code last}. */
    boolean covers(long first, long last) {
        return from < first && last < to;
    }

    /**
     * Applies the change to a row.
     *
     * @throws IllegalStateException if some of the PEs already have the new state
     */
    void apply(long[] rows, int row, long time) {
        long already = 0;
        for (int i = firstWord; i < endWord; i++) {
            long free = rows[row + i];
            already |= words[i] & (delta > 0 ? free : ~free);
            rows[row + i] = free ^ words[i];
        }
        if (already != 0) {
            throw impossible(time);
        }
    }

    /**
     * Checks that the change can be applied to all points that a summary covers.
     *
     * @param summary if the change takes PEs, the PEs free at all of the points; if it frees PEs, those free at any of them
     * @throws IllegalStateException if some of the PEs already have the new state
     */
    void require(long[] summary, long time) {
        for (int i = firstWord; i < endWord; i++) {
            if ((words[i] & (delta > 0 ? summary[i] : ~summary[i])) != 0) {
                throw impossible(time);
            }
        }
    }

    private IllegalStateException impossible(long time) {
        return new IllegalStateException("Some of the PEs %s are already %s at %d or soon after, in [%d, %d)."
                .formatted(pes, delta > 0 ? "free" : "busy", Math.max(time, from), from, to));
    }

    /** Returns the summary after a change that covers all of its points. */
    long[] applied(long[] summary) {
        long[] changed = summary.clone();
        for (int i = firstWord; i < endWord; i++) {
            changed[i] ^= words[i];
        }
        return changed;
    }
}
