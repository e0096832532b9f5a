package berth;

/**
 * The number of random histories that a test plays. Tests name the number for {@code -Pfull}; {@code mvn verify} plays a share of it, the
 * property {@code berth.seeds.percent}.
 */
public final class Seeds {

    private static final int PERCENT = Integer.getInteger("berth.seeds.percent", 100);

    private Seeds() {}

    /**
     * Returns the share of a number that this build plays, at least 1.
     *
     * @param full the number in {@code -Pfull}
     */
    public static int of(int full) {
        return Math.max(1, Math.toIntExact((long) full * PERCENT / 100));
    }

    /** Returns whether this build plays all histories, so that a test may expect of them what is rare. */
    public static boolean areAll() {
        return PERCENT >= 100;
    }
}
