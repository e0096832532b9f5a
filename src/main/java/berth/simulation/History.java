package berth.simulation;

import berth.availability.PeSet;
import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.simulation.Outcome.Accepted;
import berth.sla.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What became of every job of a run, in the order of submission.
 *
 * @param cluster as it was throughout
 * @param outcomes one for each job
 */
public record History(Cluster cluster, List<Outcome> outcomes) {

    public History {
        outcomes = List.copyOf(outcomes);
    }

    /** Those that were accepted. */
    public List<Accepted> accepted() {
        return outcomes.stream()
                .filter(Accepted.class::isInstance)
                .map(Accepted.class::cast)
                .toList();
    }

    /**
     * Looks at the whole run again, without the schedule it came from: every accepted job ran to its end inside its window
     * on as many PEs as it asked for, all of them the cluster's and held by nobody else meanwhile. O(n log n) for n jobs.
     *
     * @throws BrokenRule if it is not so
     */
    public void check() {
        List<Accepted> accepted = accepted();
        accepted.forEach(History::checkTerms);
        checkPes(accepted);
    }

    private static void checkTerms(Accepted one) {
        Reservation reservation = one.reservation();
        var request = one.job().request();
        require(reservation.state() == ReservationState.COMPLETED, one, "has not run to its end");
        long start = one.occupied().getFirst().slot().start();
        require(start >= request.submit(), one, "began before it was asked for");
        require(start >= request.readyTime() && one.end() <= request.deadline(), one, "ran outside its window");
        require(reservation.terms().allow(reservation.parts()), one, "ran in a shape that was not agreed");
        require(reservation.terms().pes() == request.pes(), one, "ran on another number of PEs");
        long ranFor = one.occupied().stream()
                .mapToLong(part -> part.slot().duration())
                .sum();
        long reservedFor = reservation.parts().stream()
                .mapToLong(part -> part.slot().duration())
                .sum();
        require(ranFor == Math.min(one.job().runTime(), reservedFor), one, "ran for another time");
    }

    /** The PEs that a part had. */
    private static PeSet pesOf(Accepted one, Part part) {
        return part.peIds()
                .orElseThrow(() -> new BrokenRule("Job %d ran on no particular PEs."
                        .formatted(one.job().request().job())));
    }

    private record Turn(long at, boolean isStart, PeSet pes, Accepted who) {}

    private void checkPes(List<Accepted> accepted) {
        List<Turn> turns = new ArrayList<>(2 * accepted.size());
        for (Accepted one : accepted) {
            for (Part part : one.occupied()) {
                PeSet pes = pesOf(one, part);
                turns.add(new Turn(part.slot().start(), true, pes, one));
                turns.add(new Turn(part.slot().end(), false, pes, one));
            }
        }
        turns.sort(Comparator.comparingLong(Turn::at).thenComparing(Turn::isStart));
        PeSet busy = PeSet.NONE;
        for (Turn turn : turns) {
            if (turn.isStart()) {
                require(!busy.intersects(turn.pes()), turn.who(), "began on PEs that others held");
                busy = busy.or(turn.pes());
                require(busy.length() <= cluster.pes(), turn.who(), "began on PEs that there are not");
            } else {
                busy = busy.minus(turn.pes());
            }
        }
    }

    private static void require(boolean holds, Accepted one, String otherwise) {
        if (!holds) {
            throw new BrokenRule("Job %d %s: %s.".formatted(one.job().request().job(), otherwise, one.reservation()));
        }
    }
}
