package berth.lab.experiment.whatif;

/**
 * A run of the study.
 *
 * @param repetition counted from 1; in equal repetitions the same jobs become requests
 */
record WhatIfRun(WhatIfSetting setting, int repetition) {

    /** Whether figure 4 shows this run over time. */
    boolean isDrawn() {
        return repetition == 1 && setting.slack() == WhatIfSetting.WIDEST && setting.variant() == Variant.STANDARD;
    }
}
