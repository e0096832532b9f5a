package berth.availability;

/**
 * Numbers of PEs whose free runs are summed up together: those that agree in their three leading binary digits. The
 * numbers up to 7 each have a class to themselves, then come 8 and 9, 10 and 11, 12 and 13, 14 and 15, 16 to 19, and so
 * on, so that the least of a class is more than four fifths of any other in it.
 *
 * @param index its place in the order of all classes, from 1 on
 * @param least the lowest number in it
 */
record SizeClass(int index, int least) {

    private static final int DIGITS = 3;

    /** The class of a number of PEs, at least 1. */
    static SizeClass of(int pes) {
        int dropped = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(pes) - DIGITS);
        int digits = pes >> dropped;
        return new SizeClass((dropped << (DIGITS - 1)) + digits, digits << dropped);
    }
}
