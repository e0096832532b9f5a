package berth.availability;

/**
 * Numbers of PEs whose free runs are summed up together: those that agree in their two leading binary digits. The numbers
 * 1, 2 and 3 have a class each, then come 4 and 5, 6 and 7, 8 to 11, 12 to 15, 16 to 23, and so on, so that the least of a
 * class is more than two thirds of any other in it.
 *
 * @param index its place in the order of all classes, from 1 on
 * @param least the lowest number in it
 */
record SizeClass(int index, int least) {

    private static final int DIGITS = 2;

    /** The class of a number of PEs, at least 1. */
    static SizeClass of(int pes) {
        int dropped = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(pes) - DIGITS);
        int digits = pes >> dropped;
        return new SizeClass((dropped << (DIGITS - 1)) + digits, digits << dropped);
    }
}
