package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.batch.JobId;
import berth.booking.Action;
import berth.booking.BookedReservation;
import berth.booking.Broker;
import berth.booking.Coallocation;
import berth.booking.CoallocationState;
import berth.booking.Coallocations;
import berth.booking.Probes;
import berth.booking.Renegotiations;
import berth.booking.Request;
import berth.booking.ReservationOrRequest;
import berth.booking.Reservations.ActionOutcome;
import berth.cluster.Admission;
import berth.cluster.Cluster;
import berth.cluster.Nodes;
import berth.cluster.OutageId;
import berth.engine.AdmissionControl;
import berth.engine.Answer;
import berth.engine.Booking;
import berth.engine.KeyUse;
import berth.intake.IntakeRequest;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.reservation.Cause;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Enforcement;
import berth.reservation.EnforcementState;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.ChangeSignal;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
import berth.scheduling.commands.ReplaceOutages;
import berth.scheduling.commands.ReplaceOutages.ToldOutage;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.commands.TellEnforcement;
import berth.scheduling.commands.TellEnforcement.ReportedPart;
import berth.scheduling.places.Preference;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.AutoExtension;
import berth.sla.Customer;
import berth.sla.Follow;
import berth.sla.Leeway;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.yard.Yard.Heard;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Requests single runs, some runs on several clusters, and batch jobs; sometimes does what operators do. */
final class Client extends Caller {

    /** Its known reservations. */
    private final List<ReservationId> reservations = new ArrayList<>();

    private final List<Coallocation> coallocations = new ArrayList<>();
    private final List<JobId> jobs = new ArrayList<>();

    /** Its reservations for which a change may still come. */
    private final Set<ReservationId> doubtful = new HashSet<>();

    private int number;

    Client(Yard yard, Site site, int number, AccountName account) {
        super(yard, site, "client-" + number, account, yard.random());
    }

    @Override
    void run() {
        for (int i = 0; i < yard.swarm().asks(); i++) {
            think();
            var deed = Deed.values()[random.nextInt(Deed.values().length)];
            // most calls are requests, because otherwise the other calls would have no subject
            if (random.nextInt(3) == 0) {
                deed = Deed.values()[random.nextInt(Deed.COALLOCATE.ordinal() + 1)];
            }
            if (yard.swarm().deeds().contains(deed)) {
                yard.coverage().count("commands");
                does(deed);
            }
        }
    }

    private void does(Deed deed) {
        switch (deed) {
            case RESERVE -> reserve(deed, request(), false);
            case RESERVE_WITH_KEY -> reserve(deed, request(), true);
            case HOLD -> reserve(deed, held(request()), random.nextBoolean());
            case RESERVE_ANYWHERE -> reserve(deed, request(), random.nextBoolean());
            case COALLOCATE -> coallocate(deed);
            case CANCEL_COALLOCATION -> cancelCoallocation(deed);
            case CONFIRM -> act(deed, Action.CONFIRM);
            case CANCEL -> act(deed, Action.CANCEL);
            case FIX -> act(deed, Action.FIX);
            case CLAIM -> act(deed, Action.CLAIM);
            case COMPLETE -> act(deed, Action.COMPLETE);
            case RENEGOTIATE -> renegotiate(deed);
            case ACCEPT, DECLINE -> reply(deed);
            case READ_ANOTHERS -> readAnothers();
            case PROPOSE -> propose(deed);
            case RECORD_OUTAGE -> operate(deed, this::outage);
            case END_OUTAGE -> operate(deed, cluster -> endOfAnOutage());
            case CHANGE_RULES, CLOSE ->
                operate(deed, cluster -> Optional.of(changed(deed, site.watch().cluster(cluster))));
            case SUBMIT_JOB -> submitJob(deed);
            case COMPLETE_JOB -> operate(deed, _ -> endOfAJob());
            case PROBE -> probe(deed);
            case TELL_QUEUE -> tellQueue(deed);
            case ENFORCE -> operate(deed, cluster -> Optional.of(enforced(cluster)));
            case CHANGE_USERS -> changeUsers(deed);
        }
    }

    private ClusterId cluster() {
        var clusters = site.clusters();
        return clusters.get(random.nextInt(clusters.size()));
    }

