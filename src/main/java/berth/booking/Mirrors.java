package berth.booking;

import static java.util.stream.Collectors.groupingBy;

import berth.booking.Reservations.ActionOutcome;
import berth.engine.KeyUse;
import berth.engine.Keys;
import berth.engine.Records.Whose;
import berth.outcome.Outcome;
import berth.peers.Mirror;
import berth.peers.Mirror.Owed;
import berth.peers.MirrorStore;
import berth.peers.Peer;
import berth.peers.Peers;
import berth.peers.Question;
import berth.peers.QuestionStore;
import berth.peers.Reply;
import berth.peers.WireTerms;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.TriedCluster.Obstacle;
import berth.runtime.Threads;
import berth.sla.RequestedTerms;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reservations at other Berths. Each is held there briefly, or for as long as its client wants a hold, then recorded here, and only then
 * confirmed. The question to the other Berth is recorded before it is sent. A hold that is not known here can therefore be found and
 * cancelled, even after a crash and by another instance. Messages that the other Berth did not receive are owed to it and sent later.
 */
public final class Mirrors {

    private static final Logger log = LoggerFactory.getLogger(Mirrors.class);

    /** How often a confirmation is tried before the client is told that its result is unknown. */
    private static final int ATTEMPTS = 2;

    /** How long another Berth certainly remembers a key, in seconds; after that it would create another hold. */
    private static final long KEY_LIFE = Keys.LIFE.minusHours(1).toSeconds();

    /** Leaves out what is empty, because the other Berth may be older. */
    private static final JsonMapper LABELS = JsonMapper.builder()
            .changeDefaultPropertyInclusion(_ -> JsonInclude.Value.construct(Include.NON_ABSENT, Include.ALWAYS))
            .build();

    /** The number of locks that the mirrors share. */
    private static final int STRIPES = 256;

    private final Peers peers;
    private final MirrorStore store;
    private final QuestionStore questions;
    private final WireTerms wire;
    private final Threads threads;
    private final InstantSource clock;
    private final HoldTimes holds;

    private final List<Lock> turns = Stream.generate(ReentrantLock::new)
            .limit(STRIPES)
            .<Lock>map(lock -> lock)
            .toList();

    /** The keys of questions in progress, which the periodic cleanup must leave alone. */
    private final Set<UUID> underWay = ConcurrentHashMap.newKeySet();

