package berth.experiment.whatif;

/**
 * One run of the study.
 *
 * @param repetition counted from 1; those of equal number make requests of the same jobs
 */
record WhatIfRun(Setting setting, int repetition) {

    /** Whether it is one of those that figure 4 shows over time. */
    boolean isDrawn() {
        return repetition == 1 && setting.slack() == Setting.WIDEST && setting.variant() == Variant.STANDARD;
    }
}
