package berth.lab.experiment.priority;

/**
 * A job of the study with one PE, like the paper's gridlets.
 *
 * @param number its number from 0, by arrival
 * @param user its user, from 0
 * @param priority the priority of the user, 1 to 10
 * @param arrival the arrival in seconds from the beginning
 * @param runTime the run time in seconds on a standard PE
 * @param resource the resource to which it goes, from 0
 * @param rank in [0, 100): the job asks for an advance reservation if the share exceeds the rank, so a job that does so at one share does
 *     so at every greater one
 * @param start the start that it then chooses, in seconds from the beginning
 */
record GridJob(int number, int user, int priority, long arrival, long runTime, int resource, double rank, long start) {

    boolean isReservedAt(int share) {
        return rank < share;
    }
}
