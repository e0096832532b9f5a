package berth.cluster;

/**
 * A cluster's word for one PE, which people read.
 *
 * @param word the word in the singular, such as {@code GPU} or {@code core}. Its plural ends in s
 */
public record Unit(String word) {

    /** The word for the PEs of a cluster that names no other. */
    public static final Unit PE = new Unit(Cluster.PE);

    public static Unit of(Cluster cluster) {
        return new Unit(cluster.unit());
    }

    /** Returns a number of PEs in words, such as {@code 8 GPUs}. */
    public String counted(int pes) {
        return pes == 1 ? "1 " + word : "%d %s".formatted(pes, plural());
    }

    /** Returns the plural, such as {@code cores}. */
    public String plural() {
        return word + "s";
    }

    /** Returns the plural at the beginning of a sentence, such as {@code Cores}. */
    public String title() {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1) + "s";
    }
}
