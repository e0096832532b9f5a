package berth.mail;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.accounts.Role;
import berth.approval.Approval;
import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.RecordedEvent.Whole;
import berth.engine.Records.Whose;
import berth.mail.PostgresMail.About;
import berth.mail.PostgresMail.Noted;
import berth.mail.PostgresMail.Waiting;
import berth.projects.Projects;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.runtime.LastingWork;
import berth.runtime.Threads;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.webhooks.Webhooks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Makes mail of events, on the active instance. It notes mail in the same transaction as the position up to which it has read events, so no
 * event becomes mail twice. {@link Mailing} sends the mail.
 */
final class EventMail implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(EventMail.class);

    private static final int MAX_AT_ONCE = 500;

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** How often the position is recorded although no event became mail. */
    private static final Duration NOTING = Duration.ofSeconds(10);

    /** How often outcomes of mail that are old enough are deleted. */
    private static final Duration SWEEPING = Duration.ofHours(1);

    private final PostgresMail table;
    private final Mailboxes mailboxes;
    private final Accounts accounts;
    private final Projects projects;
    private final Webhooks webhooks;
    private final Desks desks;
    private final Records records;
    private final Mailing mailing;
    private final InstantSource clock;

    private volatile boolean isRunning;
    private volatile boolean isOtherLeads;
    private Thread reading = Thread.ofVirtual().unstarted(this::read);

    // used only by the thread that reads

    /** The events up to which all have become mail; empty before the first, and after a failure. */
    private Optional<Map<ClusterId, Long>> told = Optional.empty();

    private long seen;
    private Instant notedAt = Instant.MIN;
    private Instant sweptAt = Instant.MIN;

    EventMail(
            PostgresMail table,
            Mailboxes mailboxes,
            Accounts accounts,
            Projects projects,
            Webhooks webhooks,
            Desks desks,
            Records records,
            Mailing mailing,
            InstantSource clock) {
        this.table = table;
        this.mailboxes = mailboxes;
        this.accounts = accounts;
        this.projects = projects;
        this.webhooks = webhooks;
        this.desks = desks;
        this.records = records;
        this.mailing = mailing;
        this.clock = clock;
        mailboxes.watch(() -> {
            isOtherLeads = true;
            mailing.wake();
        });
    }

    private void read() {
        LastingWork.repeat(log, "New events could not become mail; Berth tries again.", LOOK, () -> {
            if (!isRunning) {
                return false;
            }
            if (desks.isWorking()) {
                readMore();
            } else {
                told = Optional.empty();
                Thread.sleep(LOOK.dividedBy(5));
            }
            return true;
        });
    }

    private void readMore() throws InterruptedException {
        var before = told.isPresent() ? told.get() : begin();
        // after a failure it begins again
        told = Optional.empty();
        if (isOtherLeads) {
            isOtherLeads = false;
            webhooks.announceForMail(table.leads());
        }
        var events = records.events(before, Whose.ALL, MAX_AT_ONCE);
        var next = after(before, events);
        var now = clock.instant();
        if (!events.isEmpty()) {
            var news = news(events, now);
            if (!news.isEmpty() || !now.isBefore(notedAt.plus(NOTING))) {
                mailing.noted(table.note(news, next));
                notedAt = now;
            }
        }
        if (!now.isBefore(sweptAt.plus(SWEEPING))) {
            table.forget(now);
            // without accounts that were deleted
            isOtherLeads = true;
            sweptAt = now;
        }
        told = Optional.of(next);
        if (events.size() < MAX_AT_ONCE) {
            seen = records.awaitMore(seen, LOOK);
        }
    }

    /** Returns the positions after which events become mail: where the last instance stopped, but no older than a day. At first, the present ones. */
    private Map<ClusterId, Long> begin() {
        isOtherLeads = true;
        var positions = new HashMap<>(table.told());
        if (positions.isEmpty()) {
            desks.clusters().forEach(cluster -> positions.put(cluster.id(), records.lastSequence(cluster.id())));
            var unused = table.note(List.of(), positions);
        } else {
            records.positionsBefore(clock.instant().minus(Mailing.LIFETIME).getEpochSecond())
                    .forEach((cluster, sequence) -> positions.merge(cluster, sequence, Math::max));
        }
        return positions;
    }

    private static Map<ClusterId, Long> after(Map<ClusterId, Long> told, List<RecordedEvent> events) {
        var next = new HashMap<>(told);
        events.forEach(event -> next.put(event.cluster(), event.sequence()));
        return next;
    }

    /** News for an account that may want it. */
    private record Candidate(AccountName account, MailKind kind, Whole event) {}

    private List<Noted> news(List<RecordedEvent> events, Instant now) {
        var candidates = new ArrayList<Candidate>();
        for (var event : events) {
            if (event instanceof Whole whole
                    && whole.event().at() >= now.minus(Mailing.LIFETIME).getEpochSecond()) {
                Kinds.of(whole)
                        .ifPresent(kind ->
                                readers(whole).forEach(account -> candidates.add(new Candidate(account, kind, whole))));
            }
        }
        if (candidates.isEmpty()) {
            return List.of();
        }
        var names = new LinkedHashSet<AccountName>();
        candidates.forEach(each -> names.add(each.account));
        var found = table.mailboxes(names);
        return candidates.stream()
                .flatMap(each -> Optional.ofNullable(found.get(each.account))
                        .filter(mailbox -> Kinds.concerns(mailbox, each.kind, each.event.event()))
                        .filter(mailbox -> mailboxes.isPresent(mailbox.account()))
                        .map(mailbox -> noted(each, mailbox, now))
                        .stream())
                .toList();
    }

    private List<AccountName> readers(RecordedEvent event) {
        return switch (event) {
            case Whole(var _, var _, ReservationEvent asking)
            when asking.type() == Event.Type.APPROVAL_ASKED -> approvers(asking.reservation());
            case RecordedEvent budget
            when budget.type() == Event.Type.BUDGET_LOW ->
                budget.project().map(projects::owners).orElse(List.of());
            default -> event.owner().map(List::of).orElse(List.of());
        };
    }

    /** Returns the accounts of which one must approve for each side that asks: those that the cluster names, or else the administrators; the owners of the project. */
    private List<AccountName> approvers(Reservation reservation) {
        var sides = reservation.status().approval().map(Approval::openSides).orElse(List.of());
        var named = desks.schedule(reservation.cluster())
                .map(schedule -> schedule.cluster().policy().approval().approvers())
                .orElse(List.of());
        var all = new LinkedHashSet<AccountName>();
        for (var side : sides) {
            all.addAll(
                    switch (side) {
                        case PROJECT ->
                            reservation.origin().project().map(projects::owners).orElse(List.of());
                        case CLUSTER, POLICY -> named.isEmpty() ? administrators() : named;
                    });
        }
        return List.copyOf(all);
    }

    private List<AccountName> administrators() {
        return accounts.list(Optional.empty(), Integer.MAX_VALUE).orElse(List.of()).stream()
                .filter(account -> account.role() == Role.ADMIN)
                .map(Account::name)
                .toList();
    }

    private static Noted noted(Candidate each, Mailbox mailbox, Instant now) {
        var event = each.event;
        var dueAt = mailbox.due(each.kind, now);
        return new Noted(
                new Waiting(
                        Letters.id("evt_%s_%d".formatted(event.cluster(), event.sequence()), each.account.value()),
                        each.account,
                        new About.News(each.kind, event.cluster(), event.sequence()),
                        Kinds.expiry(each.kind, event.event(), dueAt.plus(Mailing.LIFETIME)),
                        0),
                now,
                dueAt);
    }

    @Override
    public void start() {
        isRunning = true;
        told = Optional.empty();
        reading = Thread.ofVirtual().name("mail-events").start(this::read);
    }

    /** Stops before the database is closed. */
    @Override
    public void stop() {
        isRunning = false;
        Threads.OF_THE_JVM.awaitEnd(List.of(reading), LOOK.multipliedBy(2));
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }
}
