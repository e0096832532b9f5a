package berth.availability;

import berth.time.Slot;

/** What an update does: certain PEs, all busy or all free throughout {@code [from, to)} before, become the other. */
final class PeChange {

    final long from;
    final long to;
    /** Whether the point at {@link #from} stays, or comes about: it differs from what holds before it. */
    final boolean keepsStart;
    /** Whether the point at {@link #to} stays, or comes about. */
    final boolean keepsEnd;
    /** By how many the free PEs become more or, below 0, fewer. */
    final int delta;

    /** The first word of a row in which there are PEs of the change. */
    final int firstWord;
    /** One more than the last such word. */
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
     * The change of a tree.
     *
     * @param allocation of at least one PE
     * @param frees whether they become free
     */
    static PeChange of(PeNode root, Allocation allocation, boolean frees) {
        var slot = allocation.slot();
        var pes = allocation.pes();
        boolean keepsStart = slot.start() == Long.MIN_VALUE || !redundant(root, slot.start(), pes, !frees);
        return new PeChange(slot, pes, frees, keepsStart, !redundant(root, slot.end(), pes, frees));
    }

    /**
     * Whether a change on one side of {@code second} makes the point there, if there is one, repeat the one before it:
     * the two differ in the PEs of the change, which are all {@code free} or all busy at the point, and in no others.
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

    /** Whether it holds from before a node's first second until after its last. */
    boolean covers(long first, long last) {
        return from < first && last < to;
    }

    /**
     * Changes a row.
     *
     * @throws IllegalStateException if some of the PEs are already as they are to become
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
     * Whether it can be applied to all points from some time on.
     *
     * @param summary the PEs free at all of them if it takes PEs; those free at any if it frees PEs
     * @throws IllegalStateException if some of the PEs are already as they are to become
     */
    void require(long[] summary, long time) {
        for (int i = firstWord; i < endWord; i++) {
            if ((words[i] & (delta > 0 ? summary[i] : ~summary[i])) != 0) {
                throw impossible(time);
            }
        }
    }

    private IllegalStateException impossible(long time) {
        return new IllegalStateException("Of the PEs %s some are %s already at %d or soon after, in [%d, %d)."
                .formatted(pes, delta > 0 ? "free" : "busy", Math.max(time, from), from, to));
    }

    /** The summary after a change of all of it. */
    long[] applied(long[] summary) {
        long[] changed = summary.clone();
        for (int i = firstWord; i < endWord; i++) {
            changed[i] ^= words[i];
        }
        return changed;
    }
}
