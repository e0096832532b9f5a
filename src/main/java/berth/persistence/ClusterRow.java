package berth.persistence;

import berth.pricing.Tariff;
import berth.scheduling.Cluster;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** A cluster, who may write its schedule, and how far its history goes. */
@Entity
@Table(name = "cluster")
@NullUnmarked
class ClusterRow {

    @Id
    String id;

    int pes;
    long horizon;
    String currency;
    BigDecimal pricePerPeHour;
    BigDecimal premiumFactor;
    BigDecimal flexibilityDiscount;
    BigDecimal latenessDiscount;
    BigDecimal latenessScale;
    Instant createdAt;
    UUID writer;
    long epoch;
    long sequence;

    static ClusterRow of(Cluster cluster, Instant createdAt) {
        var row = new ClusterRow();
        row.id = cluster.id();
        row.pes = cluster.pes();
        row.horizon = cluster.horizon();
        var tariff = cluster.tariff();
        row.currency = tariff.currency().getCurrencyCode();
        row.pricePerPeHour = tariff.pricePerPeHour();
        row.premiumFactor = tariff.premiumFactor();
        row.flexibilityDiscount = tariff.flexibilityDiscount();
        row.latenessDiscount = tariff.latenessDiscount();
        row.latenessScale = tariff.latenessScale();
        row.createdAt = createdAt;
        return row;
    }

    Cluster toCluster() {
        var tariff = new Tariff(
                Currency.getInstance(currency),
                pricePerPeHour,
                premiumFactor,
                flexibilityDiscount,
                latenessDiscount,
                latenessScale);
        return new Cluster(id, pes, horizon, tariff);
    }
}
