package berth.booking;

import berth.booking.Reservations.ActionOutcome;
import berth.engine.Answer;
import berth.engine.BookingLimits;
import berth.engine.Budgets;
import berth.engine.Keys;
import berth.outcome.Outcome;
import berth.peers.Mirror;
import berth.peers.Peer;
import berth.peers.Peers;
import berth.peers.RemoteProbe;
import berth.peers.Reply;
import berth.peers.WireTerms;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.TriedCluster;
import berth.scheduling.Rejection;
import berth.scheduling.places.Preference;
import berth.sla.Labels;
import berth.sla.Leeway;
import berth.sla.Moldability;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import berth.time.Slot;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A cluster of another Berth. Its answers are not trusted: one that does not make sense counts as no answer. */
record RemoteCluster(
        Peer peer,
        Peers peers,
        Mirrors mirrors,
        WireTerms wire,
        BookingLimits limits,
        Budgets budgets,
        InstantSource clock)
        implements AnyCluster {

    static final Answer UNKNOWN =
            new Answer.OutcomeUnknown("Another Berth holds the slot, but did not answer the confirmation.");

    /** The time to hold, record and confirm, including a repeated call, in seconds. */
    private static final long LEAD_TIME = 30;

    private static final BigDecimal LEAST_RATING = new BigDecimal("0.01");

    private static final BigDecimal MAX_RATING = new BigDecimal(1000);

    private static final int MAX_DECIMALS = 6;

    /** The most characters of a price. */
    private static final int LONGEST_AMOUNT = 64;

    @Override
    public ClusterId id() {
        return peer.id();
    }

    @Override
    public Probed probe(Request request, int limit) {
        var obstacle = budgets.obstacleElsewhere(request.origin());
        return obstacle.isPresent()
                ? new Probed.Never(obstacle.get())
                : probe(request, request.probed(rating(), latest()), limit);
    }

    /** Returns the rating from its card if it is valid, otherwise 1. */
    private BigDecimal rating() {
        var rating = peer.card().path("rating").decimalValue(BigDecimal.ONE);
        return rating.compareTo(LEAST_RATING) >= 0
                        && rating.compareTo(MAX_RATING) <= 0
                        && rating.scale() <= MAX_DECIMALS
                ? rating
                : BigDecimal.ONE;
    }

    /** Returns the end of the horizon by its card, in seconds since the epoch; if the card has no valid one, the other Berth decides. */
    private long latest() {
        try {
            var horizon =
                    Duration.parse(peer.card().path("policy").path("horizon").asString(""));
            return Math.addExact(clock.instant().getEpochSecond(), horizon.toSeconds());
        } catch (DateTimeException | ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Asks for slots, unless the card shows that there can be none. */
    private Probed probe(Request request, RequestedTerms terms, int limit) {
        var never = never(terms);
        if (never.isPresent()) {
            return new Probed.Never(never.get());
        }
        return switch (asked(terms, request.preference(), limit)) {
            case Reply.Heard(int status, var body) when status == 200 -> slots(body, request, terms);
            case Reply.Heard(int status, var problem) when status == 422 -> refused(problem);
            case Reply.Heard _, Reply.Silent _ -> new Probed.Unavailable();
        };
    }

    private Reply asked(RequestedTerms terms, Preference preference, int limit) {
        return peers.ask(peer, "/probes", question(terms, preference, limit));
    }

    private ObjectNode question(RequestedTerms terms, Preference preference, int limit) {
        var question = JsonNodeFactory.instance.objectNode();
        question.set("terms", wire.write(terms));
        question.putArray("clusters").add(peer.cluster().value());
        var orderBy = question.putObject("orderBy");
        preference.weights().forEach((measure, weight) -> orderBy.put(measure.word(), weight));
        question.put("limit", limit);
        return question;
    }

    /** Returns its answer for a client, including slots above the budget. */
    RemoteProbe show(RequestedTerms terms, Preference preference, int limit) {
        var never = never(terms);
        if (never.isPresent()) {
            return RemoteProbe.none(never.get());
        }
        return switch (asked(terms, preference, limit)) {
            case Reply.Heard(int status, var body) when status == 200 -> shown(body);
            case Reply.Heard(int status, var problem) when status == 422 -> without(refused(problem));
            case Reply.Heard _, Reply.Silent _ -> without(new Probed.Unavailable());
        };
    }

    private RemoteProbe shown(JsonNode body) {
        try {
            var slots = body.path("slots")
                    .valueStream()
                    .map(told -> new RemoteProbe.Slot(found(told).choice(id()), deadline(told), told))
                    .toList();
            return slots.isEmpty()
                    ? without(refused(body.path("reason")))
                    : new RemoteProbe(slots, body.path("truncated").asBoolean(true), List.of(), Optional.empty());
        } catch (DateTimeException | IllegalArgumentException | JacksonException e) {
            return without(new Probed.Unavailable());
        }
    }

    /** A Berth that lets no slack go along reports no deadline. */
    private static long deadline(JsonNode slot) {
        long end = second(slot.path("end"));
        return slot.path("deadline").isString() ? Math.max(end, second(slot.path("deadline"))) : end;
    }

    private RemoteProbe without(Probed answer) {
        return switch (answer) {
            case Probed.Never(var reason) -> RemoteProbe.none(reason);
            case Probed.NoRoom(var reason) -> RemoteProbe.none(reason);
            case Probed.Slots _, Probed.Unavailable _ -> RemoteProbe.silent(id());
        };
    }

    @Override
    public Counteroffer others(Request request, Leeway leeway) {
        var terms = request.terms(rating());
        if (never(terms).isPresent()) {
            return Counteroffer.of(List.of(), false);
        }
        var question = question(terms, request.preference(), SLOTS);
        question.put("alternatives", true);
        leeway.maxPhi().ifPresent(most -> question.put("maxPhi", most));
        return switch (peers.ask(peer, "/probes", question)) {
            case Reply.Heard(int status, var body) when status == 200 -> others(body, terms, leeway);
            case Reply.Heard _, Reply.Silent _ -> Counteroffer.NOT_LOOKED_FOR;
        };
    }

    /** The other Berth offers places but does not say how the terms would have to change. */
    @Override
    public Counteroffer remedy(Request request) {
        return others(request, Leeway.ANY);
    }

    /** Computes the distances here. */
    private Counteroffer others(JsonNode body, RequestedTerms terms, Leeway leeway) {
        var shown = shown(body);
        var places = affordable(shown, terms)
                .filter(place -> place.phi().signum() != 0 && leeway.takes(place.phi()))
                .limit(SLOTS)
                .toList();
        return Counteroffer.of(places, shown.isPartial());
    }

    private static Stream<AlternativePlace> affordable(RemoteProbe shown, RequestedTerms terms) {
        return shown.slots().stream()
                .filter(slot -> slot.told().path("withinBudget").asBoolean(false))
                .map(slot -> new AlternativePlace.There(
                        slot, AlternativePlace.phi(terms, slot.choice().slot())));
    }

    /** Searches as far outside the window as the card says that the cluster offers places. */
    @Override
    public Counteroffer at(Request request, long start) {
        var terms = request.terms();
        var most = peer.card().path("policy").path("alternativesMaxPhi").decimalValue(BigDecimal.ONE);
        var shown = show(terms.startingAt(start, rating(), latest()), Preference.EARLIEST_START, AT_SLOTS);
        var places = affordable(shown, terms)
                .filter(place ->
                        place.slot().start() == start && place.phi().abs().compareTo(most) <= 0)
                .limit(1)
                .toList();
        return Counteroffer.of(places, places.isEmpty() && shown.isPartial());
    }

    /** Returns why the cluster could never hold the run by its card; empty if the card does not exclude it. */
    Optional<Rejection> never(RequestedTerms terms) {
        var labels = new HashMap<String, String>();
        peer.card().path("labels").forEachEntry((name, value) -> labels.put(name, value.asString("")));
        var missing = Labels.missing(terms.requires(), labels);
        if (missing.isPresent()) {
            return missing.map(Rejection.NeverFits::new);
        }
        int most = peer.card().path("pes").asInt(0);
        if (fewest(terms) > most) {
            return Optional.of(new Rejection.NeverFits(new Violation(
                    "pes",
                    "exceeds the %s of the cluster".formatted(peer.unit().counted(most)),
                    (double) fewest(terms) / most)));
        }
        var currency = peer.card().path("tariff").path("currency").asString("");
        if (terms.budget().isPresent()
                && !terms.budget().get().currency().getCurrencyCode().equals(currency)) {
            return Optional.of(new Rejection.InvalidTerms(
                    List.of(new Violation("budget", "must be in the cluster's currency, " + currency))));
        }
        return Optional.empty();
    }

    /** Returns the fewest PEs that the terms allow. */
    static int fewest(RequestedTerms terms) {
        return terms.moldability()
                .map(shapes -> switch (shapes) {
                    case Moldability.Runtimes(var runTimes) -> runTimes.firstKey();
                    case Moldability.Function function -> function.minPes();
                })
                .orElse(terms.pes());
    }

    private static Probed slots(JsonNode body, Request request, RequestedTerms terms) {
        try {
            var found = new ArrayList<Found>();
            for (var slot : body.path("slots")) {
                var offered = found(slot);
                if (slot.path("withinBudget").asBoolean(false)
                        && found.size() < SLOTS
                        && request.isAtItsStart(offered.slot())) {
                    found.add(offered);
                }
            }
            if (!found.isEmpty()) {
                return new Probed.Slots(found);
            }
            var offered = body.path("slots").path(0);
            return offered.isMissingNode() || terms.budget().isEmpty()
                    ? refused(body.path("reason"))
                    : new Probed.NoRoom(new Rejection.OverBudget(
                            found(offered).price(), terms.budget().get()));
        } catch (DateTimeException | IllegalArgumentException | JacksonException e) {
            return new Probed.Unavailable();
        }
    }

    private static Found found(JsonNode slot) {
        var price = slot.path("price");
        var amount = price.path("amount").asString("");
        double availability = slot.path("availability").asDouble(1);
        if (amount.length() > LONGEST_AMOUNT || !(availability >= 0 && availability <= 1)) {
            throw new IllegalArgumentException("The answer is not a slot.");
        }
        return new Found(
                new Slot(second(slot.path("start")), second(slot.path("end"))),
                new Money(
                        new BigDecimal(amount),
                        Currency.getInstance(price.path("currency").asString(""))),
                availability,
                slot.path("chosenByPolicy").asBoolean(false));
    }

    private static long second(JsonNode instant) {
        return Instant.parse(instant.asString("")).getEpochSecond();
    }

    /** Translates its problem, whose fields have the same names. */
    private static Probed refused(JsonNode problem) {
        var violations = Stream.concat(
                        problem.path("errors").valueStream().map(RemoteCluster::violation),
                        Stream.of(new Violation("terms", "cannot be reserved on that cluster")))
                .toList();
        return switch (RefusalCode.find(problem.path("code").asString("")).orElse(RefusalCode.NO_SLOT)) {
            case NEVER_FITS -> new Probed.Never(new Rejection.NeverFits(violations.getFirst()));
            case INVALID_TERMS ->
                new Probed.Never(new Rejection.InvalidTerms(violations.subList(0, Math.max(1, violations.size() - 1))));
            default -> new Probed.NoRoom(new Rejection.NoSlot());
        };
    }

    private static Violation violation(JsonNode error) {
        var field = error.path("field").asString("").replaceFirst("^terms\\.", "");
        return new Violation(field, error.path("message").asString(""));
    }

    @Override
    public Taken take(Request request, Slot slot, OptionalLong start, Keys.Turn turn) {
        var obstacle = budgets.obstacleElsewhere(request.origin());
        if (obstacle.isPresent()) {
            return new Taken.Ended(new Answer.Refused(obstacle.get()));
        }
        return limits.within(
                request.origin().owner(),
                request.limits(),
                (allowance, now) -> allowance.exceeded(request.hold(), Part.whole(slot, fewest(request.terms())), now),
                () -> taken(request, start, turn),
                Taken.Ended::new);
    }

    /** Holds the slot there, records it here, and confirms it there; a hold that the client wants stays a hold. */
    private Taken taken(Request request, OptionalLong start, Keys.Turn turn) {
        var next = request.hold().isPresent() ? Mirror.Owed.NOTHING : Mirror.Owed.CONFIRMATION;
        // the client has not chosen the start, so the run stays movable
        var terms = request.start().isEmpty() && start.isPresent()
                ? request.terms().fixing(request.terms().fixing().spelt())
                : request.terms();
        var held = mirrors.hold(
                peer,
                request.id(),
                request.origin(),
                terms,
                start,
                request.hold().orElse(mirrors.holds().elsewhere()),
                next,
                turn.use());
        return switch (held) {
            case Outcome.Done(var mirror) -> taken(mirrors.confirmed(mirror));
            case Outcome.NotDone(var obstacle) -> new Taken.Lost(obstacle);
        };
    }

    private Taken taken(Mirror mirror) {
        if (mirror.owed() == Mirror.Owed.CONFIRMATION) {
            return new Taken.Ended(UNKNOWN);
        }
        if (mirror.state().isLive()) {
            return new Taken.Granted(new BookedReservation.There(mirror));
        }
        // the hold ended before it was confirmed, so another cluster may use its id
        mirrors.forget(mirror);
        return new Taken.Lost(TriedCluster.Obstacle.TAKEN);
    }

    /** The other Berth counts its own refusals. */
    @Override
    public void countRefusal(Request request, Rejection reason) {
        // nothing to count here
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public long leadTime() {
        return LEAD_TIME;
    }

    @Override
    public long holdTime() {
        return mirrors.holds().elsewhere();
    }

    @Override
    public Confirmation confirm(ReservationId part) {
        var known = mirrors.known(part);
        if (known.isEmpty()) {
            return Confirmation.GONE;
        }
        var result = mirrors.act(known.get(), Action.CONFIRM, OptionalInt.empty(), Optional.empty());
        var mirror = result instanceof ActionOutcome.Done(BookedReservation.There(var done))
                ? done
                : mirrors.find(part).orElseThrow();
        boolean isConfirmed = mirror.state().isLive() && mirror.state() != ReservationState.HELD
                || mirror.state() == ReservationState.COMPLETED;
        if (isConfirmed) {
            return Confirmation.DONE;
        }
        boolean hasEnded = !mirror.state().isLive()
                || clock.instant().getEpochSecond()
                        > mirror.createdAt()
                                + mirrors.holds().elsewhere()
                                + mirrors.holds().doubt();
        return hasEnded ? Confirmation.GONE : Confirmation.UNKNOWN;
    }

    /** The other Berth does not know the other parts, so the mark is added where the reservation is shown here. */
    @Override
    public boolean degrade(ReservationId part) {
        mirrors.known(part).ifPresent(mirrors::degrade);
        return true;
    }

    /** The cancellation is owed from now on and repeated until it succeeds, so the caller need do nothing more. */
    @Override
    public boolean giveUp(ReservationId part) {
        mirrors.known(part).ifPresent(mirrors::giveUp);
        return true;
    }
}
