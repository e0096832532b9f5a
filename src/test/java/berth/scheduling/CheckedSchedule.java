package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.availability.Step;
import berth.batch.BatchJob;
import berth.batch.JobSource;
import berth.budget.Dues;
import berth.cluster.AvailabilityMethod;
import berth.cluster.Binding;
import berth.cluster.Outage;
import berth.cluster.ReplanOrder;
import berth.intake.IntakeRequest;
import berth.outcome.Outcome;
import berth.pricing.RigidPrices;
import berth.reservation.Losses;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status.Flag;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlainSchedule.Booking;
import berth.scheduling.PlainSchedule.Change;
import berth.scheduling.PlainSchedule.Verdict;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.Admit;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.CancelJob;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Degrade;
import berth.scheduling.commands.PullForward;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceLostPes;
import berth.scheduling.commands.Reserve;
import berth.scheduling.places.DisplacementRules;
import berth.scheduling.places.Effects;
import berth.scheduling.places.NearestPlacesRules;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.Probe.Offers;
import berth.sla.AccountLimits;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A schedule under test: {@link PlainSchedule} predicts every decision, and after each one the rules are checked that a schedule must never
 * break. The clock advances as for the real writer: before each command, or before the first command of a batch.
 */
final class CheckedSchedule {

    private final Slot all;
    private final PlainSchedule oracle;
    private final List<Event> events = new ArrayList<>();
    private final List<String> outcomes = new ArrayList<>();

    /** The last agreed terms of each reservation that has neither ended nor been cancelled. */
    private final Map<ReservationId, Terms> promised = new HashMap<>();

    private ClusterSchedule schedule;

    /** The last version of each reservation. */
    private final Map<ReservationId, Reservation> latest = new HashMap<>();

    /** Changes only by the events of each decision. */
    private ClusterSchedule folded;

    CheckedSchedule(SchedulingWorld world) {
        this.all = world.all();
        this.oracle = new PlainSchedule(world.cluster(), world.all().end());
        this.schedule = ClusterSchedule.empty(world.cluster());
        this.folded = schedule;
    }

    ClusterSchedule schedule() {
        return schedule;
    }

    List<Event> events() {
        return events;
    }

    /** Returns the results of the commands in a word or two each. */
    List<String> outcomes() {
        return outcomes;
    }

    /**
     * Plays the steps.
     *
     * @throws AssertionError at the first error
     */
    void play(List<SchedulingWorld.Step> steps) {
        long now = Long.MIN_VALUE;
        boolean inBatch = false;
        for (var step : steps) {
            var before = schedule;
            boolean isTick = step.command().apply(schedule) instanceof AdvanceClock;
            boolean goesOn = inBatch && step.follows() && step.now() == now;
            now = step.now();
            if (!isTick && !goesOn) {
                catchUp(now);
                replaceLostPes(step);
            }
            decide(step, step.command().apply(schedule), step.allowance());
            if (!isTick) {
                replaceLostPes(step);
            }
            if (!isTick && schedule.cluster().policy().replanning().pullForward()) {
                decide(step, new PullForward(before));
            }
            inBatch = !isTick;
        }
        var rebuilt = rebuilt(now);
        var rest = new AdvanceClock(Integer.MAX_VALUE);
        assertThat(rest.decide(new Basis(rebuilt, all.end()))).isEqualTo(rest.decide(new Basis(schedule, all.end())));
        assertThat(rest.decide(new Basis(folded, all.end()))).isEqualTo(rest.decide(new Basis(schedule, all.end())));
        catchUp(all.end());
        giveUpJobs();
        assertThat(schedule.reservations()).isEmpty();
        assertThat(schedule.outages())
                .allSatisfy(outage -> assertThat(outage.to()).isEmpty());
        assertThat(schedule.profile()).isEqualTo(schedule.inService());
    }

    private void replaceLostPes(SchedulingWorld.Step step) {
        if (schedule.reservations().stream().anyMatch(one -> one.lacksPes() || one.awaitsPes())) {
            decide(step, new ReplaceLostPes());
            assertThat(new ReplaceLostPes()
                            .decide(new Basis(schedule, step.now()))
                            .events())
                    .isEmpty();
        }
    }

