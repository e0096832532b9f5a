package berth.booking.web;

import static berth.http.ProblemCode.BUDGET_EXCEEDED;
import static berth.http.ProblemCode.ELSEWHERE;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.booking.BookedReservation;
import berth.booking.ReservationOrRequest;
import berth.booking.Reservations;
import berth.http.EntityTag;
import berth.http.Fields;
import berth.http.Refuses;
import berth.http.Required;
import berth.reservation.Reservation;
import berth.scheduling.Target;
import berth.scheduling.commands.Approve;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Decline;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The approval of reservations by people. */
@RestController
@RequestMapping("/api/v1/reservations/{id}")
class ApprovalsController {

    private final Reservations reservations;
    private final ReservationLookup lookup;
    private final ReservationBodies bodies;

    ApprovalsController(Reservations reservations, ReservationLookup lookup, ReservationBodies bodies) {
        this.reservations = reservations;
        this.lookup = lookup;
        this.bodies = bodies;
    }

    /**
     * An approval.
     *
     * @param reason what the owner should know about it
     */
    @Schema(name = "Approve", example = "{\"reason\":\"For the paper's deadline\"}")
    record ApproveBody(@Nullable String reason) {}

    /**
     * A refusal of an approval.
     *
     * @param reason why; the owner reads it
     */
    @Schema(name = "Decline", example = "{\"reason\":\"The cluster is needed for the course that week\"}")
    record DeclineBody(@Required @Nullable String reason) {}

    /**
     * Approves a reservation that waits for it, for all sides for which the caller may answer: an administrator for all, an approver of the
     * cluster for the cluster and the site's policy, and an owner of the project for the project. It is confirmed once all sides have
     * approved. If its owner may no longer file under the project, or an enforced budget is overdrawn, it goes on waiting.
     */
    @PostMapping("/approve")
    @Refuses({WRONG_STATE, ELSEWHERE, BUDGET_EXCEEDED})
    ResponseEntity<ReservationBody> approveReservation(
            @PathVariable String id,
            @RequestBody(required = false) @Nullable ApproveBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields(Objects.requireNonNullElseGet(body, () -> new ApproveBody(null)));
        var reason = fields.label("reason", body == null ? null : body.reason);
        fields.check();
        return answered(
                id,
                ifMatch,
                key,
                Map.of("approve", reason.orElse("")),
                account,
                target -> new Approve(target, account.name(), reason));
    }

    /**
     * Declines a reservation that waits for approval, for a side for which the caller may answer. The reservation ends, owes nothing, and
     * its PEs become free at once.
     */
    @PostMapping("/decline")
    @Refuses({WRONG_STATE, ELSEWHERE})
    ResponseEntity<ReservationBody> declineReservation(
            @PathVariable String id,
            @RequestBody DeclineBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var reason = fields.label("reason", fields.required("reason", body.reason, "none"))
                .orElse("none");
        fields.check();
        return answered(
                id,
                ifMatch,
                key,
                Map.of("decline", reason),
                account,
                target -> new Decline(target, account.name(), reason));
    }

    private ResponseEntity<ReservationBody> answered(
            String id,
            @Nullable String ifMatch,
            @Nullable String key,
            Map<String, String> content,
            Account account,
            Function<Target, Command> answer) {
        var found = here(id, account);
        var version = ReservationLookup.version(found.version(), ifMatch);
        var use = lookup.key(key, account, "answer " + found.id(), content);
        var body = bodies.of(Refusals.done(reservations.answer(found, version, answer, use)));
        return ResponseEntity.ok().eTag(EntityTag.of(body.version(), body)).body(body);
    }

    private Reservation here(String id, Account account) {
        return switch (lookup.here(id, account)) {
            case BookedReservation.Here(var reservation) -> reservation;
            case ReservationOrRequest.Collected(var request) ->
                throw Refusals.wrongState(request.state().name());
            case BookedReservation.There _ -> throw new IllegalStateException("It is not here.");
        };
    }
}
