package berth.slurm;

import java.io.Serial;

/** Thrown if Berth does not respond or rejects a call. The plan is then unknown, and the agent must not change Slurm. */
final class BerthUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    BerthUnavailable(String message) {
        super(message);
    }
}
