package berth.mail;

import berth.approval.Approval;
import berth.approval.Approval.Ask;
import berth.cluster.Unit;
import berth.engine.Records.RecordedEvent.Whole;
import berth.intake.IntakeRequest;
import berth.reservation.Assignment;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The words about an event, without any markup. They contain what clients have written, such as names.
 *
 * @param headline the event in one line
 * @param sentences what has happened and what to do
 * @param facts the details
 * @param url where to read more
 */
record Notice(String headline, List<String> sentences, List<Fact> facts, String url) {

    /** A detail, such as the start. */
    record Fact(String label, String value) {}

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("EEE d MMM uuuu, HH:mm", Locale.ENGLISH);

    /**
     * Returns the words about an event that is news; empty if it is none.
     *
     * @param unit the cluster's word for one PE
     */
    static Optional<Notice> of(Whole recorded, Unit unit, ZoneId zone, Links links) {
        return switch (recorded.event()) {
            case ReservationEvent event -> Optional.of(of(event, unit, zone, links));
            case RequestEvent(var _, var request, var _) -> Optional.of(of(recorded.cluster(), request, unit, links));
            case BudgetEvent(var budget, var _) ->
                Optional.of(new Notice(
                        "Project %s has used %d %% of its budget".formatted(budget.project(), budget.percent()),
                        List.of("Once the budget is used up, Berth may refuse reservations for the project."),
                        List.of(
                                new Fact("Project", budget.project()),
                                new Fact(
                                        "Granted",
                                        amount(
                                                budget.granted().toPlainString(),
                                                budget.unit().toString())),
                                new Fact(
                                        "Used",
                                        amount(
                                                budget.taken().toPlainString(),
                                                budget.unit().toString()))),
                        links.project(budget.project())));
            default -> Optional.empty();
        };
    }

    private static String amount(String number, String unit) {
        return number + " " + unit;
    }

    private static Notice of(ReservationEvent event, Unit unit, ZoneId zone, Links links) {
        var reservation = event.reservation();
        var words = words(event, unit, zone);
        return new Notice(
                "%s: %s".formatted(words.headline, subject(reservation, unit)),
                words.sentences,
                facts(reservation, unit, zone),
                links.reservation(reservation.id()));
    }

    private record Words(String headline, List<String> sentences) {
        private Words(String headline, String... sentences) {
            this(headline, List.of(sentences));
        }
    }

    private static Assignment assignment(Reservation reservation) {
        return reservation.origin().assignment().orElseThrow();
    }

