package berth.lab.experiment.whatif;

/** Table 1 of the paper: the rows of its own scheduler, by book-ahead time. */
enum PaperTable {
    /** The number of delayed jobs. */
    JOBS(new double[] {284, 341, 372, 357, 390, 411}, new double[] {172, 280, 319, 429, 393, 407}),
    /** The mean wait of these jobs without reservations, in seconds. */
    ORIGINAL(new double[] {2532, 2138, 1782, 1984, 2244, 1638}, new double[] {4155, 3594, 3491, 2426, 1926, 1646}),
    /** The mean wait of these jobs, in seconds. */
    AFFECTED(new double[] {7853, 11572, 11167, 11036, 15405, 12832}, new double[] {8112, 8744, 9193, 11081, 16649, 13011
    });

    private final double[] load;
    private final double[] whatIf;

    PaperTable(double[] load, double[] whatIf) {
        this.load = load;
        this.whatIf = whatIf;
    }

    double[] load() {
        return load.clone();
    }

    double[] whatIf() {
        return whatIf.clone();
    }
}
