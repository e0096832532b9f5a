package berth.yard;

import berth.booking.Action;
import berth.booking.BookedReservation;
import berth.booking.Renegotiations;
import berth.booking.Reservations.ActionOutcome;
import berth.cluster.IntakeOrder;
import berth.engine.Answer;
import berth.engine.KeyUse;
import berth.engine.Records.Whose;
import berth.outcome.Outcome;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Occurrence;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.SeriesId;
import berth.series.Maintenance;
import berth.series.Maintenance.Downtime;
import berth.series.Series;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import berth.series.Series.Replaced;
import berth.series.Series.Span;
import berth.series.SeriesBookings.Again;
import berth.series.SeriesBookings.Decided;
import berth.series.SeriesState;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.yard.Yard.Heard;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** Requests series, changes them and single occurrences, and requests maintenances as operators do. */
final class SeriesClient extends Caller {

    /** Dates only name occurrences, which are closer together than days here. */
    private static final LocalDate FIRST = LocalDate.of(2027, 1, 1);

    private static final Recurrence RULE =
            new Recurrence("FREQ=DAILY", FIRST.atStartOfDay(), ZoneOffset.UTC, List.of());

    /** The distance to keep from the horizon, in seconds. */
    private static final long MARGIN = 60;

    /** How long before the horizon reaches it a window is recorded, in seconds. */
    private static final long AHEAD = Duration.ofDays(1).toSeconds();

    private int number;

    SeriesClient(Yard yard, Site site, int number, Random random) {
        this(yard, site, "series-" + number, new AccountName("series-" + number), random);
    }

    private SeriesClient(Yard yard, Site site, String name, AccountName account, Random random) {
        super(yard, site, name, account, random);
    }

    @Override
    void run() {
        for (int i = 0; i < yard.swarm().asks(); i++) {
            think();
            var deed = SeriesDeed.values()[random.nextInt(SeriesDeed.values().length)];
            // most calls request series, because otherwise the other calls would have no subject
            if (random.nextInt(3) == 0) {
                deed = SeriesDeed.values()[random.nextInt(SeriesDeed.REPLACE.ordinal() + 1)];
            }
            if (yard.swarm().seriesDeeds().contains(deed)) {
                yard.coverage().count("commands");
                does(deed);
            }
        }
    }

    private void does(SeriesDeed deed) {
        switch (deed) {
            case BOOK_ALL, BOOK_SOME -> book(deed, Optional.empty());
            case REPLACE ->
                stored().ifPresent(old -> {
                    meanwhile(old);
                    book(deed, Optional.of(old));
                });
            case END_SERIES -> stored().ifPresent(one -> end(deed, one));
            case BOOK_AGAIN -> {
                for (int times = 1 + random.nextInt(3); times > 0; times--) {
                    stored().ifPresent(one -> again(deed, one));
                }
            }
            case READ_SERIES -> read(deed);
            case CANCEL_OCCURRENCE -> occurrence().ifPresent(one -> cancel(deed, one));
            case CHANGE_OCCURRENCE -> occurrence().ifPresent(one -> change(deed, one));
            case ADD_MAINTENANCE -> maintain(deed);
            case CALL_OFF_MAINTENANCE -> callOff(deed);
        }
    }

    // ---- requests

    /** Returns a cluster that decides requests on arrival. */
    private ClusterId cluster() {
        var clusters = site.installation().ledger().clusters().stream()
                .filter(cluster -> cluster.intake().order() != IntakeOrder.DPSAR)
                .toList();
        return clusters.get(random.nextInt(clusters.size())).id();
    }

    /** Returns the time between two starts. */
    private long step() {
        return 120 + random.nextInt((int) Math.max(300, 3 * yard.swarm().pace().toSeconds()));
    }

