package berth.clusters;

import berth.accounts.Account;
import berth.booking.web.EffectsBody;
import berth.cluster.Admission;
import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.RecordForm;
import berth.http.Required;
import berth.http.SettingsOf;
import berth.peers.Peer;
import berth.pricing.Tariff;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster with its rules and prices. The role SCREEN sees no {@code tariff}. Only administrators see the address of another Berth that runs it.
 *
 * @param id name of the cluster, also in URLs
 * @param settings the settings of the cluster; none is null
 * @param peer the other Berth that runs this cluster; if left out, this Berth runs it. With {@code peer}, send only {@code id}: the other
 *     Berth keeps the remaining fields
 * @param effects how the change would affect existing reservations; only in the response to a dry run, never in a request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id", "settings", "peer", "effects"})
@Schema(example = "{\"id\":\"sp2\",\"pes\":128}")
record ClusterBody(
        @Required @Nullable String id,

        @JsonAnyGetter @SettingsOf(Cluster.class) Map<String, JsonNode> settings,

        @Nullable PeerBody peer,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        EffectsBody effects) {

    /**
     * Another Berth.
     *
     * @param url its address, http or https, without {@code /api/v1}
     * @param token token of an account with role CLIENT at the other Berth; never returned
     * @param cluster id of the cluster at the other Berth
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PeerBody(
            @Nullable String url,
            @Nullable String token,
            @Nullable String cluster) {}

    /**
     * Reads a cluster from a request.
     *
     * @throws Problem if a setting is unknown, or if its value has the wrong form
     */
    @JsonCreator
    static ClusterBody sent(
            @JsonProperty("id") @Nullable String id,
            @JsonProperty("peer") @Nullable PeerBody peer,
            @JsonProperty("effects") @Nullable EffectsBody effects,
            @JsonAnySetter @Nullable Map<String, JsonNode> settings) {
        var given = object(settings == null ? Map.of() : settings);
        RecordForm.require(Cluster.class, given);
        given.removeNulls();
        return new ClusterBody(id, fields(given), peer, effects);
    }

    /** Returns a cluster of another Berth as that Berth last reported it. Only an administrator sees the address of the other Berth. */
    static ClusterBody of(Peer peer, boolean isAdministrator) {
        var address = new PeerBody(peer.url().toString(), null, peer.cluster().value());
        var settings = RecordForm.readable(Cluster.class, peer.card());
        return new ClusterBody(peer.id().value(), fields(settings), isAdministrator ? address : null, null);
    }

    static ClusterBody of(Cluster cluster) {
        return of(cluster, null);
    }

    /** Returns the response to a dry run: the cluster as it would be after the change, with the effects of the change. */
    static ClusterBody of(Cluster cluster, @Nullable EffectsBody effects) {
        var settings = RecordForm.show(cluster);
        var tariff = cluster.tariff();
        settings.withObject("tariff")
                .put("pricePerPeHour", price(tariff))
                .put("breachCredit", tariff.breachCredit().min(BigDecimal.ONE));
        return new ClusterBody(cluster.id().value(), fields(settings), null, effects);
    }

    private static Map<String, JsonNode> fields(ObjectNode object) {
        var fields = new LinkedHashMap<String, JsonNode>();
        object.forEachEntry(fields::put);
        return fields;
    }

    private static ObjectNode object(Map<String, JsonNode> fields) {
        return JsonNodeFactory.instance.objectNode().setAll(fields);
    }

    /**
     * Returns the cluster that the request describes.
     *
     * @param version version of the cluster that the request changes; 0 for a new cluster
     * @throws Problem naming every invalid field
     */
    Cluster toCluster(int version) {
        var fields = new Fields(this);
        var name = fields.required("id", id, "x");
        fields.required("pes", settings.get("pes"), null);
        requireNoEffects(fields);
        var standard = fields.figures("", () -> Cluster.of(name, 1), Cluster.of("x", 1))
                .under(Policy.SERVICE)
                .inVersion(version);
        var cluster = RecordForm.read(object(settings), standard, fields);
        fields.check();
        return cluster;
    }

    /** Returns what the account may see. */
    ClusterBody seenBy(Account account) {
        if (!account.isScreen()) {
            return this;
        }
        var seen = new LinkedHashMap<>(settings);
        seen.remove("tariff");
        return new ClusterBody(id, seen, peer, effects);
    }

    boolean isRetired() {
        var admission = settings.get("admission");
        return admission != null && admission.asString().equals(Admission.RETIRED.name());
    }

    void requireNoEffects(Fields fields) {
        if (effects != null) {
            fields.invalid("effects", null, "is only returned by a dry run. Leave it out.");
        }
    }

    /** Returns the price per PE-hour with at least the decimals of the currency. */
    static String price(Tariff tariff) {
        var price = tariff.pricePerPeHour();
        int decimals = Math.max(price.scale(), tariff.currency().getDefaultFractionDigits());
        return price.setScale(decimals).toPlainString();
    }
}
