package berth.availability;

/**
 * A class of numbers of PEs whose free runs are summarised together: the numbers with the same two leading binary digits. 1, 2 and 3 have a
 * class each, followed by 4 to 5, 6 to 7, 8 to 11, 12 to 15, 16 to 23, and so on. The least number of a class is therefore more than two
 * thirds of every other number in it.
 *
 * @param index the position among all classes, from 1
 * @param least the lowest number in the class
 */
record SizeClass(int index, int least) {

    private static final int DIGITS = 2;

    /** Returns the class of a number of PEs, at least 1. */
    static SizeClass of(int pes) {
        int dropped = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(pes) - DIGITS);
        int digits = pes >> dropped;
        return new SizeClass((dropped << (DIGITS - 1)) + digits, digits << dropped);
    }
}
