package berth.simulation;

import berth.sla.Fixing;
import berth.sla.Moldability;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.workload.AdaptiveRequest;
import berth.workload.ReservationRequest;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request, whoever makes it, and how much of its estimated run time the run really takes.
 *
 * @param request asked for at its time of submission; the PEs of a moldable run are the most, its duration is that on them
 * @param moldability what else the run may become; empty: it is rigid
 * @param preemption how it may be split; empty: not at all
 * @param serviceClass of its account
 * @param fixing when its place is to become final
 * @param share of the estimated run time that the run takes; of a run in parts, of its steps
 * @param maxPhi an alternative with at most this |φ| is taken where the request is refused; empty: none is
 * @param choice which of them
 */
public record Job(
        ReservationRequest request,
        Optional<Moldability> moldability,
        Optional<Preemption> preemption,
        ServiceClass serviceClass,
        Fixing fixing,
        RunShare share,
        Optional<BigDecimal> maxPhi,
        Choice choice) {

    /** Which alternative is taken of those that are offered. */
    public enum Choice {
        /** The one of the least |φ|, as in paper 000. */
        NEAREST,
        /** The one of the greatest: how far alternatives could lie at all. */
        FARTHEST
    }

    /** A rigid job that runs as long as it asks for. */
    public static Job asReserved(ReservationRequest request) {
        return of(new AdaptiveRequest(request, Optional.empty(), Optional.empty(), ServiceClass.STANDARD));
    }

    /** A job that runs as long as it asks for. */
    public static Job of(AdaptiveRequest asked) {
        return new Job(
                asked.request(),
                asked.moldability(),
                asked.preemption(),
                asked.serviceClass(),
                Fixing.BY_NOTICE,
                RunShare.WHOLE,
                Optional.empty(),
                Choice.NEAREST);
    }

    /**
     * The same job, which takes so many percent of its estimate.
     *
     * @throws IllegalArgumentException if they are not 1 to 100
     */
    public Job taking(int percent) {
        return taking(new RunShare(percent, 100));
    }

    /**
     * The same job, which takes so many seconds of those that it asks for.
     *
     * @throws IllegalArgumentException if they are fewer than 1, or more than it asks for
     */
    public Job endingAfter(long seconds) {
        return taking(new RunShare(seconds, request.duration()));
    }

    private Job taking(RunShare part) {
        return new Job(request, moldability, preemption, serviceClass, fixing, part, maxPhi, choice);
    }

    /** The same job, whose place is to become final then. */
    public Job fixed(Fixing when) {
        return new Job(request, moldability, preemption, serviceClass, when, share, maxPhi, choice);
    }

    /** The same job, which takes the nearest alternative of at most this |φ| where it is refused. */
    public Job orElseUpTo(BigDecimal phi) {
        return orElse(phi, Choice.NEAREST);
    }

    /** The same job, which takes one of the alternatives of at most this |φ| where it is refused. */
    public Job orElse(BigDecimal phi, Choice taken) {
        return new Job(request, moldability, preemption, serviceClass, fixing, share, Optional.of(phi), taken);
    }

    /** What it asks for. */
    RequestedTerms terms() {
        return new RequestedTerms(
                OptionalLong.of(request.readyTime()),
                OptionalLong.of(request.deadline()),
                request.duration(),
                request.pes(),
                moldability,
                preemption,
                Optional.empty(),
                Map.of(),
                fixing);
    }

    /** When the run is over if these are its parts; parts of a second count as a whole one. */
    long end(List<Part> parts) {
        long needed = share.taken() * parts.stream().mapToInt(Part::steps).sum();
        long done = 0;
        for (Part part : parts) {
            long after = done + share.whole() * part.steps();
            if (after >= needed) {
                return part.slot().start()
                        + Math.ceilDiv(part.slot().duration() * (needed - done), share.whole() * part.steps());
            }
            done = after;
        }
        throw new IllegalArgumentException("A run has parts.");
    }
}
