package berth.rest;

import berth.pricing.Tariff;
import berth.scheduling.Cluster;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A cluster as the contract writes it. Whoever is not an administrator sees its public card only. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ClusterBody(
        @Nullable String id,
        @Nullable Integer pes,
        @Nullable BigDecimal rating,
        @Nullable Map<String, String> labels,
        @Nullable Binding binding,
        @Nullable AdmissionMode admission,
        @Nullable PolicyBody policy,
        @Nullable TariffBody tariff) {

    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    enum Binding {
        LATE,
        EARLY
    }

    enum AdmissionMode {
        OPEN,
        CLOSED
    }

    enum Placement {
        FIRST_FIT,
        PE_BEST_FIT,
        PE_WORST_FIT,
        DURATION_BEST_FIT,
        DURATION_WORST_FIT,
        PE_DURATION_BEST_FIT,
        PE_DURATION_WORST_FIT
    }

    enum Juggling {
        NEVER,
        ON_CONFLICT,
        ALWAYS
    }

    enum PriceFunction {
        BERTH,
        NETTO_BUYYA_2007
    }

    record PolicyBody(
            @Nullable Placement placement,
            @Nullable Juggling juggling,
            @Nullable String horizon) {
        private static final PolicyBody STANDARD = new PolicyBody(null, null, null);
    }

    record TariffBody(
            @Nullable PriceFunction function,
            @Nullable String currency,
            @Nullable String pricePerPeHour,
            @Nullable BigDecimal premiumFactor,
            @Nullable BigDecimal flexibilityDiscount,
            @Nullable BigDecimal latenessDiscount,
            @Nullable BigDecimal latenessScale) {
        private static final TariffBody STANDARD = new TariffBody(null, null, null, null, null, null, null);
    }

    /**
     * The cluster that is asked for.
     *
     * @throws Problem naming every field that is wrong, or the first that is still to come
     */
    Cluster toCluster() {
        requireBuilt();
        var fields = new Fields();
        var name = fields.required("id", id, "");
        if (id != null && !ID.matcher(name).matches()) {
            fields.invalid("id", name, "must have 1 to 63 lower-case letters, digits and hyphens");
        }
        int size = fields.required("pes", pes, 1);
        if (size < 1 || size > Cluster.MAX_PES) {
            fields.invalid("pes", pes, "must lie between 1 and " + Cluster.MAX_PES);
        }
        var rules = policy == null ? PolicyBody.STANDARD : policy;
        OptionalLong horizon = fields.durationUp("policy.horizon", rules.horizon);
        if (horizon.isPresent() && (horizon.getAsLong() < 1 || horizon.getAsLong() > Cluster.MAX_HORIZON)) {
            fields.invalid(
                    "policy.horizon",
                    rules.horizon,
                    "must lie between PT1S and " + Texts.duration(Cluster.MAX_HORIZON));
        }
        var prices = tariff(fields);
        fields.check();
        return new Cluster(name, size, horizon.orElse(Cluster.STANDARD_HORIZON), prices);
    }

    private Tariff tariff(Fields fields) {
        var given = tariff == null ? TariffBody.STANDARD : tariff;
        var standard = Tariff.STANDARD;
        var currency = given.currency == null
                ? standard.currency()
                : fields.currency("tariff.currency", given.currency).orElse(standard.currency());
        var price = given.pricePerPeHour == null
                ? standard.pricePerPeHour()
                : fields.amount("tariff.pricePerPeHour", given.pricePerPeHour).orElse(standard.pricePerPeHour());
        try {
            return new Tariff(
                    currency,
                    price,
                    orElse(given.premiumFactor, standard.premiumFactor()),
                    orElse(given.flexibilityDiscount, standard.flexibilityDiscount()),
                    orElse(given.latenessDiscount, standard.latenessDiscount()),
                    orElse(given.latenessScale, standard.latenessScale()));
        } catch (IllegalArgumentException e) {
            fields.invalid("tariff", null, String.valueOf(e.getMessage()));
            return standard;
        }
    }

    private static BigDecimal orElse(@Nullable BigDecimal given, BigDecimal standard) {
        return given == null ? standard : given;
    }

    private void requireBuilt() {
        if (rating != null && rating.compareTo(BigDecimal.ONE) != 0) {
            throw Problem.notBuilt("rating", rating, "leave it out, or send 1");
        }
        if (labels != null && !labels.isEmpty()) {
            throw Problem.notBuilt("labels", labels, "leave them out");
        }
        if (binding == Binding.EARLY) {
            throw Problem.notBuilt("binding", binding, "leave it out, or send LATE");
        }
        if (admission == AdmissionMode.CLOSED) {
            throw Problem.notBuilt("admission", admission, "leave it out, or send OPEN");
        }
        if (policy != null && policy.placement != null && policy.placement != Placement.FIRST_FIT) {
            throw Problem.notBuilt("policy.placement", policy.placement, "leave it out, or send FIRST_FIT");
        }
        if (policy != null && policy.juggling != null && policy.juggling != Juggling.NEVER) {
            throw Problem.notBuilt("policy.juggling", policy.juggling, "leave it out, or send NEVER");
        }
        if (tariff != null && tariff.function == PriceFunction.NETTO_BUYYA_2007) {
            throw Problem.notBuilt("tariff.function", tariff.function, "leave it out, or send BERTH");
        }
    }

    static ClusterBody of(Cluster cluster) {
        var card = cardOf(cluster);
        return new ClusterBody(
                card.id,
                card.pes,
                card.rating,
                card.labels,
                Binding.LATE,
                AdmissionMode.OPEN,
                new PolicyBody(Placement.FIRST_FIT, Juggling.NEVER, Texts.duration(cluster.horizon())),
                card.tariff);
    }

    /** What everybody may know: size, speed, labels and prices. */
    static ClusterBody cardOf(Cluster cluster) {
        var tariff = cluster.tariff();
        return new ClusterBody(
                cluster.id(),
                cluster.pes(),
                BigDecimal.ONE,
                Map.of(),
                null,
                null,
                null,
                new TariffBody(
                        PriceFunction.BERTH,
                        tariff.currency().getCurrencyCode(),
                        price(tariff),
                        tariff.premiumFactor(),
                        tariff.flexibilityDiscount(),
                        tariff.latenessDiscount(),
                        tariff.latenessScale()));
    }

    /** With the decimals of the currency at least. */
    private static String price(Tariff tariff) {
        var price = tariff.pricePerPeHour();
        int decimals = Math.max(price.scale(), tariff.currency().getDefaultFractionDigits());
        return price.setScale(decimals).toPlainString();
    }
}