    private static Words words(ReservationEvent event, Unit unit, ZoneId zone) {
        var reservation = event.reservation();
        var start = time(reservation.slot().start(), zone);
        return switch (event.type()) {
            case CONFIRMED -> new Words("Confirmed", "The reservation is confirmed. It starts on %s.".formatted(start));
            case TRANSFERRED ->
                new Words(
                        "Handed over",
                        "The reservation belongs to %s now."
                                .formatted(assignment(reservation).to()));
            case RECEIVED ->
                new Words(
                        "Received",
                        "%s has handed the reservation over to you. It starts on %s."
                                .formatted(assignment(reservation).by(), start));
            case APPROVAL_ASKED ->
                new Words(
                        "To approve",
                        "%s asks for a reservation that somebody must approve by %s. Open it to approve or decline it."
                                .formatted(
                                        reservation.origin().owner(),
                                        time(
                                                reservation
                                                        .status()
                                                        .approval()
                                                        .map(Approval::expiresAt)
                                                        .orElse(reservation
                                                                .slot()
                                                                .start()),
                                                zone)));
            case APPROVED ->
                reservation.state() == ReservationState.PENDING
                        ? new Words("Approved in part", approved(reservation), "Others must approve it too.")
                        : new Words(
                                "Approved",
                                approved(reservation),
                                "The reservation is confirmed. It starts on %s.".formatted(start));
            case APPROVAL_DECLINED -> new Words("Declined", declined(reservation));
            case EXPIRED ->
                new Words(
                        "Not approved in time",
                        "Not everybody who must approve it answered in time, so the reservation is not confirmed and its %s are free again."
                                .formatted(unit.plural()));
            case RENEGOTIATED, ACCEPTED -> new Words("Changed", "The reservation has the terms that you agreed on.");
            case EXTENDED ->
                new Words(
                        "Extended",
                        "Berth has extended the run. It ends on %s."
                                .formatted(time(reservation.slot().end(), zone)));
            case NOT_EXTENDED ->
                new Words(
                        "Not extended",
                        "Berth could not extend the run, so it ends as planned on %s."
                                .formatted(time(reservation.slot().end(), zone)));
            case CANCELLED -> new Words("Cancelled", "The reservation is cancelled.");
            case PROPOSED ->
                new Words(
                        "Proposal",
                        "The provider proposes other terms. Open the reservation to accept or decline them.");
            case MOVED -> moved(event, start, unit, zone);
            case STARTING -> new Words("Starts soon", "The reservation starts on %s.".formatted(start));
            case ENDING ->
                new Words(
                        "Ends soon",
                        "The run ends on %s.".formatted(time(reservation.slot().end(), zone)));
            case ENFORCEMENT_FAILED ->
                new Words(
                        "Not in place",
                        "The machine does not have the reservation as promised: %s."
                                .formatted(notInPlace(reservation)));
            case LOSING ->
                new Words(
                        "Will lose " + unit.plural(),
                        "%s of the reservation go out of service: %s."
                                .formatted(unit.title(), lacks(reservation, unit, zone)));
            case DEGRADED ->
                new Words(
                        "Degraded",
                        reservation.placement().losses().lacks().isEmpty()
                                ? "Another reservation of the same co-allocation has failed."
                                : "The run goes on without %s that went out of service: %s."
                                        .formatted(unit.plural(), lacks(reservation, unit, zone)));
            case RELEASED ->
                new Words(
                        "Released",
                        "Nobody claimed the reservation in time, so Berth has released its %s."
                                .formatted(unit.plural()));
            case FAILED -> failed(reservation, unit, zone);
            default -> throw new IllegalArgumentException("There is no mail about %s.".formatted(event.type()));
        };
    }

    private static Words moved(ReservationEvent event, String start, Unit unit, ZoneId zone) {
        var move = event.move().orElseThrow();
        var why = switch (move.why()) {
            case MADE_ROOM -> "to make room for another request";
            case PES_LOST -> "because its %s go out of service".formatted(unit.plural());
            case PULLED_FORWARD -> "because %s became free earlier".formatted(unit.plural());
            case CHEAPER -> "into hours that cost less";
        };
        return new Words(
                "Moved",
                "Berth has moved the reservation %s. It starts on %s.".formatted(why, start),
                "Before, it was to start on %s."
                        .formatted(time(move.from().getFirst().slot().start(), zone)));
    }

    private static String approved(Reservation reservation) {
        return reservation
                .status()
                .approval()
                .flatMap(Approval::last)
                .map(answer -> "%s has approved the reservation%s"
                        .formatted(
                                answer.by(),
                                answer.reason().map(": %s"::formatted).orElse(".")))
                .orElse("The reservation was approved.");
    }

    private static String declined(Reservation reservation) {
        return reservation
                .status()
                .approval()
                .flatMap(Approval::last)
                .map(answer -> "%s did not approve the reservation: %s"
                        .formatted(answer.by(), answer.reason().orElse("no reason given")))
                .orElse("The reservation was not approved.");
    }

    private static Words failed(Reservation reservation, Unit unit, ZoneId zone) {
        var why = reservation
                .status()
                .reason()
                .map(reason -> why(reason, unit))
                .orElse("The provider cannot keep the reservation.");
        var sentences = new ArrayList<String>();
        sentences.add(why);
        reservation
                .status()
                .nearestPlace()
                .ifPresent(slot -> sentences.add("It would have fitted from %s to %s."
                        .formatted(time(slot.start(), zone), time(slot.end(), zone))));
        return new Words("Failed", sentences);
    }

    private static String why(EndReason reason, Unit unit) {
        return switch (reason) {
            case DECLINED -> "The reservation was not approved.";
            case NOT_CLAIMED -> "Nobody claimed the reservation in time.";
            case PES_LOST -> "The %s of the reservation went out of service.".formatted(unit.plural());
            case NOT_ENFORCED -> "The machine did not have the reservation in time.";
            case USERS_UNKNOWN -> "The machine does not know one of the reservation's users.";
        };
    }