    /** Cancels the waiting jobs, or lets the external batch system do so. */
    private void giveUpJobs() {
        var jobs = schedule.jobs();
        if (jobs.source() == JobSource.OUTSIDE) {
            decide(new ReplaceJobs(List.of()), all.end());
        } else {
            jobs.all().forEach(job -> decide(new CancelJob(job.id()), all.end()));
        }
        assertThat(schedule.jobs().isEmpty()).isTrue();
    }

    /** Handles two due items at a time, so that it takes several rounds. */
    private void catchUp(long now) {
        while (schedule.nextDue().filter(due -> due.at() <= now).isPresent()) {
            decide(new AdvanceClock(2), now);
        }
        decide(new AdvanceClock(1), now);
        assertThat(oracle.decide(new AdvanceClock(1), now))
                .as("what is due by %d", now)
                .isEqualTo(new Verdict.Granted(List.of()));
    }

    private void decide(SchedulingWorld.Step step, Command command) {
        decide(step, command, Allowance.UNLIMITED);
    }

    private void decide(SchedulingWorld.Step step, Command command, Allowance allowance) {
        try {
            decide(command, allowance, step.now());
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("At %d, %s: %s".formatted(step.now(), command, e.getMessage()), e);
        }
    }

    private void decide(Command command, long now) {
        decide(command, Allowance.UNLIMITED, now);
    }

    private void decide(Command command, Allowance allowance, long now) {
        var before = schedule;
        var reservationsBefore = List.copyOf(before.reservations());
        var outagesBefore = List.copyOf(before.outages());
        var profileBefore = before.profile().steps(all);
        var dueBefore = before.nextDue();

        var decision = command.decide(new Basis(before, now).within(allowance));
        probePromisesWhatIsDecided(before, command, allowance, decision, now);
        assertThat(command.decide(new Basis(before, now).within(allowance)))
                .as("decided again")
                .isEqualTo(decision);

        assertThat(before.reservations()).containsExactlyInAnyOrderElementsOf(reservationsBefore);
        assertThat(before.outages()).containsExactlyInAnyOrderElementsOf(outagesBefore);
        assertThat(before.profile().steps(all)).isEqualTo(profileBefore);
        assertThat(before.nextDue()).isEqualTo(dueBefore);

        agrees(command, allowance, decision, now);
        switch (decision) {
            case Decision.Rejected(var reason) -> outcomes.add(reason.getClass().getSimpleName());
            case Decision.Accepted(var happened, var next) -> {
                if (happened.isEmpty()
                        && !(command instanceof AdvanceClock
                                || command instanceof PullForward
                                || command instanceof ReplaceLostPes)) {
                    outcomes.add("unchanged");
                }
                happened.forEach(event -> follow(event, command, now));
                setsFewInMotion(command, happened);
                NearestPlacesRules.check(happened, next, now);
                schedule = next;
                folded = folded.with(happened).keepingPlacesFrom(now);
            }
        }
        agreesWithTheOracle();
        neverTakesMoreThanThereIs();
        noPeIsHeldTwice();
        keepsItsPromises();
        knowsWhoWaits(now);
        isTheSameAs(folded);
        isTheSameAs(rebuilt(now));
    }

    private ClusterSchedule rebuilt(long now) {
        return ClusterSchedule.of(
                schedule.cluster(),
                schedule.billed(),
                schedule.outages(),
                schedule.jobs().all(),
                schedule.requests(),
                now);
    }

    private void setsFewInMotion(Command command, List<Event> happened) {
        var most = schedule.cluster().policy().replanning().maxMoves();
        if (most.isPresent() && (command instanceof Reserve || command instanceof Renegotiate)) {
            assertThat(happened.stream().filter(event -> event.type() == Event.Type.MOVED))
                    .hasSizeLessThanOrEqualTo(most.getAsInt());
        }
    }

