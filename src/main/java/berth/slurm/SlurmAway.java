package berth.slurm;

import java.io.Serial;

/** Slurm does not answer, or not what can be understood: nothing is known of it. */
final class SlurmAway extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    SlurmAway(String message) {
        super(message);
    }
}
