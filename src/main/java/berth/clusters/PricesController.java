package berth.clusters;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.NOT_FOUND;

import berth.accounts.Account;
import berth.booking.web.ClusterLookup;
import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.cluster.Unit;
import berth.http.Fields;
import berth.http.MoneyBody;
import berth.http.Refuses;
import berth.http.Texts;
import berth.pricing.LoadStep;
import berth.pricing.PriceCurve;
import berth.pricing.PriceFunction;
import berth.readings.Readings;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The call that shows what slack saves. */
@RestController
class PricesController {

    private static final int MAX_SLACKS = 50;

    private final ClusterLookup lookup;

    PricesController(ClusterLookup lookup) {
        this.lookup = lookup;
    }

    /**
     * The price of a run by its slack.
     *
     * @param cluster id of the cluster
     * @param duration run time on a standard PE
     * @param runTime run time on the cluster
     * @param pes number of PEs
     * @param serviceClass the class that pays these prices
     * @param fullPrice price without slack
     * @param factors how the prices are made
     * @param points the prices, by rising slack; more slack never costs more
     */
    @Schema(name = "Prices")
    record PricesBody(
            String cluster,
            String duration,
            String runTime,
            int pes,
            ServiceClass serviceClass,
            MoneyBody fullPrice,
            PriceFactorsBody factors,
            List<PricePointBody> points) {}

    /**
     * How a price by slack is made: PEs × hours of run time × {@code pricePerPeHour} × {@code classFactor} × the share that the discount
     * leaves × the factor for the load. The discount is {@code flexibilityDiscount} × slack / (slack + {@code flexibilityScale}).
     *
     * @param function the function that computes prices; {@code NETTO_BUYYA_2007} gives no discount for slack to a run that starts at once
     * @param pricePerPeHour price of one PE for one hour
     * @param classFactor what the class pays, as a multiple
     * @param flexibilityDiscount the discount that ever more slack approaches
     * @param flexibilityScale the slack that earns half of this discount
     * @param loadProfile factors that apply when others have booked much of the cluster; the prices of the points have none
     */
    @Schema(name = "PriceFactors")
    record PriceFactorsBody(
            PriceFunction function,
            String pricePerPeHour,
            BigDecimal classFactor,
            BigDecimal flexibilityDiscount,
            String flexibilityScale,
            List<LoadStep> loadProfile) {}

    /**
     * The price with some slack.
     *
     * @param slack how much later than at its ready time the run may begin
     * @param price its price
     * @param saved what the slack saves of the price without slack
     */
    @Schema(name = "PricePoint")
    record PricePointBody(String slack, MoneyBody price, MoneyBody saved) {}

    /**
     * Returns what slack saves: the prices of a run without slack and with more and more, up to the cluster's horizon. They are for a run
     * that begins at its ready time and that Berth may move until then, when others have booked nothing. A run that Berth may move for
     * only a part of the time until its start saves in proportion; one that starts later may cost less. A probe returns the price of a
     * place.
     *
     * @param duration run time on a standard PE, such as {@code PT2H}; an hour if left out
     * @param pes number of PEs; one if left out
     * @param serviceClass the class that would pay; the one of the account if left out
     * @param slack the slacks to show, such as {@code PT0S,PT6H,P2D}; at most 50. One beyond the horizon counts as far as the horizon. If
     *     left out, Berth chooses slacks that show the curve
     */
    @GetMapping("/api/v1/clusters/{id}/prices")
    @Refuses({NOT_FOUND, INVALID_TERMS})
    PricesBody readPrices(
            @PathVariable String id,
            @RequestParam @Nullable String duration,
            @RequestParam @Nullable String pes,
            @RequestParam @Nullable String serviceClass,
            @RequestParam @Nullable String slack,
            @AuthenticationPrincipal Account account) {
        var cluster = lookup.schedule(id).cluster();
        var fields = new Fields();
        long run = fields.durationUp("duration", duration).orElse(Readings.HOUR);
        if (run < 1 || run > Policy.MAX_HORIZON) {
            fields.invalid("duration", duration, "must be longer than zero and at most ten years");
        }
        int number = pes == null ? 1 : fields.number("pes", pes).orElse(1);
        if (number > cluster.pes()) {
            fields.invalid(
                    "pes",
                    pes,
                    "is more than the %s of the cluster"
                            .formatted(Unit.of(cluster).counted(cluster.pes())));
        }
        var payer = fields.word("serviceClass", serviceClass, ServiceClass.class)
                .orElse(account.customer().serviceClass());
        long runTime = RequestedTerms.runTime(Math.clamp(run, 1, Policy.MAX_HORIZON), cluster.rating());
        long most = Math.max(0, cluster.policy().horizon() - runTime);
        var curve = new PriceCurve(cluster.tariff(), runTime, number, payer);
        var slacks = slack == null ? curve.slacks(most) : slacks(fields, slack, most);
        fields.check();
        return body(cluster, run, curve, slacks);
    }

    private static List<Long> slacks(Fields fields, String given, long most) {
        var all = given.split(",", MAX_SLACKS + 1);
        if (all.length > MAX_SLACKS) {
            fields.invalid("slack", given, "must name at most %d slacks".formatted(MAX_SLACKS));
            return List.of();
        }
        var slacks = new ArrayList<Long>();
        for (var each : all) {
            long seconds = fields.durationUp("slack", each.strip()).orElse(0);
            if (seconds < 0) {
                fields.invalid("slack", given, "must not be negative");
            }
            slacks.add(Math.clamp(seconds, 0, most));
        }
        return slacks.stream().distinct().sorted().toList();
    }

    private static PricesBody body(Cluster cluster, long duration, PriceCurve curve, List<Long> slacks) {
        var tariff = cluster.tariff();
        var full = curve.at(0);
        return new PricesBody(
                cluster.id().value(),
                Texts.duration(duration),
                Texts.duration(curve.runTime()),
                curve.pes(),
                curve.serviceClass(),
                MoneyBody.of(full),
                new PriceFactorsBody(
                        tariff.function(),
                        ClusterBody.price(tariff),
                        tariff.classFactor(curve.serviceClass()),
                        tariff.flexibilityDiscount(),
                        Texts.duration(curve.scale()),
                        tariff.loadProfile()),
                slacks.stream()
                        .map(seconds -> {
                            var price = curve.at(seconds);
                            return new PricePointBody(
                                    Texts.duration(seconds), MoneyBody.of(price), MoneyBody.of(full.less(price)));
                        })
                        .toList());
    }
}