    /** Returns occurrences that are soon, at the edge of what is decided at once, or anywhere between. */
    private List<Planned> planned(long step, long longest, long edge) {
        long begin = now() + 300 + random.nextInt(7200);
        long gap = step;
        switch (random.nextInt(4)) {
            case 0 -> {
                // soon
            }
            case 1 -> gap = Math.max(step, (edge - longest) / 5);
            default -> begin = now() + edge - longest + (random.nextInt(10) - 7) * step;
        }
        long first = begin;
        long between = gap;
        int skipped = random.nextInt(3);
        return IntStream.range(0, 2 + random.nextInt(9))
                .mapToObj(i -> new Planned(FIRST.plusDays(skipped + i), first + i * between))
                .toList();
    }

    private Series wanted(Optional<Series> old) {
        long step = step();
        long duration = 30 + random.nextLong(step - 60);
        var span = random.nextBoolean() ? new Span(0, 0) : new Span(random.nextInt(120), random.nextInt(1200));
        var planned = planned(step, span.later() + duration, Yard.HORIZON - MARGIN);
        return new Series(
                new SeriesId(new UUID(0, 0)),
                old.map(Series::cluster).orElseGet(this::cluster),
                new Origin( // only its own series can replace a series
                        old.map(one -> one.origin().owner()).orElse(account),
                        ServiceClass.values()[random.nextInt(ServiceClass.values().length)],
                        ClientLabels.NONE
                                .with("name", Optional.of("%s/%d".formatted(name, ++number)))
                                .with("project", yard.project("%s/%d".formatted(name, number)))),
                5,
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), duration, 1 + random.nextInt(6)),
                RULE,
                span,
                planned,
                0,
                SeriesState.BOOKING,
                old.map(one -> new Replaced(one.id(), day(one))),
                Optional.empty(),
                0,
                now());
    }

    /** Returns a day from which a series may end. */
    private LocalDate day(Series one) {
        return FIRST.plusDays(random.nextInt(2 + one.planned().size()));
    }

    /** Gives the series a new id, as the service does for each call. */
    private Series named(Series wanted) {
        return new Series(
                new SeriesId(yard.id()),
                wanted.cluster(),
                wanted.origin(),
                wanted.priority(),
                wanted.terms(),
                wanted.recurrence(),
                wanted.span(),
                wanted.planned(),
                wanted.decided(),
                wanted.state(),
                wanted.replaces(),
                wanted.givesUpFrom(),
                wanted.version(),
                wanted.createdAt());
    }

    private Optional<KeyUse> key(String what) {
        return random.nextBoolean()
                ? Optional.of(new KeyUse(account, what, "fingerprint of " + what))
                : Optional.empty();
    }

    private void book(SeriesDeed deed, Optional<Series> old) {
        var wanted = wanted(old);
        var what = wanted.origin().labels().name().orElseThrow();
        int enough = deed == SeriesDeed.BOOK_SOME ? 1 + random.nextInt(3) : Integer.MAX_VALUE;
        var key = key(what);
        var ask = site.watch().ask(what, wanted.origin().owner(), false);
        for (int attempt = 0; attempt <= (key.isPresent() ? RETRIES : 0); attempt++) {
            ask.again();
            var heard = call(berth -> booked(berth, named(wanted), enough, key));
            var outcome = word(heard, SeriesClient::word);
            reached(deed, outcome, Optional.empty());
            if (heard instanceof Heard.Said<Outcome<Series, Answer>>(Outcome.Done(var booked))) {
                ask.granted();
                site.watch().series().booked(booked, key.map(KeyUse::key));
            } else if (isDoubtful(heard)) {
                ask.doubtful();
            } else {
                ask.denied();
                if (key.isPresent() && isRefused(heard)) {
                    site.watch().series().refused(what);
                }
            }
            // some repeat the call although they know the result
            if (!isDoubtful(heard) && random.nextInt(4) > 0) {
                break;
            }
            yard.world().pause(Duration.ofSeconds(random.nextInt(random.nextInt(4) == 0 ? 120 : 30)));
        }
    }

    /** Books a series as the service does. */
    private Outcome<Series, Answer> booked(Berth berth, Series wanted, int enough, Optional<KeyUse> key) {
        var bookings = berth.series().bookings();
        int first = bookings.within(wanted);
        if (wanted.replaces().isPresent()
                && (first == 0
                        || bookings.find(wanted.replaces().get().series()).isEmpty())) {
            return new Outcome.NotDone<>(
                    new Answer.NotDecided("There is nothing to take over from, or nothing to do at once."));
        }
        int atLeast = Math.min(enough, first);
        site.watch().series().asks(new SeriesWatch.Asked(wanted, first, atLeast));
        return bookings.create(wanted, yard.limitsOf(wanted.origin().owner()), first, atLeast, key);
    }

    private boolean isDoubtful(Heard<Outcome<Series, Answer>> heard) {
        return isRepeated()
                || !(heard instanceof Heard.Said<Outcome<Series, Answer>>(var said))
                || said instanceof Outcome.NotDone(Answer.OutcomeUnknown _);
    }

    private static boolean isRefused(Heard<Outcome<Series, Answer>> heard) {
        return heard instanceof Heard.Said<Outcome<Series, Answer>>(var said)
                && said instanceof Outcome.NotDone(Answer.Refused _);
    }

    private static <T> String word(Outcome<T, Answer> outcome) {
        return outcome instanceof Outcome.NotDone(var answer)
                ? word(answer)
                : outcome.getClass().getSimpleName();
    }

    // ---- changes

    /** Returns a series that somebody knows here, preferably a late one; operators can change any, clients their own. */
    private Optional<Series> stored() {
        var all = site.installation().series().stream()
                .filter(one -> site.watch().series().isTold(one.id()))
                .toList();
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(all.get(Math.max(random.nextInt(all.size()), random.nextInt(all.size()))));
    }

    private void end(SeriesDeed deed, Series one) {
        meanwhile(one);
        boolean isOver = false;
        for (int attempt = 0; attempt < RETRIES && !isOver; attempt++) {
            // some choose another day if they got no confirmation
            var from = day(one);
            var wish = site.watch().series().wantsEnd(one.id(), from);
            var heard = call(berth -> berth.series().bookings().end(one.id(), from));
            reached(deed, word(heard, SeriesClient::word), Optional.empty());
            isOver = heard instanceof Heard.Said<Outcome<Series, Answer>>(Outcome.Done _);
            if (isOver) {
                site.watch().series().ended(one.id(), from);
            } else if (!isDoubtful(heard)) {
                wish.denied();
            }
            if (!isOver) {
                yard.world().pause(yard.upTo(Duration.ofSeconds(4)));
            }
        }
    }

    /** Requests an occurrence again in another client's name at the same moment. */
    private void meanwhile(Series one) {
        if (yard.swarm().seriesDeeds().contains(SeriesDeed.BOOK_AGAIN) && random.nextBoolean()) {
            var other = new SeriesClient(yard, site, name + " meanwhile", account, random);
            yard.world().begin(other.name(), () -> other.again(SeriesDeed.BOOK_AGAIN, one));
        }
    }

    private void again(SeriesDeed deed, Series one) {
        // preferably one without a reservation
        var free = one.planned().stream()
                .map(Planned::date)
                .filter(date -> site.watch().series().isFree(new Occurrence(one.id(), date)))
                .toList();
        if (one.planned().isEmpty()) {
            return;
        }
        var date = free.isEmpty()
                ? one.planned().get(random.nextInt(one.planned().size())).date()
                : free.get(random.nextInt(free.size()));
        if (free.isEmpty() && yard.swarm().seriesDeeds().contains(SeriesDeed.CANCEL_OCCURRENCE)) {
            site.watch()
                    .series()
                    .live(new Occurrence(one.id(), date))
                    .ifPresent(had -> cancel(SeriesDeed.CANCEL_OCCURRENCE, had));
        }
        var key = key("%s again %s".formatted(name, yard.id()));
        // each call that arrives may have a result; all with one key together have one
        var wishes = new ArrayList<SeriesWatch.Again>();
        boolean mayBeGranted = false;
        for (int attempt = 0; attempt < RETRIES; attempt++) {
            Heard<Again> heard = call(berth -> {
                if (key.isEmpty() || wishes.isEmpty()) {
                    wishes.add(site.watch().series().wantsAgain(one.id(), date));
                }
                wishes.getLast().again();
                return again(berth, one.id(), date, key);
            });
            reached(deed, word(heard, SeriesClient::word), Optional.empty());
            if (heard instanceof Heard.Said<Again>(var said)) {
                switch (said) {
                    case Again.Booked(var reservation) -> site.watch().told(reservation);
                    case Again.IsThere(var reservation) -> site.watch().told(reservation);
                    case Again.NotYet(), Again.TooLate _, Again.NotDone _ -> {
                        // nothing is known of any
                    }
                }
            }
            boolean isSure = !isRepeated()
                    && heard instanceof Heard.Said<Again>(var said)
                    && !(said instanceof Again.NotDone(Answer.OutcomeUnknown _));
            boolean isBooked = heard instanceof Heard.Said<Again>(Again.Booked _);
            mayBeGranted = !isSure || isBooked || mayBeGranted && key.isPresent();
            if (!mayBeGranted) {
                wishes.getLast().denied();
            }
            // some repeat the call although they know the result
            if (isSure && random.nextInt(4) > 0) {
                return;
            }
            if (!(heard instanceof Heard.Said<Again>)) {
                yard.world().pause(yard.upTo(Duration.ofSeconds(30)));
            }
        }
    }

    /** Requests an occurrence again as the service does, which searches for the series first. */
    private Again again(Berth berth, SeriesId id, LocalDate date, Optional<KeyUse> key) {
        var bookings = berth.series().bookings();
        return bookings.find(id)
                .flatMap(found -> found.on(date)
                        .map(planned -> bookings.again(
                                found, planned, yard.limitsOf(found.origin().owner()), key)))
                .orElseGet(Again.NotYet::new);
    }

    private static String word(Again again) {
        return again instanceof Again.NotDone(var answer)
                ? word(answer)
                : again.getClass().getSimpleName();
    }

    /** A series as it was read, with its decided occurrences. */
    private record Read(Series series, List<Decided> decided) {}

    private void read(SeriesDeed deed) {
        Heard<List<Read>> heard = call(berth -> {
            var bookings = berth.series().bookings();
            return bookings.list(new Whose(Optional.of(account), Optional.empty()), Optional.empty(), 20).stream()
                    .flatMap(one -> bookings.find(one.id()).stream())
                    .map(one -> new Read(one, bookings.decided(one.id())))
                    .toList();
        });
        reached(deed, word(heard, read -> read.isEmpty() ? "Nothing" : "Series"), Optional.empty());
        if (heard instanceof Heard.Said<List<Read>>(var read)) {
            read.stream().flatMap(one -> one.decided().stream()).forEach(decided -> {
                if (decided instanceof Decided.Booked(var _, var reservation)) {
                    site.watch().told(reservation);
                }
            });
            // including those of which it could not know before
            read.stream()
                    .map(Read::series)
                    .filter(one -> one.state() != SeriesState.BOOKING)
                    .forEach(one -> site.watch().series().booked(one, Optional.empty()));
        }
    }

    /** Returns a live occurrence. */
    private Optional<Reservation> occurrence() {
        var all = site.watch().reservations().stream()
                .filter(one ->
                        one.origin().occurrence().isPresent() && one.state().isLive())
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void cancel(SeriesDeed deed, Reservation one) {
        site.watch().series().wantsCancelled(one.id());
        Heard<ActionOutcome> heard = call(berth -> berth.broker()
                .reservations()
                .find(one.id(), _ -> true)
                .map(known -> berth.broker()
                        .reservations()
                        .act(known, Action.CANCEL, OptionalInt.empty(), known.owner(), Optional.empty()))
                .orElseGet(() -> new ActionOutcome.WrongState("unknown")));
        reached(deed, word(heard, acted -> acted.getClass().getSimpleName()), Optional.of(one));
        if (heard instanceof Heard.Said<ActionOutcome>(ActionOutcome.Done(BookedReservation.Here(var after)))) {
            site.watch().told(after);
        }
    }

    private void change(SeriesDeed deed, Reservation one) {
        site.watch().series().wantsChanged(one.id());
        var window = one.terms().window();
        var terms = RequestedTerms.of(
                OptionalLong.of(window.readyTime()),
                random.nextBoolean() ? OptionalLong.of(window.deadline() + random.nextInt(3600)) : OptionalLong.empty(),
                one.terms().duration() + random.nextInt(60),
                1 + random.nextInt(6));
        var heard = call(berth -> berth.broker()
                .renegotiations()
                .change(
                        one,
                        OptionalInt.empty(),
                        _ -> new Renegotiations.Change.Wish(
                                one.origin().owner(),
                                yard.limitsOf(one.origin().owner()),
                                terms,
                                one.origin().owner()),
                        Optional.empty()));
        reached(deed, word(heard, outcome -> outcome.getClass().getSimpleName()), Optional.of(one));
        if (heard instanceof Heard.Said<Renegotiations.Outcome>(Renegotiations.Outcome.Recorded(var _, var after))) {
            site.watch().told(after);
        }
    }

    // ---- maintenances

    private void maintain(SeriesDeed deed) {
        long step = step();
        long duration = 30 + random.nextLong(step - 60);
        var planned = planned(step, 0, Yard.HORIZON + AHEAD);
        var clusters = site.clusters();
        var cluster = clusters.get(random.nextInt(clusters.size()));
        int pes = 1 + random.nextInt(3);
        var what = "%s/%d".formatted(name, ++number);
        var key = key(what);
        var ids = new ArrayList<Maintenance>();
        for (int attempt = 0; attempt <= (key.isPresent() ? RETRIES : 0); attempt++) {
            Heard<Outcome<Maintenance, Answer>> heard = call(berth -> {
                // the service gives each call its own id
                var wanted = new Maintenance(
                        yard.id(),
                        cluster,
                        new Downtime(pes, Optional.empty(), duration, Optional.empty()),
                        RULE,
                        planned,
                        0,
                        now());
                ids.add(wanted);
                site.watch().series().asks(wanted);
                return berth.series().maintenances().create(wanted, account, key);
            });
            reached(deed, word(heard, SeriesClient::word), Optional.empty());
            boolean isSure = !isRepeated()
                    && heard instanceof Heard.Said<Outcome<Maintenance, Answer>>(var said)
                    && !(said instanceof Outcome.NotDone(Answer.OutcomeUnknown _));
            if (heard instanceof Heard.Said<Outcome<Maintenance, Answer>>(Outcome.Done(var taken))) {
                site.watch().series().taken(taken, key.map(KeyUse::key));
            } else if (isSure) {
                site.watch().series().denied(ids.getLast());
            }
            if (isSure) {
                break;
            }
            // some change their minds
            if (yard.swarm().seriesDeeds().contains(SeriesDeed.CALL_OFF_MAINTENANCE) && random.nextInt(3) == 0) {
                callOff(SeriesDeed.CALL_OFF_MAINTENANCE);
            }
            yard.world().pause(Duration.ofSeconds(random.nextInt(30)));
        }
    }

    /** Cancels a maintenance of any client, preferably a late one. */
    private void callOff(SeriesDeed deed) {
        var all = site.installation().maintenances();
        if (all.isEmpty()) {
            return;
        }
        var id = all.get(Math.max(random.nextInt(all.size()), random.nextInt(all.size())))
                .id();
        Heard<Outcome<Maintenance, Answer>> heard =
                call(berth -> berth.series().maintenances().callOff(id));
        reached(deed, word(heard, SeriesClient::word), Optional.empty());
        if (heard instanceof Heard.Said<Outcome<Maintenance, Answer>>(Outcome.Done _)) {
            site.watch().series().calledOff(id);
        }
    }
}
