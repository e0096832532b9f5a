package berth.demo;

import berth.archive.JournalExport.Journal;
import berth.availability.PeSet;
import berth.cluster.Cluster;
import berth.cluster.OutageId;
import berth.demo.Site.Machine;
import berth.demo.Site.Wish;
import berth.engine.Ledger.Batch;
import berth.engine.Ledger.Refusals;
import berth.reservation.AgendaItem;
import berth.reservation.ClientLabels;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.CreditReturns;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.PullForward;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.ReplaceLostPes;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The last two weeks of a cluster, and what is booked for the next two: the scheduling core decides the requests of the site's people under
 * a simulated clock, as a desk would have. The same time and seed give the same past.
 */
final class Past {

    /** How far ahead it books. */
    private static final long SPAN = 14 * Site.DAY;

    /** How long ago it begins, with an empty cluster. */
    static final long HISTORY = 16 * Site.DAY;

    private static final long STEP = Site.HOUR / 2;

    /** The share of the next two weeks up to which people book far ahead. */
    private static final double BOOKED = 0.56;

    /** The most bookings far ahead in one step. */
    private static final int MOST = 8;

    /** The share of the bookings far ahead that are for a day with room. */
    private static final double WITH_ROOM = 0.9;

    private static final double SOON = 0.3;
    private static final double CANCELLED = 0.07;
    private static final double EXTENDED = 0.05;
    private static final double ENDS_EARLY = 0.3;

    private final SplittableRandom draws;
    private final Machine machine;
    private final long now;
    private final PriorityQueue<Planned> planned =
            new PriorityQueue<>(Comparator.comparingLong(Planned::at).thenComparingInt(Planned::number));
    private final List<Batch> batches = new ArrayList<>();
    private final Map<Refusals, Long> refused = new HashMap<>();
    private ClusterSchedule schedule;
    private long sequence;
    private int number;

    private Past(Machine machine, long now, long seed) {
        this.machine = machine;
        this.now = now;
        // ids must differ between clusters
        this.draws = new SplittableRandom(seed ^ machine.cluster().id().value().hashCode());
        this.schedule = ClusterSchedule.empty(machine.cluster());
    }

    /** A command that somebody will send. */
    private record Planned(long at, int number, Command command) {}

    /**
     * Returns the past of a cluster.
     *
     * @param now its end, in seconds since the epoch
     */
    static Journal of(Machine machine, long now, long seed) {
        return new Past(machine, now, seed).journal();
    }

    private Journal journal() {
        long begin = now - HISTORY;
        planOutages(begin);
        for (long step = begin; step < now - STEP; step += STEP) {
            long at = step + draws.nextLong(STEP);
            advance(at);
            boolean isBusy = draws.nextDouble() < activity(at);
            for (int i = 0; isBusy && i < MOST && booked(at, at + SPAN) < BOOKED; i++) {
                request(at, draws.nextDouble() < WITH_ROOM ? onADayWithRoom(at) : draws.nextLong(SPAN));
            }
            if (isBusy && draws.nextDouble() < SOON) {
                request(at, draws.nextLong(Site.DAY));
            }
        }
        advance(now);
        return new Journal(machine.cluster(), begin, batches, refused, schedule);
    }

    /** Returns how likely somebody is at work. The epoch was a Thursday. */
    private static double activity(long at) {
        long hour = at % Site.DAY / Site.HOUR;
        long day = (at / Site.DAY + 3) % 7;
        return (hour >= 7 && hour < 18 ? 1 : 0.2) * (day < 5 ? 1 : 0.4);
    }

    /** Returns a time ahead on the day that is booked least. */
    private long onADayWithRoom(long at) {
        long day = LongStream.iterate(at, next -> next < at + SPAN, next -> next + Site.DAY)
                .boxed()
                .min(Comparator.comparingDouble(next -> booked(next, next + Site.DAY)))
                .orElse(at);
        return day - at + draws.nextLong(Site.DAY);
    }

    private double booked(long from, long to) {
        long taken = schedule.reservations().stream()
                .flatMap(reservation -> reservation.parts().stream())
                .mapToLong(part -> Math.max(
                                0,
                                Math.min(part.slot().end(), to)
                                        - Math.max(part.slot().start(), from))
                        * part.pes())
                .sum();
        return (double) taken / (to - from) / machine.cluster().pes();
    }

    private void planOutages(long begin) {
        var cluster = machine.cluster();
        outage(begin + 3 * Site.DAY, cluster, 11, OptionalLong.of(begin + 3 * Site.DAY + 7 * Site.HOUR), "failed fan");
        outage(begin + 9 * Site.DAY, cluster, 3, OptionalLong.of(begin + 9 * Site.DAY + 20 * Site.HOUR), "new disk");
        if (machine.equals(Site.GPUS)) {
            outage(now - 3 * Site.HOUR, cluster, 6, OptionalLong.empty(), "memory errors; the part is ordered");
        }
    }

