package berth.scheduling;

import berth.pricing.Tariff;
import berth.reservation.Charge;
import berth.reservation.OpenReturn;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * PE-time that the owner of a run returns while it goes on, by ending it, or by having less of it from now on. The tariff's {@code
 * returnShare} is taken off the price at once, and the rest later if others {@linkplain CreditReturns book the time again}. The run still owes at least what a cancellation at this moment would have cost if it had
 * not begun. A run that lacks PEs, or is to lose some, owes nothing for what is returned.
 */
public final class Returns {

    private Returns() {}

    /** Returns a run that is about to end at {@code at}, with the rest of its time returned; any other reservation unchanged. */
    public static Reservation ofRest(Reservation run, ClusterSchedule schedule, long at) {
        var rest = run.state() == ReservationState.RUNNING ? from(run.parts(), at) : List.<Part>of();
        if (rest.isEmpty() || run.isIncomplete(at)) {
            return run;
        }
        var charge = run.charge();
        var back = back(run, charge.ofParts(), until(run.placement().pieces(), at), rest, schedule);
        var credited = back.atOnce();
        return credited.isNothing()
                ? run
                : run.charged(charge.returning(credited.none(), credited, OpenReturn.of(at, back.rest(), rest))
                        .atLeast(least(run, schedule, at)));
    }

    /**
     * Returns what a run in one part owes for its present parts and for what was returned, after its owner has returned some of the part.
     *
     * @param part its part after the change, from the same start, with no more PEs
     */
    public static Charge of(Reservation run, Part part, ClusterSchedule schedule, long now) {
        var charge = run.charge();
        var had = run.parts().getFirst();
        var returned = returned(had, part, now);
        if (returned.isEmpty()) {
            return charge;
        }
        var kept = kept(run, part, now);
        var agreed = charge.ofParts();
        long gone = OpenReturn.work(returned);
        long all = run.placement().work();
        var rest = new Quantity(agreed, 0).share(all - gone, all).money();
        if (run.isIncomplete(now)) {
            return charge.ofParts(rest);
        }
        var back = back(run, agreed, kept, returned, schedule);
        var credited = back.atOnce();
        var changed = charge.returning(
                new Quantity(agreed.less(rest), gone), credited, OpenReturn.of(now, back.rest(), returned));
        return credited.isNothing() ? changed : changed.atLeast(least(run, schedule, now));
    }

    /** What the owner gets back for returned time: at once, and if others book it again. */
    private record Back(Quantity atOnce, Quantity rest) {}

    private static Back back(
            Reservation run, Money agreed, List<Part> kept, List<Part> returned, ClusterSchedule schedule) {
        var tariff = schedule.cluster().tariff();
        var money = tariff.returned(
                agreed, kept, schedule.prices(run.origin().customer()).run(run.terms(), returned, Mobility.NONE));
        long work = OpenReturn.work(returned);
        long atOnce = share(tariff, work);
        return new Back(new Quantity(money.atOnce(), atOnce), new Quantity(money.rest(), work - atOnce));
    }

    private static long share(Tariff tariff, long peSeconds) {
        return tariff.returnShare()
                .multiply(BigDecimal.valueOf(peSeconds))
                .setScale(0, RoundingMode.FLOOR)
                .longValueExact();
    }

    private static Quantity least(Reservation run, ClusterSchedule schedule, long now) {
        var share = schedule.cluster().tariff().owedIfGivenUp(run.slot().start(), now);
        return run.charge().owed(run.placement().work()).share(share);
    }

    /** Returns what the run has had and keeps of its part. */
    private static List<Part> kept(Reservation run, Part part, long now) {
        long end = Math.min(part.slot().end(), run.slot().end());
        return Stream.concat(
                        until(run.placement().pieces(), now).stream(),
                        Stream.of(Part.whole(new Slot(now, end), part.pes())))
                .toList();
    }

    /** Returns what a part has from {@code now} on and another from the same start does not. */
    private static List<Part> returned(Part had, Part has, long now) {
        long end = Math.min(had.slot().end(), has.slot().end());
        var returned = new ArrayList<Part>();
        if (has.pes() < had.pes()) {
            var fewer = Part.whole(new Slot(now, end), had.pes() - has.pes());
            returned.add(had.peIds()
                    .flatMap(ids -> has.peIds().map(ids::minus))
                    .filter(ids -> ids.size() == fewer.pes())
                    .map(fewer::on)
                    .orElse(fewer));
        }
        if (end < had.slot().end()) {
            returned.add(had.during(new Slot(end, had.slot().end())));
        }
        return returned;
    }

    private static List<Part> until(List<Part> parts, long at) {
        return parts.stream()
                .filter(part -> part.slot().start() < at)
                .map(part -> part.until(at))
                .toList();
    }

    private static List<Part> from(List<Part> parts, long at) {
        return parts.stream()
                .filter(part -> part.slot().end() > at)
                .map(part -> part.during(
                        new Slot(Math.max(at, part.slot().start()), part.slot().end())))
                .toList();
    }
}
