package berth.reports;

import berth.engine.ReportRecords;
import berth.engine.ReportRecords.Booking;
import berth.engine.ReportRecords.Scope;
import berth.readings.PeSeconds;
import berth.time.Slot;
import java.util.stream.Collectors;

/** The PE-seconds of clusters in each step: those that they have, those out of service, and those that are booked and used. */
final class Capacity {

    private final PeSeconds all;
    private final PeSeconds outOfService;
    private final PeSeconds booked;
    private final PeSeconds used;
    private final Slot range;
    private final long now;

    private Capacity(Scope scope, long now) {
        this.range = scope.range();
        this.now = now;
        all = new PeSeconds(range, scope.step());
        outOfService = new PeSeconds(range, scope.step());
        booked = new PeSeconds(range, scope.step());
        used = new PeSeconds(range, scope.step());
    }

    /** Reads everything that has, had or takes PEs in the scope of a report. */
    static Capacity read(Asked asked, Scope scope, ReportRecords records, long now) {
        var capacity = new Capacity(scope, now);
        capacity.addSizes(records, scope);
        var outages = records.outages(scope).stream().collect(Collectors.groupingBy(outage -> outage.cluster()));
        for (var schedule : asked.schedules()) {
            var its = outages.get(schedule.cluster().id());
            if (its != null) {
                schedule.outOfService(its).forEach(part -> capacity.outOfService.add(part.slot(), part.pes()));
            }
        }
        records.bookings(scope, capacity::add);
        return capacity;
    }

    private void addSizes(ReportRecords records, Scope scope) {
        var sizes = records.sizes(scope);
        for (int i = 0; i < sizes.size(); i++) {
            var size = sizes.get(i);
            boolean isLast =
                    i + 1 == sizes.size() || !sizes.get(i + 1).cluster().equals(size.cluster());
            long until = isLast ? range.end() : sizes.get(i + 1).from();
            if (until > size.from()) {
                all.add(new Slot(size.from(), until), size.pes());
            }
        }
    }

    private void add(Booking booking) {
        add(booking, booked, used, now);
    }

    /** Counts the PE-seconds of a booking: as reserved, and those that it had by now. */
    static void add(Booking booking, PeSeconds booked, PeSeconds used, long now) {
        long until = Math.min(booking.until(), now);
        for (var part : booking.parts()) {
            booked.add(part.slot(), part.pes());
            if (part.slot().start() < until) {
                used.add(part.until(until).slot(), part.pes());
            }
        }
    }

    /**
     * The PE-seconds of a step.
     *
     * @param all those that the clusters had
     * @param outOfService those of them that outages took
     */
    record Step(long all, long outOfService, long booked, long used) {

        Step plus(Step other) {
            return new Step(
                    all + other.all, outOfService + other.outOfService, booked + other.booked, used + other.used);
        }

        long available() {
            return Math.max(0, all - outOfService);
        }
    }

    /** Returns the steps, in order. */
    Step[] steps() {
        var has = all.inSteps();
        var lost = outOfService.inSteps();
        var reserved = booked.inSteps();
        var had = used.inSteps();
        var steps = new Step[has.length];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = new Step(has[i], Math.min(lost[i], has[i]), reserved[i], had[i]);
        }
        return steps;
    }
}