    private void outage(long at, Cluster cluster, int node, OptionalLong to, String reason) {
        int granule = cluster.nodes().granule();
        var pes = PeSet.range(node * granule, (node + 1) * granule);
        plan(
                at,
                new RecordOutage(
                        new OutageId(id(at)),
                        granule,
                        Optional.of(pes),
                        OptionalLong.empty(),
                        to,
                        Optional.of(reason)));
    }

    private void plan(long at, Command command) {
        planned.add(new Planned(at, number++, command));
    }

    /** Returns a UUID of version 7. */
    private UUID id(long second) {
        long millis = second * 1000 + draws.nextInt(1000);
        return new UUID(millis << 16 | 0x7000 | draws.nextInt(0x1000), Long.MIN_VALUE | draws.nextLong() >>> 2);
    }

    private void request(long at, long ahead) {
        var wish = machine.wish(draws, at + ahead);
        boolean isFixed = wish.slack() == 0;
        long start = Math.max(at, wish.start());
        var id = new ReservationId(id(at));
        var reason = turn(
                at,
                Optional.of(new Reserve(
                        id,
                        origin(wish),
                        RequestedTerms.of(
                                OptionalLong.of(start),
                                isFixed
                                        ? OptionalLong.empty()
                                        : OptionalLong.of(start + wish.duration() + wish.slack()),
                                wish.duration(),
                                wish.pes()),
                        isFixed ? OptionalLong.of(start) : OptionalLong.empty(),
                        OptionalLong.empty())));
        reason.ifPresentOrElse(
                why -> refused.merge(new Refusals(at - at % Site.HOUR, why.code()), 1L, Long::sum),
                () -> plan(schedule.find(id).orElseThrow(), at));
    }

    private static Origin origin(Wish wish) {
        return new Origin(
                new AccountName(wish.owner()),
                wish.owner().equals(Site.PREMIUM) ? ServiceClass.PREMIUM : ServiceClass.STANDARD,
                new ClientLabels(Optional.of(wish.run()), Optional.of(wish.project())));
    }

    /** Plans what the owner will do with a new reservation before it starts. */
    private void plan(Reservation reservation, long at) {
        long wait = reservation.slot().start() - at;
        double fate = draws.nextDouble();
        if (wait < 2 * Site.HOUR) {
            return;
        }
        long when = at + draws.nextLong(Site.HOUR, wait);
        if (fate < CANCELLED) {
            plan(when, new Cancel(anyVersion(reservation)));
        } else if (fate < CANCELLED + EXTENDED) {
            plan(when, new Extend(anyVersion(reservation), 2 * Site.HOUR, Site.HOUR));
        }
    }

    private static Target anyVersion(Reservation reservation) {
        return new Target(reservation.id(), OptionalInt.empty());
    }

    /** Lets time pass, and everybody do what they planned. */
    private void advance(long until) {
        while (true) {
            long due = schedule.nextDue().map(AgendaItem::at).orElse(Long.MAX_VALUE);
            var next = planned.peek();
            if (next != null && next.at <= Math.min(due, until)) {
                planned.remove();
                turn(next.at, Optional.of(next.command));
            } else if (due <= until) {
                turn(due, Optional.empty());
            } else {
                return;
            }
        }
    }

    /** Decides what a desk decides in one turn, and returns why the command was refused; empty if it was not. */
    private Optional<Rejection> turn(long at, Optional<Command> command) {
        var before = schedule;
        var events = new ArrayList<Event>();
        decide(new AdvanceClock(Integer.MAX_VALUE)::decide, at, events);
        decide(new ReplaceLostPes()::decide, at, events);
        var reason = command.flatMap(wanted -> decide(wanted::decide, at, events));
        decide(new ReplaceLostPes()::decide, at, events);
        decide(new PullForward(before)::decide, at, events);
        decide(new CreditReturns(List.copyOf(events))::decide, at, events);
        if (!events.isEmpty()) {
            batches.add(new Batch(machine.cluster().id(), 0, sequence, List.copyOf(events), List.of()));
            sequence += events.size();
            events.forEach(this::planEnd);
        }
        return reason;
    }

    private Optional<Rejection> decide(Function<Basis, Decision> step, long at, List<Event> events) {
        return switch (step.apply(new Basis(schedule, at))) {
            case Decision.Rejected(var reason) -> Optional.of(reason);
            case Decision.Accepted(var happened, var next) -> {
                schedule = next;
                events.addAll(happened);
                yield Optional.empty();
            }
        };
    }

    /** Plans that some runs end before their time is over. */
    private void planEnd(Event event) {
        if (event instanceof ReservationEvent about
                && about.type() == Event.Type.STARTED
                && draws.nextDouble() < ENDS_EARLY) {
            var slot = about.reservation().slot();
            plan(
                    about.at() + draws.nextLong((slot.end() - about.at()) / 2, slot.end() - about.at()),
                    new Complete(anyVersion(about.reservation())));
        }
    }
}
