package berth.experiment.slots;

import static berth.experiment.slots.SlotPolicy.DU_B;
import static berth.experiment.slots.SlotPolicy.DU_W;
import static berth.experiment.slots.SlotPolicy.FF;
import static berth.experiment.slots.SlotPolicy.PEDU_B;
import static berth.experiment.slots.SlotPolicy.PEDU_W;
import static berth.experiment.slots.SlotPolicy.PE_B;
import static berth.experiment.slots.SlotPolicy.PE_W;

import berth.experiment.Curves;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What curves come to, in a few words. */
final class SlotNumbers {
    private SlotNumbers() {}

    /** The means at the first and at the last point, as in {@code PE_W 94.8 to 53.8, FF 91.2 to 45.9}. */
    static String ends(Curves<SlotPolicy> curves, String number, SlotPolicy... policies) {
        int last = curves.points().size() - 1;
        return Stream.of(policies)
                .map(policy -> text(
                        "%s " + number + " to " + number, policy, mean(curves, policy, 0), mean(curves, policy, last)))
                .collect(Collectors.joining(", "));
    }

    /** How far each of the three pairs lies apart at most. */
    static String apart(Curves<SlotPolicy> curves, String number) {
        return "at most "
                + Stream.of(
                                apart(curves, number, PE_W, DU_B),
                                apart(curves, number, PEDU_B, PEDU_W),
                                apart(curves, number, PE_B, DU_W))
                        .collect(Collectors.joining(", "));
    }

    private static String apart(Curves<SlotPolicy> curves, String number, SlotPolicy one, SlotPolicy other) {
        double most = IntStream.range(0, curves.points().size())
                .mapToDouble(at -> Math.abs(difference(curves, one, other, at)))
                .max()
                .orElseThrow();
        return text("%s and %s " + number, one, other, most);
    }

    /** The points by which the others are above first fit at the middle point. */
    static String aboveFirstFit(Curves<SlotPolicy> acceptance) {
        int middle = middleOf(acceptance);
        return Stream.of(PE_W, DU_B, PEDU_B, PEDU_W, PE_B, DU_W)
                .map(policy -> text("%s %+.1f", policy, difference(acceptance, policy, FF, middle)))
                .collect(Collectors.joining(", ", "points above FF at " + at(acceptance, middle) + ": ", ""));
    }

    /** The means at the middle point. */
    static String middle(Curves<SlotPolicy> curves) {
        int middle = middleOf(curves);
        return Stream.of(FF, PE_B, DU_W, PEDU_W, PEDU_B, PE_W, DU_B)
                .map(policy -> text("%s %.2f", policy, mean(curves, policy, middle)))
                .collect(Collectors.joining(", ", "at " + at(curves, middle) + ": ", ""));
    }

    /** The lead of the worst fit by PEs over the best by duration, at every point. */
    static String lead(Curves<SlotPolicy> acceptance) {
        return IntStream.range(0, acceptance.points().size())
                .mapToObj(at -> text("%+.2f", difference(acceptance, PE_W, DU_B, at)))
                .collect(Collectors.joining(", ", "PE_W − DU_B: ", " points"));
    }

    private static int middleOf(Curves<SlotPolicy> curves) {
        return curves.points().size() / 2;
    }

    private static String at(Curves<SlotPolicy> curves, int point) {
        return curves.points().get(point);
    }

    private static double mean(Curves<SlotPolicy> curves, SlotPolicy policy, int at) {
        return curves.at(policy, at).mean();
    }

    private static double difference(Curves<SlotPolicy> curves, SlotPolicy one, SlotPolicy other, int at) {
        return mean(curves, one, at) - mean(curves, other, at);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
