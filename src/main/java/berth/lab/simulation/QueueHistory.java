package berth.lab.simulation;

import berth.availability.PeSet;
import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The results of all batch jobs and requests of a run.
 *
 * @param cluster the cluster, which did not change
 * @param jobs the jobs in the order of submission, including refused requests if these are queued
 * @param bookings the results of the requests, in order
 */
public record QueueHistory(Cluster cluster, List<JobRun> jobs, List<SimulatedBooking> bookings) {

    public QueueHistory {
        jobs = List.copyOf(jobs);
        bookings = List.copyOf(bookings);
    }

    /** Returns the granted reservations after they ended. */
    public List<Reservation> granted() {
        return bookings.stream().flatMap(booking -> booking.granted().stream()).toList();
    }

    /** Returns the end of the last job; 0 without jobs. */
    public long lastJobEnd() {
        return jobs.stream().mapToLong(JobRun::end).max().orElse(0);
    }

    /** Returns the end of the last job or reservation. */
    public long lastEnd() {
        return granted().stream()
                .mapToLong(one -> one.occupied().getLast().slot().end())
                .reduce(lastJobEnd(), Math::max);
    }

    /**
     * Checks the whole run independently of the schedule. Every job ran after its submission, on the PEs and for the time it needs. Every
     * reservation ran in its window as agreed. No two jobs or reservations had a PE at the same time, and the cluster has all of these PEs.
     * No job was overtaken by one with at least as many PEs and at least as long an estimate, as FCFS with EASY backfilling guarantees. O(n
     * log n), plus O(w) for each job that waits while w others arrive.
     *
     * @throws BrokenRule if a rule is broken
     */
    public void check() {
        List<Part> taken = new ArrayList<>();
        for (var run : jobs) {
            checkRun(run);
            taken.add(run.occupied());
        }
        for (var booking : bookings) {
            booking.granted().ifPresent(reservation -> {
                checkReservation(booking, reservation);
                taken.addAll(reservation.occupied());
            });
        }
        checkPes(taken);
        checkTurns();
    }

    /** Checks that no job was overtaken by a larger one: any place that the later job got, the earlier one would have got. */
    private void checkTurns() {
        long[] submits = jobs.stream().mapToLong(run -> run.job().submit()).toArray();
        long[] starts = jobs.stream().mapToLong(JobRun::start).toArray();
        for (int one = 0; one < starts.length; one++) {
            for (int later = one + 1; later < starts.length && submits[later] < starts[one]; later++) {
                require(
                        starts[later] >= starts[one] || !asksForNoLess(later, one),
                        "Job %d was overtaken by a later job of the same size or larger.",
                        jobs.get(one).job().number());
            }
        }
    }

    private boolean asksForNoLess(int one, int other) {
        var job = jobs.get(one).job();
        var rival = jobs.get(other).job();
        return job.pes() >= rival.pes() && job.estimate() >= rival.estimate();
    }

    private static void checkRun(JobRun run) {
        var job = run.job();
        require(run.start() >= job.submit(), "Job %d began before it was submitted.", job.number());
        require(
                run.end() - run.start() == job.runTime(),
                "Job %d ran longer or shorter than its run time.",
                job.number());
        require(run.occupied().pes() == job.pes(), "Job %d ran on another number of PEs.", job.number());
    }

    private static void checkReservation(SimulatedBooking booking, Reservation reservation) {
        var request = booking.request();
        require(
                reservation.state() == ReservationState.COMPLETED
                        && reservation.occupied().equals(reservation.parts()),
                "The reservation of request %d did not run as agreed.",
                request.job());
        var slot = reservation.slot();
        require(
                slot.start() >= request.readyTime()
                        && slot.end() <= request.deadline()
                        && slot.duration() == request.duration(),
                "The reservation of request %d ran outside its window.",
                request.job());
        require(
                reservation.occupied().getFirst().pes() == request.pes(),
                "The reservation of request %d ran on another number of PEs.",
                request.job());
    }

    private record Turn(long at, boolean isStart, Part part) {}

    private void checkPes(List<Part> taken) {
        List<Turn> turns = new ArrayList<>();
        for (var part : taken) {
            turns.add(new Turn(part.slot().start(), true, part));
            turns.add(new Turn(part.slot().end(), false, part));
        }
        turns.sort(Comparator.comparingLong(Turn::at).thenComparing(Turn::isStart));
        PeSet busy = PeSet.NONE;
        for (var turn : turns) {
            PeSet pes = turn.part().peIds().orElse(PeSet.NONE);
            if (turn.isStart()) {
                require(pes.size() == turn.part().pes(), "At %d a run began on another number of PEs.", turn.at());
                require(!busy.intersects(pes), "At %d a run began on PEs that another run had.", turn.at());
                busy = busy.or(pes);
                require(
                        busy.length() <= cluster.pes(),
                        "At %d a run began on PEs that the cluster does not have.",
                        turn.at());
            } else {
                busy = busy.minus(pes);
            }
        }
    }

    private static void require(boolean holds, String otherwise, long which) {
        if (!holds) {
            throw new BrokenRule(otherwise.formatted(which));
        }
    }
}
