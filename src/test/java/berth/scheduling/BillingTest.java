package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.Request.id;
import static berth.scheduling.Request.target;
import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.budget.Dues;
import berth.budget.Posting;
import berth.cluster.Binding;
import berth.cluster.EnforcementRule;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.pricing.Cancellation;
import berth.pricing.LoadStep;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.pricing.Tariff;
import berth.reservation.ReservationId;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Degrade;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Propose;
import berth.scheduling.commands.TellEnforcement;
import berth.scheduling.commands.TellEnforcement.ReportedPart;
import berth.sla.AccountName;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Plays each row of the table in docs/reference/billing.md, which says what is owed when. */
public class BillingTest {

    private static final AccountName ROOT = new AccountName("root");

    private final List<Event> events = new ArrayList<>();

    /** The history of the first reservation of a cluster. */
    private interface Story {
        void on(LiveCluster cluster);
    }

    /** A field of the tariff, and two tariffs that differ in it. */
    private record Field(String name, UnaryOperator<Tariff> one, UnaryOperator<Tariff> other) {

        static Field of(String name, UnaryOperator<Tariff> other) {
            return new Field(name, UnaryOperator.identity(), other);
        }
    }

    /** The fields that decide how much is owed, except for the price of a PE-hour, on which everything depends. */
    private static final List<Field> FIELDS = List.of(
            Field.of("premiumFactor", like -> tariff(like, "premiumFactor", "5")),
            Field.of("flexibilityDiscount", like -> tariff(like, "flexibilityDiscount", "0.5")),
            new Field(
                    "flexibilityScale",
                    like -> tariff(like, "flexibilityDiscount", "0.5"),
                    like -> SampleCluster.tariff(
                            tariff(like, "flexibilityDiscount", "0.5"),
                            like.returnShare().toString(),
                            OptionalLong.of(1_000))),
            Field.of("latenessDiscount", like -> tariff(like, "latenessDiscount", "0.25")),
            Field.of("latenessScale", like -> tariff(like, "latenessScale", "2")),
            Field.of("preemptionIncentive", like -> tariff(like, "preemptionIncentive", "0.5")),
            Field.of("shapeDiscount", like -> tariff(like, "shapeDiscount", "0.5")),
            Field.of("loadProfile", like -> tariff(like, "loadProfile", "2")),
            Field.of("signal", like -> tariff(like, "signal", "2")),
            Field.of("renegotiationSurcharge", like -> tariff(like, "renegotiationSurcharge", "0.5")),
            Field.of("cancellation", like -> tariff(like, "cancellation", "0.25")),
            Field.of("returnShare", like -> SampleCluster.tariff(like, "0.25", like.flexibilityScale())),
            Field.of("breachCredit", like -> tariff(like, "breachCredit", "0.5")));

    private UnaryOperator<Tariff> changed = UnaryOperator.identity();

    /** A row of the table: its entries, and the fields of the tariff on which they depend. */
    private record Row(String entries, List<String> fields) {}

    @Test
    void theTableShowsTheDuesAndTheFieldsThatDecideThem() throws IOException {
        Map<String, Row> told = new LinkedHashMap<>();
        for (var line : Files.readAllLines(Path.of("docs/reference/billing.md"))) {
            var cells = line.split("\\|");
            if (cells.length == 5 && cells[2].contains("`")) {
                var fields = Stream.of(cells[3].strip().replace("`", "").split(", "))
                        .filter(field -> !field.isEmpty())
                        .toList();
                told.put(cells[1].strip(), new Row(cells[2].strip().replace("`", ""), fields));
            }
        }
        var decisive = new HashMap<String, List<String>>();
        for (var field : FIELDS) {
            var one = stories(field.one());
            stories(field.other()).forEach((name, entries) -> {
                if (!entries.equals(one.get(name))) {
                    decisive.computeIfAbsent(name, _ -> new ArrayList<>()).add(field.name());
                }
            });
        }
        var played = new LinkedHashMap<String, Row>();
        stories(UnaryOperator.identity())
                .forEach((name, entries) -> played.put(name, new Row(entries, decisive.getOrDefault(name, List.of()))));

        assertThat(told).isEqualTo(played);
        // each field decides some row
        assertThat(FIELDS)
                .allSatisfy(field -> assertThat(played.values())
                        .anySatisfy(row -> assertThat(row.fields()).contains(field.name())));
    }

