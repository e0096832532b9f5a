package berth.feeds;

import berth.booking.BookedReservation;
import berth.cluster.Outage;
import berth.cluster.Unit;
import berth.http.ICalendar.Entry;
import berth.http.ICalendar.Status;
import berth.http.Texts;
import berth.readings.Readings;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.Part;
import berth.time.Slot;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Makes calendar entries from reservations and outages. */
public final class FeedEntries {

    private FeedEntries() {}

    /**
     * The contents of the entry of a reservation, here or at another Berth. {@code lines} has the details that only some reservations
     * have.
     */
    private record Details(
            BookedReservation booked,
            ClusterId cluster,
            Unit unit,
            int pes,
            ReservationState state,
            boolean isMovable,
            int version,
            long updatedAt,
            Slot slot,
            List<String> lines) {

        Entry entry(Optional<String> service) {
            var id = booked.id();
            var origin = booked.origin();
            var url = service.map(at -> "%s/#/reservation?id=%s".formatted(at, id));
            var what = "%s on %s".formatted(unit.counted(pes), cluster);
            var heads = Stream.of("%s, %s".formatted(what, state));
            var project = origin.project().map(name -> "Project: " + name);
            var owner = Stream.of("Reserved by " + origin.owner());
            var last = Stream.concat(Stream.of("Reservation " + id), url.stream());
            return new Entry(
                    id + "@reservation.berth",
                    version,
                    updatedAt,
                    slot,
                    status(),
                    Stream.of(origin.labels().name(), Optional.of(what), origin.project())
                            .flatMap(Optional::stream)
                            .collect(Collectors.joining(" · ")),
                    Stream.of(heads, project.stream(), owner, lines.stream(), last)
                            .flatMap(each -> each)
                            .collect(Collectors.joining("\n")),
                    url);
        }

        private Status status() {
            return switch (state) {
                case HELD, PENDING -> Status.TENTATIVE;
                case CONFIRMED, RUNNING -> isMovable ? Status.TENTATIVE : Status.CONFIRMED;
                case COMPLETED -> Status.CONFIRMED;
                case CANCELLED, EXPIRED, FAILED -> Status.CANCELLED;
            };
        }
    }

    /**
     * Returns the entry of a reservation, from its first part to its last. For a reservation at another Berth, the entry shows what that
     * Berth last reported.
     *
     * @param unit the cluster's word for one PE
     * @param now seconds since the epoch
     * @param service the address of this service, for a link; empty to leave the link out
     */
    public static Entry of(BookedReservation booked, Unit unit, long now, Optional<String> service) {
        return switch (booked) {
            case BookedReservation.Here here -> details(here, unit, now).entry(service);
            case BookedReservation.There there -> details(there, unit).entry(service);
        };
    }

    private static Details details(BookedReservation.Here here, Unit unit, long now) {
        var reservation = here.reservation();
        var status = reservation.status();
        var parts = reservation.parts();
        boolean isMovable = reservation.isMovable(now);
        var lines = new ArrayList<String>();
        for (int i = 0; parts.size() > 1 && i < parts.size(); i++) {
            var part = parts.get(i);
            lines.add("Part %d: %s to %s, %s"
                    .formatted(
                            i + 1,
                            Texts.instant(part.slot().start()),
                            Texts.instant(part.slot().end()),
                            unit.counted(part.pes())));
        }
        var window = reservation.terms().window();
        lines.add(window(
                Texts.instant(window.readyTime()).toString(),
                Texts.instant(window.deadline()).toString()));
        if (isMovable) {
            lines.add("May be moved until "
                    + Texts.instant(reservation.placement().fixesAt()));
        }
        if (reservation.state().isLive()) {
            reservation.placement().losses().lacks().stream()
                    .map(lack -> lack(lack, unit))
                    .forEach(lines::add);
            var taken = reservation.enforcement().taken().now();
            if (!taken.isEmpty()) {
                lines.add("Jobs of others have %s (%s)".formatted(unit.counted(taken.size()), taken));
            }
        }
        status.holdExpiresAt().ifPresent(until -> lines.add("Held until " + Texts.instant(until)));
        status.reason().ifPresent(reason -> lines.add("Reason: " + reason));
        status.nearestPlace()
                .ifPresent(slot -> lines.add("It would have fitted from %s to %s"
                        .formatted(Texts.instant(slot.start()), Texts.instant(slot.end()))));
        return new Details(
                here,
                reservation.cluster(),
                unit,
                reservation.placement().pes(),
                reservation.state(),
                isMovable,
                reservation.version(),
                status.updatedAt(),
                taken(reservation),
                lines);
    }

