package berth.series;

import berth.cluster.Cluster;
import berth.reservation.ClusterId;
import berth.reservation.Occurrence;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.SeriesId;
import berth.scheduling.commands.Reserve;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The same run on many days. Immutable.
 *
 * @param id the permanent id
 * @param cluster the cluster
 * @param origin the account
 * @param priority the priority of the account at the time of the request, 10 the highest
 * @param terms the terms of each occurrence, except its window
 * @param recurrence the recurrence as requested
 * @param span how far from its planned start an occurrence may begin
 * @param planned all occurrences in order of time, on different days
 * @param decided how many occurrences, from the first, have been decided
 * @param state the state
 * @param replaces the series from which it takes over; empty if there is none
 * @param givesUpFrom the first day of occurrences that must still be cancelled; empty if there are none
 * @param version the number of changes
 * @param createdAt seconds since the epoch
 */
public record Series(
        SeriesId id,
        ClusterId cluster,
        Origin origin,
        int priority,
        RequestedTerms terms,
        Recurrence recurrence,
        Span span,
        List<Planned> planned,
        int decided,
        SeriesState state,
        Optional<Replaced> replaces,
        Optional<LocalDate> givesUpFrom,
        int version,
        long createdAt) {

    /**
     * The rule that determines the days.
     *
     * @param rrule the rule in the form of RFC 5545
     * @param start the earliest start of the first occurrence; all occurrences have its time of day
     * @param zone the time zone
     * @param except days without an occurrence
     */
    public record Recurrence(String rrule, LocalDateTime start, ZoneId zone, List<LocalDate> except) {
        public Recurrence {
            except = List.copyOf(except);
        }
    }

    /**
     * How far from its planned start an occurrence may begin, in seconds.
     *
     * @param earlier how much earlier, not negative
     * @param later how much later, not negative
     */
    public record Span(long earlier, long later) {}

    /**
     * A planned occurrence.
     *
     * @param date the day that identifies it
     * @param start the planned start, in seconds since the epoch
     */
    public record Planned(LocalDate date, long start) {}

    /**
     * A series from which another one takes over.
     *
     * @param series the series
     * @param from the first day on which it has no more occurrences
     */
    public record Replaced(SeriesId series, LocalDate from) {}

    public Series {
        planned = List.copyOf(planned);
    }

    /** Returns the run time of an occurrence in its largest shape on a cluster with that rating, in seconds. */
    private long runTime(BigDecimal rating) {
        return RequestedTerms.runTime(terms.duration(), rating);
    }

    /** Returns the latest planned start of an occurrence, in seconds since the epoch. */
    long latestStart(Planned occurrence) {
        return occurrence.start() + span.later();
    }

    /**
     * Returns the terms of an occurrence in its own window, as far as the window has not passed. The window holds the longest shape if the
     * cluster's horizon does. If no other start than the planned one is allowed, the place is final at once, because a shorter shape could
     * move in the window of the longest.
     *
     * @param now seconds since the epoch
     */
    RequestedTerms terms(Planned occurrence, Cluster on, long now) {
        long latest = latestStart(occurrence);
        long ready = Math.max(occurrence.start() - span.earlier(), Math.min(now, latest));
        var inWindow = terms.startingAt(latest, on.rating(), now + on.policy().horizon())
                .readyAt(ready);
        return isExact() && inWindow.fixing().after().isEmpty()
                ? inWindow.fixing(inWindow.fixing().atOnce())
                : inWindow;
    }

    /** Whether an occurrence in several shapes must begin at the planned time. A rigid run has no other start in its window. */
    private boolean isExact() {
        return span.equals(new Span(0, 0)) && terms.moldability().isPresent();
    }

    /**
     * Returns how many occurrences, from the first, end in their largest shape by {@code horizon} even if they begin as late as they may, in
     * seconds since the epoch.
     */
    int within(long horizon, BigDecimal rating) {
        long longest = span.later() + runTime(rating);
        return (int) planned.stream()
                .takeWhile(one -> one.start() + longest <= horizon)
                .count();
    }

    /** Returns the request for an occurrence. */
    Reserve request(ReservationId reservation, Planned occurrence, Cluster on, long now) {
        return new Reserve(
                reservation,
                origin.as(new Occurrence(id, occurrence.date())),
                terms(occurrence, on, now),
                isExact() ? OptionalLong.of(occurrence.start()) : OptionalLong.empty(),
                OptionalLong.empty());
    }

    /** Returns the occurrence of that day. */
    public Optional<Planned> on(LocalDate date) {
        return planned.stream().filter(one -> one.date().equals(date)).findAny();
    }

    /** Returns the day up to which occurrences have been decided; empty if none has. */
    public Optional<LocalDate> bookedUntil() {
        return decided == 0
                ? Optional.empty()
                : Optional.of(planned.get(decided - 1).date());
    }

    /** Returns the series with its first {@code number} occurrences decided and nothing left to take over from another series. */
    Series decided(int number) {
        return with(planned, number, Optional.empty(), givesUpFrom);
    }

    /**
     * Returns the series without occurrences from that day on. Reservations of those must still be cancelled, as must earlier ones that
     * were to be cancelled before.
     */
    Series endingBefore(LocalDate day) {
        var left = planned.stream().filter(one -> one.date().isBefore(day)).toList();
        var first = givesUpFrom.filter(pending -> pending.isBefore(day)).orElse(day);
        return with(left, Math.min(decided, left.size()), replaces, Optional.of(first));
    }

    /** Returns the series after its occurrences were cancelled. */
    Series givenUp() {
        return with(planned, decided, replaces, Optional.empty());
    }

    private Series with(
            List<Planned> left, int number, Optional<Replaced> takesOver, Optional<LocalDate> stillToGiveUp) {
        boolean isOver = number == left.size() && stillToGiveUp.isEmpty();
        return new Series(
                id,
                cluster,
                origin,
                priority,
                terms,
                recurrence,
                span,
                left,
                number,
                isOver ? SeriesState.DECIDED : SeriesState.OPEN,
                takesOver,
                stillToGiveUp,
                version + 1,
                createdAt);
    }
}
