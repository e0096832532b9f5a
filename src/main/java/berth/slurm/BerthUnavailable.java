package berth.slurm;

import java.io.Serial;

/** Berth does not answer, or refuses to: the plan is not known, and nothing in Slurm may be changed. */
final class BerthUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    BerthUnavailable(String message) {
        super(message);
    }
}
