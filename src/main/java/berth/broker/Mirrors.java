package berth.broker;

import static java.util.stream.Collectors.groupingBy;

import berth.broker.Mirror.Owed;
import berth.desk.KeyUse;
import berth.desk.Keys;
import berth.desk.Records.Filter;
import berth.desk.Records.Whose;
import berth.desk.Threads;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.RequestedTerms;
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
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reservations at other Berths. Each is held there for a short time, or as long as its client wants to hold it, recorded here, and
 * only then confirmed. The question is recorded before it is asked: what is held without being known here is found by it and given
 * up, also after a crash and by a successor. What the other Berth could not be told is owed to it, and told later.
 */
public final class Mirrors {

    private static final Logger log = LoggerFactory.getLogger(Mirrors.class);

    /** How often a confirmation is tried before the client hears that its outcome is unknown. */
    private static final int ATTEMPTS = 2;

    /** Seconds for which another Berth surely knows a key: asked later, it would hold anew. */
    private static final long KEY_LIFE = Keys.LIFE.minusHours(1).toSeconds();

    /** Mirrors are spread over so many locks. */
    private static final int STRIPES = 256;

    private final Peers peers;
    private final MirrorStore store;
    private final QuestionStore questions;
    private final WireTerms wire;
    private final Threads threads;
    private final InstantSource clock;
    private final Holds holds;

    private final List<Lock> turns = Stream.generate(ReentrantLock::new)
            .limit(STRIPES)
            .<Lock>map(lock -> lock)
            .toList();

    /** Keys of questions that are being asked; what comes of them is no sweep's business yet. */
    private final Set<UUID> underWay = ConcurrentHashMap.newKeySet();

    Mirrors(
            Peers peers,
            MirrorStore store,
            QuestionStore questions,
            WireTerms wire,
            Threads threads,
            InstantSource clock,
            Holds holds) {
        this.threads = threads;
        this.peers = peers;
        this.store = store;
        this.questions = questions;
        this.wire = wire;
        this.clock = clock;
        this.holds = holds;
    }

    /** What the other Berth said to an action. */
    sealed interface Told {
        record Done(Mirror mirror) implements Told {}

        /** It refused, with this problem. */
        record Refused(int status, JsonNode problem) implements Told {}

        /** It did not answer; what is owed to it will be told later. */
        record Silent(Mirror mirror, String why) implements Told {}
    }

    /** What came of a request to hold. */
    sealed interface Holding {
        record Held(Mirror mirror) implements Holding {}

        /** Why it was, where the other Berth said so in a word that is known here. */
        record Refused(Optional<RefusalCode> why) implements Holding {}

        /** It may be held, for its time. */
        record Silent() implements Holding {}
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** How long slots are held. */
    Holds holds() {
        return holds;
    }

    /** Holds a slot there and records it here, owing what is to follow. */
    Holding hold(
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
        origin.name().ifPresent(name -> body.put("name", name));
        origin.project().ifPresent(project -> body.put("project", project));
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

    private Holding held(
            Peer peer, Question question, RemoteRequest wanted, Origin origin, Owed next, Optional<KeyUse> key) {
        return switch (asked(peer, question)) {
            case Reply.Silent _ -> new Holding.Silent();
            case Reply.Heard(int status, var answer)
            when status == 201 && Mirror.isReservation(answer) -> {
                if (!wanted.isMetBy(answer)) {
                    log.warn("Cluster {} holds something else than what it was asked for; it is given up.", peer.id());
                    giveUp(peer, question, answer);
                    yield new Holding.Refused(Optional.empty());
                }
                long now = now();
                var mirror = new Mirror(
                        question.reservation(),
                        peer.id(),
                        origin,
                        answer.path("id").asString(),
                        next,
                        answer,
                        now,
                        true,
                        false,
                        now);
                store.create(mirror, question, key);
                yield new Holding.Held(mirror);
            }
            case Reply.Heard(int status, var _) when status >= 500 || status < 300 -> new Holding.Silent();
            case Reply.Heard(int _, var problem) -> {
                questions.close(question);
                yield new Holding.Refused(RefusalCode.find(problem.path("code").asString("")));
            }
        };
    }

    private Reply asked(Peer peer, Question question) {
        return peers.post(peer, "/reservations", question.body(), question.key().toString());
    }

    /** Cancels what is held for a question; answers whether the other Berth was there. */
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
     * Gives up what may be held for questions of which nobody has heard what came: it is asked again under the same key, which tells,
     * and cancelled. Each cluster by itself, as in {@link #settleAll}.
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
                log.debug("It is not known yet what {} holds for {}.", question.cluster(), question.reservation(), e);
            }
        }
    }

