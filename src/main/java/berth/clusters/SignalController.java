package berth.clusters;

import static berth.http.ProblemCode.INVALID_TERMS;

import berth.booking.web.ClusterLookup;
import berth.booking.web.Refusals;
import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.engine.Desks;
import berth.http.Fields;
import berth.http.NumberOrText;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Required;
import berth.http.Texts;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.scheduling.commands.ChangeSignal;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Calls about the signal of a cluster: factors on its prices by time, which a program of the site sends. */
@RestController
@RequestMapping("/api/v1/clusters/{cluster}/signal")
class SignalController {

    private final Desks desks;
    private final ClusterLookup clusters;
    private final InstantSource clock;

    SignalController(Desks desks, ClusterLookup clusters, InstantSource clock) {
        this.desks = desks;
        this.clusters = clusters;
        this.clock = clock;
    }

    /**
     * The signal of a cluster. Outside of its times, the factor is 1.
     *
     * @param cluster id of the cluster
     * @param source where the factors come from; null if there are none
     * @param factors the factors by time, and those of the past for as long as a run that needs them goes on
     * @param to the end of the last factor; null if there are none
     */
    @Schema(name = "Signal")
    record SignalBody(
            String cluster,
            @Nullable String source,
            List<SignalFactorBody> factors,
            @Nullable Instant to) {

        private static SignalBody of(Cluster cluster) {
            var signal = cluster.tariff().signal();
            return new SignalBody(
                    cluster.id().value(),
                    signal.isNone() ? null : signal.source(),
                    signal.steps().stream().map(SignalFactorBody::of).toList(),
                    signal.isNone() ? null : Texts.instant(signal.until()));
        }
    }

    /**
     * A new signal of a cluster.
     *
     * @param source where the factors come from, in words
     * @param factors the factors by rising time, at least one and at most 2,000
     * @param to the end of the last factor, in the future
     */
    @Schema(name = "NewSignal")
    record NewSignalBody(
            @Required @Nullable String source,
            @Required @Nullable List<@Nullable SignalFactorBody> factors,
            @Required @Nullable String to) {

        private Signal read(Fields fields, long now) {
            var label = fields.label("source", fields.required("source", source, "x"));
            long end = fields.instantDown("to", fields.required("to", to, "9999-12-31T23:59:59Z"))
                    .orElse(Fields.LAST_SECOND);
            if (to != null && !fields.hasErrors() && (end <= now || end > now + Policy.MAX_HORIZON)) {
                fields.invalid("to", to, "must lie in the future, at most ten years ahead");
            }
            if (factors != null && (factors.isEmpty() || factors.size() > Signal.MAX_SENT)) {
                fields.invalid(
                        "factors",
                        factors.size(),
                        "must be 1 to %,d factors. To end the signal, delete it".formatted(Signal.MAX_SENT));
                fields.check();
            }
            var steps = fields.each("factors", factors, (factor, path) -> factor.read(path, fields));
            fields.check();
            var signal = fields.figures("", () -> new Signal(label.orElseThrow(), steps, end), Signal.NONE);
            fields.check();
            return signal;
        }
    }

    /**
     * A factor on prices from some time on.
     *
     * @param from from when on it counts, until the next factor does
     * @param factor the factor, 0.01 to 100. In a request it may also be a number
     */
    @Schema(name = "SignalFactor")
    record SignalFactorBody(
            @Required @Nullable String from,

            @JsonDeserialize(using = NumberOrText.class) @Required @Nullable
            String factor) {

        private static SignalFactorBody of(SignalStep step) {
            return new SignalFactorBody(
                    String.valueOf(Texts.instant(step.from())), step.factor().toPlainString());
        }

        private SignalStep read(String path, Fields fields) {
            long second = fields.instantDown(
                            path + "from", fields.required(path + "from", from, "1970-01-01T00:00:00Z"))
                    .orElse(0);
            var number = fields.amount(path + "factor", factor).orElse(BigDecimal.ONE);
            return fields.figures(path, () -> SignalStep.of(second, number), SignalStep.of(second, BigDecimal.ONE));
        }
    }

    /** Reads the signal of a cluster: the factors on its prices by time. */
    @GetMapping
    SignalBody readSignal(@PathVariable String cluster) {
        return SignalBody.of(clusters.schedule(cluster).cluster());
    }

    /**
     * Sends factors on the prices of a cluster by time, such as those of energy, of its carbon, or of a load that the site plans. They replace
     * everything from the first factor on; what was sent for the time before stays. They apply to later decisions: no agreed price changes.
     * Sending the same factors again changes nothing.
     */
    @PutMapping
    @Refuses(INVALID_TERMS)
    SignalBody sendSignal(@PathVariable String cluster, @RequestBody NewSignalBody body) {
        var id = clusters.id(cluster);
        var signal = body.read(new Fields(body), clock.instant().getEpochSecond());
        Refusals.granted(desks.decide(id, new ChangeSignal(signal)), RequestFields.fields(body));
        return readSignal(cluster);
    }

    /** Ends the signal of a cluster: from now on, every factor is 1. */
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void endSignal(@PathVariable String cluster) {
        var id = clusters.id(cluster);
        Refusals.granted(desks.decide(id, new ChangeSignal(Signal.NONE)), RequestFields.nothing());
    }
}
