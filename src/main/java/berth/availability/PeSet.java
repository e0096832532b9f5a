package berth.availability;

import java.util.Arrays;
import java.util.BitSet;
import java.util.StringJoiner;

/**
 * An immutable set of PEs of one cluster, which are numbered from 0.
 *
 * <p>Every operation takes time at most proportional to the highest number in the set. The set takes a bit of memory for each PE between
 * its lowest and its highest number, so small sets of a large cluster can be small.
 */
public final class PeSet {

    /** No PEs. */
    public static final PeSet NONE = new PeSet(0, new long[0]);

    /** The number of leading words of 64 PEs that contain none of the set and are not stored. */
    private final int skipped;

    /** The stored words of 64 PEs each, lowest number in the first bit. Neither the first word nor the last is 0. Never written to. */
    private final long[] words;

    private PeSet(int skipped, long[] words) {
        this.skipped = skipped;
        this.words = words;
    }

    /**
     * Returns the set with these bits.
     *
     * @param words 64 PEs each, lowest number in the first bit; must not be written to again
     */
    static PeSet ofWords(long[] words) {
        return ofWords(0, words);
    }

    private static PeSet ofWords(int skipped, long[] words) {
        int end = words.length;
        while (end > 0 && words[end - 1] == 0) {
            end--;
        }
        int first = 0;
        while (first < end && words[first] == 0) {
            first++;
        }
        if (first == end) {
            return NONE;
        }
        boolean isWhole = end - first == words.length;
        return new PeSet(skipped + first, isWhole ? words : Arrays.copyOfRange(words, first, end));
    }

    /**
     * Returns the set of these PEs.
     *
     * @throws IndexOutOfBoundsException if a number is negative
     */
    public static PeSet of(int... pes) {
        var bits = new BitSet();
        Arrays.stream(pes).forEach(bits::set);
        return ofWords(bits.toLongArray());
    }

    /**
     * Returns the PEs from {@code from} to {@code to}, exclusive.
     *
     * @throws IndexOutOfBoundsException if {@code from} is negative or above {@code to}
     */
    public static PeSet range(int from, int to) {
        var bits = new BitSet();
        bits.set(from, to);
        return ofWords(bits.toLongArray());
    }

    /**
     * Reads the format of {@link #toString}: numbers and ranges, ascending and separate, as in {@code 0-31,40}.
     *
     * @throws IllegalArgumentException if the text has another format
     */
    public static PeSet parse(String text) {
        return parse(text, Integer.MAX_VALUE);
    }

    /**
     * Reads the format of {@link #toString}, and takes no memory for numbers out of bounds.
     *
     * @param pes every number must be below this, in PEs
     * @throws IllegalArgumentException if the text has another format or names a higher number
     */
    public static PeSet parse(String text, int pes) {
        var bits = new BitSet();
        if (text.isEmpty()) {
            return NONE;
        }
        for (var part : text.split(",", -1)) {
            if (!part.matches("[0-9]{1,9}(-[0-9]{1,9})?")) {
                throw new IllegalArgumentException(
                        "'%s' is neither a PE nor a range of PEs: write them as in 0-31,40.".formatted(part));
            }
            int hyphen = part.indexOf('-');
            int first = Integer.parseInt(hyphen < 0 ? part : part.substring(0, hyphen));
            int last = hyphen < 0 ? first : Integer.parseInt(part.substring(hyphen + 1));
            if (last < first || first < bits.length()) {
                throw new IllegalArgumentException(
                        "'%s' is out of order: name each PE once, the lowest first.".formatted(part));
            }
            if (last >= pes) {
                throw new IllegalArgumentException(
                        "'%s' is out of bounds: the highest PE is %d.".formatted(part, pes - 1));
            }
            bits.set(first, last + 1);
        }
        return ofWords(bits.toLongArray());
    }

    /** Returns the number of PEs. */
    public int size() {
        int size = 0;
        for (long word : words) {
            size += Long.bitCount(word);
        }
        return size;
    }

    public boolean isEmpty() {
        return words.length == 0;
    }

    /** Returns one more than the highest number; 0 for the empty set. */
    public int length() {
        return words.length == 0 ? 0 : 64 * endWord() - Long.numberOfLeadingZeros(words[words.length - 1]);
    }

    /** Returns the number of PEs from the lowest to the highest, in steps of 64: the memory for a set grows with it. */
    public int span() {
        return 64 * words.length;
    }