    private void probePromisesWhatIsDecided(
            ClusterSchedule before, Command command, Allowance allowance, Decision decision, long now) {
        if (!(command instanceof Reserve reserve)
                || reserve.start().isPresent()
                || reserve.hold().isPresent()
                || !allowance.limits().equals(AccountLimits.NONE)
                || schedule.cluster().policy().replanning().order() == ReplanOrder.SHUFFLE) {
            return;
        }
        var answer = new Probe(reserve.terms(), reserve.origin().customer(), Preference.EARLIEST_START, 3)
                .ask(schedule, now);
        switch (decision) {
            case Decision.Accepted(var happened, var _)
            when !schedule.jobs().isEmpty() -> {
                // the answer includes the availability and the impact
                var granted = ((ReservationEvent) happened.getLast()).reservation();
                assertThat(chosen(answer)).singleElement().satisfies(offer -> {
                    assertThat(offer.parts()).isEqualTo(granted.parts());
                    assertThat(offer.price()).isEqualTo(granted.price());
                    assertThat(offer.moves()).isEqualTo(moves(happened));
                    assertThat(offer.effects()).isEqualTo(effects(decision, before, now));
                });
            }
            case Decision.Rejected _
            when !schedule.jobs().isEmpty() -> {
                boolean isOffered = answer instanceof Outcome.Done(Offers(var offers, var _))
                        && offers.stream().anyMatch(Offer::chosen);
                assertThat(isOffered).isFalse();
            }
            case Decision.Accepted(var happened, var _) -> {
                var granted = ((ReservationEvent) happened.getLast()).reservation();
                assertThat(chosen(answer))
                        .containsExactly(new Offer(
                                granted.parts(),
                                granted.price(),
                                RigidPrices.price(
                                        schedule.cluster().tariff(),
                                        granted.terms(),
                                        granted.slot().start(),
                                        Mobility.NONE,
                                        granted.origin().serviceClass()),
                                true,
                                true,
                                1,
                                Optional.empty(),
                                moves(happened),
                                Effects.of(decision, before, now)));
            }
            case Decision.Rejected(Rejection.OverBudget(var price, var _)) -> {
                assertThat(chosen(answer)).isEmpty();
                assertThat(((Outcome.Done<Offers, Rejection>) answer)
                                .value()
                                .offers()
                                .getFirst())
                        .returns(price, Offer::price)
                        .returns(false, Offer::withinBudget);
            }
            case Decision.Rejected(var reason) -> assertThat(answer).isEqualTo(new Outcome.NotDone<>(reason));
        }
    }

    /** Returns the moves of others that a reservation needed. */
    private static List<ReservationEvent> moves(List<Event> happened) {
        return happened.stream()
                .limit(happened.size() - 1)
                .map(ReservationEvent.class::cast)
                .toList();
    }

    /** Returns the effects of a decision as a probe knows them: with availability by load, it makes no plans. */
    private static Effects effects(Decision decision, ClusterSchedule before, long now) {
        var effects = Effects.of(decision, before, now);
        boolean isKnown = before.jobs().waiting().isEmpty()
                || before.cluster().policy().availability().method() == AvailabilityMethod.WHAT_IF;
        return isKnown
                ? effects
                : new Effects(effects.moved(), effects.totalShift(), effects.largestShift(), OptionalInt.empty());
    }

