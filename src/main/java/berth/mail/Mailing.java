package berth.mail;

import berth.cluster.Unit;
import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Records.RecordedEvent.Whole;
import berth.engine.Records.Whose;
import berth.mail.PostgresMail.About;
import berth.mail.PostgresMail.MailOutcome;
import berth.mail.PostgresMail.Waiting;
import berth.projects.Projects;
import berth.reservation.ClusterId;
import berth.runtime.LastingWork;
import berth.runtime.Threads;
import berth.scheduling.Approvals;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.webhooks.Retries;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Gives the mail that waits to the server, one letter at a time, on the active instance. After a crash between the server's answer and its
 * record, one letter is sent again with the same Message-ID.
 */
final class Mailing implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Mailing.class);

    /** The most news of an account that comes in letters of its own, if it is due at one time and changes no calendar. */
    private static final int MAX_SINGLE = 4;

    /** The most news in one letter. */
    private static final int MAX_TOGETHER = 100;

    /** The most letters with news that an account gets in an hour. */
    private static final int MAX_PER_HOUR = 30;

    private static final Duration HOUR = Duration.ofHours(1);

    /** How long the server may put off or refuse all mail until it is dropped; events that are older become no mail. */
    static final Duration LIFETIME = Duration.ofDays(1);

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** How long nothing is sent after the server accepted no letter. */
    private static final Duration REST = Duration.ofSeconds(10);

    /** How long mail of an account waits that has had the most letters for an hour. */
    private static final Duration TOO_SOON = Duration.ofMinutes(10);

    private final PostgresMail table;
    private final Mailboxes mailboxes;
    private final Projects projects;
    private final Desks desks;
    private final Records records;
    private final Letters letters;
    private final Links links;
    private final Post post;
    private final InstantSource clock;
    private final MailMeters meters;
    private final SplittableRandom random = new SplittableRandom();

    private volatile boolean isRunning;
    private volatile boolean isChanged = true;
    private volatile Instant closedUntil = Instant.MIN;
    private volatile Instant firstDue = Instant.MAX;
    private volatile Instant awaySince = Instant.MAX;
    private volatile Last last = new Last(Optional.empty(), Optional.empty());
    private Thread sending = Thread.ofVirtual().unstarted(this::send);

    /**
     * What the server did last.
     *
     * @param acceptedAt when it last accepted a letter
     * @param failure why it last did not
     */
    record Last(Optional<Instant> acceptedAt, Optional<Failure> failure) {}

    record Failure(Instant at, String why) {}

    Mailing(
            PostgresMail table,
            Mailboxes mailboxes,
            Projects projects,
            Desks desks,
            Records records,
            Links links,
            Post post,
            InstantSource clock,
            MeterRegistry registry) {
        this.table = table;
        this.mailboxes = mailboxes;
        this.projects = projects;
        this.desks = desks;
        this.records = records;
        this.letters = new Letters(links);
        this.links = links;
        this.post = post;
        this.clock = clock;
        this.meters = new MailMeters(registry, this::lag);
    }

    Last last() {
        return last;
    }

    /** Returns how long the mail that is due first has waited, or the server has been away, whichever is longer, in seconds. */
    private double lag() {
        var since = firstDue.isBefore(awaySince) ? firstDue : awaySince;
        return since.equals(Instant.MAX)
                ? 0
                : Math.max(0, Duration.between(since, clock.instant()).toSeconds());
    }

    /**
     * Looks at once for mail that is due, because more was noted.
     *
     * @param dropped how much could not be noted, because too much waits
     */
    void noted(int dropped) {
        meters.tooMany(dropped);
        wake();
    }

    /** Looks at once for mail that is due. */
    synchronized void wake() {
        isChanged = true;
        notifyAll();
    }

    private void send() {
        LastingWork.repeat(log, "Mail could not be sent; Berth tries again.", LOOK, () -> {
            if (!isRunning) {
                return false;
            }
            if (!desks.isWorking()) {
                firstDue = Instant.MAX;
                awaySince = Instant.MAX;
                Thread.sleep(LOOK.dividedBy(5));
            } else if (clock.instant().isBefore(closedUntil)) {
                Thread.sleep(LOOK.dividedBy(5));
            } else {
                sendNext();
            }
            return true;
        });
    }

    private void sendNext() throws InterruptedException {
        isChanged = false;
        var first = table.firstDue();
        firstDue = first.map(PostgresMail.FirstDue::at).orElse(Instant.MAX);
        if (first.isPresent() && !firstDue.isAfter(clock.instant())) {
            send(first.get().account());
        } else {
            await(firstDue);
        }
    }

    /** Waits until mail is due, or something has changed. An operator may set the clock meanwhile. */
    private synchronized void await(Instant due) throws InterruptedException {
        while (isRunning && !isChanged && desks.isWorking() && clock.instant().isBefore(due)) {
            wait(LOOK.toMillis());
        }
    }

    /** News that is to be sent, in words. */
    private record Item(Waiting mail, Whole event, MailKind kind, Unit unit, Notice notice) {}

    /** Sends what is due for an account. */
    private void send(AccountName account) throws InterruptedException {
        var now = clock.instant();
        var due = table.due(account, now, MAX_TOGETHER);
        var mailbox = table.mailbox(account);
        var unwanted = new ArrayList<Waiting>();
        var late = new ArrayList<Waiting>();
        var items = new ArrayList<Item>();
        for (var mail : due) {
            if (!mail.expiresAt().isAfter(now)) {
                late.add(mail);
            } else {
                switch (mail.about()) {
                    case About.Proof(var address) -> {
                        if (!prove(mail, mailbox, address)) {
                            return;
                        }
                    }
                    case About.News about ->
                        item(mail, mailbox, about).ifPresentOrElse(items::add, () -> unwanted.add(mail));
                }
            }
        }
        settle(unwanted, MailOutcome.UNWANTED);
        settle(late, MailOutcome.EXPIRED);
        meters.late(late.size());
        if (!items.isEmpty()) {
            sendNews(account, mailbox, items, due.size() == MAX_TOGETHER);
        }
    }

    private void settle(List<Waiting> mail, MailOutcome outcome) {
        if (!mail.isEmpty()) {
            table.settle(mail, outcome, clock.instant());
        }
    }

    private boolean prove(Waiting mail, Mailbox mailbox, String address) throws InterruptedException {
        if (mailbox.isProved()
                || !mailbox.wish().address().equals(Optional.of(address))
                || !mailboxes.isPresent(mail.account())) {
            settle(List.of(mail), MailOutcome.UNWANTED);
            return true;
        }
        return deliver(letters.proof(mail.id(), mailbox, address), List.of(mail));
    }

    private Optional<Item> item(Waiting mail, Mailbox mailbox, About.News about) {
        if (!mailbox.gets(about.kind()) || !mailboxes.isPresent(mail.account())) {
            return Optional.empty();
        }
        return records.events(about.cluster(), about.sequence() - 1, Whose.ALL, 1).stream()
                .filter(event -> event.sequence() == about.sequence())
                .filter(Whole.class::isInstance)
                .map(Whole.class::cast)
                .findFirst()
                .filter(event -> isStillFor(mail.account(), event))
                .flatMap(event -> {
                    var unit = unit(about.cluster());
                    return Notice.of(event, unit, mailbox.wish().zone(), links)
                            .map(notice -> new Item(mail, event, about.kind(), unit, notice));
                });
    }

    /** Whether news still is for an account: a request for approval while it may answer, a low budget while it owns the project. */
    private boolean isStillFor(AccountName account, Whole event) {
        return switch (event.event()) {
            case ReservationEvent asking
            when asking.type() == Event.Type.APPROVAL_ASKED ->
                desks.funded(event.cluster()).stream()
                        .anyMatch(basis -> basis
                                .schedule()
                                .find(asking.reservation().id())
                                .stream()
                                .anyMatch(live -> !new Approvals(basis)
                                        .answerable(live, account)
                                        .isEmpty()));
            case Event _
            when event.type() == Event.Type.BUDGET_LOW ->
                event.project().map(projects::owners).orElse(List.of()).contains(account);
            default -> true;
        };
    }

    private Unit unit(ClusterId cluster) {
        return desks.schedule(cluster)
                .map(schedule -> Unit.of(schedule.cluster()))
                .orElse(Unit.PE);
    }

    private void sendNews(AccountName account, Mailbox mailbox, List<Item> items, boolean isMore)
            throws InterruptedException {
        var now = clock.instant();
        var all = outgoing(mailbox, items, isMore);
        int allowed = Math.clamp(MAX_PER_HOUR - table.sent(account, now.minus(HOUR)), 0, all.size());
        for (var each : all.subList(0, allowed)) {
            if (!deliver(each.letter, each.mail)) {
                return;
            }
        }
        var tooSoon = all.subList(allowed, all.size()).stream()
                .flatMap(each -> each.mail.stream())
                .toList();
        if (!tooSoon.isEmpty()) {
            table.postpone(tooSoon, now.plus(TOO_SOON), 0);
        }
    }

    /** A letter, and the news in it. */
    private record Outgoing(Letter letter, List<Waiting> mail) {}

    /**
     * Returns the letters with news. Much news comes in one letter, but news that changes the person's calendar does so only in the mail of
     * the day: a message to a calendar is about one entry (RFC 5546).
     */
    private List<Outgoing> outgoing(Mailbox mailbox, List<Item> items, boolean isMore) {
        boolean isDaily = mailbox.wish().dailyAt().isPresent();
        var together = items.stream()
                .filter(item -> isDaily || !letters.changesCalendar(mailbox, item.event))
                .toList();
        boolean isMuch = together.size() > (isDaily ? 1 : MAX_SINGLE) || isMore && !together.isEmpty();
        var all = new ArrayList<Outgoing>();
        if (isMuch) {
            var id = together.getFirst().mail.id() + ".and";
            var notices = together.stream().map(Item::notice).toList();
            all.add(new Outgoing(
                    letters.together(id, mailbox, notices),
                    together.stream().map(Item::mail).toList()));
        }
        items.stream()
                .filter(item -> !isMuch || !together.contains(item))
                .map(item -> new Outgoing(
                        letters.about(item.mail.id(), mailbox, item.kind, item.event, item.unit, item.notice),
                        List.of(item.mail)))
                .forEach(all::add);
        return all;
    }

    /** Sends a letter once, and notes the result. Returns whether the server can be given another one. */
    private boolean deliver(Letter letter, List<Waiting> mail) throws InterruptedException {
        var result = post.send(letter);
        meters.count(result);
        var now = clock.instant();
        if (!(result instanceof Post.Sent.Away)) {
            awaySince = Instant.MAX;
        } else if (awaySince.equals(Instant.MAX)) {
            awaySince = now;
        }
        switch (result) {
            case Post.Sent.Accepted() -> {
                last = new Last(Optional.of(now), last.failure());
                table.settle(mail, MailOutcome.SENT, now);
            }
            case Post.Sent.Refused(var why) -> {
                failed(now, why);
                table.settle(mail, MailOutcome.REFUSED, now);
            }
            case Post.Sent.PutOff(var why) -> {
                failed(now, why);
                int failures = mail.stream().mapToInt(Waiting::failures).max().orElse(0) + 1;
                table.postpone(
                        mail,
                        now.plus(Retries.after(failures, Optional.empty(), random)
                                .orElse(LIFETIME)),
                        1);
            }
            case Post.Sent.Away(var why) -> {
                failed(now, why);
                // other mail comes first when the server is back, in case it fails at this one
                table.postpone(mail, now.plus(REST), 0);
                closedUntil = now.plus(REST);
                return false;
            }
        }
        return true;
    }

    private void failed(Instant now, String why) {
        if (last.failure().filter(before -> before.why().equals(why)).isEmpty()) {
            log.warn("The mail server did not accept a letter: {}", why);
        }
        last = new Last(last.acceptedAt(), Optional.of(new Failure(now, why)));
    }

    @Override
    public void start() {
        isRunning = true;
        sending = Thread.ofVirtual().name("mail").start(this::send);
    }

    /** Stops before the database is closed. */
    @Override
    public void stop() {
        isRunning = false;
        wake();
        sending.interrupt();
        Threads.OF_THE_JVM.awaitEnd(List.of(sending), LOOK.multipliedBy(2));
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }
}
