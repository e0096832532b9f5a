package berth.experiment.whatif;

/**
 * One run of the study.
 *
 * @param repetition counted from 1; those of equal number make requests of the same jobs
 */
record WhatIfRun(Setting setting, int repetition) {}
