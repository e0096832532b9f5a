package berth.slurm;

import java.io.Serial;

/** Slurm does not answer, or not what can be understood: nothing is known of it. */
final class SlurmUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    SlurmUnavailable(String message) {
        super(message);
    }
}
