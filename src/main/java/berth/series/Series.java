package berth.series;

import berth.reservation.ClusterId;
import berth.reservation.Occurrence;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.SeriesId;
import berth.scheduling.Allowance;
import berth.scheduling.Reserve;
import berth.sla.RequestedTerms;
import berth.time.Window;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The same run on many days. A value.
 *
 * @param id names it for good
 * @param cluster where it runs
 * @param origin who wants it
 * @param priority of the account when it asked, 10 the highest
 * @param terms of each occurrence, but for its window
 * @param recurrence on which days, as it was asked for
 * @param span how far from its planned start each may begin
 * @param planned all occurrences, in the order of time, on different days
 * @param decided how many of them have been decided: the first ones
 * @param state how far it has come
 * @param replaces the series that it takes over from; empty: none
 * @param givesUpFrom the first day whose occurrence is still to be given up, where that is not done yet
 * @param version how often it has changed
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
     * The rule by which the days were found.
     *
     * @param rrule as RFC 5545 writes it
     * @param start of the first occurrence, at the earliest; the time of day is that of all
     * @param zone whose time that is
     * @param except days that are left out
     */
    public record Recurrence(String rrule, LocalDateTime start, ZoneId zone, List<LocalDate> except) {
        public Recurrence {
            except = List.copyOf(except);
        }
    }

    /**
     * How far from its planned start an occurrence may begin, in seconds.
     *
     * @param earlier before it, not negative
     * @param later after it, not negative
     */
    public record Span(long earlier, long later) {}

    /**
     * An occurrence as it is planned.
     *
     * @param date by which it is known
     * @param start seconds since the epoch
     */
    public record Planned(LocalDate date, long start) {}

    /**
     * A series that another one takes over from.
     *
     * @param series which
     * @param from the first day of which it has no occurrence any more
     */
    public record Replaced(SeriesId series, LocalDate from) {}

    public Series {
        planned = List.copyOf(planned);
    }

    /** Seconds that each occurrence takes on a cluster of that rating. */
    long runTime(BigDecimal rating) {
        return RequestedTerms.runTime(terms.duration(), rating);
    }

    /** What an occurrence asks for, in its own window, on a cluster of that rating. */
    RequestedTerms terms(Planned occurrence, BigDecimal rating) {
        long start = occurrence.start();
        return terms.within(new Window(start - span.earlier(), start + span.later() + runTime(rating)));
    }

    /** How many of the first occurrences lie wholly before {@code horizon}, seconds since the epoch. */
    int within(long horizon, BigDecimal rating) {
        long longest = span.later() + runTime(rating);
        return (int) planned.stream()
                .takeWhile(one -> one.start() + longest <= horizon)
                .count();
    }

    /** A request for one of its occurrences. */
    Reserve request(ReservationId reservation, Planned occurrence, BigDecimal rating, Allowance allowance) {
        return new Reserve(
                reservation,
                origin.as(new Occurrence(id, occurrence.date())),
                terms(occurrence, rating),
                OptionalLong.empty(),
                OptionalLong.empty(),
                allowance);
    }

    /** The occurrence of that day. */
    public Optional<Planned> on(LocalDate date) {
        return planned.stream().filter(one -> one.date().equals(date)).findAny();
    }

    /** Up to which day its occurrences have been decided; empty if none has been. */
    public Optional<LocalDate> bookedUntil() {
        return decided == 0
                ? Optional.empty()
                : Optional.of(planned.get(decided - 1).date());
    }

    /** So many have been decided. */
    Series decided(int number) {
        return with(planned, number, Optional.empty(), givesUpFrom);
    }

    /** It has no occurrence from that day on; those that are booked are still to be given up, and those of before that were to be already. */
    Series endingBefore(LocalDate day) {
        var left = planned.stream().filter(one -> one.date().isBefore(day)).toList();
        var first = givesUpFrom.filter(pending -> pending.isBefore(day)).orElse(day);
        return with(left, Math.min(decided, left.size()), replaces, Optional.of(first));
    }

    /** What was to be given up is. */
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
