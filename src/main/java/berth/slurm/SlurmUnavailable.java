package berth.slurm;

import java.io.Serial;

/** Thrown if Slurm does not respond, or if its output cannot be parsed. Its state is then unknown. */
final class SlurmUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    SlurmUnavailable(String message) {
        super(message);
    }
}
