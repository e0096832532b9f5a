package berth.experiment.priority;

/**
 * A job of the study: of one PE, as a gridlet of the paper.
 *
 * @param number from 0, by arrival
 * @param user whose it is, from 0
 * @param priority of the user, 1 to 10
 * @param arrival in seconds from the beginning
 * @param runTime in seconds on a standard PE
 * @param resource to which it goes, from 0
 * @param rank in [0, 100): it asks for an advance reservation where the share is greater, so that those of a smaller share do
 *     so at every greater one
 * @param start which it chooses then, in seconds from the beginning
 */
record GridJob(int number, int user, int priority, long arrival, long runTime, int resource, double rank, long start) {

    boolean isReservedAt(int share) {
        return rank < share;
    }
}
