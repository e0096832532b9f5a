package berth.broker;

import berth.broker.Mirror.Owed;
import berth.desk.KeyUse;
import berth.desk.Records.Filter;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.RequestedTerms;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reservations at other Berths. Each is held there for a short time, recorded here, and only then confirmed: a crash in
 * between leaves a hold that ends by itself. What the other Berth could not be told is owed to it, and told later.
 */
public final class Mirrors {

    private static final Logger log = LoggerFactory.getLogger(Mirrors.class);

    /** Seconds for which a slot is held there until it is confirmed; shorter than the holds of parts that lie here. */
    static final long HOLD = 60;

    /** How often a confirmation is tried before the client hears that its outcome is unknown. */
    private static final int ATTEMPTS = 2;

    private final Providers providers;
    private final MirrorStore store;
    private final WireTerms wire;
    private final InstantSource clock;

    Mirrors(Providers providers, MirrorStore store, WireTerms wire, InstantSource clock) {
        this.providers = providers;
        this.store = store;
        this.wire = wire;
        this.clock = clock;
    }

    /** What the other Berth said to an action. */
    public sealed interface Told {
        record Done(Mirror mirror) implements Told {}

        /** It refused, with this problem. */
        record Refused(int status, JsonNode problem) implements Told {}

        /** It did not answer; what is owed to it will be told later. */
        record Silent(Mirror mirror, String why) implements Told {}
    }

    /** What came of a request to hold. */
    sealed interface Holding {
        record Held(Mirror mirror) implements Holding {}

        record Refused(int status, String code) implements Holding {}

        /** It may be held, for its time. */
        record Silent() implements Holding {}
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Holds a slot there and records it here, owing what is to follow. */
    Holding hold(
            Provider provider,
            ReservationId id,
            Origin origin,
            RequestedTerms terms,
            OptionalLong start,
            long seconds,
            Owed next,
            Optional<KeyUse> key) {
        var body = JsonNodeFactory.instance.objectNode();
        body.set("terms", wire.write(terms));
        body.put("cluster", provider.cluster());
        body.put("hold", Duration.ofSeconds(seconds).toString());
        start.ifPresent(at -> body.put("start", Instant.ofEpochSecond(at).toString()));
        origin.name().ifPresent(name -> body.put("name", name));
        origin.project().ifPresent(project -> body.put("project", project));
        long now = now();
        return switch (providers.post(
                provider,
                "/reservations",
                Optional.of(body),
                Optional.of(UUID.randomUUID().toString()))) {
            case Reply.Silent _ -> new Holding.Silent();
            case Reply.Heard(int status, var answer)
            when status == 201 && Mirror.isReservation(answer) -> {
                var mirror = new Mirror(
                        id, provider.id(), origin, answer.path("id").asString(), next, answer, now, true, now);
                store.create(mirror, key);
                yield new Holding.Held(mirror);
            }
            case Reply.Heard(int status, var _) when status >= 500 || status < 300 -> new Holding.Silent();
            case Reply.Heard(int status, var problem) ->
                new Holding.Refused(status, problem.path("code").asString(""));
        };
    }

    /** Confirms one that is owed its confirmation; answers it as it is then known. */
    Mirror confirmed(Mirror held) {
        var present = held;
        for (int attempt = 1; attempt <= ATTEMPTS && present.owed() == Owed.CONFIRMATION; attempt++) {
            present = pay(present);
        }
        return present;
    }

    /** Tells the other Berth what is owed to it. */
    private Mirror pay(Mirror owing) {
        var action = owing.owed() == Owed.CONFIRMATION ? "confirm" : "cancel";
        return switch (post(owing, action)) {
            case Reply.Heard(int status, var answer)
            when status == 200 && Mirror.isReservation(answer) ->
                updated(owing.heard(answer, now()).owing(Owed.NOTHING));
            case Reply.Heard(int status, var _) when status == 404 || status == 410 -> lost(owing);
            // it is in another state than we thought: whichever it is, there is nothing more to tell
            case Reply.Heard(int status, var _) when status >= 400 && status < 500 -> settled(owing);
            case Reply.Heard _, Reply.Silent _ -> updated(owing.unheard());
        };
    }

