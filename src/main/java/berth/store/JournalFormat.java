package berth.store;

import berth.approval.ClusterApproval;
import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.JobDelay;
import berth.batch.JobId;
import berth.budget.BudgetUnit;
import berth.budget.LowBudget;
import berth.cluster.Cluster;
import berth.cluster.EnforcementRule;
import berth.cluster.JobIntake;
import berth.cluster.MoveRules;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.Policy;
import berth.cluster.ProjectRule;
import berth.cluster.Replanning;
import berth.engine.KeyUse;
import berth.engine.Ledger.Batch;
import berth.engine.Ledger.RecordedKey;
import berth.intake.IntakeRequest;
import berth.pricing.Cancellation;
import berth.pricing.Signal;
import berth.pricing.Tariff;
import berth.reservation.Announcement;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Enforcement;
import berth.reservation.Losses;
import berth.reservation.MoveHistory;
import berth.reservation.OpenReturn;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.Returned;
import berth.reservation.SeriesId;
import berth.reservation.Status;
import berth.reservation.TakenPes;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.ReturnCredit;
import berth.sla.AccountName;
import berth.sla.DeadlineSource;
import berth.sla.Moldability;
import berth.sla.MoveBounds;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * The format of a row of the journal: JSON in which a core record is an object of its components, times are seconds since the epoch, and
 * absent values are left out (ADR 29).
 */
public final class JournalFormat {

    /** The number of this format. Readers of later formats can read this one; this reader refuses later formats. */
    public static final short NUMBER = 1;

    private static final JsonMapper JSON = mapper();

    private JournalFormat() {}

    /**
     * The content of a row.
     *
     * @param created the cluster that it created
     * @param events the events in order
     * @param keys the keys of their commands
     */
    public record Entry(@Nullable Cluster created, List<Line> events, List<UsedKey> keys) {

        static Entry of(Batch batch) {
            return new Entry(
                    null,
                    batch.events().stream().map(Line::of).toList(),
                    batch.keys().stream().map(UsedKey::of).toList());
        }

        static Entry of(Cluster created, Optional<KeyUse> key) {
            return new Entry(
                    created,
                    List.of(),
                    key.map(use -> UsedKey.of(new RecordedKey(use, 0))).stream().toList());
        }
    }

    /** A key and the sequence of the event that is its result; 0 stands for the creation of the cluster. */
    record UsedKey(AccountName account, String key, String fingerprint, long sequence) {

        static UsedKey of(RecordedKey recorded) {
            var use = recorded.use();
            return new UsedKey(use.account(), use.key(), use.fingerprint(), recorded.sequence());
        }

        KeyUse use() {
            return new KeyUse(account, key, fingerprint);
        }
    }

    /** An event: its type, its time, and the state of its subject afterwards. */
    public record Line(
            Event.Type type,
            long at,
            @Nullable Reservation reservation,
            @Nullable Move move,
            @Nullable RefusalCode refused,
            @Nullable ReturnCredit returned,
            @Nullable Cluster cluster,
            @Nullable Outage outage,
            @Nullable BatchJob job,
            @Nullable List<BatchJob> jobs,
            @Nullable IntakeRequest request,
            @Nullable LowBudget budget,
            @Nullable JobDelay delay) {

        public static Line of(Event event) {
            var type = event.type();
            long at = event.at();
            return switch (event) {
                case ReservationEvent(var _, var reservation, var _, var move, var refused, var returned) ->
                    new Line(
                            type,
                            at,
                            reservation,
                            move.orElse(null),
                            refused.orElse(null),
                            returned.orElse(null),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null);
                case ClusterEvent(var _, var cluster, var _) ->
                    new Line(type, at, null, null, null, null, cluster, null, null, null, null, null, null);
                case OutageEvent(var _, var outage, var _) ->
                    new Line(type, at, null, null, null, null, null, outage, null, null, null, null, null);
                case JobEvent(var _, var job, var _) ->
                    new Line(type, at, null, null, null, null, null, null, job, null, null, null, null);
                case DelayEvent(var job, var delay, var _) ->
                    new Line(type, at, null, null, null, null, null, null, job, null, null, null, delay);
                case JobsEvent(var jobs, var _) ->
                    new Line(type, at, null, null, null, null, null, null, null, jobs, null, null, null);
                case RequestEvent(var _, var request, var _) ->
                    new Line(type, at, null, null, null, null, null, null, null, null, request, null, null);
                case BudgetEvent(var budget, var _) ->
                    new Line(type, at, null, null, null, null, null, null, null, null, null, budget, null);
            };
        }

        public Event toEvent() {
            if (reservation != null) {
                return new ReservationEvent(
                        type,
                        reservation,
                        at,
                        Optional.ofNullable(move),
                        Optional.ofNullable(refused),
                        Optional.ofNullable(returned));
            } else if (cluster != null) {
                return new ClusterEvent(type, cluster, at);
            } else if (outage != null) {
                return new OutageEvent(type, outage, at);
            } else if (job != null) {
                return delay == null ? new JobEvent(type, job, at) : new DelayEvent(job, delay, at);
            } else if (jobs != null) {
                return new JobsEvent(jobs, at);
            } else if (budget != null) {
                return new BudgetEvent(budget, at);
            } else {
                return new RequestEvent(type, Objects.requireNonNull(request), at);
            }
        }
    }