    private static List<Offer> chosen(Outcome<Offers, Rejection> answer) {
        assertThat(answer).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done<Offers, Rejection>) answer)
                .value().offers().stream().filter(Offer::chosen).toList();
    }

    private void agrees(Command command, Allowance allowance, Decision decision, long now) {
        switch (decision) {
            case Decision.Rejected(var reason) ->
                assertThat(oracle.decide(command, allowance, now))
                        .isEqualTo(new Verdict.Refused(PlainSchedule.word(reason)));
            case Decision.Accepted(var happened, var _) -> agrees(command, allowance, schedule, happened, now);
        }
    }

    /** Checks the events of a command on a schedule. */
    private void agrees(Command command, Allowance allowance, ClusterSchedule before, List<Event> happened, long now) {
        var told = happened.stream().map(CheckedSchedule::told).toList();
        switch (oracle.decide(command, allowance, now)) {
            case Verdict.Lost lost -> {
                assertThat(told).endsWith(lost.last());
                DisplacementRules.check(before, happened, lost, all.end(), now);
                oracle.follow(happened, now);
            }
            case Verdict.Regained(var first) -> {
                assertThat(told).startsWith(first);
                var after = before.with(happened.getFirst());
                var lacking = after.reservations().stream()
                        .filter(run -> !run.placement().losses().lacks().isEmpty())
                        .toList();
                var rest = happened.subList(1, happened.size());
                DisplacementRules.checkRuns(after, rest, lacking, true, false, all.end(), now);
                oracle.follow(happened, now);
            }
            case Verdict.Replaced() -> {
                DisplacementRules.checkReplaced(before, happened, all.end(), now);
                oracle.follow(happened, now);
            }
            case Verdict.RunChanges(var first, var run, long at) -> {
                assertThat(told.subList(0, first.size())).isEqualTo(first);
                var there = before;
                for (var event : happened.subList(0, first.size())) {
                    there = there.with(event);
                }
                int own = first.size();
                while (!told.get(own).subject().equals(run.value())) {
                    own++;
                }
                // those who make room come after the run
                int to = own + 1;
                while (to < told.size()
                        && madeRoom(happened.get(to))
                        && told.get(to).at() == at) {
                    to++;
                }
                var about = happened.subList(first.size(), to);
                DisplacementRules.checkRuns(
                        there, about, List.of(there.find(run).orElseThrow()), at == now, true, all.end(), at);
                oracle.follow(about, at);
                int most = ((AdvanceClock) command).most() - to;
                if (most > 0) {
                    agrees(
                            new AdvanceClock(most),
                            allowance,
                            there.with(about),
                            happened.subList(to, happened.size()),
                            now);
                } else {
                    assertThat(happened).hasSize(to);
                    oracle.keptAt(now);
                }
            }
            case Verdict.Granted granted -> assertThat(granted).isEqualTo(new Verdict.Granted(told));
            case Verdict.Refused refused -> throw new AssertionError("Not refused: " + refused);
        }
    }

    private static boolean madeRoom(Event event) {
        return event instanceof ReservationEvent about
                && about.move()
                        .filter(move -> move.why() == MoveReason.MADE_ROOM)
                        .isPresent();
    }

    /** Returns an event in the terms of the oracle. */
    private static Change told(Event event) {
        var subject = switch (event) {
            case ReservationEvent(var _, var reservation, var _, var _, var _, var _) ->
                reservation.id().value();
            case OutageEvent(var _, var outage, var _) -> outage.id().value();
            case JobEvent(var _, var job, var _) -> job.id().value();
            case DelayEvent(var job, var _, var _) -> job.id().value();
            case RequestEvent(var _, var request, var _) -> request.id().value();
            case ClusterEvent _, JobsEvent _, BudgetEvent _ -> new UUID(0, 0);
        };
        return new Change(event.at(), event.type(), subject);
    }

    private void follow(Event event, Command command, long now) {
        assertThat(event.at()).isLessThanOrEqualTo(now);
        if (!events.isEmpty()) {
            assertThat(event.at())
                    .as("%s after %s", event, events.getLast())
                    .isGreaterThanOrEqualTo(events.getLast().at());
        }
        events.add(event);
        if (event instanceof ReservationEvent about) {
            follow(about, command);
        } else {
            outcomes.add(event.type().name());
        }
        if (event instanceof ClusterEvent(var _, var cluster, var _)) {
            assertThat(cluster.version()).isEqualTo(schedule.cluster().version() + 1);
        }
    }

    private void follow(ReservationEvent event, Command command) {
        var after = event.reservation();
        assertThat(after.status().updatedAt()).isEqualTo(event.at());
        assertThat(after.state()).isIn(possible(event.type()));
        boolean isNew = !promised.containsKey(after.id());
        var word = event.type().name();
        if (isNew) {
            assertThat(command).isInstanceOfAny(Reserve.class, Admit.class);
            assertThat(after.status().version()).isZero();
            promised.put(after.id(), after.terms());
        } else {
            word += sameDecision(event) ? "" : followed(event, command);
        }
        outcomes.add(word);
        if (event.type() == Event.Type.RENEGOTIATED || event.type() == Event.Type.ACCEPTED) {
            promised.put(after.id(), after.terms());
        } else {
            assertThat(after.terms()).isEqualTo(promised.get(after.id()));
        }
        if (!after.state().isLive()) {
            promised.remove(after.id());
            if (after.state() == ReservationState.FAILED) {
                assertThat(after.charge().credit().isPresent()).isEqualTo(!wasHeld(after.id()));
            } else {
                accountsForWhatWasLost(after);
            }
        }
        latest.put(after.id(), after);
    }

    /**
     * Checks that a run owes the PE-seconds that it had or did not return, second by second, and is credited for those that it lost. The
     * share of returned time is taken off.
     */
    private void accountsForWhatWasLost(Reservation after) {
        var before = Objects.requireNonNull(latest.get(after.id()));
        var losses = before.placement().losses();
        long at = after.status().updatedAt();
        if (before.state() != ReservationState.RUNNING) {
            assertThat(after.charge().credit()).isEmpty();
            return;
        }
        var slot = before.slot();
        long lost = losses.lost()
                + LongStream.range(losses.since(), Math.min(at, slot.end()))
                        .map(second -> lacking(losses, second))
                        .sum();
        boolean lacksMore = LongStream.range(at, slot.end()).anyMatch(second -> lacking(losses, second) > 0);
        long work = had(before, slot.start(), slot.end());
        long rest = had(before, at, slot.end());
        boolean isReturned = after.status().reason().isEmpty() && at < slot.end() && !lacksMore;
        long owed = (lacksMore ? work - rest : work) - lost;
        var returned = before.charge()
                .returned()
                .map(back -> back.agreed()
                        .money()
                        .amount()
                        .subtract(back.credited().money().amount()))
                .orElse(BigDecimal.ZERO);
        var ofParts = before.price().amount().subtract(returned);
        var credited = isReturned ? credited(before, ofParts, rest, work) : BigDecimal.ZERO;
        int decimals = before.price().currency().getDefaultFractionDigits();
        assertThat(after.price().amount())
                .isEqualByComparingTo(
                        share(ofParts, owed, work, decimals).add(returned).subtract(credited));
        assertThat(Dues.of(after).charged().money()).isEqualTo(after.price());
        assertThat(Dues.of(after).charged().peSeconds()).isGreaterThanOrEqualTo(owed - (isReturned ? rest : 0));
        var credit = schedule.cluster()
                .tariff()
                .credit(new Money(
                        share(ofParts, lost, work, decimals), before.price().currency()));
        assertThat(after.charge().credit())
                .isEqualTo(Optional.of(credit).filter(one -> one.amount().signum() > 0));
        if (lost > 0 || lacksMore) {
            outcomes.add("owes less");
        }
        if (credited.signum() > 0) {
            outcomes.add("returned");
        }
    }

    /** Returns what is taken off for the rest of a run: by its price, or by the present price of a strict run if that is less. */
    private BigDecimal credited(Reservation run, BigDecimal price, long rest, long work) {
        var tariff = schedule.cluster().tariff();
        var factor = run.origin().serviceClass() == ServiceClass.PREMIUM ? tariff.premiumFactor() : BigDecimal.ONE;
        var hour = BigDecimal.valueOf(3600);
        // both with the divisor 3600 times the whole work
        var agreed = price.multiply(BigDecimal.valueOf(rest)).multiply(hour);
        var today = tariff.pricePerPeHour()
                .multiply(factor)
                .multiply(BigDecimal.valueOf(rest))
                .multiply(BigDecimal.valueOf(work));
        return agreed.min(today)
                .multiply(tariff.returnShare())
                .divide(
                        hour.multiply(BigDecimal.valueOf(work)),
                        run.price().currency().getDefaultFractionDigits(),
                        RoundingMode.FLOOR);
    }

    /** Returns the PE-seconds that a run has between two times, second by second. */
    private static long had(Reservation run, long from, long to) {
        return LongStream.range(from, to)
                .map(second -> run.placement().pieces().stream()
                        .filter(piece -> piece.slot().contains(second))
                        .mapToLong(Part::pes)
                        .sum())
                .sum();
    }

    private static long lacking(Losses losses, long second) {
        return losses.lacks().stream()
                .filter(lack -> lack.slot().contains(second))
                .mapToInt(Part::pes)
                .sum();
    }

    private static BigDecimal share(BigDecimal amount, long some, long all, int decimals) {
        return amount.multiply(BigDecimal.valueOf(some))
                .divide(BigDecimal.valueOf(all), decimals, RoundingMode.CEILING);
    }

    private boolean wasHeld(ReservationId id) {
        return schedule.find(id).orElseThrow().state() == ReservationState.HELD;
    }

    /** Whether the same decision had another event of the reservation, as when the clock catches up. */
    private boolean sameDecision(ReservationEvent event) {
        return event.reservation().status().version()
                > schedule.find(event.reservation().id()).orElseThrow().status().version() + 1;
    }

    /** Returns the effect of the event on a reservation in a word. */
    private String followed(ReservationEvent event, Command command) {
        var after = event.reservation();
        var before = schedule.find(after.id()).orElseThrow();
        assertThat(after.status().version()).isEqualTo(before.status().version() + 1);
        assertThat(after.origin())
                .isEqualTo(
                        switch (event.type()) {
                            case USERS_CHANGED ->
                                before.origin().withUsers(after.origin().users());
                            case TRANSFERRED ->
                                before.origin()
                                        .assigned(after.origin().assignment().orElseThrow());
                            default -> before.origin();
                        });
        boolean isElsewhere = after.slot().start() != before.slot().start();
        if (!EnumSet.of(Event.Type.MOVED, Event.Type.RENEGOTIATED, Event.Type.ACCEPTED)
                .contains(event.type())) {
            assertThat(after.slot()).isEqualTo(before.slot());
        }
        boolean owesNothing =
                before.state() != ReservationState.RUNNING && !after.state().isLive()
                        || event.type() == Event.Type.FAILED;
        if (owesNothing) {
            assertThat(after.price()).isEqualTo(before.price().none());
        }
        return switch (event.type()) {
            case CANCELLED -> {
                assertThat(command).isInstanceOf(Cancel.class);
                yield "";
            }
            case COMPLETED -> {
                assertThat(command)
                        .isInstanceOf(event.at() < before.slot().end() ? Complete.class : AdvanceClock.class);
                yield command instanceof Complete ? " early" : "";
            }
            case STARTED -> {
                assertThat(event.at()).isEqualTo(after.slot().start());
                yield "";
            }
            case RELEASED -> {
                assertThat(event.at()).isEqualTo(before.status().claimBy().orElseThrow());
                yield "";
            }
            case EXPIRED -> {
                assertThat(event.at()).isEqualTo(before.status().holdExpiresAt().orElseThrow());
                yield "";
            }
            case MOVED -> {
                var move = event.move().orElseThrow();
                boolean keepsItsTime =
                        move.why() == MoveReason.PES_LOST && after.slot().equals(before.slot());
                var whole = before.whole();
                assertThat(
                                move.why() == MoveReason.PES_LOST
                                        ? whole.isOpen(event.at()) || keepsItsTime
                                        : whole.isMovable(event.at()))
                        .as("%s can be moved", before)
                        .isTrue();
                assertThat(after.price().exceeds(before.price())).isFalse();
                assertThat(move.from()).isEqualTo(before.parts());
                var why = switch (move.why()) {
                    case MADE_ROOM -> " for another";
                    case PES_LOST -> "";
                    case PULLED_FORWARD -> " since PEs are free";
                    case CHEAPER -> " for less";
                };
                if (!isElsewhere) {
                    assertThat(after.placement().peIds())
                            .isNotEqualTo(before.placement().peIds());
                    yield " aside" + why;
                }
                yield (after.slot().start() < before.slot().start() ? " earlier" : " later") + why;
            }
            case FAILED -> {
                boolean isFixed = before.state() == ReservationState.CONFIRMED && !before.isOpen(event.at());
                yield before.awaitsPes()
                        ? " at its start"
                        : isFixed ? " fixed" : " " + before.state().name().toLowerCase(Locale.ROOT);
            }
            case RENEGOTIATED -> {
                assertThat(command).isInstanceOf(Renegotiate.class);
                if (before.state() == ReservationState.RUNNING) {
                    assertThat(isElsewhere).isFalse();
                    long end = after.slot().end();
                    boolean hasLess = after.terms().pes() < before.terms().pes()
                            || end < before.slot().end();
                    assertThat(!hasLess && before.price().exceeds(after.price()))
                            .isFalse();
                    assertThat(end <= before.slot().end() && after.price().exceeds(before.price()))
                            .isFalse();
                    yield after.terms().pes() < before.terms().pes() ? " to fewer PEs" : " running";
                }
                yield isElsewhere ? " elsewhere" : " in place";
            }
            case LOSING -> before.state() == ReservationState.RUNNING ? "" : " before its start";
            case REPLACED, RESTORED ->
                (before.state() == ReservationState.RUNNING ? "" : " before its start")
                        + (command instanceof ReplaceLostPes ? " since PEs are free" : "");
            case DEGRADED -> command instanceof Degrade ? "" : " by a loss";
            case ACCEPTED -> {
                assertThat(command).isInstanceOf(AcceptProposal.class);
                yield isElsewhere ? " elsewhere" : " in place";
            }
            default -> "";
        };
    }

    private static List<ReservationState> possible(Event.Type type) {
        return switch (type) {
            case HELD -> List.of(ReservationState.HELD);
            case APPROVAL_ASKED -> List.of(ReservationState.PENDING);
            case APPROVED -> List.of(ReservationState.PENDING, ReservationState.CONFIRMED);
            case APPROVAL_DECLINED -> List.of(ReservationState.CANCELLED);
            case DEGRADED, USERS_CHANGED, TRANSFERRED, RECEIVED, LOSING, RESTORED ->
                List.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING);
            case CONFIRMED, FIXED, STARTING, PROPOSED, ACCEPTED, DECLINED -> List.of(ReservationState.CONFIRMED);
            case MOVED -> List.of(ReservationState.HELD, ReservationState.CONFIRMED);
            case REPLACED,
                    STARTED,
                    PAUSED,
                    RESUMED,
                    EXTENDED,
                    NOT_EXTENDED,
                    CLAIMED,
                    CLAIM_POSTPONED,
                    ENFORCEMENT_POSTPONED,
                    ENDING -> List.of(ReservationState.RUNNING);
            case RENEGOTIATED, ENFORCED, ENFORCEMENT_FAILED ->
                List.of(ReservationState.CONFIRMED, ReservationState.RUNNING);
            case COMPLETED -> List.of(ReservationState.COMPLETED);
            case CANCELLED, RELEASED -> List.of(ReservationState.CANCELLED);
            case EXPIRED -> List.of(ReservationState.EXPIRED);
            case FAILED -> List.of(ReservationState.FAILED);
            case RETURN_CREDITED, RETURN_ENDED ->
                List.of(ReservationState.RUNNING, ReservationState.COMPLETED, ReservationState.CANCELLED);
            case CLUSTER_CHANGED,
                    SIGNAL_CHANGED,
                    OUTAGE_RECORDED,
                    OUTAGE_BEGAN,
                    OUTAGE_ENDED,
                    JOB_QUEUED,
                    JOB_STARTED,
                    JOB_REQUEUED,
                    JOB_DELAYED,
                    JOB_COMPLETED,
                    JOB_CANCELLED,
                    JOBS_REPLACED,
                    REQUESTED,
                    GRANTED,
                    REJECTED,
                    WITHDRAWN,
                    WAITING,
                    WAIT_EXPIRED,
                    BUDGET_LOW -> List.of();
        };
    }

    private void agreesWithTheOracle() {
        assertThat(schedule.reservations().stream().collect(Collectors.toMap(Reservation::id, Booking::of)))
                .isEqualTo(oracle.live());
        assertThat(schedule.outages().stream().collect(Collectors.toMap(Outage::id, outage -> outage)))
                .isEqualTo(oracle.outages());
        assertThat(schedule.requests().stream().map(IntakeRequest::id))
                .containsExactlyInAnyOrderElementsOf(oracle.pending());
        assertThat(schedule.reservations())
                .allSatisfy(
                        reservation -> assertThat(reservation.status().flags().contains(Flag.DEGRADED))
                                .isEqualTo(oracle.isDegraded(reservation.id())));
        assertThat(schedule.jobs().all().stream().collect(Collectors.toMap(BatchJob::id, job -> job)))
                .isEqualTo(oracle.jobs());
        assertThat(schedule.keptPlaces()).isEqualTo(oracle.kept().stream().toList());
        assertThat(schedule.profile().steps(all)).isEqualTo(steps(oracle.free(all)));
    }

    /** Returns the profile of these numbers of free PEs, second by second. */
    private List<Step> steps(int[] free) {
        var steps = new ArrayList<Step>();
        for (int i = 0; i < free.length; i++) {
            if (i == 0 || free[i] != free[i - 1]) {
                steps.add(new Step(all.start() + i, free[i]));
            }
        }
        return steps;
    }

    private void neverTakesMoreThanThereIs() {
        assertThat(Arrays.stream(oracle.free(all)).min().orElseThrow()).isNotNegative();
    }

    /** Checks that no PE is held twice; with late binding, from the start of a run on. */
    private void noPeIsHeldTwice() {
        boolean isEarly = schedule.cluster().binding() == Binding.EARLY;
        var holders = new ArrayList<PlainPlace>();
        for (var reservation : schedule.reservations()) {
            var peIds = reservation.placement().peIds();
            assertThat(peIds.isPresent())
                    .as("%s has PEs", reservation)
                    .isEqualTo(isEarly || reservation.state() == ReservationState.RUNNING);
            peIds.ifPresent(
                    ids -> assertThat(ids.size()).isEqualTo(reservation.terms().pes()));
            var pieces = reservation.placement().has(0);
            for (var piece : isEarly || pieces.isEmpty() ? pieces : pieces.subList(0, 1)) {
                assertThat(isEarly
                                && piece.peIds().orElseThrow().length()
                                        > schedule.cluster().pes())
                        .isFalse();
                holders.add(new PlainPlace(piece.slot(), piece.peIds()));
            }
        }
        schedule.jobs()
                .running()
                .forEach(job ->
                        holders.add(new PlainPlace(job.part().slot(), job.part().peIds())));
        for (var outage : schedule.outages()) {
            assertThat(isEarly && outage.peIds().isEmpty()).isFalse();
        }
        var outages = schedule.outages().stream()
                .map(outage -> new PlainPlace(outage.slot(), outage.peIds()))
                .toList();
        for (int i = 0; i < holders.size(); i++) {
            for (var other : Stream.concat(holders.subList(0, i).stream(), outages.stream())
                    .toList()) {
                var ids = holders.get(i).peIds().orElse(PeSet.NONE);
                boolean isShared = holders.get(i).slot().overlaps(other.slot())
                        && ids.intersects(other.peIds().orElse(PeSet.NONE));
                assertThat(isShared).as("%s, %s", holders.get(i), other).isFalse();
            }
        }
    }

    private void keepsItsPromises() {
        assertThat(schedule.reservations())
                .extracting(Reservation::id)
                .containsExactlyInAnyOrderElementsOf(promised.keySet());
        for (var reservation : schedule.reservations()) {
            var terms = Objects.requireNonNull(promised.get(reservation.id()));
            assertThat(reservation.terms()).isEqualTo(terms);
            assertThat(terms.window().contains(reservation.slot())).isTrue();
            assertThat(reservation.slot().duration())
                    .isEqualTo(RequestedTerms.runTime(
                            terms.duration(), schedule.cluster().rating()));
            assertThat(reservation.placement().fixesAt())
                    .isLessThanOrEqualTo(reservation.slot().start());
        }
    }

    /** Checks that the noted queue matches the schedule. */
    private void knowsWhoWaits(long now) {
        if (schedule.cluster().policy().replanning().order().isSteady()) {
            var ranking = Ranking.of(schedule.cluster(), new ReservationId(new UUID(0, 0)), now);
            assertThat(waiting(schedule.memo().now(schedule, ranking, now).queue()))
                    .isEqualTo(waiting(ReplanQueue.of(schedule.reservations(), ranking, now)));
        }
    }

    private static List<Reservation> waiting(ReplanQueue queue) {
        return IntStream.range(0, queue.size()).mapToObj(queue::get).toList();
    }

    private void isTheSameAs(ClusterSchedule other) {
        assertThat(schedule).isEqualTo(other);
        assertThat(schedule.free()).isEqualTo(other.free());
        assertThat(schedule.nextDue()).isEqualTo(other.nextDue());
    }
}
