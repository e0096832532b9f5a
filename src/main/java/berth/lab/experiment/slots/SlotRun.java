package berth.lab.experiment.slots;

/**
 * A run of the study: a setting and a policy with the requests of one repetition.
 *
 * @param repetition counted from 1. Runs of equal repetition have the same jobs, whatever the policy, arrival factor and flexibility.
 *     Another umed changes the sizes and run times of jobs but not their submissions
 */
record SlotRun(SlotSetting setting, SlotPolicy policy, int repetition) {}