    public static byte[] write(Entry entry) {
        var json = JSON.writeValueAsBytes(entry);
        var compressed = new ByteArrayOutputStream(json.length / 4 + 256);
        try (var deflater = new Deflater(Deflater.BEST_SPEED);
                var out = new DeflaterOutputStream(compressed, deflater)) {
            out.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    /**
     * Reads an entry.
     *
     * @throws IllegalStateException if a later version of Berth wrote it
     */
    public static Entry read(short format, byte[] entry) {
        if (format > NUMBER) {
            throw new IllegalStateException(
                    "The journal has rows of format %d, written by a later Berth, but this one knows formats up to %d. Run the later version."
                            .formatted(format, NUMBER));
        }
        return JSON.readValue(new InflaterInputStream(new ByteArrayInputStream(entry)), Entry.class);
    }

    /** Returns an event as it is stored in a row of the journal. */
    public static String text(Event event) {
        return JSON.writeValueAsString(Line.of(event));
    }

    public static Event event(String text) {
        return JSON.readValue(text, Line.class).toEvent();
    }

    /** Returns a core record as it is stored in a row of the journal. */
    public static String json(Object part) {
        return JSON.writeValueAsString(part);
    }

    /** Reads a record that {@link #json} has written. */
    public static <T> T read(String text, Class<T> type) {
        return JSON.readValue(text, type);
    }

    static Reservation reservation(String text) {
        return JSON.readValue(text, Reservation.class);
    }

    private static JsonMapper mapper() {
        var texts = new SimpleModule("texts");
        var accounts = new Shared<AccountName>();
        var clusters = new Shared<ClusterId>();
        asText(texts, AccountName.class, AccountName::value, text -> accounts.of(new AccountName(text)));
        asText(texts, ClusterId.class, ClusterId::value, text -> clusters.of(new ClusterId(text)));
        asText(texts, ReservationId.class, ReservationId::toString, text -> new ReservationId(UUID.fromString(text)));
        asText(texts, JobId.class, JobId::toString, text -> new JobId(UUID.fromString(text)));
        asText(texts, OutageId.class, OutageId::toString, text -> new OutageId(UUID.fromString(text)));
        asText(texts, SeriesId.class, SeriesId::toString, text -> new SeriesId(UUID.fromString(text)));
        asText(texts, LocalDate.class, LocalDate::toString, LocalDate::parse);
        asText(texts, LocalDateTime.class, LocalDateTime::toString, LocalDateTime::parse);
        asText(texts, ZoneId.class, ZoneId::getId, ZoneId::of);
        asText(texts, BudgetUnit.class, BudgetUnit::code, BudgetUnit::of);
        asText(texts, PeSet.class, PeSet::toString, PeSet::parse);
        texts.addDeserializer(String.class, new SharedText());
        return JsonMapper.builder()
                .addModule(texts)
                .addMixIn(Moldability.class, ByItsFields.class)
                .addMixIn(Policy.class, PolicyDefaults.class)
                .addMixIn(Cluster.class, UnlessSingle.class)
                .addMixIn(Tariff.class, UnlessFree.class)
                .addMixIn(Reservation.class, UnlessTold.class)
                .addMixIn(Placement.class, UnlessLost.class)
                .addMixIn(Enforcement.class, UnlessLost.class)
                .addMixIn(Origin.class, OriginRow.class)
                .addMixIn(Terms.class, UnlessRequested.class)
                .addMixIn(RequestedTerms.class, UnlessRequested.class)
                .addMixIn(Replanning.class, ReplanningRow.class)
                .addMixIn(Status.class, UnlessMoved.class)
                .addMixIn(Returned.class, UnlessOpen.class)
                .changeDefaultVisibility(visibility -> visibility
                        .withVisibility(PropertyAccessor.ALL, Visibility.NONE)
                        .withFieldVisibility(Visibility.ANY)
                        .withCreatorVisibility(Visibility.ANY))
                .changeDefaultPropertyInclusion(_ -> JsonInclude.Value.construct(Include.NON_ABSENT, Include.ALWAYS))
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .build();
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    @JsonSubTypes({@JsonSubTypes.Type(Moldability.Runtimes.class), @JsonSubTypes.Type(Moldability.Function.class)})
    private interface ByItsFields {}

    /**
     * Leaves out defaults, because older rows do not state who may submit batch jobs, what clients can see, what an agent enforces,
     * under which labels requests may be filed, and which must be approved.
     */
    @SuppressWarnings("UnusedVariable")
    private abstract static class PolicyDefaults {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        JobIntake jobs;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        berth.cluster.@Nullable Visibility visibility;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        EnforcementRule enforcement;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        ProjectRule projects;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        ClusterApproval approval;
    }

    /** Likewise for nodes and the word for a PE: rows without them have single PEs, which are called so. */
    @SuppressWarnings("UnusedVariable")
    private abstract static class UnlessSingle {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        String unit;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        Nodes nodes;
    }

    /**
     * Likewise for cancellation, returns and the signal: rows without them charge nothing for one, credit nothing for the other, and have no
     * factors by time.
     */
    @SuppressWarnings("UnusedVariable")
    private abstract static class UnlessFree {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        Cancellation cancellation;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        BigDecimal returnShare;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        Signal signal;
    }

    /** Likewise for named users, enforcement and announcements of reservations. */
    @SuppressWarnings("UnusedVariable")
    private abstract static class UnlessTold {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        Enforcement enforcement;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        List<String> users;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        List<Announcement> announced;
    }

    /** Likewise for named users; the rows have the client's labels among the other fields. */
    @SuppressWarnings("UnusedVariable")
    private abstract static class OriginRow extends UnlessTold {
        @JsonUnwrapped
        @Nullable
        ClientLabels labels;
    }

    /** Likewise for deadlines that no rule of the cluster has set, and for bounds of moves. */
    @SuppressWarnings("UnusedVariable")
    private abstract static class UnlessRequested {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        DeadlineSource deadlineBy;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        MoveBounds mobility;
    }

    /** Likewise for reservations that were never moved. */
    @SuppressWarnings("UnusedVariable")
    private abstract static class UnlessMoved {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        Object moves;
    }

    /** Likewise for rules about moves; the rows have the first two components in the opposite order. */
    @JsonPropertyOrder({"juggling", "order"})
    @SuppressWarnings("UnusedVariable")
    private abstract static class ReplanningRow {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        MoveRules moves;
    }

    /** Likewise for returned time of whose price no rest can be credited. */
    @SuppressWarnings("UnusedVariable")
    private abstract static class UnlessOpen {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        List<OpenReturn> open;
    }

    /** Likewise for lost, returned and taken PEs. */
    @SuppressWarnings("UnusedVariable")
    private abstract static class UnlessLost {
        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        Losses losses;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        List<Part> former;

        @JsonInclude(value = Include.CUSTOM, valueFilter = DefaultValue.class)
        @Nullable
        TakenPes taken;
    }

    /** Equals every value that is left out. */
    @SuppressWarnings("EqualsHashCode")
    private static final class DefaultValue {
        @Override
        public boolean equals(@Nullable Object other) {
            return other == JobIntake.OPEN
                    || other == berth.cluster.Visibility.MAP
                    || other == EnforcementRule.NONE
                    || other == ProjectRule.ANY
                    || other == DeadlineSource.REQUEST
                    || ClusterApproval.NONE.equals(other)
                    || Enforcement.NONE.equals(other)
                    || Losses.NONE.equals(other)
                    || TakenPes.NONE.equals(other)
                    || MoveBounds.NONE.equals(other)
                    || MoveRules.NONE.equals(other)
                    || MoveHistory.NONE.equals(other)
                    || Nodes.SINGLE_PES.equals(other)
                    || Cluster.PE.equals(other)
                    || Cancellation.FREE.equals(other)
                    || Signal.NONE.equals(other)
                    || BigDecimal.ZERO.equals(other)
                    || List.of().equals(other);
        }
    }

    /** Returns the same value for equal ones that are read soon after each other, as rows repeat the names of accounts and projects. */
    private static final class Shared<T> {
        private final AtomicReferenceArray<@Nullable T> latest = new AtomicReferenceArray<>(1024);

        T of(T value) {
            int place = value.hashCode() & latest.length() - 1;
            var known = latest.getPlain(place);
            if (known != null && known.equals(value)) {
                return known;
            }
            latest.set(place, value);
            return value;
        }
    }

    private static final class SharedText extends StringDeserializer {
        private final Shared<String> shared = new Shared<>();

        @Override
        public @Nullable String deserialize(JsonParser from, DeserializationContext context) throws JacksonException {
            var text = super.deserialize(from, context);
            return text == null ? null : shared.of(text);
        }
    }

    private static <T> void asText(
            SimpleModule module, Class<T> type, Function<T, String> write, Function<String, T> read) {
        module.addSerializer(type, new StdSerializer<>(type) {
            @Override
            public void serialize(T value, JsonGenerator to, SerializationContext context) throws JacksonException {
                to.writeString(write.apply(value));
            }
        });
        module.addDeserializer(type, new StdDeserializer<>(type) {
            @Override
            public T deserialize(JsonParser from, DeserializationContext context) throws JacksonException {
                return read.apply(from.getString());
            }
        });
    }
}
