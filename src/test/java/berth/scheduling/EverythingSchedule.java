package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.approval.ClusterApproval;
import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.booking.web.PlaceBody;
import berth.cluster.Binding;
import berth.cluster.Outage;
import berth.cluster.ReplanOrder;
import berth.intake.IntakeRequest;
import berth.outcome.Outcome;
import berth.reservation.Cause;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status.Flag;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.EverythingWorld.Step;
import berth.scheduling.commands.Admit;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Approve;
import berth.scheduling.commands.CancelJob;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.Degrade;
import berth.scheduling.commands.ExtendRuns;
import berth.scheduling.commands.FollowPrices;
import berth.scheduling.commands.GrantWaiting;
import berth.scheduling.commands.PullForward;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceLostPes;
import berth.scheduling.commands.ReplaceOutages;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.JobDelays;
import berth.scheduling.places.NearestPlacesRules;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.Probe.Offers;
import berth.scheduling.places.WaitingPass;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.Terms;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A schedule of an {@link EverythingWorld} under test. Each command is decided a second time on a newly built schedule without a memo, with
 * the same result. After each command everything is counted second by second, and all rules are checked. At each instant the order is that
 * of the real writer: the clock, the command, the use of freed room, the jobs.
 */
final class EverythingSchedule {

    /** Nothing is counted after this time, when only outages without end remain. */
    private static final int END = 600;

    private final List<String> outcomes = new ArrayList<>();
    private final Map<ReservationId, Terms> promised = new HashMap<>();
    private final Set<ReservationId> degraded = new HashSet<>();

    /** The version of each request, and of the reservation that it became, after its last event. */
    private final Map<ReservationId, Integer> versions = new HashMap<>();

    /** The planned time for which each start and end was last announced, by lead. */
    private final Map<Ahead, Long> ahead = new HashMap<>();

    private ClusterSchedule schedule;

    /** Changes only by the events of each decision. */
    private ClusterSchedule folded;

    /** Whether nothing was lost and no rules were changed, so that the reservable share must be respected. */
    private boolean isWhole = true;

    /** The events since the waiting list was last tried, and the schedule then. */
    private final List<Event> happened = new ArrayList<>();

    private ClusterSchedule seen;
    private WaitingPass pass = WaitingPass.BEGINNING;

    private Optional<BatchJob> head = Optional.empty();
    private long headBy;

    private final TakenSeconds taken = new TakenSeconds();

    private record Ahead(ReservationId reservation, Event.Type type, long lead) {}

    EverythingSchedule(EverythingWorld world) {
        schedule = ClusterSchedule.empty(world.cluster());
        folded = schedule;
        seen = schedule;
    }

    List<String> outcomes() {
        return outcomes;
    }

