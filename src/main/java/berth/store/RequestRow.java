package berth.store;

import static berth.store.Seconds.instant;
import static berth.store.Seconds.optional;

import berth.booking.CollectedRequest;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.Occurrence;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.reservation.SeriesId;
import berth.scheduling.Preference;
import berth.sla.AccountName;
import berth.sla.AutoExtension;
import berth.sla.Fixing;
import berth.sla.Leeway;
import berth.sla.Moldability;
import berth.sla.Money;
import berth.sla.MoveBounds;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of a collected or waiting request in its present state. */
@Entity
@Table(name = "request")
@NullUnmarked
public class RequestRow {

    @Id
    UUID id;

    String cluster;
    String owner;

    @Enumerated(EnumType.STRING)
    ServiceClass serviceClass;

    String name;
    String project;

    @Convert(converter = UsersConverter.class)
    List<String> users;

    UUID series;
    LocalDate occurrence;
    int priority;
    Instant readyTime;
    Instant deadline;
    long duration;
    int pes;

    @Convert(converter = MoldabilityConverter.class)
    Moldability moldability;

    @Convert(converter = PreemptionConverter.class)
    Preemption preemption;

    BigDecimal budget;
    String currency;

    @Convert(converter = LabelsConverter.class)
    Map<String, String> requires;

    BigDecimal fixAfter;
    Long fixBefore;
    Integer maxMoves;
    Long maxShift;
    Long autoExtendStep;
    Instant autoExtendUntil;
    Instant startAt;
    Instant arrivedAt;

    @Enumerated(EnumType.STRING)
    IntakeRequest.State state;

    String reason;
    Instant endedAt;

    Instant waitUntil;
    Long ticket;

    BigDecimal leewayMaxPhi;
    Boolean leewayEarlier;

    @Convert(converter = PreferenceConverter.class)
    Preference preference;

    @Convert(converter = NamesConverter.class)
    Set<ClusterId> clusters;

    public static RequestRow of(CollectedRequest collected) {
        var row = of(collected.request());
        row.preference = collected.preference();
        row.clusters = collected.only();
        return row;
    }

    public CollectedRequest toCollected() {
        return new CollectedRequest(toRequest(), preference, clusters);
    }

    public static RequestRow of(IntakeRequest request) {
        var row = new RequestRow();
        row.id = request.id().value();
        row.cluster = request.cluster().map(ClusterId::value).orElse(null);
        row.owner = request.origin().owner().value();
        row.serviceClass = request.origin().serviceClass();
        row.name = request.origin().name().orElse(null);
        row.project = request.origin().project().orElse(null);
        row.users = request.origin().users();
        row.series =
                request.origin().occurrence().map(one -> one.series().value()).orElse(null);
        row.occurrence = request.origin().occurrence().map(Occurrence::date).orElse(null);
        row.priority = request.priority();
        row.set(request.terms());
        row.startAt = instant(request.start());
        row.leewayMaxPhi = request.leeway().flatMap(Leeway::maxPhi).orElse(null);
        row.leewayEarlier = request.leeway().map(Leeway::earlier).orElse(null);
        row.arrivedAt = instant(request.arrivedAt());
        row.state = request.state();
        row.reason = request.reason().map(RefusalCode::word).orElse(null);
        row.endedAt = instant(request.endedAt());
        row.waitUntil = instant(request.waitUntil());
        row.ticket = Seconds.orNull(request.ticket());
        return row;
    }

    private void set(RequestedTerms terms) {
        readyTime = instant(terms.readyTime());
        deadline = instant(terms.deadline());
        duration = terms.duration();
        pes = terms.pes();
        moldability = terms.moldability().orElse(null);
        preemption = terms.preemption().orElse(null);
        budget = terms.budget().map(Money::amount).orElse(null);
        currency =
                terms.budget().map(money -> money.currency().getCurrencyCode()).orElse(null);
        requires = terms.requires();
        fixAfter = terms.fixing().after().orElse(null);
        fixBefore = Seconds.orNull(terms.fixing().before());
        maxMoves = Seconds.orNull(terms.mobility().maxMoves());
        maxShift = Seconds.orNull(terms.mobility().maxShift());
        autoExtendStep = terms.autoExtension().map(AutoExtension::step).orElse(null);
        autoExtendUntil = terms.autoExtension()
                .map(extension -> Instant.ofEpochSecond(extension.until()))
                .orElse(null);
    }

    public IntakeRequest toRequest() {
        return request(state, Optional.ofNullable(reason).map(RefusalCode::of), optional(endedAt), optional(ticket));
    }

    /** Returns the request as it was collected; later it can only wait for room and end. */
    IntakeRequest asCollected() {
        return request(IntakeRequest.State.PENDING, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    /** Returns the request as it was when it began to wait for room. */
    IntakeRequest asWaiting() {
        return request(IntakeRequest.State.WAITING, Optional.empty(), OptionalLong.empty(), optional(ticket));
    }

    private Origin origin() {
        var origin = new Origin(
                        new AccountName(owner), serviceClass, Optional.ofNullable(name), Optional.ofNullable(project))
                .withUsers(users);
        return series == null ? origin : origin.as(new Occurrence(new SeriesId(series), occurrence));
    }

    private IntakeRequest request(
            IntakeRequest.State stands, Optional<RefusalCode> why, OptionalLong end, OptionalLong number) {
        return new IntakeRequest(
                new ReservationId(id),
                Optional.ofNullable(cluster).map(ClusterId::new),
                origin(),
                priority,
                new RequestedTerms(
                        optional(readyTime),
                        optional(deadline),
                        duration,
                        pes,
                        Optional.ofNullable(moldability),
                        Optional.ofNullable(preemption),
                        Optional.ofNullable(budget).map(amount -> new Money(amount, Currency.getInstance(currency))),
                        requires,
                        new Fixing(Optional.ofNullable(fixAfter), optional(fixBefore)),
                        Optional.ofNullable(autoExtendStep)
                                .map(step -> new AutoExtension(step, autoExtendUntil.getEpochSecond())),
                        new MoveBounds(optional(maxMoves), optional(maxShift))),
                optional(startAt),
                Optional.ofNullable(leewayEarlier)
                        .map(earlier -> new Leeway(Optional.ofNullable(leewayMaxPhi), earlier)),
                arrivedAt.getEpochSecond(),
                stands,
                why,
                end,
                optional(waitUntil),
                number);
    }
}
