package berth.availability;

import java.util.Arrays;
import java.util.BitSet;
import java.util.StringJoiner;

/**
 * A set of PEs of one cluster, which are numbered from 0. A value: it never changes.
 *
 * <p>Every operation takes time, and the set itself memory, in proportion to the highest number in it: a bit per PE.
 */
public final class PeSet {

    /** No PEs. */
    public static final PeSet NONE = new PeSet(new long[0]);

    /** 64 PEs each, the first bit the lowest number; the last word is not 0. Never written to. */
    private final long[] words;

    private PeSet(long[] words) {
        this.words = words;
    }

    /**
     * The set with these bits.
     *
     * @param words 64 PEs each, the first bit the lowest number; never written to again
     */
    static PeSet ofWords(long[] words) {
        int length = words.length;
        while (length > 0 && words[length - 1] == 0) {
            length--;
        }
        return length == 0 ? NONE : new PeSet(length == words.length ? words : Arrays.copyOf(words, length));
    }

    /**
     * These PEs.
     *
     * @throws IndexOutOfBoundsException if a number is negative
     */
    public static PeSet of(int... pes) {
        var bits = new BitSet();
        Arrays.stream(pes).forEach(bits::set);
        return ofWords(bits.toLongArray());
    }

    /**
     * The PEs numbered from {@code from} up to, but not including, {@code to}.
     *
     * @throws IndexOutOfBoundsException if {@code from} is negative or above {@code to}
     */
    public static PeSet range(int from, int to) {
        var bits = new BitSet();
        bits.set(from, to);
        return ofWords(bits.toLongArray());
    }

    /**
     * The set that {@link #toString} writes: numbers and ranges, ascending and apart, as in {@code 0-31,40}.
     *
     * @throws IllegalArgumentException if the text is not of that form
     */
    public static PeSet parse(String text) {
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
            bits.set(first, last + 1);
        }
        return ofWords(bits.toLongArray());
    }

    /** How many. */
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

    /** One more than the highest number in it; 0 if it is empty. */
    public int length() {
        return words.length == 0 ? 0 : 64 * words.length - Long.numberOfLeadingZeros(words[words.length - 1]);
    }

    public boolean contains(int pe) {
        return pe >= 0 && pe >>> 6 < words.length && (words[pe >>> 6] >>> pe & 1) == 1;
    }

    public boolean containsAll(PeSet others) {
        for (int i = 0; i < others.words.length; i++) {
            long here = i < words.length ? words[i] : 0;
            if ((others.words[i] & ~here) != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean intersects(PeSet others) {
        for (int i = 0; i < Math.min(words.length, others.words.length); i++) {
            if ((words[i] & others.words[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Those in either. */
    public PeSet or(PeSet others) {
        if (words.length < others.words.length) {
            return others.or(this);
        }
        long[] union = words.clone();
        for (int i = 0; i < others.words.length; i++) {
            union[i] |= others.words[i];
        }
        return ofWords(union);
    }

    /** Those in both. */
    public PeSet and(PeSet others) {
        long[] common = Arrays.copyOf(words, Math.min(words.length, others.words.length));
        for (int i = 0; i < common.length; i++) {
            common[i] &= others.words[i];
        }
        return ofWords(common);
    }

    /** Those in this set and not in the other. */
    public PeSet minus(PeSet others) {
        long[] rest = words.clone();
        for (int i = 0; i < Math.min(rest.length, others.words.length); i++) {
            rest[i] &= ~others.words[i];
        }
        return ofWords(rest);
    }

    /**
     * The {@code count} lowest-numbered of them.
     *
     * @throws IllegalArgumentException if there are fewer, or {@code count} is negative
     */
    public PeSet lowest(int count) {
        if (count < 0 || count > size()) {
            throw new IllegalArgumentException("There are not %d PEs in {%s}, but %d.".formatted(count, this, size()));
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
        return ofWords(lowest);
    }

    /** 64 PEs each, the first bit the lowest number, up to the highest; not to be written to. */
    long[] words() {
        return words;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PeSet that && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    /** Numbers and ranges, ascending, as in {@code 0-31,40}; nothing if it is empty. */
    @Override
    public String toString() {
        var text = new StringJoiner(",");
        var bits = BitSet.valueOf(words);
        for (int first = bits.nextSetBit(0); first >= 0; ) {
            int end = bits.nextClearBit(first);
            text.add(end - first == 1 ? Integer.toString(first) : first + "-" + (end - 1));
            first = bits.nextSetBit(end);
        }
        return text.toString();
    }
}
