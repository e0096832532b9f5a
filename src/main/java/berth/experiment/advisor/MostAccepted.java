package berth.experiment.advisor;

import berth.simulation.BrokenRule;
import berth.workload.ReservationRequest;
import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CumulativeConstraint;
import com.google.ortools.sat.LinearExpr;
import java.util.ArrayList;
import java.util.List;

/**
 * The most of some requests that anybody can accept who knows all of them ahead, found by an exact solver: each run that is
 * accepted lies in one piece within its window, and at no instant do they take more PEs than there are. Nothing else
 * binds: no order of arrival, no place once given, no particular PEs. So no schedule that keeps its promises accepts more.
 *
 * <p>The solver works in one thread, with a fixed seed and up to a limit that it counts itself and no clock does: equal
 * requests have equal answers.
 *
 * @param requests that can be accepted at most
 * @param proof what is known about that number
 */
record MostAccepted(int requests, Proof proof) {

    /** Counted by the solver; a few seconds of work. */
    private static final double LIMIT = 10;

    private static final double ROUNDING = 1e-6;

    /** What is known about the greatest number. */
    enum Proof {
        /** There is a schedule that accepts as many. */
        REACHED,
        /** It cannot be more, and may be less: the solver met its limit. */
        NOT_MORE,
        /** It is all that were made: there is no solver for this platform. */
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
     * The most of these.
     *
     * @param pes of the machine; no request takes more
     */
    static MostAccepted of(int pes, List<ReservationRequest> requests) {
        return Solver.IS_THERE ? solved(pes, requests) : new MostAccepted(requests.size(), Proof.NO_SOLVER);
    }

    /** @throws BrokenRule if a setting accepts more of them: then either counts wrong */
    void check(Setting setting, int accepted) {
        if (accepted > requests) {
            throw new BrokenRule("%s accepts %d requests of which %d can be accepted at most."
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
                // asked for too late: nobody can accept it
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
            // to refuse all is always a way
            case INFEASIBLE, MODEL_INVALID, UNRECOGNIZED -> throw new IllegalStateException(model.validate());
        };
    }

    private static int bound(CpSolver solver) {
        return (int) Math.floor(solver.bestObjectiveBound() + ROUNDING);
    }
}