    /** Returns one more than the index of the last word that is not 0; 0 for the empty set. */
    private int endWord() {
        return skipped + words.length;
    }

    /** Returns the word with the 64 PEs from {@code 64 * index} on, lowest number in the first bit. */
    long word(int index) {
        return index >= skipped && index < endWord() ? words[index - skipped] : 0;
    }

    public boolean contains(int pe) {
        return pe >= 0 && (word(pe >>> 6) >>> pe & 1) == 1;
    }

    public boolean containsAll(PeSet others) {
        for (int i = others.skipped; i < others.endWord(); i++) {
            if ((others.word(i) & ~word(i)) != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean intersects(PeSet others) {
        for (int i = Math.max(skipped, others.skipped); i < Math.min(endWord(), others.endWord()); i++) {
            if ((word(i) & others.word(i)) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the union. */
    public PeSet or(PeSet others) {
        if (isEmpty() || others.isEmpty()) {
            return isEmpty() ? others : this;
        }
        int first = Math.min(skipped, others.skipped);
        long[] union = new long[Math.max(endWord(), others.endWord()) - first];
        System.arraycopy(words, 0, union, skipped - first, words.length);
        for (int i = 0; i < others.words.length; i++) {
            union[others.skipped - first + i] |= others.words[i];
        }
        return ofWords(first, union);
    }

    /** Returns the intersection. */
    public PeSet and(PeSet others) {
        int first = Math.max(skipped, others.skipped);
        long[] common = new long[Math.max(0, Math.min(endWord(), others.endWord()) - first)];
        for (int i = 0; i < common.length; i++) {
            common[i] = word(first + i) & others.word(first + i);
        }
        return ofWords(first, common);
    }

    /** Returns the PEs of this set that are not in the other. */
    public PeSet minus(PeSet others) {
        long[] rest = words.clone();
        for (int i = Math.max(skipped, others.skipped); i < Math.min(endWord(), others.endWord()); i++) {
            rest[i - skipped] &= ~others.word(i);
        }
        return ofWords(skipped, rest);
    }

    /**
     * Returns the {@code count} lowest-numbered PEs.
     *
     * @throws IllegalArgumentException if there are fewer, or {@code count} is negative
     */
    public PeSet lowest(int count) {
        if (count < 0 || count > size()) {
            throw new IllegalArgumentException(
                    "Cannot choose %d PEs of {%s}, which has %d.".formatted(count, this, size()));
        }
        int missing = count;
        int whole = 0;
        while (whole < words.length && Long.bitCount(words[whole]) <= missing) {
            missing -= Long.bitCount(words[whole++]);
        }
        long[] lowest = Arrays.copyOf(words, missing == 0 ? whole : whole + 1);
        if (missing > 0) {
            lowest[whole] = Long.expand((1L << missing) - 1, words[whole]);
        }
        return ofWords(skipped, lowest);
    }

    /** Returns words of 64 PEs each, lowest number in the first bit, up to the highest number. Callers must not write to them. */
    long[] words() {
        if (skipped == 0) {
            return words;
        }
        long[] all = new long[endWord()];
        System.arraycopy(words, 0, all, skipped, words.length);
        return all;
    }

    /** Whether the set consists of whole blocks of {@code size} PEs, at least 1, each beginning at a multiple of {@code size}. */
    public boolean isOfBlocks(int size) {
        var bits = BitSet.valueOf(words);
        int before = 64 * skipped;
        for (int first = bits.nextSetBit(0); first >= 0; ) {
            int end = bits.nextClearBit(first);
            if ((before + first) % size != 0 || (before + end) % size != 0) {
                return false;
            }
            first = bits.nextSetBit(end);
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PeSet that && skipped == that.skipped && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
        return 31 * skipped + Arrays.hashCode(words);
    }

    /** Returns numbers and ranges, ascending, as in {@code 0-31,40}; an empty string for the empty set. */
    @Override
    public String toString() {
        var text = new StringJoiner(",");
        var bits = BitSet.valueOf(words);
        int before = 64 * skipped;
        for (int first = bits.nextSetBit(0); first >= 0; ) {
            int end = bits.nextClearBit(first);
            int last = before + end - 1;
            text.add(end - first == 1 ? Integer.toString(last) : before + first + "-" + last);
            first = bits.nextSetBit(end);
        }
        return text.toString();
    }
}
