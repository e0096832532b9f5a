package berth.experiment.slots;

/**
 * One run of the study: a setting under a policy, with the requests of one repetition.
 *
 * @param repetition counted from 1; runs of equal repetition draw the same jobs, whatever policy and setting
 */
record SlotRun(Setting setting, SlotPolicy policy, int repetition) {}