    private RequestedTerms terms() {
        long duration = 60 + random.nextInt(7200);
        var ready = random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(now() + random.nextInt(6 * 3600));
        var deadline = random.nextInt(3) == 0
                ? OptionalLong.empty()
                : OptionalLong.of(ready.orElse(now()) + duration + random.nextInt(4 * 3600));
        var terms = RequestedTerms.of(ready, deadline, duration, 1 + random.nextInt(8));
        return switch ((int) (duration % 5)) {
            case 0 ->
                terms.autoExtending(Optional.of(new AutoExtension(600 + duration, ready.orElse(now()) + 4 * duration)));
            case 1 -> deadline.isPresent() ? terms.following(Follow.CHEAPEST) : terms;
            default -> terms;
        };
    }

    private Request request() {
        return new Request(
                new ReservationId(yard.id()),
                new Origin(
                        account,
                        ServiceClass.values()[random.nextInt(ServiceClass.values().length)],
                        ClientLabels.NONE
                                .with("name", Optional.of("%s/%d".formatted(name, ++number)))
                                .with("project", yard.project("%s/%d".formatted(name, number)))),
                yard.limitsOf(account),
                terms(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Preference.EARLIEST_START,
                random.nextInt(4) == 0
                        ? Optional.of(new Leeway(Optional.of(BigDecimal.valueOf(random.nextInt(4))), true))
                        : Optional.empty(),
                Set.of());
    }

    /** Gives the request a new id, as the service does for each call. */
    private Request renamed(Request request, Set<ClusterId> only) {
        return new Request(
                new ReservationId(yard.id()),
                request.origin(),
                request.limits(),
                request.terms(),
                request.start(),
                request.hold(),
                request.preference(),
                request.leeway(),
                only);
    }

    private Request held(Request request) {
        return new Request(
                request.id(),
                request.origin(),
                request.limits(),
                request.terms(),
                request.start(),
                OptionalLong.of(30 + random.nextInt(1800)),
                request.preference(),
                request.leeway(),
                request.only());
    }

    private Optional<KeyUse> key(Request request) {
        var name = request.origin().labels().name().orElseThrow();
        return Optional.of(new KeyUse(account, name, "fingerprint of " + name));
    }

    private void reserve(Deed deed, Request asked, boolean withKey) {
        var ask = site.watch().ask(asked.origin().labels().name().orElseThrow(), account, withKey);
        // of another Berth, if there is one
        var cluster = random.nextInt(4) == 0 ? site.elsewhere().orElseGet(this::cluster) : cluster();
        Set<ClusterId> only = deed == Deed.RESERVE_ANYWHERE ? Set.of() : Set.of(cluster);
        var key = withKey ? key(asked) : Optional.<KeyUse>empty();
        Optional<ReservationId> first = Optional.empty();
        long round = now() + site.anywhere().window();
        var waitUntil = asked.hold().isEmpty() && random.nextInt(4) == 0
                ? OptionalLong.of(now() + random.nextInt(2 * 3600))
                : OptionalLong.empty();
        for (int attempt = 0; attempt <= (withKey ? RETRIES : 0); attempt++) {
            ask.again();
            var heard = call(berth -> deed == Deed.RESERVE_ANYWHERE
                    ? berth.broker().reservations().reserveAnywhere(renamed(asked, only), 5, key)
                    : berth.broker().reservations().reserve(cluster, renamed(asked, only), 5, waitUntil, key));
            var outcome = outcome(heard);
            yard.tell("%s", asked.origin().labels().name());
            reached(deed, outcome, Optional.empty());
            var id = heard instanceof Heard.Said<Broker.Outcome>(var said)
                    ? granted(asked, said)
                    : Optional.<ReservationId>empty();
            if (first.isPresent() && id.isPresent()) {
                assertThat(id).as("the same key, the same answer").isEqualTo(first);
            }
            first = first.or(() -> id);
            boolean isSure =
                    !isRepeated() && !Set.of("Unknown", "Lost", "Failed").contains(outcome);
            if (!isSure) {
                ask.doubtful();
            } else if (first.isPresent()) {
                // what was granted before is still granted, or is not known at the moment
                assertThat(id.isPresent() || outcome.equals("NotDecided"))
                        .as("whether %s is granted again under its key: %s", first, outcome)
                        .isTrue();
            } else if (isRefused(heard)) {
                ask.refused();
            } else {
                ask.denied();
            }
            // some repeat the call although they know the result
            if (isSure && random.nextInt(4) > 0) {
                break;
            }
            yard.world().pause(yard.upTo(Duration.ofSeconds(random.nextInt(4) == 0 ? 120 : 30)));
        }
        first.ifPresent(reservations::add);
        // some change their minds while the request may still be undecided
        if (first.filter(id -> !site.watch().isRecorded(id)).isPresent()
                && yard.swarm().deeds().contains(Deed.CANCEL)
                && random.nextInt(3) == 0) {
            changeItsMind(first.get(), round);
        }
    }

    /** Cancels the request at any time, or close to its decision and then repeatedly. */
    private void changeItsMind(ReservationId id, long round) {
        if (random.nextBoolean() || round < now()) {
            yard.world().pause(yard.upTo(Duration.ofSeconds(100)));
            act(Deed.CANCEL, Action.CANCEL, id);
        } else {
            yard.world().pause(Duration.ofSeconds(round - now()));
            for (int times = 1 + random.nextInt(5); times > 0; times--) {
                yard.world().pause(yard.upTo(Duration.ofMillis(random.nextBoolean() ? 50 : 1_500)));
                act(Deed.CANCEL, Action.CANCEL, id);
            }
        }
    }

    private static boolean isRefused(Heard<Broker.Outcome> heard) {
        return heard instanceof Heard.Said<Broker.Outcome>(var said)
                && (said instanceof Broker.Outcome.NoSlot
                        || said instanceof Broker.Outcome.NeverFits
                        || said instanceof Broker.Outcome.Ended(Answer.Refused _));
    }

    private Optional<ReservationId> granted(Request asked, Broker.Outcome outcome) {
        return switch (outcome) {
            case Broker.Outcome.Granted(BookedReservation.Here(var reservation)) -> {
                site.watch().told(reservation);
                assertThat(reservation.origin().labels().name())
                        .as("for what a reservation was granted")
                        .isEqualTo(asked.origin().labels().name());
                yield Optional.of(reservation.id());
            }
            case Broker.Outcome.Granted(BookedReservation.There(var mirror)) -> {
                yard.told(mirror, asked.hold().isPresent());
                yield Optional.of(mirror.id());
            }
            case Broker.Outcome.Collected(var request) -> Optional.of(request.id());
            default -> Optional.empty();
        };
    }

    /** Returns a word for the answer. */
    private static String outcome(Heard<Broker.Outcome> heard) {
        return word(heard, outcome -> switch (outcome) {
            case Broker.Outcome.Ended(var answer) -> word(answer);
            case Broker.Outcome.NoSlot(var _, var reason) -> reason.getClass().getSimpleName();
            default -> outcome.getClass().getSimpleName();
        });
    }

    private void coallocate(Deed deed) {
        var clusters = new ArrayList<>(site.clusters());
        site.elsewhere().ifPresent(there -> clusters.add(random.nextInt(clusters.size() + 1), there));
        if (clusters.size() < 2) {
            return;
        }
        var request = request();
        var name = request.origin().labels().name().orElseThrow();
        var ask = site.watch().ask(name, account, false);
        ask.doubtful();
        var parts = clusters.stream()
                .limit(2 + random.nextInt(2))
                .map(cluster -> new Coallocations.RequestedPart(cluster, terms()))
                .toList();
        var key = random.nextBoolean() ? key(request) : Optional.<KeyUse>empty();
        Optional<Coallocation> first = Optional.empty();
        for (int attempt = 0; attempt < (key.isPresent() ? RETRIES : 1); attempt++) {
            var heard = call(berth -> berth.broker()
                    .coallocations()
                    .create(
                            new Coallocations.Wanted(
                                    yard.id(),
                                    () -> new ReservationId(yard.id()),
                                    request.origin(),
                                    request.limits(),
                                    parts,
                                    Optional.empty()),
                            key));
            reached(deed, word(heard, it -> it.getClass().getSimpleName()), Optional.empty());
            if (heard instanceof Heard.Said<Coallocations.Outcome>(Coallocations.Outcome.Granted(var granted))) {
                if (first.isPresent()) {
                    assertThat(granted.id())
                            .as("the same key, the same answer")
                            .isEqualTo(first.get().id());
                }
                first = Optional.of(granted);
                if (granted.state() == CoallocationState.CONFIRMED) {
                    assertThat(partsHere(granted))
                            .as("the parts of a co-allocation that is confirmed")
                            .allMatch(site.watch()::wasConfirmed);
                }
            }
            if (heard instanceof Heard.Said<?> && random.nextInt(4) > 0) {
                break;
            }
        }
        first.ifPresent(coallocations::add);
        first.ifPresent(granted -> granted.parts().forEach(part -> reservations.add(part.reservation())));
    }

    private List<ReservationId> partsHere(Coallocation granted) {
        return granted.parts().stream()
                .filter(part -> site.clusters().contains(part.cluster()))
                .map(Coallocation.Part::reservation)
                .toList();
    }

    private void cancelCoallocation(Deed deed) {
        if (!coallocations.isEmpty()) {
            var id = coallocations.get(random.nextInt(coallocations.size())).id();
            var heard = call(berth -> berth.broker().coallocations().cancel(id));
            reached(
                    deed,
                    word(heard, it -> it.map(given -> given.state().name()).orElse("Busy")),
                    Optional.empty());
            if (heard instanceof Heard.Said<Optional<Coallocation>>(var said)) {
                said.filter(given -> given.state() == CoallocationState.CANCELLED && given.isFinished())
                        .ifPresent(given -> assertThat(partsHere(given))
                                .as("the parts of a co-allocation that is cancelled")
                                .noneMatch(part ->
                                        site.watch().present(part).state().isLive()));
            }
        }
    }

    /** Returns one of its own recorded reservations. */
    private Optional<Reservation> mine() {
        var recorded = reservations.stream()
                .filter(id -> site.watch().isRecorded(id)
                        && site.watch().present(id).origin().owner().equals(account))
                .toList();
        // preferably a late one, because early ones have ended
        return recorded.isEmpty()
                ? Optional.empty()
                : Optional.of(site.watch()
                        .present(recorded.get(
                                Math.max(random.nextInt(recorded.size()), random.nextInt(recorded.size())))));
    }

    private void act(Deed deed, Action action) {
        if (reservations.isEmpty()) {
            return;
        }
        act(
                deed,
                action,
                reservations.get(Math.max(random.nextInt(reservations.size()), random.nextInt(reservations.size()))));
    }

    private void act(Deed deed, Action action, ReservationId id) {
        var before =
                site.watch().isRecorded(id) ? Optional.of(site.watch().present(id)) : Optional.<Reservation>empty();
        var version = before.isPresent() && random.nextInt(3) == 0
                ? OptionalInt.of(before.get().status().version() - random.nextInt(2))
                : OptionalInt.empty();
        var key = random.nextInt(3) == 0
                ? Optional.of(new KeyUse(account, "%s acts %d".formatted(name, ++number), action + " " + id))
                : Optional.<KeyUse>empty();
        var wish = wish(id, action);
        for (int attempt = 0; attempt < (key.isPresent() ? 2 : 1); attempt++) {
            wish.ifPresent(Watch.Ask::again);
            Heard<ActionOutcome> heard = call(berth -> berth.broker()
                    .reservations()
                    .find(id, known -> known.owner().equals(account))
                    .map(known -> berth.broker().reservations().act(known, action, version, account, key))
                    .orElseGet(() -> new ActionOutcome.WrongState("unknown")));
            reached(deed, word(heard, Caller::word), before);
            wish.ifPresent(wanted -> heard(wanted, heard));
            if (heard instanceof Heard.Said<ActionOutcome>(ActionOutcome.Done(BookedReservation.Here(var after)))) {
                site.watch().told(after);
                version.ifPresent(meant -> assertThat(after.status().version())
                        .as("the version after a change of version %d", meant)
                        .isBetween(meant, meant + 1));
            }
            if (heard
                            instanceof
                            Heard.Said<ActionOutcome>(ActionOutcome.Done(ReservationOrRequest.Collected(var request)))
                    && request.state() == IntakeRequest.State.CANCELLED) {
                site.watch().withdrawn(request.id());
            }
        }
    }

    /** Registers a wish that nobody else can fulfil, with the resulting event; a co-allocation does some of this by itself. */
    private Optional<Watch.Ask> wish(ReservationId id, Action action) {
        var event = switch (action) {
            case CONFIRM -> Optional.of(Event.Type.CONFIRMED);
            case CANCEL -> Optional.of(Event.Type.CANCELLED);
            case FIX -> Optional.of(Event.Type.FIXED);
            case CLAIM -> Optional.of(Event.Type.CLAIMED);
            case COMPLETE -> Optional.<Event.Type>empty();
        };
        return isPart(id) ? Optional.empty() : event.map(type -> site.watch().wish(id, type, account));
    }

    private boolean isPart(ReservationId id) {
        return coallocations.stream()
                .flatMap(one -> one.parts().stream())
                .anyMatch(part -> part.reservation().equals(id));
    }

    private void changeUsers(Deed deed) {
        mine().ifPresent(before -> {
            boolean handsOver = number % 3 == 0 || yard.oversight().isPresent();
            if (handsOver && !isPart(before.id())) {
                transfer(deed, before);
                return;
            }
            var users = List.of("user%d".formatted(++number));
            var wish = site.watch().wish(before.id(), Event.Type.USERS_CHANGED, account);
            wish.again();
            Heard<ActionOutcome> heard =
                    call(berth -> berth.broker().reservations().changeUsers(before, OptionalInt.empty(), users));
            reached(deed, word(heard, Caller::word), Optional.of(before));
            heard(wish, heard);
            if (heard instanceof Heard.Said<ActionOutcome>(ActionOutcome.Done(BookedReservation.Here(var after)))) {
                site.watch().told(after);
            }
        });
    }

    /** Hands a reservation over to an account without limits. */
    private void transfer(Deed deed, Reservation before) {
        var wish = site.watch().wish(before.id(), Event.Type.TRANSFERRED, account);
        wish.again();
        Heard<ActionOutcome> heard = call(berth -> berth.broker()
                .reservations()
                .transfer(before, OptionalInt.empty(), Oversight.HEIR, AccountLimits.NONE, account, Optional.empty()));
        number++;
        reached(deed, word(heard, Caller::word), Optional.of(before));
        heard(wish, heard);
        if (heard instanceof Heard.Said<ActionOutcome>(ActionOutcome.Done(BookedReservation.Here(var after)))) {
            site.watch().told(after);
        }
    }

    private void renegotiate(Deed deed) {
        mine().ifPresent(before -> {
            var terms = terms();
            var heard = call(berth -> berth.broker()
                    .renegotiations()
                    .change(
                            before,
                            OptionalInt.empty(),
                            _ -> new Renegotiations.Change.Wish(account, yard.limitsOf(account), terms, account),
                            Optional.empty()));
            told(deed, heard, before);
        });
    }

    private void told(Deed deed, Heard<Renegotiations.Outcome> heard, Reservation before) {
        reached(
                deed,
                word(
                        heard,
                        outcome -> outcome instanceof Renegotiations.Outcome.NotDone(var _, var answer)
                                ? word(answer)
                                : outcome.getClass().getSimpleName()),
                Optional.of(before));
        boolean isSure = !isRepeated()
                && heard instanceof Heard.Said<Renegotiations.Outcome>(var said)
                && !(said instanceof Renegotiations.Outcome.NotDone(var _, Answer.OutcomeUnknown _));
        if (!isSure) {
            doubtful.add(before.id());
        }
        if (heard instanceof Heard.Said<Renegotiations.Outcome>(var outcome)) {
            switch (outcome) {
                case Renegotiations.Outcome.Recorded(var _, var after) ->
                    site.watch().told(after);
                case Renegotiations.Outcome.NotDone(var _, var _)
                when deed != Deed.PROPOSE && !doubtful.contains(before.id()) ->
                    assertThat(site.watch().present(before.id()).terms())
                            .as("the terms after a refused change")
                            .usingRecursiveComparison()
                            .ignoringFields(
                                    site.watch().isNotExtended(before.id())
                                            ? new String[] {"autoExtension"}
                                            : new String[0])
                            .isEqualTo(before.terms());
                default -> {
                    // the answer says nothing about it
                }
            }
        }
    }

    private void reply(Deed deed) {
        mine().filter(reservation -> reservation.proposal().isPresent()).ifPresent(before -> {
            int proposal = before.proposal().orElseThrow().number();
            var heard = call(berth -> berth.broker()
                    .renegotiations()
                    .reply(
                            before,
                            OptionalInt.empty(),
                            proposal,
                            deed == Deed.ACCEPT
                                    ? new Renegotiations.Reply.Accept(yard.limitsOf(account))
                                    : new Renegotiations.Reply.Decline(),
                            Optional.empty()));
            told(deed, heard, before);
        });
    }

    private void propose(Deed deed) {
        var all = site.watch().reservations();
        if (all.isEmpty()) {
            return;
        }
        var before = all.get(Math.max(random.nextInt(all.size()), random.nextInt(all.size())));
        var offer = new Renegotiations.Change.Offer(
                new AccountName("root"),
                terms(),
                new Money(new BigDecimal("0.01"), before.price().currency()),
                now() + 3600);
        var heard = call(berth ->
                berth.broker().renegotiations().change(before, OptionalInt.empty(), _ -> offer, Optional.empty()));
        told(deed, heard, before);
    }

    private void readAnothers() {
        var others = new ArrayList<>(site.watch().ofOthers(account));
        others.addAll(site.installation().ofOthers(account));
        if (!others.isEmpty()) {
            var id = others.get(random.nextInt(others.size()));
            Heard<Optional<ReservationOrRequest>> heard = call(berth -> berth.broker()
                    .reservations()
                    .find(id, known -> known.owner().equals(account)));
            if (heard instanceof Heard.Said<Optional<ReservationOrRequest>>(var known)) {
                assertThat(known).as("what another account has").isEmpty();
            }
            reached(Deed.READ_ANOTHERS, word(heard, _ -> "Nothing"), Optional.empty());
        }
    }

    private void operate(Deed deed, Function<ClusterId, Optional<Command>> command) {
        operate(deed, cluster(), command);
    }

    /**
     * Does what an operator does.
     *
     * @param command creates a new command each time, because the service gives each call its own id
     */
    private void operate(Deed deed, ClusterId cluster, Function<ClusterId, Optional<Command>> command) {
        if (command.apply(cluster).isPresent()) {
            var heard = call(berth ->
                    berth.desks().decide(cluster, command.apply(cluster).orElseThrow()));
            reached(deed, word(heard, Caller::word), Optional.empty());
        }
    }

    /** Returns an outage. A monitor reports an outage of four PEs that has begun as its complete list, so its earlier reports are over. */
    private Optional<Command> outage(ClusterId cluster) {
        var outage = new RecordOutage(
                new OutageId(yard.id()),
                1 + random.nextInt(4),
                Optional.empty(),
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(now() + 1200 + random.nextInt(7200)),
                OptionalLong.of(now() + 9600 + random.nextInt(7200)),
                Optional.empty());
        if (outage.pes() < 4 || outage.from().isPresent()) {
            return Optional.of(outage);
        }
        var told =
                new ToldOutage(outage.id(), PeSet.range(0, outage.pes()), outage.from(), outage.to(), outage.reason());
        return Optional.of(new ReplaceOutages("watch", List.of(told)));
    }

    /** Reports most reservations of the cluster as in place, as last recorded. */
    private Command enforced(ClusterId cluster) {
        return new TellEnforcement(site.watch().reservations().stream()
                .filter(one -> one.cluster().equals(cluster) && one.state().isLive())
                .map(this::told)
                .toList());
    }

    private ReportedPart told(Reservation reservation) {
        var state = random.nextInt(4) == 0 ? EnforcementState.DRIFTED : EnforcementState.MATERIALISED;
        var there = reservation.placement().peIds().map(pes -> new TellEnforcement.There(reservation.slot(), pes));
        var taken = state == EnforcementState.DRIFTED
                ? reservation.placement().peIds().map(pes -> pes.lowest(Math.min(pes.size(), 2)))
                : Optional.<PeSet>empty();
        return new ReportedPart(
                reservation.id(),
                new Enforcement.Report(
                        0,
                        state,
                        Optional.of(reservation.id().toString()),
                        Optional.empty(),
                        taken.map(_ -> Cause.NODES_BUSY),
                        Optional.empty(),
                        0),
                there,
                taken.orElse(PeSet.NONE));
    }

    private Optional<Command> endOfAnOutage() {
        var outages = site.watch().outages();
        return outages.isEmpty()
                ? Optional.of(new EndOutage(new OutageId(yard.id())))
                : Optional.of(new EndOutage(outages.getFirst().id()));
    }

    private Command changed(Deed deed, Cluster cluster) {
        var admission = deed == Deed.CLOSE && cluster.admission() == Admission.OPEN ? Admission.CLOSED : Admission.OPEN;
        int pes = deed == Deed.CLOSE ? cluster.pes() : 6 + random.nextInt(4);
        if (deed == Deed.CHANGE_RULES && now() % 4 == 0) {
            return new ChangeSignal(new Signal(
                    "energy",
                    List.of(new SignalStep(now() - 600, 500_000), new SignalStep(now(), pes * 100_000)),
                    now() + 7200));
        }
        return new ChangeCluster(
                cluster,
                cluster.with("pes", pes).with("nodes", Nodes.SINGLE_PES).with("admission", admission));
    }

    private void submitJob(Deed deed) {
        var cluster = cluster();
        var label = "%s/%d".formatted(name, ++number);
        var ask = site.watch().ask(label, account, false);
        int pes = 1 + random.nextInt(4);
        long estimate = 60 + random.nextInt(3600);
        var heard = call(berth -> new AdmissionControl(berth.desks())
                .admitAtDesk(
                        cluster,
                        new Booking(
                                account,
                                yard.limitsOf(account),
                                new SubmitJob(new JobId(yard.id()), account, Optional.of(label), pes, estimate)),
                        Optional.empty()));
        reached(deed, word(heard, Caller::word), Optional.empty());
        if (isRepeated() || !(heard instanceof Heard.Said<Answer>(var said)) || said instanceof Answer.OutcomeUnknown) {
            ask.doubtful();
        } else if (said instanceof Answer.Done(var events)) {
            events.stream()
                    .filter(Event.JobEvent.class::isInstance)
                    .forEach(event -> jobs.add(((Event.JobEvent) event).job().id()));
        } else {
            ask.denied();
        }
    }

    /** Reports the queue of an external batch system. */
    private void tellQueue(Deed deed) {
        var told = new ArrayList<OutsideJob>();
        for (int jobs = random.nextInt(4); jobs > 0; jobs--) {
            var label = "%s/%d".formatted(name, ++number);
            site.watch().ask(label, account, false);
            boolean isRunning = random.nextBoolean();
            int pes = 1 + random.nextInt(4);
            // a third of the jobs name their PEs; with late binding they are skipped for that reason
            var peIds = isRunning && number % 3 == 0
                    ? Optional.of(PeSet.range(number % 4, number % 4 + pes))
                    : Optional.<PeSet>empty();
            told.add(new OutsideJob(
                    label,
                    account,
                    pes,
                    60 + random.nextInt(3600),
                    now() - 3600,
                    isRunning ? OptionalLong.of(now() - random.nextInt(1800)) : OptionalLong.empty(),
                    peIds));
        }
        operate(deed, site.outsideQueue().orElseGet(this::cluster), _ -> Optional.of(new ReplaceJobs(told)));
    }

    private void probe(Deed deed) {
        var terms = terms();
        var question = new Probes.Question(
                new Customer(account, ServiceClass.values()[random.nextInt(ServiceClass.values().length)]),
                terms,
                random.nextBoolean() ? Optional.empty() : Optional.of(List.of(cluster())),
                Preference.EARLIEST_START,
                terms.duration() % 2 * 300,
                1 + random.nextInt(4),
                Optional.empty());
        var heard = call(berth -> berth.broker().probes().ask(question));
        reached(deed, word(heard, answer -> answer.places().isEmpty() ? "Nothing" : "Places"), Optional.empty());
        if (heard instanceof Heard.Said<Probes.Answer>(var answer)) {
            assertThat(answer.places())
                    .as("places in the window of %s", terms)
                    .allMatch(place -> !(place instanceof Probes.Place.Here(var _, var offer, boolean _))
                            || offer.slot().start() >= terms.readyTime().orElse(0)
                                    && offer.slot().end() <= terms.deadline().orElse(Long.MAX_VALUE));
        }
    }

    private Optional<Command> endOfAJob() {
        return jobs.isEmpty() ? Optional.empty() : Optional.of(new CompleteJob(jobs.get(random.nextInt(jobs.size()))));
    }
}
