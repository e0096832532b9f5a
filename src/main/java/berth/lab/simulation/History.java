package berth.lab.simulation;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.lab.simulation.JobOutcome.Accepted;
import berth.lab.simulation.JobOutcome.Alternative;
import berth.lab.workload.ReservationRequest;
import berth.outcome.Outcome.Done;
import berth.outcome.Outcome.NotDone;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.Bounds;
import berth.sla.Fixing;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The results of all jobs of a run, in the order of submission.
 *
 * @param cluster the cluster, which did not change
 * @param outcomes the results, one for each job
 */
public record History(Cluster cluster, List<JobOutcome> outcomes) {

    public History {
        outcomes = List.copyOf(outcomes);
    }

    /** Returns the accepted jobs. */
    public List<Accepted> accepted() {
        return outcomes.stream()
                .filter(Accepted.class::isInstance)
                .map(Accepted.class::cast)
                .toList();
    }

    /**
     * Checks the whole run independently of the schedule. Every accepted job ran to its end inside its window, in agreed shapes and parts,
     * on PEs of the cluster that no other job had at the time. It moved only inside that window, before its place was final, to a start
     * that respects the cluster's notice, never to a higher price, and never in parts that had begun. It ran on the PEs that were chosen in
     * advance, if any were. An alternative has the stated distance and respects the job's limit. O(n log n) for n jobs and moves.
     *
     * @throws BrokenRule if a rule is broken
     */
    public void check() {
        List<Accepted> accepted = accepted();
        for (Accepted one : accepted) {
            checkAlternative(one);
            Terms terms = terms(one);
            checkPlaces(one, terms);
            checkRun(one, terms);
        }
        checkPes(accepted);
    }

    /** Returns the terms that apply, resolved again from the request or the accepted alternative. */
    private Terms terms(Accepted one) {
        var agreed = one.alternative()
                .map(Alternative::terms)
                .orElseGet(() -> one.job().terms());
        return switch (agreed.resolve(
                one.job().request().submit(),
                new Bounds(
                        cluster.rating(),
                        cluster.reservablePes(),
                        Long.MAX_VALUE,
                        cluster.policy().horizon(),
                        0))) {
            case Done(var terms) -> terms;
            case NotDone(var violations) ->
                throw new BrokenRule("Job %d was accepted although %s."
                        .formatted(one.job().request().job(), violations));
        };
    }

    /**
     * Checks φ by paper 000, section 3.2: before the requested window it is (OPTT^r - T^r)/T^e, after it (OPTD - D)/T^e. Slack that goes
     * along makes OPTD later, without effect on φ, and is no more than the job offered. T^e is then that of the largest or smallest shape.
     */
    private static void checkAlternative(Accepted one) {
        if (one.alternative().isEmpty()) {
            return;
        }
        var job = one.job();
        var taken = one.alternative().get();
        long ready = taken.terms().readyTime().orElseThrow();
        long deadline = taken.terms().deadline().orElseThrow();
        var asked = job.request();
        double phi = taken.phi().doubleValue();
        boolean hasSlack = taken.start().isPresent();
        require(
                hasSlack
                        ? LongStream.of(asked.duration(), job.terms().longestRunTime(BigDecimal.ONE))
                                .anyMatch(runTime -> isAt(phi, asked, ready, ready + runTime, runTime))
                        : isAt(phi, asked, ready, deadline, asked.duration()),
                one,
                "took an alternative whose distance is not the stated one, " + phi);
        long longest =
                Math.max(asked.deadline() - asked.readyTime(), job.terms().longestRunTime(BigDecimal.ONE));
        require(
                !hasSlack || taken.start().getAsLong() == ready && deadline - ready <= longest,
                one,
                "took an alternative with more slack than it offered, until " + deadline);
        boolean isAllowed = job.maxPhi()
                .filter(most -> taken.phi().abs().compareTo(most) <= 0)
                .isPresent();
        require(isAllowed, one, "took an alternative that is too far away, " + phi);
        require(
                sameBut(job.terms(), taken.terms()),
                one,
                "took an alternative that differs in more than its window, " + taken.terms());
    }

    /** Whether a window from {@code ready} to {@code deadline} lies at that distance from the requested one. */
    private static boolean isAt(double phi, ReservationRequest asked, long ready, long deadline, long runTime) {
        long away = phi < 0 ? ready - asked.readyTime() : deadline - asked.deadline();
        return Math.abs(phi - (double) away / runTime) < 1e-3;
    }

    private static boolean sameBut(RequestedTerms asked, RequestedTerms taken) {
        return asked.duration() == taken.duration()
                && asked.pes() == taken.pes()
                && asked.moldability().equals(taken.moldability())
                && asked.preemption().equals(taken.preemption());
    }

