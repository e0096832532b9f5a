package berth.lab.simulation;

import berth.lab.workload.AdaptiveRequest;
import berth.lab.workload.ReservationRequest;
import berth.sla.Fixing;
import berth.sla.Moldability;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request and the share of its estimated run time that the run actually takes.
 *
 * @param request the request, made at its submission; for a moldable run, with the most PEs and the duration on them
 * @param moldability the other shapes of the run; empty if it is rigid
 * @param preemption how it can be split; empty if it cannot
 * @param serviceClass the class of its account
 * @param fixing when its place becomes final
 * @param share the share of the estimated run time that the run takes; for a split run, of its steps
 * @param maxPhi the largest |φ| of an alternative that is accepted after a refusal; empty if none is
 * @param choice which of the alternatives is accepted
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

    /** Which of the offered alternatives is accepted. */
    public enum Choice {
        /** The one with the least |φ|, as in paper 000. */
        NEAREST,
        /** The one with the greatest |φ|, which shows how far alternatives can lie. */
        FARTHEST
    }

    /** Returns a rigid job that runs exactly as long as requested. */
    public static Job asReserved(ReservationRequest request) {
        return of(new AdaptiveRequest(request, Optional.empty(), Optional.empty(), ServiceClass.STANDARD));
    }

    /** Returns a job that runs exactly as long as requested. */
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
     * Returns the same job, which runs for {@code percent} of its estimate.
     *
     * @throws IllegalArgumentException if {@code percent} is not 1 to 100
     */
    public Job taking(int percent) {
        return taking(new RunShare(percent, 100));
    }

    /**
     * Returns the same job, which runs for {@code seconds} of the requested time.
     *
     * @throws IllegalArgumentException if {@code seconds} is less than 1 or more than requested
     */
    public Job endingAfter(long seconds) {
        return taking(new RunShare(seconds, request.duration()));
    }

    private Job taking(RunShare part) {
        return new Job(request, moldability, preemption, serviceClass, fixing, part, maxPhi, choice);
    }

    /** Returns the same job on a clock that is {@code seconds} ahead. */
    public Job shiftedBy(long seconds) {
        return new Job(
                request.shiftedBy(seconds), moldability, preemption, serviceClass, fixing, share, maxPhi, choice);
    }

    /** Returns the same job with another time at which its place becomes final. */
    public Job fixed(Fixing when) {
        return new Job(request, moldability, preemption, serviceClass, when, share, maxPhi, choice);
    }

    /** Returns the same job, which after a refusal accepts the nearest alternative with at most this |φ|. */
    public Job orElseUpTo(BigDecimal phi) {
        return orElse(phi, Choice.NEAREST);
    }

    /** Returns the same job, which after a refusal accepts one of the alternatives with at most this |φ|, as {@code taken} says. */
    public Job orElse(BigDecimal phi, Choice taken) {
        return new Job(request, moldability, preemption, serviceClass, fixing, share, Optional.of(phi), taken);
    }

    /** Returns the requested terms. */
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

    /** Returns when the run ends with these parts, rounded up to seconds. */
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
