package berth.batch;

/**
 * Jobs that wait and have no planned start yet, numbered in their order from 0 on: a tree over them that knows of each stretch of
 * the queue the fewest PEs and the shortest estimate in it, so that a search passes over stretches in which nothing fits.
 * Changes take O(log n); a search mostly does, too, and O(n) at worst, where the narrow jobs are long and the short ones wide.
 * For one thread.
 */
final class UnplannedJobs {

    /** No job. */
    static final int NONE = -1;

    private static final int GONE = Integer.MAX_VALUE;

    /** A power of two, at least the number of jobs; the children of node k are 2k and 2k + 1, the root is 1. */
    private final int leaves;

    private final int[] fewestPes;
    private final long[] shortest;

    private UnplannedJobs(int leaves, int[] fewestPes, long[] shortest) {
        this.leaves = leaves;
        this.fewestPes = fewestPes;
        this.shortest = shortest;
    }

    static UnplannedJobs of(int[] pes, long[] estimates, int jobs) {
        int leaves = Math.max(1, Integer.highestOneBit(Math.max(1, jobs - 1)) * 2);
        var all = new UnplannedJobs(leaves, new int[2 * leaves], new long[2 * leaves]);
        for (int leaf = 0; leaf < leaves; leaf++) {
            all.fewestPes[leaves + leaf] = leaf < jobs ? pes[leaf] : GONE;
            all.shortest[leaves + leaf] = leaf < jobs ? estimates[leaf] : Long.MAX_VALUE;
        }
        for (int node = leaves - 1; node > 0; node--) {
            all.summarise(node);
        }
        return all;
    }

    UnplannedJobs copy() {
        return new UnplannedJobs(leaves, fewestPes.clone(), shortest.clone());
    }

    /** The fewest PEs that any of them wants; more than there are if there are none. */
    int fewestPes() {
        return fewestPes[1];
    }

    boolean isEmpty() {
        return fewestPes[1] == GONE;
    }

    boolean contains(int job) {
        return fewestPes[leaves + job] != GONE;
    }

    void remove(int job) {
        int node = leaves + job;
        fewestPes[node] = GONE;
        shortest[node] = Long.MAX_VALUE;
        for (node >>= 1; node > 0; node >>= 1) {
            summarise(node);
        }
    }

    private void summarise(int node) {
        int left = 2 * node;
        fewestPes[node] = Math.min(fewestPes[left], fewestPes[left + 1]);
        shortest[node] = Math.min(shortest[left], shortest[left + 1]);
    }

    /** The first job from {@code job} on that would fit now; {@link #NONE} if none would. */
    int nextThatFits(int job, LeastFree free) {
        if (job >= leaves) {
            return NONE;
        }
        int node = leaves + job;
        while (true) {
            if (free.hold(fewestPes[node], shortest[node])) {
                if (node >= leaves) {
                    return node - leaves;
                }
                node = 2 * node;
            } else {
                node = after(node);
                if (node == 0) {
                    return NONE;
                }
            }
        }
    }

    /** The next stretch behind that of a node; 0 if it reaches to the end. */
    private static int after(int node) {
        int left = node;
        while ((left & 1) == 1) {
            left >>= 1;
        }
        return left == 0 ? 0 : left + 1;
    }
}