    private void checkPlaces(Accepted one, Terms terms) {
        for (int i = 0; i < one.places().size(); i++) {
            Reservation place = one.places().get(i);
            require(isInside(terms, place.parts()), one, "was placed outside its window");
            require(terms.allow(place.parts()), one, "was placed in a shape that its terms do not allow");
            if (i > 0) {
                checkMove(one, one.places().get(i - 1), place);
                checkPromise(one, terms.fixing(), one.places().get(i - 1), place);
            }
        }
        var last = one.places().getLast();
        require(sameSlots(last.parts(), one.reservation().parts()), one, "ran elsewhere than it was moved to");
        require(
                cluster.binding() == Binding.LATE
                        || last.parts().equals(one.reservation().parts()),
                one,
                "ran on other PEs than those announced");
    }

    private static void checkMove(Accepted one, Reservation from, Reservation to) {
        long at = to.status().updatedAt();
        int begun = begun(from.parts(), at);
        require(
                begun < to.parts().size()
                        && sameSlots(from.parts().subList(0, begun), to.parts().subList(0, begun)),
                one,
                "was moved in a part that had begun");
        require(to.parts().get(begun).slot().start() >= at, one, "was moved into the past");
        require(begun > 0 || at < from.placement().fixesAt(), one, "was moved after its place was final");
        require(to.price().amount().compareTo(from.price().amount()) <= 0, one, "was moved to a higher price");
    }

    /** Checks that a reservation moved before its place became final, which is computed from the rules and the first place. */
    private void checkPromise(Accepted one, Fixing fixing, Reservation from, Reservation to) {
        long at = to.status().updatedAt();
        if (begun(from.parts(), at) > 0) {
            return;
        }
        long ahead = Math.max(cluster.policy().notice(), fixing.before().orElse(0));
        require(from.slot().start() - at > ahead, one, "was moved within the notice");
        require(to.slot().start() - at >= ahead, one, "was moved to a start within the notice");
        long asked = one.job().request().submit();
        long wait = one.places().getFirst().slot().start() - asked;
        boolean isInTime = fixing.after()
                .map(share -> share.multiply(BigDecimal.valueOf(wait)))
                .filter(most -> most.compareTo(BigDecimal.valueOf(at - asked)) <= 0)
                .isEmpty();
        require(isInTime, one, "was moved after its share of the wait");
    }

    /** Returns how many parts had begun; a start at an instant precedes every move at it. */
    private static int begun(List<Part> parts, long at) {
        return (int) parts.stream().filter(part -> part.slot().start() <= at).count();
    }

    private static boolean sameSlots(List<Part> one, List<Part> other) {
        return one.stream()
                .map(Part::slot)
                .toList()
                .equals(other.stream().map(Part::slot).toList());
    }

    private static boolean isInside(Terms terms, List<Part> parts) {
        return parts.getFirst().slot().start() >= terms.window().readyTime()
                && parts.getLast().slot().end() <= terms.window().deadline();
    }

    private static void checkRun(Accepted one, Terms terms) {
        Reservation reservation = one.reservation();
        require(reservation.state() == ReservationState.COMPLETED, one, "has not run to its end");
        require(
                one.occupied().getFirst().slot().start() >= one.job().request().submit(),
                one,
                "began before it was requested");
        require(isInside(terms, one.occupied()), one, "ran outside its window");
        require(terms.allow(reservation.parts()), one, "ran in a shape that its terms do not allow");
        require(one.end() == one.job().end(reservation.parts()), one, "ran longer or shorter than its run time");
    }

    /** Returns the PEs of a part. */
    private static PeSet pesOf(Accepted one, Part part) {
        PeSet pes = part.peIds()
                .orElseThrow(() -> new BrokenRule("Job %d ran on no particular PEs."
                        .formatted(one.job().request().job())));
        require(pes.size() == part.pes(), one, "ran on another number of PEs");
        return pes;
    }

    private record Turn(long at, boolean isStart, PeSet pes, Accepted who) {
        static Stream<Turn> of(Accepted one, Part part) {
            PeSet pes = pesOf(one, part);
            return Stream.of(
                    new Turn(part.slot().start(), true, pes, one),
                    new Turn(part.slot().end(), false, pes, one));
        }
    }

    private void checkPes(List<Accepted> accepted) {
        List<Turn> turns = new ArrayList<>();
        for (Accepted one : accepted) {
            one.occupied().stream().flatMap(part -> Turn.of(one, part)).forEach(turns::add);
        }
        turns.sort(Comparator.comparingLong(Turn::at).thenComparing(Turn::isStart));
        PeSet busy = PeSet.NONE;
        for (Turn turn : turns) {
            if (turn.isStart()) {
                require(!busy.intersects(turn.pes()), turn.who(), "began on PEs that another run had");
                busy = busy.or(turn.pes());
                require(busy.length() <= cluster.pes(), turn.who(), "began on PEs that the cluster does not have");
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
