package berth.lab.experiment.slots;

import berth.lab.workload.LublinFeitelson;

/** How the run times of the model, made for 128 PEs, depend on the sizes of jobs on 1024. */
enum ModelRunTimes {
    /** On the share of the machine that a job takes. */
    SCALED {
        @Override
        LublinFeitelson of(LublinFeitelson model) {
            return model;
        }
    },
    /** On its number of PEs; with the authors' slope hardly any job of 145 PEs or more is short. */
    UNSCALED {
        @Override
        LublinFeitelson of(LublinFeitelson model) {
            return model.withRunTimesOf(LublinFeitelson.ALL_JOBS);
        }
    };

    abstract LublinFeitelson of(LublinFeitelson model);
}