    private static String lack(Part lack, Unit unit) {
        return "Without %s%s from %s to %s"
                .formatted(
                        unit.counted(lack.pes()),
                        lack.peIds().map(ids -> " (" + ids + ")").orElse(""),
                        Texts.instant(lack.slot().start()),
                        Texts.instant(lack.slot().end()));
    }

    /** Returns the time that the reservation takes, or, if it is completed, took. */
    private static Slot taken(Reservation reservation) {
        var parts = reservation.occupied();
        return reservation.state() != ReservationState.COMPLETED || parts.isEmpty()
                ? reservation.slot()
                : new Slot(
                        parts.getFirst().slot().start(), parts.getLast().slot().end());
    }

    private static Details details(BookedReservation.There there, Unit unit) {
        var mirror = there.mirror();
        var answer = mirror.last().answer();
        var terms = answer.path("terms");
        var lines = new ArrayList<String>();
        if (terms.path("readyTime").isString() && terms.path("deadline").isString()) {
            lines.add(window(
                    terms.path("readyTime").asString(), terms.path("deadline").asString()));
        }
        return new Details(
                there,
                mirror.cluster(),
                unit,
                Math.max(1, answer.path("placement").path("pes").asInt(1)),
                mirror.state(),
                answer.path("movable").asBoolean(false),
                mirror.version(),
                updatedAt(answer).orElse(mirror.createdAt()),
                new Slot(mirror.start(), mirror.end()),
                lines);
    }

    /** Returns the time of the last change; empty if the other Berth sent no valid one. */
    private static OptionalLong updatedAt(JsonNode answer) {
        try {
            return OptionalLong.of(
                    Instant.parse(answer.path("updatedAt").asString("")).getEpochSecond());
        } catch (DateTimeException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns when the entry of a live reservation changes without an event: when its place becomes final. */
    static OptionalLong changesAt(BookedReservation booked, long now) {
        return booked instanceof BookedReservation.Here(var reservation) && reservation.isMovable(now)
                ? OptionalLong.of(reservation.placement().fixesAt())
                : OptionalLong.empty();
    }

    /**
     * Returns the entry of a current or future outage. If the outage has no end, the entry lasts to the end of the present day, and is
     * therefore extended every day.
     *
     * @param unit the cluster's word for one PE
     * @param today start of the present day, seconds since the epoch
     */
    static Entry of(Outage outage, Unit unit, long today) {
        long from = outage.from();
        long planned = outage.to().orElse(Math.max(today, CalendarResponses.beginOfDay(from)) + Readings.DAY);
        long end = Math.min(planned, outage.endedAt().orElse(planned));
        var lines = new ArrayList<String>();
        lines.add("%s of %s out of service".formatted(unit.counted(outage.pes()), outage.cluster()));
        outage.peIds().ifPresent(ids -> lines.add("%s %s".formatted(unit.title(), ids)));
        outage.reason().ifPresent(lines::add);
        if (outage.to().isEmpty() && outage.endedAt().isEmpty()) {
            lines.add("Until further notice");
        }
        return new Entry(
                outage.id() + "@outage.berth",
                outage.endedAt().isPresent() ? 1 : 0,
                outage.endedAt().orElse(recordedAt(outage.id().value())),
                new Slot(from, end),
                Status.CONFIRMED,
                "%s: %s out of service".formatted(outage.cluster(), unit.counted(outage.pes())),
                String.join("\n", lines),
                Optional.empty());
    }

    /** Returns when an id was made: ids are UUIDs of version 7, which begin with the milliseconds since the epoch. */
    private static long recordedAt(UUID id) {
        return Math.floorDiv(id.getMostSignificantBits() >>> 16, 1000);
    }

    private static String window(String readyTime, String deadline) {
        return "Window: %s to %s".formatted(readyTime, deadline);
    }
}