    /**
     * Plays the steps.
     *
     * @throws AssertionError at the first error
     */
    void play(List<Step> steps) {
        for (var step : steps) {
            try {
                catchUp(step);
                askForLeads(step);
                var before = schedule;
                var command = EverythingWorld.command(step, schedule);
                try {
                    decide(command, EverythingWorld.allowance(step), step.now());
                    goOn(before, step.now(), command);
                    if (step.number() % 10 == 0) {
                        remediesAreTrue(step);
                    }
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("%s: %s".formatted(command, e.getMessage()), e);
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("At %d, %s".formatted(step.now(), e.getMessage()), e);
            }
        }
        for (long now = steps.isEmpty()
                        ? EverythingWorld.BEGIN
                        : steps.getLast().now();
                now < END / 2;
                now += 3) {
            var before = schedule;
            head = Optional.empty();
            happens(now, Long.MIN_VALUE);
            goOn(before, now, new AdvanceClock(1));
        }
        assertThat(schedule.reservations()).isEmpty();
        assertThat(schedule.openReturns()).isEmpty();
    }

    /** Sometimes changes the requested leads; those already in effect stay as they were. */
    private void askForLeads(Step step) {
        var random = new Random(step.seed());
        if (step.number() > 1 && random.nextInt(10) > 0) {
            return;
        }
        var all = random.nextInt(3) == 0 ? Set.of(1L + random.nextInt(8), 12L) : Set.<Long>of();
        var own = random.nextBoolean()
                ? Map.of(new AccountName("ada"), Set.of(1L + random.nextInt(20)))
                : Map.<AccountName, Set<Long>>of();
        var leads = schedule.leads().asking(new Leads.Requests(all, own), step.now());
        schedule = schedule.announcing(leads);
        folded = folded.announcing(leads);
    }

    /** Advances the clock whenever something is due; sometimes late. */
    private void catchUp(Step step) {
        boolean wasAsleep = step.seed() % 8 == 0;
        if (wasAsleep) {
            head = Optional.empty();
            happens(step.now(), step.now() - 1);
        } else {
            for (var due = schedule.nextDue();
                    due.filter(one -> one.at() <= step.now()).isPresent();
                    due = schedule.nextDue()) {
                var before = schedule;
                long now = due.orElseThrow().at();
                happens(now, Long.MIN_VALUE);
                goOn(before, now, new AdvanceClock(1));
            }
        }
        decide(new AdvanceClock(1), step.now());
        replaceLostPes(step.now());
        extendRuns(step.now());
    }

    /** Extends runs before any command of an instant; each is extended, or permanently not. */
    private void extendRuns(long now) {
        decide(new ExtendRuns(), now);
        assertThat(schedule.reservations())
                .noneMatch(reservation -> reservation.extensionDueAt().orElse(Long.MAX_VALUE) <= now
                        && reservation.status().updatedAt() < now);
    }

    /** Handles due items two at a time, so that it takes several rounds. */
    private void happens(long now, long heardSince) {
        while (schedule.nextDue().filter(due -> due.at() <= now).isPresent()) {
            decide(new AdvanceClock(2, heardSince), now);
        }
        decide(new AdvanceClock(1, heardSince), now);
    }

    /** Whether runs have got PEs that became free since it was last checked that the first waiting job is not delayed. */
    private boolean hasReplaced;

    /** Checks that clients can read the place of a reservation, whatever has become of it. */
    private static void isShown(Reservation reservation) {
        var pieces = reservation.placement().piecesNow();
        assertThat(pieces).hasSize(reservation.placement().pieces().size());
        assertThat(PlaceBody.placement(reservation).parts())
                .hasSameSizeAs(reservation.placement().parts());
    }

    /** Decides what comes after all commands of an instant. */
    private void goOn(ClusterSchedule before, long now, Command command) {
        boolean isLoss = isLoss(command);
        replaceLostPes(now);
        grantWhoWaits(now);
        if (schedule.cluster().policy().replanning().pullForward()) {
            decide(new PullForward(before), now);
        }
        if (!schedule.cluster().tariff().signal().isNone()) {
            decide(new FollowPrices(before), now);
        }
        decide(new StartJobs(), now);
        // runs that lack PEs come before jobs
        headIsNotDelayed(isLoss || hasReplaced || command instanceof ReplaceJobs, now);
        hasReplaced = false;
        nobodyElseCouldStart(now);
        creditReturns(now);
        jobsLearnOfDelays(before, now);
        rests(now);
    }

    /** Checks that a schedule that waits only for time is left alone until something is due. */
    private void rests(long now) {
        long justBefore = schedule.nextDue().map(due -> due.at() - 1).orElse(now + 100);
        if (!schedule.waitsOnlyForTime() || justBefore <= now) {
            return;
        }
        var later = new Basis(schedule, justBefore);
        assertThat(List.of(
                        new AdvanceClock(1).decide(later),
                        new ReplaceLostPes().decide(later),
                        new ExtendRuns().decide(later),
                        new PullForward(schedule).decide(later),
                        new FollowPrices(schedule).decide(later),
                        new StartJobs().decide(later),
                        new CreditReturns(List.of()).decide(later)))
                .as("what happens at %d, before anything is due", justBefore)
                .allMatch(decision -> decision.events().isEmpty());
    }

    /** Credits returned time, and checks that this changes nothing else and is paid for by those who had the time. */
    private void creditReturns(long now) {
        var charged = new HashMap<ReservationId, Money>();
        for (var event : ofInstant) {
            if (event instanceof ReservationEvent about
                    && !about.reservation().state().isLive()) {
                charged.put(about.reservation().id(), about.reservation().price());
            }
        }
        var decision = new CreditReturns(List.copyOf(ofInstant)).decide(new Basis(schedule, now));
        for (var event : decision.events()) {
            var about = (ReservationEvent) event;
            var after = about.reservation();
            var before = folded.findBilled(after.id()).orElseThrow();
            rises(after.id(), after.version());
            assertThat(after.state()).isEqualTo(before.state());
            assertThat(after.occupied()).isEqualTo(before.occupied());
            assertThat(after.terms()).isEqualTo(before.terms());
            var less = about.returned()
                    .map(credit -> credit.credited().money())
                    .orElse(before.price().none());
            assertThat(after.price()).isEqualTo(before.price().less(less));
            about.returned().ifPresent(credit -> {
                var left = Objects.requireNonNull(charged.get(credit.by()), "who paid");
                assertThat(less.exceeds(left)).isFalse();
                charged.put(credit.by(), left.less(less));
            });
            outcomes.add(event.type().name());
            folded = folded.with(event);
        }
        schedule = decision.next();
        assertThat(folded).isEqualTo(schedule);
        assertThat(rebuilt(now)).isEqualTo(schedule);
    }

    /** The shortest delay that counts here, where nothing takes a minute. */
    private static final long LEAST_DELAY = 5;

    /** The events of the present instant. */
    private final List<Event> ofInstant = new ArrayList<>();

    /** Compares the delays with the plans, job by job. */
    private void jobsLearnOfDelays(ClusterSchedule before, long now) {
        var told = new JobDelays(before, ofInstant, LEAST_DELAY)
                .decide(new Basis(schedule, now))
                .events();
        ofInstant.clear();
        assertThat(schedule.with(told)).isEqualTo(schedule);
        var planned = planned(before, now);
        var present = planned(schedule, now);
        for (var event : told) {
            var delay = ((Event.DelayEvent) event).delay();
            var job = ((Event.DelayEvent) event).job();
            assertThat(schedule.jobs().waiting()).contains(job);
            assertThat(planned.get(job.id())).isEqualTo(delay.from());
            assertThat(present.get(job.id())).isEqualTo(delay.to().orElse(Long.MAX_VALUE));
            assertThat(present.get(job.id())).isGreaterThanOrEqualTo(delay.from() + LEAST_DELAY);
            outcomes.add(event.type().name());
        }
        long late = present.entrySet().stream()
                .filter(job ->
                        planned.containsKey(job.getKey()) && job.getValue() - planned.get(job.getKey()) >= LEAST_DELAY)
                .count();
        assertThat(told.size()).isIn(0, Math.toIntExact(Math.min(late, JobDelays.MAX)));
    }

    private static Map<JobId, Long> planned(ClusterSchedule schedule, long now) {
        var starts = new HashMap<JobId, Long>();
        for (var job : schedule.jobs().waiting()) {
            starts.put(
                    job.id(),
                    schedule.plans(now).original().start(starts.size()).orElse(Long.MAX_VALUE));
        }
        return starts;
    }

    /** Gives reservations the PEs that have become free, before anybody else gets them; no run is left that could have one of them until its end. */
    private void replaceLostPes(long now) {
        if (schedule.reservations().stream().noneMatch(one -> one.lacksPes() || one.awaitsPes())) {
            return;
        }
        var had = schedule;
        decide(new ReplaceLostPes(), now);
        hasReplaced |= schedule != had;
        for (var run : schedule.reservations()) {
            var lack = run.placement().losses().present().filter(_ -> run.lacksPes());
            if (lack.isPresent()) {
                var rest = new Slot(
                        now, run.parts().get(run.placement().begun() - 1).slot().end());
                assertThat(schedule.withoutKeptPlaces()
                                .freeForJobs()
                                .at(rest, 1, schedule.cluster().pes()))
                        .as("a PE that is free until the end of %s", run)
                        .isEmpty();
            }
        }
    }

    /** Checks that requests on the waiting list get freed room at once, in order, and that none waits too long. */
    private void grantWhoWaits(long now) {
        pass = pass.after(seen, schedule, happened);
        happened.clear();
        boolean isFirst = true;
        while (isFirst || pass.isUnderWay()) {
            var grant = new GrantWaiting(pass);
            var turn = grant.turn(new Basis(schedule, now));
            pass = turn.left();
            if (isFirst || !turn.granted().events().isEmpty()) {
                decide(grant, now);
            }
            isFirst = false;
        }
        for (var request : schedule.waiting().all()) {
            assertThat(now).as("waits too long").isLessThan(request.waitUntil().orElseThrow());
            var place = new Admit(request.id()).ask(request, new Basis(schedule.whereNobodyMoves(), now));
            if (place instanceof Decision.Accepted && dependsOnTime(request)) {
                // time alone can make room, which is seen once a minute
                var minutely = new GrantWaiting(pass.whole(now)).turn(new Basis(schedule, now));
                assertThat(minutely.granted().events())
                        .as("waits for more than a minute")
                        .isNotEmpty();
            } else {
                assertThat(place).as("waits for room at %d: %s", now, request).isInstanceOf(Decision.Rejected.class);
            }
        }
        seen = schedule;
        happened.clear();
    }

    /** Whether a request may get a place although nothing has changed: by the horizon, its budget, or how far ahead the place lies. */
    private boolean dependsOnTime(IntakeRequest request) {
        var cluster = schedule.cluster();
        return request.terms().deadline().orElse(Long.MAX_VALUE)
                        > pass.wholeAt() + cluster.policy().horizon()
                || request.terms().budget().isPresent() && cluster.tariff().dependsOnTime()
                || cluster.policy().limits().boundsAdvance()
                || cluster.policy().approval().asks().rules().stream()
                        .anyMatch(rule -> rule.leadBelow().isPresent());
    }

    /** What would fit is what there is room for, whether somebody must approve it or not. */
    private void remediesAreTrue(Step step) {
        var unasked = schedule.ruledAs(SampleCluster.like(schedule.cluster())
                .approval(ClusterApproval.NONE)
                .cluster());
        var tight = EverythingWorld.tight(step, schedule);
        int alternatives = Remedy.areAsAProbeSaysAndGranted(unasked, tight, 3, step.now());
        outcomes.addAll(Collections.nCopies(alternatives, "alternative"));
        int figures = Remedy.wouldFit(unasked, tight, step.now());
        outcomes.addAll(Collections.nCopies(figures, "would fit"));
    }

    private ClusterSchedule rebuilt(long now) {
        return ClusterSchedule.of(
                        schedule.cluster(),
                        schedule.billed(),
                        schedule.outages(),
                        schedule.jobs().all(),
                        schedule.openRequests(),
                        now)
                .announcing(schedule.leads());
    }

    private void decide(Command command, long now) {
        decide(command, Allowance.UNLIMITED, now);
    }

    private void decide(Command command, Allowance allowance, long now) {
        var before = schedule;
        var freeBefore = before.free();
        var decision = command.decide(new Basis(before, now).within(allowance));
        var afresh = command.decide(new Basis(rebuilt(now), now).within(allowance));
        assertThat(afresh).as("where nothing is remembered").isEqualTo(decision);
        assertThat(before.free()).isEqualTo(freeBefore);
        probePromisesWhatIsDecided(command, allowance, decision, now);
        var name = command.getClass().getSimpleName();
        switch (decision) {
            case Decision.Rejected(var reason) -> outcomes.add(reason.getClass().getSimpleName());
            case Decision.Accepted(var events, var next) -> {
                if (isOfJobs(command)) {
                    assertThat(events).as("jobs move nobody").noneMatch(ReservationEvent.class::isInstance);
                }
                isWhole &= !isLoss(command);
                events.forEach(event -> follow(event, command, now));
                NearestPlacesRules.check(events, next, now);
                happened.addAll(events);
                ofInstant.addAll(events);
                outcomes.add(events.isEmpty() ? name + " without effect" : name);
                schedule = next;
                folded = folded.with(events);
            }
        }
        assertThat(folded).isEqualTo(schedule);
        assertThat(schedule.nextDue()).isEqualTo(rebuilt(now).nextDue());
        assertThat(schedule.reservations())
                .extracting(Reservation::id)
                .containsExactlyInAnyOrderElementsOf(promised.keySet());
        schedule.reservations().forEach(reservation -> liesAsAgreed(reservation, now));
        addsUp(now);
        othersAddUp(now);
        hasWholeNodes();
        noPeIsHeldTwice(now);
    }

    /** Whether PEs may go out of service because of it. */
    private static boolean isLoss(Command command) {
        return command instanceof RecordOutage || command instanceof ReplaceOutages || command instanceof ChangeCluster;
    }

    private static boolean isOfJobs(Command command) {
        return switch (command) {
            case SubmitJob _, CompleteJob _, CancelJob _, ReplaceJobs _, StartJobs _ -> true;
            default -> false;
        };
    }

    private void probePromisesWhatIsDecided(Command command, Allowance allowance, Decision decision, long now) {
        if (!(command instanceof Reserve reserve)
                || reserve.start().isPresent()
                || reserve.hold().isPresent()
                || !schedule.cluster().policy().approval().asks().rules().isEmpty()
                || !allowance.limits().equals(AccountLimits.NONE)
                || schedule.cluster().policy().replanning().order() == ReplanOrder.SHUFFLE) {
            return;
        }
        var answer = new Probe(reserve.terms(), reserve.origin().customer(), Preference.EARLIEST_START, 3)
                .ask(schedule, now);
        var chosen = answer instanceof Outcome.Done(Offers(var offers, var _))
                ? offers.stream().filter(Offer::chosen).toList()
                : List.<Offer>of();
        if (decision instanceof Decision.Accepted(var events, var _)) {
            var granted = ((ReservationEvent) events.getLast()).reservation();
            assertThat(chosen).as("probed").hasSize(1);
            assertThat(chosen.getFirst().parts()).isEqualTo(granted.parts());
            assertThat(chosen.getFirst().price()).isEqualTo(granted.price());
        } else {
            assertThat(chosen).as("probed").isEmpty();
        }
    }

    // ---- events

    private void follow(Event event, Command command, long now) {
        outcomes.add(event.type().name());
        assertThat(event.at()).isLessThanOrEqualTo(now);
        switch (event) {
            case ReservationEvent about -> {
                rises(about.reservation().id(), about.reservation().version());
                isShown(about.reservation());
                follow(about, command);
                taken.follow(about, command);
            }
            // a granted request cannot be read: it is the reservation now
            case RequestEvent(var type, var request, var _)
            when type != Event.Type.GRANTED -> rises(request.id(), request.version());
            case JobEvent(var type, var job, var at) -> {
                if (type == Event.Type.JOB_STARTED) {
                    assertThat(command).isInstanceOf(StartJobs.class);
                    assertThat(job.run().orElseThrow().start()).isEqualTo(at).isEqualTo(now);
                }
            }
            default -> {}
        }
    }

    private void rises(ReservationId id, int version) {
        var before = versions.put(id, version);
        if (before != null) {
            assertThat(version).as("version of %s", id).isEqualTo(before + 1);
        }
    }

    private void follow(ReservationEvent event, Command command) {
        var after = event.reservation();
        var agreed = promised.put(after.id(), after.terms());
        var before = schedule.find(after.id());
        if (event.type() == Event.Type.EXTENDED || event.type() == Event.Type.NOT_EXTENDED) {
            goesOnAsAgreed(event, before.orElseThrow());
        } else if (agreed != null && event.type() != Event.Type.RENEGOTIATED && event.type() != Event.Type.ACCEPTED) {
            assertThat(after.terms()).as("terms, %s", event.type()).isEqualTo(agreed);
        }
        isApproved(after, before, command);
        if (event.type() == Event.Type.STARTING || event.type() == Event.Type.ENDING) {
            isToldAhead(event);
        }
        if (event.type() == Event.Type.STARTED) {
            missesNoLead(event, Event.Type.STARTING, event.at());
        }
        if (event.type() == Event.Type.COMPLETED && event.at() == after.slot().end()) {
            missesNoLead(event, Event.Type.ENDING, event.at());
        }
        if (event.type() == Event.Type.MOVED) {
            assertThat(after.price().exceeds(before.orElseThrow().price())).isFalse();
        }
        if (event.type() == Event.Type.ACCEPTED) {
            // anything beyond the previous place is paid for
            boolean takesMore =
                    after.placement().work() > before.orElseThrow().placement().work();
            assertThat(takesMore || !after.price().exceeds(before.orElseThrow().price()))
                    .isTrue();
        }
        if (event.type() == Event.Type.USERS_CHANGED) {
            assertThat(after)
                    .usingRecursiveComparison()
                    .ignoringFields("origin.users", "status.version", "status.updatedAt")
                    .isEqualTo(before.orElseThrow());
        }
        if (event.type() == Event.Type.TRANSFERRED || event.type() == Event.Type.RECEIVED) {
            assertThat(after)
                    .usingRecursiveComparison()
                    .ignoringFields(
                            "origin.owner", "origin.users", "origin.assignment", "status.version", "status.updatedAt")
                    .isEqualTo(before.orElseThrow());
            var assignment = after.origin().assignment().orElseThrow();
            assertThat(assignment.from()).contains(before.orElseThrow().origin().owner());
            assertThat(after.origin().owner())
                    .isEqualTo(
                            event.type() == Event.Type.RECEIVED
                                    ? assignment.to()
                                    : before.orElseThrow().origin().owner());
        }
        if (event.type() == Event.Type.ENFORCED) {
            assertThat(after.enforcement().isInPlace(after.currentPart())).isTrue();
        }
        var reason = after.status().reason();
        boolean byOwner = reason.equals(Optional.of(EndReason.USERS_UNKNOWN));
        if (byOwner || reason.equals(Optional.of(EndReason.NOT_ENFORCED))) {
            assertThat(after.enforcement().within()).isPresent();
            assertThat(after.enforcement().isInPlace(0)).isFalse();
            assertThat(after.enforcement().cause(after.currentPart()) == Cause.USERS_UNKNOWN)
                    .isEqualTo(byOwner);
            assertThat(after.charge().credit().isPresent()).isEqualTo(!byOwner);
        }
        if (event.type() == Event.Type.COMPLETED && event.at() == after.slot().end()) {
            assertThat(after.enforcement().within())
                    .as("nothing that must be in place ends without")
                    .isEmpty();
        }
        if (event.type() == Event.Type.DEGRADED && command instanceof Degrade) {
            degraded.add(after.id());
        }
        assertThat(after.status().flags().contains(Flag.DEGRADED)).isEqualTo(degraded.contains(after.id()));
        if (!after.state().isLive() && after.enforcement().taken().lost() > 0) {
            outcomes.add("taken");
        }
        if (!after.state().isLive()) {
            promised.remove(after.id());
            degraded.remove(after.id());
        }
    }

    /**
     * Checks that a reservation that must be approved is confirmed only by somebody who may approve it, and otherwise ends without owing
     * anything.
     */
    private void isApproved(Reservation after, Optional<Reservation> before, Command command) {
        boolean waited =
                before.filter(one -> one.state() == ReservationState.PENDING).isPresent();
        if (waited && after.state().isAgreed()) {
            assertThat(command)
                    .isInstanceOfSatisfying(
                            Approve.class, approve -> assertThat(approve.by()).isEqualTo(EverythingWorld.APPROVER));
            assertThat(after.status()
                            .approval()
                            .orElseThrow()
                            .last()
                            .orElseThrow()
                            .by())
                    .isEqualTo(EverythingWorld.APPROVER);
        }
        if (waited && !after.state().isLive()) {
            assertThat(after.price().amount()).isZero();
            assertThat(after.charge().credit()).isEmpty();
            assertThat(after.occupied())
                    .allMatch(part -> part.slot().end() <= after.status().updatedAt());
        }
        if (after.state() == ReservationState.PENDING) {
            assertThat(after.status().approval().orElseThrow().expiresAt())
                    .isGreaterThan(after.status().createdAt());
        }
    }

    /** Checks that the run was extended by a step in its place or, if that was impossible, did not change and is not extended again. */
    private static void goesOnAsAgreed(ReservationEvent event, Reservation before) {
        var after = event.reservation();
        var how = before.terms().autoExtension().orElseThrow();
        assertThat(before.state()).isEqualTo(ReservationState.RUNNING);
        assertThat(before.status().claimBy()).isEmpty();
        assertThat(event.at())
                .isBetween(how.dueAt(before.slot().end()), before.slot().end() - 1);
        assertThat(after.slot().start()).isEqualTo(before.slot().start());
        if (event.type() == Event.Type.EXTENDED) {
            assertThat(after.slot().end())
                    .isBetween(
                            before.slot().end() + 1,
                            Math.min(how.until(), before.slot().end() + how.step()));
            assertThat(after.terms().autoExtension()).contains(how);
            assertThat(event.refused()).isEmpty();
        } else {
            assertThat(after.slot()).isEqualTo(before.slot());
            assertThat(after.price()).isEqualTo(before.price());
            assertThat(after.terms()).isEqualTo(before.terms().withoutAutoExtension());
            assertThat(event.refused()).isPresent();
        }
    }

    /** Checks that the announcement is due for some lead and is not a repetition. */
    private void isToldAhead(ReservationEvent event) {
        var after = event.reservation();
        boolean isStart = event.type() == Event.Type.STARTING;
        long planned = isStart ? after.slot().start() : after.slot().end();
        assertThat(after.state()).isEqualTo(isStart ? ReservationState.CONFIRMED : ReservationState.RUNNING);
        assertThat(after.leadsJustTold()).isNotEmpty();
        for (long lead : after.leadsJustTold()) {
            assertThat(event.at()).isBetween(planned - lead, planned);
            var before = ahead.put(new Ahead(after.id(), event.type(), lead), planned);
            assertThat(Objects.equals(before, planned))
                    .as("told in the lead of %d before", lead)
                    .isFalse();
        }
    }

    /** Checks that the event was announced as planned for all requested leads. */
    private void missesNoLead(ReservationEvent event, Event.Type type, long planned) {
        var after = event.reservation();
        schedule.leads()
                .of(after.origin().owner())
                .forEach(lead -> assertThat(ahead)
                        .as("%s of %s, asked since %d", type, after.id(), lead.since())
                        .containsEntry(new Ahead(after.id(), type, lead.seconds()), planned));
    }

    // ---- places

    /** Checks that it is in its window, part after part, each in one of its shapes with the length of its steps; past parts have begun. */
    private static void liesAsAgreed(Reservation reservation, long now) {
        var terms = reservation.terms();
        var parts = reservation.parts();
        assertThat(parts).hasSizeLessThanOrEqualTo(terms.mostParts());
        int done = 0;
        long from = terms.window().readyTime();
        for (var part : parts) {
            var shape = terms.shapes().stream()
                    .filter(one -> one.pes() == part.pes())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no such shape: " + part));
            long length = shape.cut(done + part.steps(), terms.steps()) - shape.cut(done, terms.steps());
            assertThat(part.slot().duration()).isEqualTo(length);
            assertThat(part.slot().start()).isGreaterThanOrEqualTo(from);
            from = part.slot().end();
            done += part.steps();
        }
        assertThat(done).isEqualTo(terms.steps());
        assertThat(from).isLessThanOrEqualTo(terms.window().deadline());
        if (terms.preemption().filter(Preemption::moldableParts).isEmpty()) {
            assertThat(parts.stream().map(Part::pes).distinct()).hasSize(1);
        }
        for (int part = 0; part < parts.size(); part++) {
            var slot = parts.get(part).slot();
            assertThat(part >= reservation.placement().begun() || slot.start() <= now)
                    .as("%s has not begun too early", reservation)
                    .isTrue();
        }
        assertThat(reservation.state() == ReservationState.RUNNING)
                .isEqualTo(reservation.placement().begun() > 0);
        reservation.enforcement().told().forEach(told -> assertThat(told.part()).isLessThan(parts.size()));
    }

    private int[] taken() {
        var taken = new int[END];
        for (var reservation : schedule.reservations()) {
            for (int part = reservation.placement().over();
                    part < reservation.parts().size();
                    part++) {
                reservation.placement().has(part).forEach(piece -> take(taken, piece));
            }
        }
        assertThat(!isWhole
                        || IntStream.of(taken)
                                .allMatch(pes -> pes <= schedule.cluster().reservablePes()))
                .as("the share that may be reserved")
                .isTrue();
        schedule.jobs().running().forEach(job -> take(taken, job.part()));
        for (int second = 0; second < END; second++) {
            taken[second] += PlainRoom.outOfService(
                    schedule.outages(), second, schedule.cluster().pes());
        }
        return taken;
    }

    private static void take(int[] taken, Part part) {
        take(taken, part.slot(), part.pes());
    }

    private static void take(int[] taken, Slot slot, int pes) {
        for (long second = slot.start(); second < Math.min(slot.end(), END); second++) {
            taken[(int) second] += pes;
        }
    }

    /** Checks that all allocations are whole nodes. */
    private void hasWholeNodes() {
        int granule = schedule.cluster().nodes().granule();
        var had = Stream.of(
                        schedule.reservations().stream().flatMap(one -> one.parts().stream()),
                        schedule.jobs().running().stream().map(BatchJob::part),
                        schedule.keptPlaces().stream())
                .flatMap(parts -> parts)
                .toList();
        assertThat(had).allSatisfy(part -> {
            assertThat(part.pes() % granule).isZero();
            assertThat(part.peIds().filter(ids -> !ids.isOfBlocks(granule))).isEmpty();
        });
        assertThat(schedule.outages()).allSatisfy(outage -> {
            assertThat(outage.pes() % granule).isZero();
            assertThat(outage.peIds().filter(ids -> !ids.isOfBlocks(granule))).isEmpty();
        });
    }

    /** Checks that the free PEs in each second are those that nothing takes, and never negative. */
    private void addsUp(long now) {
        var taken = taken();
        schedule.keptPlaces().forEach(part -> take(taken, part));
        int pes = schedule.cluster().pes();
        int at = 0;
        var steps = schedule.profile().steps(new Slot(now, END));
        for (int second = (int) now; second < END; second++) {
            at += at + 1 < steps.size() && steps.get(at + 1).start() == second ? 1 : 0;
            assertThat(steps.get(at).free())
                    .as("free at %d", second)
                    .isNotNegative()
                    .isEqualTo(pes - taken[second]);
        }
    }

    /** Counts the PEs of the other accounts' reservations, as prices that depend on the load do. */
    private void othersAddUp(long now) {
        var slot = new Slot(now, END);
        for (var account : List.of(new AccountName("ada"), new AccountName("nobody"))) {
            var booked = schedule.bookedByOthers(account);
            long counted = schedule.reservations().stream()
                    .filter(reservation -> !reservation.origin().owner().equals(account))
                    .map(Reservation::placement)
                    .flatMap(placement -> IntStream.range(
                                    placement.over(), placement.parts().size())
                            .boxed()
                            .flatMap(part -> placement.has(part).stream()))
                    .filter(part -> part.slot().overlaps(slot))
                    .mapToLong(part -> part.pes()
                            * (Math.min(END, part.slot().end())
                                    - Math.max(now, part.slot().start())))
                    .sum();
            assertThat(booked.during(slot))
                    .as("booked by others than %s", account)
                    .isEqualTo(counted);
        }
    }

    private record Holder(Slot slot, PeSet ids, Object who) {}

    private void noPeIsHeldTwice(long now) {
        boolean isEarly = schedule.cluster().binding() == Binding.EARLY;
        var holders = new ArrayList<Holder>();
        for (var reservation : schedule.reservations()) {
            var placement = reservation.placement();
            for (int at = placement.over(); at < placement.parts().size(); at++) {
                var part = placement.parts().get(at);
                boolean isBound = isEarly || placement.isRunning(at);
                assertThat(part.peIds().isPresent()).as("%s is bound", part).isEqualTo(isBound);
                for (var piece : placement.has(at)) {
                    if (isEarly || placement.holds(at, piece)) {
                        holders.add(new Holder(piece.slot(), piece.peIds().orElseThrow(), reservation));
                    }
                }
            }
        }
        schedule.jobs()
                .running()
                .forEach(job -> holders.add(
                        new Holder(job.part().slot(), job.run().orElseThrow().peIds(), job)));
        schedule.outages()
                .forEach(outage ->
                        holders.add(new Holder(outage.slot(), outage.peIds().orElse(PeSet.NONE), outage)));
        for (int i = 0; i < holders.size(); i++) {
            for (var other : holders.subList(0, i)) {
                boolean areOutages = holders.get(i).who() instanceof Outage && other.who() instanceof Outage;
                boolean isShared = !areOutages
                        && holders.get(i).slot().overlaps(other.slot())
                        && holders.get(i).slot().end() > now
                        && other.slot().end() > now
                        && holders.get(i).ids().intersects(other.ids());
                assertThat(isShared).as("%s, %s", holders.get(i), other).isFalse();
            }
        }
    }

    // ---- jobs

    /** Checks that the head of the queue has the earliest place, which becomes later only by a loss. */
    private void headIsNotDelayed(boolean mayBe, long now) {
        var kept = schedule.keptPlaces();
        if (kept.isEmpty()) {
            head = Optional.empty();
            return;
        }
        var job = schedule.jobs().head().orElseThrow();
        var place = kept.getFirst();
        assertThat(kept).hasSize(1);
        assertThat(place.slot().duration()).isEqualTo(job.estimate());
        assertThat(place.pes()).isEqualTo(job.pes());
        if (schedule.cluster().binding() == Binding.LATE) {
            var taken = taken();
            long earliest = LongStream.range(now, END)
                    .filter(start -> fits(taken, job, start))
                    .findFirst()
                    .orElseThrow();
            assertThat(place.slot().start()).isEqualTo(earliest);
        }
        boolean isStarted = schedule.jobs().source() == JobSource.BERTH;
        if (!mayBe && isStarted && head.filter(job::equals).isPresent()) {
            assertThat(place.slot().start()).as("the head is delayed").isLessThanOrEqualTo(headBy);
        }
        head = Optional.of(job);
        headBy = place.slot().start();
    }

    private void nobodyElseCouldStart(long now) {
        Collection<BatchJob> waiting = schedule.jobs().waiting();
        if (schedule.cluster().binding() == Binding.LATE
                && !waiting.isEmpty()
                && schedule.jobs().source() == JobSource.BERTH) {
            var taken = taken();
            schedule.keptPlaces().forEach(part -> take(taken, part));
            waiting.stream()
                    .skip(schedule.keptPlaces().size())
                    .forEach(job -> assertThat(fits(taken, job, now))
                            .as("%s could start now", job)
                            .isFalse());
        }
    }

    private boolean fits(int[] taken, BatchJob job, long start) {
        return start + job.estimate() < END
                && LongStream.range(start, start + job.estimate())
                        .allMatch(second -> taken[(int) second] + job.pes()
                                <= schedule.cluster().pes());
    }
}