    @Test
    void everyFieldOfTheTariffIsInTheTable() {
        var others = List.of("function", "currency", "pricePerPeHour");

        assertThat(Stream.of(Tariff.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .filter(name -> !others.contains(name)))
                .containsExactlyInAnyOrderElementsOf(
                        FIELDS.stream().map(Field::name).toList());
    }

    private Map<String, String> stories(UnaryOperator<Tariff> change) {
        changed = change;
        return stories();
    }

    /** Returns a tariff in which one field has another value. */
    private static Tariff tariff(Tariff like, String field, String value) {
        var figure = new BigDecimal(value);
        return switch (field) {
            case "loadProfile" -> like.with(field, List.of(new LoadStep(BigDecimal.ZERO, figure)));
            case "cancellation" -> like.with(field, new Cancellation(1_000, figure));
            case "signal" ->
                like.with(
                        field,
                        new Signal(
                                "energy",
                                List.of(new SignalStep(
                                        10_000, figure.movePointRight(6).intValueExact())),
                                11_000));
            default -> like.with(field, figure);
        };
    }

    private Map<String, String> stories() {
        Map<String, String> stories = new LinkedHashMap<>();
        stories.put("kept to its end", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.at(100).advance());
        }));
        stories.put("kept to its end, by an account of the class `PREMIUM`", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).premium().reserve());
            events.addAll(cluster.at(100).advance());
        }));
        stories.put(
                "kept to its end, when others have half of the cluster",
                story(
                        SampleCluster.of(8).tariff(tariff(SampleCluster.CENT_PER_SECOND, "loadProfile", "1.5")),
                        cluster -> {
                            happens(cluster, Request.of(3, 4, 100).owner("bob").reserve());
                            happens(cluster, Request.of(1, 4, 100).reserve());
                            events.addAll(cluster.at(100).advance());
                        }));
        stories.put(
                "kept to its end, in an hour with the factor 1.5",
                story(
                        SampleCluster.of(8)
                                .horizon(20_000)
                                .tariff(tariff(SampleCluster.CENT_PER_SECOND, "signal", "1.5")),
                        cluster -> {
                            happens(cluster, Request.of(1, 8, 100).ready(10_000).reserve());
                            events.addAll(cluster.at(10_100).advance());
                        }));
        stories.put(
                "kept to its end, with as much slack as its run time",
                story(
                        SampleCluster.of(8).tariff(tariff(SampleCluster.CENT_PER_SECOND, "flexibilityDiscount", "0.2")),
                        cluster -> {
                            happens(
                                    cluster,
                                    Request.of(1, 8, 100)
                                            .ready(50)
                                            .deadline(250)
                                            .reserve());
                            events.addAll(cluster.at(150).advance());
                        }));
        stories.put(
                "kept to its end, in one of two shapes",
                story(
                        SampleCluster.of(8).tariff(tariff(SampleCluster.CENT_PER_SECOND, "shapeDiscount", "0.2")),
                        cluster -> {
                            happens(
                                    cluster,
                                    Request.of(1, 8, 100)
                                            .shapes("8:100 4:200")
                                            .ready(50)
                                            .deadline(250)
                                            .reserve());
                            events.addAll(cluster.at(150).advance());
                        }));
        stories.put("held, and not confirmed", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(50).hold(20).reserve());
            events.addAll(cluster.at(50).advance());
        }));
        stories.put("given up in time", story(lateOnes(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(500).reserve());
            happens(cluster.at(400), new Cancel(target(1)));
        }));
        stories.put("given up late", story(lateOnes(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(500).reserve());
            happens(cluster.at(401), new Cancel(target(1)));
        }));
        stories.put("put off when a cancellation is late, and then given up", story(lateOnes(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(500).reserve());
            happens(
                    cluster.at(401),
                    Request.like(cluster.find(id(1))).ready(700).deadline(900).renegotiate());
            happens(cluster.at(402), new Cancel(target(1)));
        }));
        stories.put("cut to a trifle when a cancellation is late, and kept", story(lateOnes(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(500).reserve());
            happens(
                    cluster.at(401),
                    Request.like(cluster.find(id(1))).pes(1).duration(10).renegotiate());
            events.addAll(cluster.at(700).advance());
        }));
        stories.put("given up late by the provider", story(lateOnes(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(500).reserve());
            happens(cluster.at(401), new Cancel(target(1), Fix.Wish.PROVIDERS));
        }));
        stories.put("a hold that is given up late", story(lateOnes(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(500).hold(490).reserve());
            happens(cluster.at(401), new Cancel(target(1)));
        }));
        stories.put("given up late, when another part of its run has failed", story(lateOnes(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(500).reserve());
            happens(cluster, new Degrade(target(1)));
            happens(cluster.at(401), new Cancel(target(1)));
        }));
        stories.put("given up while it runs", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(30), new Cancel(target(1)));
        }));
        stories.put("given up while it runs, with `returnShare` 0.5", story(returning("0.5"), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(30), new Cancel(target(1)));
        }));
        stories.put("ended early", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(30), new Complete(target(1)));
        }));
        stories.put("ended early, with `returnShare` 0.5", story(returning("0.5"), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(30), new Complete(target(1)));
        }));
        stories.put(
                "ended early, with `returnShare` 1, when a late cancellation costs half",
                story(SampleCluster.of(8).tariff(SampleCluster.tariff(late(), "1", OptionalLong.empty())), cluster -> {
                    happens(cluster, Request.of(1, 8, 100).reserve());
                    events.addAll(cluster.advance());
                    happens(cluster.at(30), new Complete(target(1)));
                }));
        stories.put(
                "ended early, with `returnShare` 0.5, and the rest booked by others",
                story(returning("0.5"), cluster -> {
                    happens(cluster, Request.of(1, 8, 100).reserve());
                    events.addAll(cluster.advance());
                    happens(cluster.at(30), new Complete(target(1)));
                    happens(cluster, Request.of(2, 8, 70).owner("bob").reserve());
                    events.addAll(cluster.at(100).advance());
                }));
        stories.put("made shorter while it runs, with `returnShare` 0.5", story(returning("0.5"), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(
                    cluster.at(30),
                    Request.like(cluster.find(id(1))).duration(50).noDeadline().renegotiate());
        }));
        stories.put("given fewer PEs while it runs, with `returnShare` 0.5", story(returning("0.5"), this::isHalved));
        stories.put("given fewer PEs while it runs", story(SampleCluster.of(8), this::isHalved));
        stories.put("given fewer PEs when half of them are lost", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(50), outage(1, 4, 50, 300));
            happens(cluster, Request.like(cluster.find(id(1))).pes(4).renegotiate());
            events.addAll(cluster.at(100).advance());
        }));
        stories.put("not claimed", story(SampleCluster.of(8).claimWithin(10), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.at(10).advance());
        }));
        stories.put("half of its PEs lost in the middle of its run", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(50), outage(1, 4, 50, 300));
            events.addAll(cluster.at(100).advance());
        }));
        stories.put(
                "half of its PEs lost in the middle of its run, and then ended early",
                story(SampleCluster.of(8), cluster -> {
                    happens(cluster, Request.of(1, 8, 100).reserve());
                    events.addAll(cluster.advance());
                    happens(cluster.at(50), outage(1, 4, 50, 300));
                    happens(cluster.at(75), new Complete(target(1)));
                }));
        stories.put("ended early, before a loss that was announced", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(20), outage(1, 4, 90, 300));
            happens(cluster.at(50), new Complete(target(1)));
        }));
        stories.put("ended early, after its lost PEs have come back", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(20), outage(1, 4, 20, 45));
            events.addAll(cluster.at(45).advance());
            happens(cluster.at(50), new Complete(target(1)));
        }));
        stories.put("half of its PEs taken by jobs of others in the middle of its run", story(reporting(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster, told(TakenPesTest.inPlace(cluster.latest(1))));
            happens(cluster.at(50), told(TakenPesTest.taken(0, "0-3")));
            events.addAll(cluster.at(100).advance());
        }));
        stories.put(
                "half of its PEs taken by jobs of others in the middle of its run, and then ended early",
                story(reporting(), cluster -> {
                    happens(cluster, Request.of(1, 8, 100).reserve());
                    events.addAll(cluster.advance());
                    happens(cluster, told(TakenPesTest.inPlace(cluster.latest(1))));
                    happens(cluster.at(50), told(TakenPesTest.taken(0, "0-3")));
                    happens(cluster.at(75), new Complete(target(1)));
                }));
        stories.put("failed: its PEs are lost", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).deadline(100).reserve());
            happens(cluster.at(0), outage(1, 1, 20, 60));
        }));
        stories.put("failed while it is held", story(SampleCluster.of(8), cluster -> {
            happens(
                    cluster,
                    Request.of(1, 8, 100).ready(50).deadline(150).hold(40).reserve());
            happens(cluster, outage(1, 1, 60, 70));
        }));
        stories.put("moved to a later time", story(juggling(), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(10).deadline(900).reserve());
            happens(cluster, Request.of(2, 8, 100).ready(10).deadline(110).reserve());
        }));
        stories.put("renegotiated to a shorter run", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(200).reserve());
            happens(
                    cluster,
                    Request.like(cluster.find(id(1))).duration(50).noDeadline().renegotiate());
        }));
        stories.put("renegotiated to a longer run", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(200).reserve());
            happens(
                    cluster,
                    Request.like(cluster.find(id(1))).duration(200).noDeadline().renegotiate());
        }));
        stories.put("renegotiated to an earlier deadline", story(SampleCluster.of(8), cluster -> {
            happens(
                    cluster,
                    Request.of(1, 8, 100).ready(200).deadline(900).start(200).reserve());
            happens(cluster, Request.like(cluster.find(id(1))).deadline(400).renegotiate());
        }));
        stories.put("a proposal is accepted, with an incentive", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).ready(200).reserve());
            happens(
                    cluster,
                    new Propose(
                            target(1),
                            Request.like(cluster.find(id(1)))
                                    .ready(300)
                                    .deadline(400)
                                    .terms(),
                            usd("1.00"),
                            ROOT,
                            40));
            happens(cluster, new AcceptProposal(target(1), 1));
        }));
        stories.put("its owner wants it to stay where it is", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(3, 8, 50).reserve());
            happens(cluster, Request.of(1, 8, 100).ready(0).deadline(500).reserve());
            happens(cluster, new Fix(target(1), Fix.Wish.OWNERS));
        }));
        stories.put("extended while it runs", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(1, 8, 100).reserve());
            events.addAll(cluster.advance());
            happens(cluster.at(50), new Extend(target(1), 100, 100));
        }));
        stories.put("a run in parts", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(3, 8, 50).start(50).reserve());
            happens(
                    cluster,
                    Request.of(1, 8, 100).split(2, "0.5", false).deadline(300).reserve());
            events.addAll(cluster.at(150).advance());
        }));
        stories.put("a run in parts that is given up between two of them", story(SampleCluster.of(8), cluster -> {
            happens(cluster, Request.of(3, 8, 50).start(50).reserve());
            happens(
                    cluster,
                    Request.of(1, 8, 100).split(2, "0.5", false).deadline(300).reserve());
            events.addAll(cluster.at(70).advance());
            happens(cluster, new Cancel(target(1)));
        }));
        return stories;
    }

    private void isHalved(LiveCluster cluster) {
        happens(cluster, Request.of(1, 8, 100).reserve());
        events.addAll(cluster.advance());
        happens(cluster.at(50), Request.like(cluster.find(id(1))).pes(4).renegotiate());
        events.addAll(cluster.at(100).advance());
    }

    private static SampleCluster returning(String share) {
        return SampleCluster.of(8)
                .tariff(SampleCluster.tariff(SampleCluster.CENT_PER_SECOND, share, OptionalLong.empty()));
    }

    private static SampleCluster lateOnes() {
        return SampleCluster.of(8).tariff(late());
    }

    /** Returns a tariff by which a cancellation in the last 100 seconds costs half of the price. */
    public static Tariff late() {
        var like = SampleCluster.CENT_PER_SECOND;
        return SampleCluster.tariff(
                like.pricePerPeHour(), like.renegotiationSurcharge(), new Cancellation(100, new BigDecimal("0.5")));
    }

    private static SampleCluster reporting() {
        return SampleCluster.of(8).bound(Binding.EARLY).enforcing(EnforcementRule.REPORTED);
    }

    private static TellEnforcement told(ReportedPart part) {
        return new TellEnforcement(List.of(part));
    }

    private static SampleCluster juggling() {
        return SampleCluster.of(8).juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST);
    }

    private String story(SampleCluster sample, Story story) {
        events.clear();
        story.on(LiveCluster.of(sample.tariff(changed.apply(sample.cluster().tariff()))));
        var held = Dues.none(usd("0.00")).held();
        var entries = new ArrayList<Posting>();
        for (var event : events) {
            if (!(event instanceof ReservationEvent(var type, var after, var _, var _, var _, var returned))
                    || !isFirst(after.id())) {
                continue;
            }
            boolean isLater = type == Event.Type.RETURN_CREDITED || type == Event.Type.RETURN_ENDED;
            if (isLater && !after.state().isLive()) {
                returned.map(credit -> Posting.of(credit.credited())).ifPresent(entries::add);
                continue;
            }
            var dues = Dues.of(after);
            entries.addAll(Posting.of(held, dues));
            held = dues.held();
        }
        return entries.stream()
                .map(entry -> entry.kind() + " " + entry.amount().toPlainString())
                .collect(Collectors.joining(", "));
    }

    private static boolean isFirst(ReservationId reservation) {
        return reservation.equals(id(1));
    }

    private void happens(LiveCluster cluster, Command command) {
        events.addAll(cluster.happens(command));
    }
}