    private static String notInPlace(Reservation reservation) {
        int part = reservation.currentPart();
        return reservation.enforcement().told().stream()
                .filter(report -> report.part() == part)
                .flatMap(report -> report.detail().stream())
                .findFirst()
                .orElse(
                        switch (reservation.enforcement().cause(part)) {
                            case USERS_UNKNOWN -> "it does not know one of the users";
                            case NODES_BUSY -> "other work runs on the nodes";
                            case OTHER -> "it reported no reason";
                        });
    }

    private static String lacks(Reservation reservation, Unit unit, ZoneId zone) {
        return String.join(
                "; ",
                reservation.placement().losses().lacks().stream()
                        .map(lack -> "%s from %s to %s"
                                .formatted(
                                        unit.counted(lack.pes()),
                                        time(lack.slot().start(), zone),
                                        time(lack.slot().end(), zone)))
                        .toList());
    }

    private static List<Fact> facts(Reservation reservation, Unit unit, ZoneId zone) {
        var facts = new ArrayList<Fact>();
        reservation.origin().labels().name().ifPresent(name -> facts.add(new Fact("Name", name)));
        facts.add(new Fact("Cluster", reservation.cluster().value()));
        facts.add(
                new Fact(unit.title(), Integer.toString(reservation.placement().pes())));
        facts.add(new Fact("Start", time(reservation.slot().start(), zone)));
        facts.add(new Fact("End", time(reservation.slot().end(), zone)));
        facts.add(new Fact("Price", reservation.price().toString()));
        reservation.origin().project().ifPresent(project -> facts.add(new Fact("Project", project)));
        if (reservation.state() == ReservationState.PENDING) {
            reservation.status().approval().orElseThrow().asked().stream()
                    .filter(Ask::isOpen)
                    .map(ask -> new Fact(
                            "Approval by",
                            WhyAsked.inWords(ask, unit, reservation.price().currency())))
                    .forEach(facts::add);
        }
        facts.add(new Fact("Reservation", reservation.id().toString()));
        return facts;
    }

    private static Notice of(ClusterId cluster, IntakeRequest request, Unit unit, Links links) {
        boolean isOccurrence = request.origin().occurrence().isPresent();
        var facts = new ArrayList<Fact>();
        request.origin().labels().name().ifPresent(name -> facts.add(new Fact("Name", name)));
        facts.add(new Fact("Cluster", cluster.value()));
        facts.add(new Fact(unit.title(), Integer.toString(request.terms().pes())));
        request.origin()
                .occurrence()
                .ifPresent(which -> facts.add(new Fact("Day", which.date().toString())));
        request.reason().ifPresent(code -> facts.add(new Fact("Code", code.word())));
        facts.add(new Fact("Request", request.id().toString()));
        var what = isOccurrence ? "An occurrence of your series" : "Your request";
        return new Notice(
                "Refused: "
                        + subject(
                                request.origin(),
                                request.id(),
                                unit.counted(request.terms().pes()),
                                cluster),
                List.of(
                        request.state() == IntakeRequest.State.EXPIRED
                                ? "Your request waited for room until its time was over."
                                : "%s was refused%s."
                                        .formatted(
                                                what,
                                                request.reason()
                                                        .map(code -> " (" + code.word() + ")")
                                                        .orElse(""))),
                facts,
                links.reservation(request.id()));
    }

    private static String subject(Reservation reservation, Unit unit) {
        return subject(
                reservation.origin(),
                reservation.id(),
                unit.counted(reservation.placement().pes()),
                reservation.cluster());
    }

    private static String subject(Origin origin, ReservationId id, String pes, ClusterId cluster) {
        return "%s, %s on %s"
                .formatted(origin.labels().name().orElse(id.toString().substring(0, 8)), pes, cluster);
    }

    private static String time(long second, ZoneId zone) {
        return "%s (%s)"
                .formatted(
                        TIME.format(Instant.ofEpochSecond(second).atZone(zone)),
                        zone.getId().equals("Z") ? "UTC" : zone);
    }
}