    private Mirror settled(Mirror owing) {
        var read = read(owing);
        boolean isOver =
                !read.state().isLive() || owing.owed() == Owed.CONFIRMATION && read.state() != ReservationState.HELD;
        return read.isReachable() && isOver ? updated(read.owing(Owed.NOTHING)) : updated(read);
    }

    /** The other Berth does not know it any more. */
    private Mirror lost(Mirror owing) {
        log.warn("Reservation {} is not known at {} any more.", owing.id(), owing.cluster());
        return updated(owing.owing(Owed.NOTHING));
    }

    private Reply post(Mirror mirror, String action) {
        return providers
                .find(mirror.cluster())
                .map(provider -> providers.post(
                        provider,
                        "/reservations/%s/%s".formatted(mirror.remoteId(), action),
                        Optional.empty(),
                        Optional.empty()))
                .orElseGet(() -> new Reply.Silent("it is not known here any more"));
    }

    /** As it is now, or as it was when it was last heard of. Nothing is recorded. */
    private Mirror read(Mirror mirror) {
        var provider = providers.find(mirror.cluster());
        if (provider.isEmpty()) {
            return mirror.unheard();
        }
        return providers.get(provider.get(), "/reservations/" + mirror.remoteId())
                                instanceof Reply.Heard(int status, var answer)
                        && status == 200
                        && Mirror.isReservation(answer)
                ? mirror.heard(answer, now())
                : mirror.unheard();
    }

    private Mirror updated(Mirror mirror) {
        store.update(mirror);
        return mirror;
    }

    /** One as it is now, if the other Berth can be asked; else as it was. */
    public Optional<Mirror> find(ReservationId id) {
        return store.find(id).map(this::refreshed);
    }

    private Mirror refreshed(Mirror known) {
        if (!known.state().isLive()) {
            return known;
        }
        var read = read(known);
        boolean hasChanged = !read.answer().equals(known.answer()) || read.isReachable() != known.isReachable();
        return hasChanged ? updated(read) : read;
    }

    /** One as it was when it was last heard of. */
    public Optional<Mirror> known(ReservationId id) {
        return store.find(id);
    }

    /** What a key asked for first. */
    Optional<MirrorStore.First> first(KeyUse key) {
        return store.first(key);
    }

    /** Those that pass the filter, newest first, as they were when they were last heard of. */
    public List<Mirror> list(Filter filter, Optional<ReservationId> olderThan, int limit) {
        return store.list(filter, olderThan, limit);
    }

    /** Whether any on this cluster is live, or owes something. */
    public boolean isInUse(String cluster) {
        return store.isInUse(cluster);
    }

    /** Has the other Berth confirm, fix, claim, cancel or complete one. A cancellation that it does not hear is owed to it. */
    public Told act(Mirror mirror, String action) {
        return switch (post(mirror, action)) {
            case Reply.Heard(int status, var answer)
            when status == 200 && Mirror.isReservation(answer) ->
                new Told.Done(updated(mirror.heard(answer, now()).owing(Owed.NOTHING)));
            case Reply.Heard(int status, var problem) when status < 500 -> new Told.Refused(status, problem);
            case Reply.Heard(int status, var _) -> silent(mirror, action, "it answers %d".formatted(status));
            case Reply.Silent(var why) -> silent(mirror, action, why);
        };
    }

    private Told silent(Mirror mirror, String action, String why) {
        var unheard = mirror.unheard();
        return new Told.Silent(updated(action.equals("cancel") ? unheard.owing(Owed.CANCELLATION) : unheard), why);
    }

    /** Forgets one that never came to be. */
    void forget(Mirror mirror) {
        store.remove(mirror.id());
    }

    /** Owes a cancellation, and tries to pay it at once. */
    void giveUp(Mirror mirror) {
        if (mirror.state().isLive()) {
            pay(updated(mirror.owing(Owed.CANCELLATION)));
        }
    }

    /** Pays what is owed, as far as that can be done now. */
    void settleAll() {
        for (var owing : store.owing()) {
            try {
                pay(owing);
            } catch (RuntimeException e) {
                log.debug("What is owed to {} is not paid yet.", owing.cluster(), e);
            }
        }
    }
}
