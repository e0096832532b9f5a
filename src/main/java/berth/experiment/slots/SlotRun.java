package berth.experiment.slots;

/**
 * One run of the study: a setting under a policy, with the requests of one repetition.
 *
 * @param repetition counted from 1; runs of equal repetition have the same jobs, whatever the policy, arrival factor and
 *     flexibility. Another umed has jobs of other sizes and run times, submitted at the same times
 */
record SlotRun(Setting setting, SlotPolicy policy, int repetition) {}
