package berth.batch;

/**
 * Waiting jobs without a planned start, numbered in the order of the queue from 0. A tree over them stores the fewest PEs and the shortest
 * estimate in each section of the queue, so that a search skips sections in which nothing fits. Changes take O(log n). A search usually
 * takes O(log n), and O(n) at worst, if narrow jobs are long and short jobs are wide. Not thread-safe.
 */
final class UnplannedJobs {

    /** Represents no job. */
    static final int NONE = -1;

    private static final int GONE = Integer.MAX_VALUE;

    /** The number of leaves: a power of two, at least the number of jobs. The children of node k are 2k and 2k + 1; the root is 1. */
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

    /** Returns the fewest PEs that any of the jobs needs; more than the cluster has if there are no jobs. */
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

    /** Returns the first job from {@code job} on that fits now; {@link #NONE} if there is none. */
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

    /** Returns the node of the next section after that of {@code node}; 0 if there is none. */
    private static int after(int node) {
        int left = node;
        while ((left & 1) == 1) {
            left >>= 1;
        }
        return left == 0 ? 0 : left + 1;
    }
}