    /** Answers whether nothing is held for it any more, or not for this question. */
    private boolean isGivenUp(Question question) {
        long now = now();
        if (now > question.endsAt()) {
            questions.close(question);
            return true;
        }
        if (now > question.askedAt() + KEY_LIFE) {
            log.warn(
                    "Cluster {} has not told for too long what it holds for {}; it may do so until {}.",
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
        questions.requireWriter();
        var action = owing.owed() == Owed.CONFIRMATION ? Action.CONFIRM : Action.CANCEL;
        return switch (post(owing, action.word(), OptionalInt.empty(), Optional.empty())) {
            case Reply.Heard(int status, var answer)
            when status == 200 && Mirror.isReservation(answer) ->
                amended(owing, present -> present.heard(answer, now()).paid(owing.owed()));
            case Reply.Heard(int status, var _) when status == 404 || status == 410 -> lost(owing);
            // it is in another state than we thought: whichever it is, there is nothing more to tell
            case Reply.Heard(int status, var _) when status >= 400 && status < 500 -> settled(owing);
            case Reply.Heard _, Reply.Silent _ -> amended(owing, Mirror::unheard);
        };
    }

    private Mirror settled(Mirror owing) {
        var told = read(owing);
        if (told.isEmpty()) {
            return amended(owing, Mirror::unheard);
        }
        return amended(owing, present -> {
            var heard = present.heard(told.get(), now());
            boolean isOver = !heard.state().isLive()
                    || owing.owed() == Owed.CONFIRMATION && heard.state() != ReservationState.HELD;
            return isOver ? heard.paid(owing.owed()) : heard;
        });
    }

    /** The other Berth does not know it any more: it was never confirmed, or need not be cancelled. */
    private Mirror lost(Mirror owing) {
        log.warn("Reservation {} is not known at {} any more.", owing.id(), owing.cluster());
        var end = owing.owed() == Owed.CONFIRMATION ? ReservationState.EXPIRED : ReservationState.CANCELLED;
        return amended(owing, present -> present.ended(end, now()).owing(Owed.NOTHING));
    }

    /** The key under which the other Berth is asked: whoever repeats a request there repeats the same. */
    private static String there(KeyUse key) {
        var said = String.join("\n", key.account().value(), key.key(), key.fingerprint());
        return UUID.nameUUIDFromBytes(said.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private Reply post(Mirror mirror, String action, OptionalInt version, Optional<String> key) {
        return peers.find(mirror.cluster())
                .map(peer -> peers.act(peer, "/reservations/%s/%s".formatted(mirror.remoteId(), action), version, key))
                .orElseGet(() -> new Reply.Silent("it is not known here any more"));
    }

    /** How it is now, if the other Berth tells. */
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
     * Records a change of one as it is by now. Whoever asks the other Berth waits for it without a lock: what is heard must not
     * undo what has come to be owed meanwhile.
     */
    private Mirror amended(Mirror known, UnaryOperator<Mirror> change) {
        var turn = turns.get(Math.floorMod(known.id().hashCode(), STRIPES));
        turn.lock();
        try {
            // of that name there may be another one since, of a reservation elsewhere
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

    /** One as it is now, if the other Berth can be asked; else as it was. */
    Optional<Mirror> find(ReservationId id) {
        return store.find(id).map(this::refreshed);
    }

    /** The same, if the other Berth can be asked how it is now; else as it was. */
    Mirror refreshed(Mirror known) {
        if (!known.state().isLive()) {
            return known;
        }
        var told = read(known);
        boolean hasChanged = told.isPresent() != known.isReachable()
                || told.isPresent() && !told.get().equals(known.answer());
        if (!hasChanged) {
            return told.map(answer -> known.heard(answer, now())).orElse(known);
        }
        return amended(
                known,
                present -> told.map(answer -> present.heard(answer, now())).orElseGet(present::unheard));
    }

    /** One as it was when it was last heard of. */
    public Optional<Mirror> known(ReservationId id) {
        return store.find(id);
    }

    /** Those that pass the filter, newest first, as they were when they were last heard of. */
    List<Mirror> list(Filter filter, Optional<ReservationId> olderThan, int limit) {
        return store.list(filter, olderThan, limit);
    }

    /** The first of those that pass the filter, the last to start first, as they were when they were last heard of. */
    List<Mirror> latest(Filter filter, int limit) {
        return store.latest(filter, limit);
    }

    /** A number that is another one once what is known of theirs has changed that end after {@code from}. */
    long digest(Whose whose, long from) {
        return store.digest(whose, from);
    }

    /** Whether any on this cluster is live, or owes something. */
    public boolean isInUse(ClusterId cluster) {
        return store.isInUse(cluster);
    }

    /**
     * Has the other Berth confirm, fix, claim, cancel or complete one. A cancellation that it does not hear is owed to it.
     *
     * @param version the only one that is meant; empty: whichever it is
     */
    Told act(Mirror mirror, Action action, OptionalInt version, Optional<KeyUse> key) {
        questions.requireWriter();
        return switch (post(mirror, action.word(), version, key.map(Mirrors::there))) {
            case Reply.Heard(int status, var answer)
            when status == 200 && Mirror.isReservation(answer) ->
                new Told.Done(amended(mirror, present -> after(action, present.heard(answer, now()))));
            case Reply.Heard(int status, var problem) when status < 500 -> new Told.Refused(status, problem);
            case Reply.Heard(int status, var _) -> silent(mirror, action, "it answers %d".formatted(status));
            case Reply.Silent(var why) -> silent(mirror, action, why);
        };
    }

    /** Only what the action was about is not owed any more. */
    private static Mirror after(Action action, Mirror heard) {
        return switch (action) {
            case CANCEL -> heard.owing(Owed.NOTHING);
            case CONFIRM -> heard.paid(Owed.CONFIRMATION);
            case FIX, CLAIM, COMPLETE -> heard;
        };
    }

    private Told silent(Mirror mirror, Action action, String why) {
        var next = amended(
                mirror,
                present -> action == Action.CANCEL ? present.unheard().owing(Owed.CANCELLATION) : present.unheard());
        return new Told.Silent(next, why);
    }

    /** Forgets one that never came to be. */
    void forget(Mirror mirror) {
        store.remove(
                mirror.id(), Broker.ownKey(mirror.id(), mirror.origin().owner()).key());
    }

    /** Owes a cancellation, and tries to pay it at once. */
    void giveUp(Mirror mirror) {
        var given = amended(mirror, present -> present.state().isLive() ? present.owing(Owed.CANCELLATION) : present);
        if (given.owed() == Owed.CANCELLATION) {
            pay(given);
        }
    }

    /** Another one that belongs together with it has failed. */
    void degrade(Mirror mirror) {
        amended(mirror, present -> present.state().isLive() ? present.degraded() : present);
    }

    /** Asks how these are. Where another Berth does not answer, the rest there is asked the next time. */
    void refresh(List<ReservationId> asked) {
        var silent = new HashSet<ClusterId>();
        for (var id : asked) {
            store.find(id)
                    .filter(mirror -> !silent.contains(mirror.cluster()))
                    .map(this::refreshed)
                    .filter(mirror -> !mirror.isReachable())
                    .ifPresent(mirror -> silent.add(mirror.cluster()));
        }
    }

    /**
     * Pays what is owed, as far as that can be done now. Each cluster is told by itself, and no more once it does not answer:
     * one that is silent holds up none of the others.
     */
    void settleAll() {
        threads.together(store.owing().stream().collect(groupingBy(Mirror::cluster)).values().stream()
                .<Runnable>map(owing -> () -> settle(owing))
                .toList());
    }

    private void settle(List<Mirror> owing) {
        for (var one : owing) {
            try {
                if (!pay(one).isReachable()) {
                    return;
                }
            } catch (RuntimeException e) {
                log.debug("What is owed to {} is not paid yet.", one.cluster(), e);
            }
        }
    }
}
