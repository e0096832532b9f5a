package berth.availability;

import java.util.Arrays;
import java.util.BitSet;
import java.util.StringJoiner;

/** A set of PEs of one cluster, which are numbered from 0. A value: it never changes. */
public final class PeSet {

    /** No PEs. */
    public static final PeSet NONE = new PeSet(new long[0]);

    /** 64 PEs each, the first bit the lowest number; the last word is not 0. Never written to. */
    private final long[] words;

    private PeSet(long[] words) {
        int length = words.length;
        while (length > 0 && words[length - 1] == 0) {
            length--;
        }
        this.words = length == words.length ? words : Arrays.copyOf(words, length);
    }

    /** These PEs. */
    public static PeSet of(int... pes) {
        var bits = new BitSet();
        Arrays.stream(pes).forEach(bits::set);
        return new PeSet(bits.toLongArray());
    }

    /** The PEs numbered from {@code from} up to, but not including, {@code to}. */
    public static PeSet range(int from, int to) {
        var bits = new BitSet();
        bits.set(from, to);
        return new PeSet(bits.toLongArray());
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
            if (!part.matches("\\d{1,9}(-\\d{1,9})?")) {
                throw new IllegalArgumentException("'%s' is not a PE or a range of PEs.".formatted(part));
            }
            int hyphen = part.indexOf('-');
            int first = Integer.parseInt(hyphen < 0 ? part : part.substring(0, hyphen));
            int last = hyphen < 0 ? first : Integer.parseInt(part.substring(hyphen + 1));
            if (last < first || first < bits.length()) {
                throw new IllegalArgumentException("'%s' is not ascending.".formatted(part));
            }
            bits.set(first, last + 1);
        }
        return new PeSet(bits.toLongArray());
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
        return pe >>> 6 < words.length && (words[pe >>> 6] >>> pe & 1) == 1;
    }

    public boolean containsAll(PeSet others) {
        return others.minus(this).isEmpty();
    }

    public boolean intersects(PeSet others) {
        return !and(others).isEmpty();
    }

    /** Those in either. */
    public PeSet or(PeSet others) {
        var longer = words.length >= others.words.length ? this : others;
        var shorter = longer == this ? others : this;
        var union = longer.words.clone();
        for (int i = 0; i < shorter.words.length; i++) {
            union[i] |= shorter.words[i];
        }
        return new PeSet(union);
    }

    /** Those in both. */
    public PeSet and(PeSet others) {
        var common = Arrays.copyOf(words, Math.min(words.length, others.words.length));
        for (int i = 0; i < common.length; i++) {
            common[i] &= others.words[i];
        }
        return new PeSet(common);
    }

    /** Those in this set and not in the other. */
    public PeSet minus(PeSet others) {
        var rest = words.clone();
        for (int i = 0; i < Math.min(rest.length, others.words.length); i++) {
            rest[i] &= ~others.words[i];
        }
        return new PeSet(rest);
    }

    /**
     * The {@code count} lowest-numbered of them.
     *
     * @throws IllegalArgumentException if there are fewer, or {@code count} is negative
     */
    public PeSet lowest(int count) {
        var bits = new BitSet();
        int pe = -1;
        var all = BitSet.valueOf(words);
        for (int i = 0; i < count; i++) {
            pe = all.nextSetBit(pe + 1);
            if (pe < 0) {
                break;
            }
            bits.set(pe);
        }
        if (count < 0 || bits.cardinality() < count) {
            throw new IllegalArgumentException("There are not %d PEs in %s.".formatted(count, this));
        }
        return new PeSet(bits.toLongArray());
    }

    /** As many bits as the highest number needs, 64 to a word. */
    long[] words() {
        return words.clone();
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