    Mirrors(
            Peers peers,
            MirrorStore store,
            QuestionStore questions,
            WireTerms wire,
            Threads threads,
            InstantSource clock,
            HoldTimes holds) {
        this.threads = threads;
        this.peers = peers;
        this.store = store;
        this.questions = questions;
        this.wire = wire;
        this.clock = clock;
        this.holds = holds;
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Returns how long slots are held. */
    HoldTimes holds() {
        return holds;
    }

    /**
     * Holds a slot there and records it here. Without an answer, the slot may be held until its hold ends.
     *
     * @param seconds how long the slot is held
     * @param next what the recorded reservation owes to the other Berth
     */
    Outcome<Mirror, Obstacle> hold(
            Peer peer,
            ReservationId id,
            Origin origin,
            RequestedTerms terms,
            OptionalLong start,
            long seconds,
            Owed next,
            Optional<KeyUse> key) {
        var body = JsonNodeFactory.instance.objectNode();
        body.set("terms", wire.write(terms));
        body.put("cluster", peer.cluster().value());
        body.put("hold", Duration.ofSeconds(seconds).toString());
        start.ifPresent(at -> body.put("start", Instant.ofEpochSecond(at).toString()));
        body.setAll(LABELS.<ObjectNode>valueToTree(origin.labels()));
        if (!origin.users().isEmpty()) {
            origin.users().forEach(body.putArray("users")::add);
        }
        long now = now();
        var question = questions.ask(id, peer.id(), body, now, now + seconds + holds.doubt());
        underWay.add(question.key());
        try {
            return held(peer, question, new RemoteRequest(terms, start), origin, next, key);
        } finally {
            underWay.remove(question.key());
        }
    }

    private Outcome<Mirror, Obstacle> held(
            Peer peer, Question question, RemoteRequest wanted, Origin origin, Owed next, Optional<KeyUse> key) {
        return switch (asked(peer, question)) {
            case Reply.Silent _ -> new Outcome.NotDone<>(Obstacle.UNAVAILABLE);
            case Reply.Heard(int status, var answer)
            when status == 201 && Mirror.isReservation(answer) -> {
                if (!wanted.isMetBy(answer)) {
                    log.warn(
                            "Cluster {} holds a reservation other than the requested one; Berth cancels it.",
                            peer.id());
                    giveUp(peer, question, answer);
                    yield new Outcome.NotDone<>(Obstacle.UNAVAILABLE);
                }
                long now = now();
                var mirror = new Mirror(
                        question.reservation(),
                        peer.id(),
                        origin,
                        answer.path("id").asString(),
                        next,
                        new Mirror.Report(answer, now, true),
                        false,
                        now);
                store.create(mirror, question, key);
                yield new Outcome.Done<>(mirror);
            }
            case Reply.Heard(int status, var _)
            when status >= 500 || status < 300 -> new Outcome.NotDone<>(Obstacle.UNAVAILABLE);
            case Reply.Heard(int _, var problem) -> {
                questions.close(question);
                yield new Outcome.NotDone<>(obstacle(problem));
            }
        };
    }

    private static Obstacle obstacle(JsonNode problem) {
        return RefusalCode.find(problem.path("code").asString(""))
                .map(known -> switch (known) {
                    case NO_SLOT, INVALID_TERMS -> Obstacle.TAKEN;
                    case OVER_BUDGET -> Obstacle.OVER_BUDGET;
                    case NEVER_FITS,
                            LIMIT_EXCEEDED,
                            BUDGET_EXCEEDED,
                            FORBIDDEN,
                            NEEDS_APPROVAL,
                            WRONG_STATE,
                            STALE_VERSION -> Obstacle.UNAVAILABLE;
                })
                .orElse(Obstacle.UNAVAILABLE);
    }

    private Reply asked(Peer peer, Question question) {
        return peers.post(peer, "/reservations", question.body(), question.key().toString());
    }

    /** Cancels the hold of a question; returns whether the other Berth answered. */
    private boolean giveUp(Peer peer, Question question, JsonNode answer) {
        var path = "/reservations/%s/cancel".formatted(answer.path("id").asString());
        boolean isHeard =
                peers.act(peer, path, OptionalInt.empty(), Optional.empty()) instanceof Reply.Heard(int status, var _)
                        && status < 500;
        if (isHeard) {
            questions.close(question);
        }
        return isHeard;
    }

    /**
     * Cancels possible holds of questions without an answer: it asks again under the same key, which gives the result, and cancels that.
     * Clusters are handled separately, as in {@link #payAll}.
     */
    void giveUpUnheard() {
        threads.together(questions.open().stream()
                .filter(question -> !underWay.contains(question.key()))
                .collect(groupingBy(Question::cluster))
                .values()
                .stream()
                .<Runnable>map(open -> () -> giveUpUnheard(open))
                .toList());
    }

    private void giveUpUnheard(List<Question> open) {
        for (var question : open) {
            try {
                if (!isGivenUp(question)) {
                    return;
                }
            } catch (RuntimeException e) {
                log.debug(
                        "Berth does not know yet what cluster {} holds for reservation {}; it asks again.",
                        question.cluster(),
                        question.reservation(),
                        e);
            }
        }
    }

    /**
     * Cancels what may be held for a question and closes it; returns false if that must be tried again. A question that is too old to
     * repeat is closed without knowing what is held.
     */
    private boolean isGivenUp(Question question) {
        long now = now();
        if (now > question.endsAt()) {
            questions.close(question);
            return true;
        }
        if (now > question.askedAt() + KEY_LIFE) {
            log.warn(
                    "Cluster {} has not reported for too long what it holds for reservation {}; Berth stops asking. The cluster may hold a slot until {}.",
                    question.cluster(),
                    question.reservation(),
                    Instant.ofEpochSecond(question.endsAt()));
            questions.close(question);
            return true;
        }
        var peer = peers.find(question.cluster());
        if (peer.isEmpty()) {
            return false;
        }
        questions.requireWriter();
        return switch (asked(peer.get(), question)) {
            case Reply.Heard(int status, var answer)
            when status == 201 && Mirror.isReservation(answer) -> giveUp(peer.get(), question, answer);
            case Reply.Heard(int status, var _)
            when status >= 400 && status < 500 -> {
                questions.close(question);
                yield true;
            }
            case Reply.Heard _, Reply.Silent _ -> false;
        };
    }

    /** Sends the confirmation, if it is owed; returns the mirror as known afterwards. */
    Mirror confirmed(Mirror held) {
        var present = held;
        for (int attempt = 1; attempt <= ATTEMPTS && present.owed() == Owed.CONFIRMATION; attempt++) {
            present = pay(present);
        }
        return present;
    }

    /** Sends what is owed to the other Berth. */
    private Mirror pay(Mirror owing) {
        questions.requireWriter();
        var action = owing.owed() == Owed.CONFIRMATION ? Action.CONFIRM : Action.CANCEL;
        return switch (post(owing, action.word(), OptionalInt.empty(), Optional.empty())) {
            case Reply.Heard(int status, var answer)
            when status == 200 && Mirror.isReservation(answer) ->
                amended(owing, present -> present.heard(answer, now()).paid(owing.owed()));
            case Reply.Heard(int status, var _) when status == 404 || status == 410 -> lost(owing);
            // its state is different from the expected one, so there is nothing more to send
            case Reply.Heard(int status, var _) when status >= 400 && status < 500 -> paidOtherwise(owing);
            case Reply.Heard _, Reply.Silent _ -> amended(owing, Mirror::unheard);
        };
    }

    /** Looks the reservation up, which is not in the expected state: nothing is owed any more if it has ended or is confirmed. */
    private Mirror paidOtherwise(Mirror owing) {
        var answer = read(owing);
        if (answer.isEmpty()) {
            return amended(owing, Mirror::unheard);
        }
        return amended(owing, present -> {
            var heard = present.heard(answer.get(), now());
            boolean isOver = !heard.state().isLive()
                    || owing.owed() == Owed.CONFIRMATION && heard.state() != ReservationState.HELD;
            return isOver ? heard.paid(owing.owed()) : heard;
        });
    }

    /** Handles a reservation that the other Berth no longer knows: it was never confirmed or needs no cancellation. */
    private Mirror lost(Mirror owing) {
        log.warn(
                "Reservation {} is no longer known at cluster {}; Berth records that it has ended.",
                owing.id(),
                owing.cluster());
        var end = owing.owed() == Owed.CONFIRMATION ? ReservationState.EXPIRED : ReservationState.CANCELLED;
        return amended(owing, present -> present.ended(end, now()).owing(Owed.NOTHING));
    }

    /** Returns the key for the other Berth, which is the same for each repetition of the client's call. */
    private static String there(KeyUse key) {
        var said = String.join("\n", key.account().value(), key.key(), key.fingerprint());
        return UUID.nameUUIDFromBytes(said.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private Reply post(Mirror mirror, String action, OptionalInt version, Optional<String> key) {
        return peers.find(mirror.cluster())
                .map(peer -> peers.act(peer, "/reservations/%s/%s".formatted(mirror.remoteId(), action), version, key))
                .orElseGet(() -> new Reply.Silent("its cluster has been removed from this Berth"));
    }

    /** Returns its present state, if the other Berth answers. */
    private Optional<JsonNode> read(Mirror mirror) {
        return peers.find(mirror.cluster())
                .map(peer -> peers.get(peer, "/reservations/" + mirror.remoteId()))
                .flatMap(reply -> reply instanceof Reply.Heard(int status, var answer)
                                && status == 200
                                && Mirror.isReservation(answer)
                        ? Optional.of(answer)
                        : Optional.empty());
    }

    /**
     * Records a change to the present mirror. Calls to the other Berth run without a lock, so an answer must not undo what has become owed
     * meanwhile.
     */
    private Mirror amended(Mirror known, UnaryOperator<Mirror> change) {
        var turn = turns.get(Math.floorMod(known.id().hashCode(), STRIPES));
        turn.lock();
        try {
            // the id may belong to another reservation elsewhere by now
            var present = store.find(known.id()).filter(one -> one.isOf(known));
            var next = change.apply(present.orElse(known));
            if (present.isPresent() && !present.get().equals(next)) {
                store.update(next);
            }
            return next;
        } finally {
            turn.unlock();
        }
    }

    /** Returns a mirror in its present state if the other Berth answers, otherwise in its last known state. */
    Optional<Mirror> find(ReservationId id) {
        return store.find(id).map(this::refreshed);
    }

    /** Returns the same mirror in its present state if the other Berth answers, otherwise in its last known state. */
    Mirror refreshed(Mirror known) {
        if (!known.state().isLive()) {
            return known;
        }
        var read = read(known);
        boolean hasChanged = read.isPresent() != known.last().isReachable()
                || read.isPresent() && !read.get().equals(known.last().answer());
        if (!hasChanged) {
            return read.map(answer -> known.heard(answer, now())).orElse(known);
        }
        return amended(
                known,
                present -> read.map(answer -> present.heard(answer, now())).orElseGet(present::unheard));
    }

    /** Returns a mirror in its last known state. */
    public Optional<Mirror> known(ReservationId id) {
        return store.find(id);
    }

    /** Returns a number that changes with the selected mirrors that end after {@code from}. */
    long digest(Whose whose, long from) {
        return store.digest(whose, from);
    }

    /** Whether a mirror on this cluster is live or has something owed, or something unknown may be held there. */
    public boolean isInUse(ClusterId cluster) {
        return store.isInUse(cluster);
    }

    /**
     * Performs an action at the other Berth. A cancellation without an answer is owed to it.
     *
     * @param version the required version; empty for any
     */
    ActionOutcome act(Mirror mirror, Action action, OptionalInt version, Optional<KeyUse> key) {
        questions.requireWriter();
        var versionThere = version.stream().map(mirror::versionThere).findAny();
        return switch (post(mirror, action.word(), versionThere, key.map(Mirrors::there))) {
            case Reply.Heard(int status, var answer)
            when status == 200 && Mirror.isReservation(answer) ->
                new ActionOutcome.Done(new BookedReservation.There(
                        amended(mirror, present -> after(action, present.heard(answer, now())))));
            case Reply.Heard(int status, var problem) when status < 500 -> new ActionOutcome.RefusedThere(problem);
            case Reply.Heard(int status, var _) ->
                silent(mirror, action, "it answers with status %d".formatted(status));
            case Reply.Silent(var why) -> silent(mirror, action, why);
        };
    }

    /** Only what the action was about is no longer owed. */
    private static Mirror after(Action action, Mirror heard) {
        return switch (action) {
            case CANCEL -> heard.owing(Owed.NOTHING);
            case CONFIRM -> heard.paid(Owed.CONFIRMATION);
            case FIX, CLAIM, COMPLETE -> heard;
        };
    }

    private ActionOutcome silent(Mirror mirror, Action action, String why) {
        var next = amended(
                mirror,
                present -> action == Action.CANCEL ? present.unheard().owing(Owed.CANCELLATION) : present.unheard());
        return new ActionOutcome.Silent(next, why);
    }

    /** Removes a mirror of a reservation that never came about. */
    void forget(Mirror mirror) {
        store.remove(
                mirror.id(), Broker.ownKey(mirror.id(), mirror.origin().owner()).key());
    }

    /** Marks the cancellation as owed and tries to send it at once. */
    void giveUp(Mirror mirror) {
        var given = amended(mirror, present -> present.state().isLive() ? present.owing(Owed.CANCELLATION) : present);
        if (given.owed() == Owed.CANCELLATION) {
            pay(given);
        }
    }

    /** Marks a mirror because another reservation of its co-allocation has failed. */
    void degrade(Mirror mirror) {
        amended(mirror, present -> present.state().isLive() ? present.degraded() : present);
    }

    /** Asks for the present state of these mirrors. If another Berth does not answer, the rest there is left for the next call. */
    void refresh(List<ReservationId> asked) {
        var silent = new HashSet<ClusterId>();
        for (var id : asked) {
            store.find(id)
                    .filter(mirror -> !silent.contains(mirror.cluster()))
                    .map(this::refreshed)
                    .filter(mirror -> !mirror.last().isReachable())
                    .ifPresent(mirror -> silent.add(mirror.cluster()));
        }
    }

    /**
     * Sends what is owed, as far as possible now. Clusters are handled separately, and one that does not answer is not called again, so it
     * does not delay the others.
     */
    void payAll() {
        threads.together(store.owing().stream().collect(groupingBy(Mirror::cluster)).values().stream()
                .<Runnable>map(owing -> () -> pay(owing))
                .toList());
    }

    private void pay(List<Mirror> owing) {
        for (var one : owing) {
            try {
                if (!pay(one).last().isReachable()) {
                    return;
                }
            } catch (RuntimeException e) {
                log.debug(
                        "Cluster {} does not have this Berth's confirmations and cancellations yet; Berth tries again.",
                        one.cluster(),
                        e);
            }
        }
    }
}
