package berth.lab.simulation;

import berth.lab.simulation.JobOutcome.Accepted;
import berth.lab.simulation.JobOutcome.Refused;
import berth.lab.workload.ReservationRequest;
import berth.sla.Part;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * The figures of a run.
 *
 * @param requests the number of requests
 * @param accepted how many of them were granted
 * @param refused how many were refused, by code
 * @param meanSlowdown the mean over accepted requests of (start - ready time + run time) / run time; NaN if there are none
 * @param utilisation PE-seconds of the runs / (PEs · time from the first submission to the last end of a run)
 * @param area the PE-seconds of the runs
 * @param moves how often the provider moved an accepted reservation
 * @param alternatives how many of the accepted requests took an alternative
 * @param meanPhi the mean of |φ| over these; NaN if there are none
 * @param offeredLoad requested PE-seconds / (PEs · time from the first submission to the last)
 */
public record Figures(
        int requests,
        int accepted,
        SortedMap<String, Integer> refused,
        double meanSlowdown,
        double utilisation,
        double area,
        int moves,
        int alternatives,
        double meanPhi,
        double offeredLoad) {

    /** Returns the figures of a run with at least one request. */
    public static Figures of(History history) {
        List<ReservationRequest> requests = history.outcomes().stream()
                .map(outcome -> outcome.job().request())
                .toList();
        List<Accepted> accepted = history.accepted();
        long first = requests.getFirst().submit();
        long lastEnd = accepted.stream().mapToLong(Accepted::end).max().orElse(first);
        double pes = history.cluster().pes();
        double area = accepted.stream().mapToDouble(Figures::area).sum();
        double[] phis = phis(accepted);
        return new Figures(
                requests.size(),
                accepted.size(),
                refused(history),
                accepted.stream().mapToDouble(Figures::slowdown).average().orElse(Double.NaN),
                area / (pes * span(first, lastEnd)),
                area,
                accepted.stream().mapToInt(Accepted::moves).sum(),
                phis.length,
                DoubleStream.of(phis).average().orElse(Double.NaN),
                requests.stream().mapToDouble(ReservationRequest::area).sum()
                        / (pes * span(first, requests.getLast().submit())));
    }

    /** Returns the refusals as {@code code:count} separated by spaces, for tables. */
    public String refusedByCode() {
        return refused.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Returns the share of granted requests, in [0, 1]. */
    public double acceptance() {
        return (double) accepted / requests;
    }

    private static long span(long from, long to) {
        return Math.max(1, to - from);
    }

    private static double slowdown(Accepted one) {
        long ranFor = one.occupied().stream()
                .mapToLong(part -> part.slot().duration())
                .sum();
        return (double) (one.end() - one.job().request().readyTime()) / ranFor;
    }

    private static double area(Accepted one) {
        return one.occupied().stream().mapToDouble(Part::work).sum();
    }

    private static double[] phis(List<Accepted> accepted) {
        return accepted.stream()
                .flatMap(one -> one.alternative().stream())
                .mapToDouble(taken -> taken.phi().abs().doubleValue())
                .toArray();
    }

    private static SortedMap<String, Integer> refused(History history) {
        SortedMap<String, Integer> refused = new TreeMap<>();
        for (JobOutcome outcome : history.outcomes()) {
            if (outcome instanceof Refused(var _, var reason)) {
                refused.merge(reason.code().word(), 1, Integer::sum);
            }
        }
        return refused;
    }
}
