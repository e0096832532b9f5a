package berth.lab.experiment.advisor;

import berth.lab.simulation.BrokenRule;
import berth.lab.workload.ReservationRequest;
import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CumulativeConstraint;
import com.google.ortools.sat.LinearExpr;
import java.util.ArrayList;
import java.util.List;

/**
 * The most of some requests that can be accepted with knowledge of all of them, found by an exact solver. Each accepted run lies in one
 * part within its window, and the runs never take more PEs than there are. There are no other constraints: no order of arrival, no earlier
 * places, no particular PEs. So no schedule that keeps its promises accepts more.
 *
 * <p>The solver uses one thread, a fixed seed and a limit that it counts itself, not by the clock, so equal requests have equal results.
 *
 * @param requests the most requests that can be accepted
 * @param proof what is known about that number
 */
record MostAccepted(int requests, Proof proof) {

    /** The limit that the solver counts itself; it reaches the limit after a few seconds. */
    private static final double LIMIT = 10;

    private static final double ROUNDING = 1e-6;

    /** The knowledge about the greatest number. */
    enum Proof {
        /** A schedule exists that accepts as many. */
        REACHED,
        /** The number cannot be greater but may be smaller: the solver reached its limit. */
        NOT_MORE,
        /** The number is that of all requests, because there is no solver for this platform. */
        NO_SOLVER
    }

    /** The native library, loaded once. */
    private static final class Solver {
        private static final boolean IS_THERE = load();

        private static boolean load() {
            try {
                Loader.loadNativeLibraries();
                return true;
            } catch (UnsatisfiedLinkError | RuntimeException e) {
                return false;
            }
        }
    }

    /**
     * Returns the most of these requests that can be accepted.
     *
     * @param pes the PEs of the machine; no request takes more
     */
    static MostAccepted of(int pes, List<ReservationRequest> requests) {
        return Solver.IS_THERE ? solved(pes, requests) : new MostAccepted(requests.size(), Proof.NO_SOLVER);
    }

    /**
     * Checks the number of requests that a setting accepts.
     *
     * @throws BrokenRule if it exceeds the bound, so one of the two is wrong
     */
    void check(Setting setting, int accepted) {
        if (accepted > requests) {
            throw new BrokenRule("%s accepts %d requests, but at most %d can be accepted."
                    .formatted(setting.words(), accepted, requests));
        }
    }

    private static MostAccepted solved(int pes, List<ReservationRequest> requests) {
        var model = new CpModel();
        CumulativeConstraint machine = model.addCumulative(pes);
        List<BoolVar> accepted = new ArrayList<>();
        for (ReservationRequest request : requests) {
            BoolVar isAccepted = model.newBoolVar("accepted " + request.job());
            long earliest = Math.max(request.readyTime(), request.submit());
            long latest = request.deadline() - request.duration();
            if (earliest > latest) {
                // requested too late for any schedule to accept
                continue;
            }
            var start = model.newIntVar(earliest, latest, "start " + request.job());
            machine.addDemand(
                    model.newOptionalFixedSizeIntervalVar(
                            start, request.duration(), isAccepted, "run " + request.job()),
                    request.pes());
            accepted.add(isAccepted);
        }
        model.maximize(LinearExpr.sum(accepted.toArray(BoolVar[]::new)));
        var solver = new CpSolver();
        solver.getParameters().setNumWorkers(1).setRandomSeed(1).setMaxDeterministicTime(LIMIT);
        return switch (solver.solve(model)) {
            case OPTIMAL -> new MostAccepted(bound(solver), Proof.REACHED);
            case FEASIBLE -> new MostAccepted(bound(solver), Proof.NOT_MORE);
            case UNKNOWN -> new MostAccepted(accepted.size(), Proof.NOT_MORE);
            // refusing everything is always possible
            case INFEASIBLE, MODEL_INVALID, UNRECOGNIZED -> throw new IllegalStateException(model.validate());
        };
    }

    private static int bound(CpSolver solver) {
        return (int) Math.floor(solver.bestObjectiveBound() + ROUNDING);
    }
}
