package berth.persistence;

import static berth.persistence.Seconds.instant;

import berth.broker.Provider;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import tools.jackson.databind.JsonNode;

/** A cluster of another Berth. */
@Entity
@Table(name = "provider")
@NullUnmarked
class ProviderRow {

    @Id
    String id;

    String url;
    String token;
    String cluster;

    @Convert(converter = JsonConverter.class)
    JsonNode card;

    Instant checkedAt;
    int version;

    static ProviderRow of(Provider provider) {
        var row = new ProviderRow();
        row.id = provider.id();
        row.url = provider.url().toString();
        row.token = provider.token();
        row.cluster = provider.cluster();
        row.card = provider.card();
        row.checkedAt = instant(provider.checkedAt());
        row.version = provider.version();
        return row;
    }

    Provider toProvider() {
        return new Provider(id, URI.create(url), token, cluster, card, checkedAt.getEpochSecond(), version);
    }
}
