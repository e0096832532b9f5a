package berth.lab.experiment.priority;

import berth.intake.Dpsar;
import berth.intake.IntakeRequest;
import berth.lab.experiment.Check;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.priority.ResourceRun.Handed;
import berth.lab.simulation.QueueHistory;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;

/** The paper's two worked examples, run as given, and the claims that they come out as stated. */
final class WorkedExamples {

    /** The gridlet queue in the text to figure 3. */
    private static final String TEXT_ORDER = "G1L1 G1L2 G1L3 G2L1 G3L1 G2L2 G3L2 G2L3 G3L3 G2L4 G3L4";

    private WorkedExamples() {}

    /** A gridlet of Table 1: its arrival, run time, start and end. */
    private record Gridlet(long arrival, long burst, long start, long end) {}

    private static final List<Gridlet> TABLE = List.of(
            new Gridlet(0, 5, 0, 5), new Gridlet(2, 7, 2, 9), new Gridlet(3, 10, 5, 15), new Gridlet(4, 5, 9, 14));

    /** Judges Tables 1 and 2. */
    static PaperClaim resourceQueue() {
        return PaperClaim.of(
                        "002-C6",
                        "Four gridlets in the resource queue of two PEs run as in the paper's Tables 1 and 2.",
                        "each gridlet starts and ends in the second that the paper gives",
                        checkResourceQueue())
                .with("starts 0, 2, 5, 9", ourStarts());
    }

    private static List<Check> checkResourceQueue() {
        var ran = gridletsRun();
        List<Check> checks = new ArrayList<>();
        for (var one : ran.jobs()) {
            long number = one.job().number();
            var gridlet = TABLE.get((int) number);
            checks.add(new Check(
                    "gridlet %d runs from %d to %d".formatted(number + 1, gridlet.start, gridlet.end),
                    one.start() == gridlet.start && one.end() == gridlet.end,
                    "%d to %d".formatted(one.start(), one.end())));
        }
        return checks;
    }

    /** Formats the starts of Table 1's gridlets in our run. */
    private static String ourStarts() {
        return gridletsRun().jobs().stream()
                .map(one -> String.valueOf(one.start()))
                .collect(Collectors.joining(", ", "starts ", ""));
    }

    private static QueueHistory gridletsRun() {
        List<Handed> handed = new ArrayList<>();
        for (var gridlet : TABLE) {
            handed.add(new Handed(
                    new GridJob(handed.size(), 0, 1, gridlet.arrival, gridlet.burst, 0, 0, 0), false, gridlet.arrival));
        }
        return ResourceRun.of(PriorityStudy.cluster("two", 2, BigDecimal.ONE), handed);
    }

    /** Judges the text to figure 3: three users of priority 9, 3 and 2 with three, four and four jobs. */
    static PaperClaim gridletQueue() {
        return PaperClaim.of(
                        "002-C7",
                        "DPSAR puts the jobs of three users in the order that the paper gives with figure 3.",
                        "the order is that of the paper, and no job is left over",
                        checkGridletQueue())
                .with(TEXT_ORDER, queue(users()));
    }

    private static List<Check> checkGridletQueue() {
        var round = users();
        String order = queue(round);
        return List.of(
                new Check("the gridlet queue is that of the paper", order.equals(TEXT_ORDER), order),
                new Check(
                        "no job waits for another round",
                        round.heldBack().isEmpty(),
                        round.heldBack().size() + " wait"));
    }

    private static Dpsar.Round users() {
        List<IntakeRequest> requests = new ArrayList<>();
        for (int length = 4; length >= 1; length--) {
            if (length < 4) {
                requests.add(request("G1", 9, length));
            }
            requests.add(request("G3", 2, length));
            requests.add(request("G2", 3, length));
        }
        return new Dpsar(10, 3).round(List.of(), requests);
    }

    private static String queue(Dpsar.Round round) {
        return round.decided().stream()
                .map(request -> request.origin().owner() + "L" + request.terms().duration())
                .collect(Collectors.joining(" "));
    }

    private static IntakeRequest request(String user, int priority, long length) {
        return IntakeRequest.pending(
                new ReservationId(new UUID(user.hashCode(), length)),
                new ClusterId("grid"),
                new Origin(new AccountName(user), ServiceClass.STANDARD),
                priority,
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), length, 1),
                OptionalLong.empty(),
                0);
    }
}
