package berth.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import berth.availability.PeSet;
import berth.sla.InvalidFigure;
import berth.sla.Violation;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ClusterTest {

    @Test
    void hasFiguresWithinBounds() {
        assertThat(cluster("sp2", 1, "0.01").pes()).isEqualTo(1);
        assertThat(cluster("sp2", Cluster.MAX_PES, "1000").pes()).isEqualTo(10_000_000);
    }

    @Test
    void namesTheFigureThatIsOutOfRange() {
        assertOutOfRange("pes", () -> cluster("sp2", 0, "1"));
        assertOutOfRange("pes", () -> cluster("sp2", Cluster.MAX_PES + 1, "1"));
        assertOutOfRange("rating", () -> cluster("sp2", 8, "0.0099"));
        assertOutOfRange("rating", () -> cluster("sp2", 8, "1000.1"));
        assertOutOfRange("rating", () -> cluster("sp2", 8, "1.0000001"));
    }

    @Test
    void isNotTooLargeForPesThatAreBoundEarly() {
        assertThat(bound(Binding.EARLY, Cluster.MAX_PES_EARLY).pes()).isEqualTo(65_536);
        assertThat(bound(Binding.LATE, Cluster.MAX_PES).pes()).isEqualTo(10_000_000);
        assertOutOfRange("pes", () -> bound(Binding.EARLY, Cluster.MAX_PES_EARLY + 1));
    }

    private static Cluster bound(Binding binding, int pes) {
        return Cluster.of("sp2", pes).with("binding", binding);
    }

    @Test
    void hasAnIdThatFitsIntoAUrl() {
        assertThat(cluster("4-sp2", 8, "1").id().value()).isEqualTo("4-sp2");
        assertOutOfRange("id", () -> cluster("", 8, "1"));
        assertOutOfRange("id", () -> cluster("SP2", 8, "1"));
        assertOutOfRange("id", () -> cluster("-sp2", 8, "1"));
        assertOutOfRange("id", () -> cluster("s".repeat(64), 8, "1"));
    }

    @Test
    void isEqualForRatingsOfEqualValue() {
        assertThat(cluster("sp2", 8, "2.50")).isEqualTo(cluster("sp2", 8, "2.5"));
        assertThat(cluster("sp2", 8, "1E+2").rating()).hasToString("100");
    }

    @Test
    void findsTheMissingLabel() {
        var cluster = carrying(Map.of("gpu", "a100", "site", "north"));

        assertThat(cluster.missing(Map.of())).isEmpty();
        assertThat(cluster.missing(Map.of("gpu", "a100"))).isEmpty();
        assertThat(cluster.missing(Map.of("gpu", "h100")))
                .hasValue(new Violation("requires", "the cluster does not carry gpu=h100"));
        assertThat(cluster.missing(Map.of("gpu", "a100", "disk", "fast")))
                .hasValue(new Violation("requires", "the cluster does not carry disk=fast"));
    }

    @Test
    void carriesWellFormedLabels() {
        assertOutOfRange("labels", () -> carrying(Map.of("gpu", "")));
        assertOutOfRange("labels", () -> carrying(Map.of("two words", "x")));
    }

    @Test
    void countsItsVersions() {
        assertThat(cluster("sp2", 8, "1").inVersion(3).version()).isEqualTo(3);
    }

    @Test
    void hasWholeNodes() {
        assertThat(of(4, "n[1-2],x").nodes().names()).containsExactly("n1", "n2", "x");
        assertThat(of(4, "n[1-2],x").nodes().list()).hasValue("n[1-2],x");
        assertOutOfRange("granule", () -> Nodes.of(0, Optional.empty()));
        assertOutOfRange("pes", () -> of(5, "n[1-2]"));
        assertOutOfRange("peNames", () -> of(4, "n[1-2]"));
        assertOutOfRange("peNames", () -> of(4, "n[1-4]"));
        assertOutOfRange("peNames", () -> of(4, "n[1-2],n2"));
        assertOutOfRange("peNames", () -> of(4, ""));
        assertOutOfRange("peNames", () -> of(4, "n[1-2"));
        assertOutOfRange("peNames", () -> of(4, "n 1,n[2-3]"));
        assertOutOfRange("peNames", () -> of(4, "n".repeat(64) + ",n[2-3]"));
        assertOutOfRange("peNames", () -> Nodes.of(1, Optional.of("n[1-16385]")));
        assertOutOfRange("peNames", () -> Nodes.of(1, Optional.of("[1]".repeat(4_000))));
        // a short text that stands for too many names
        assertOutOfRange("peNames", () -> Nodes.of(1, Optional.of("n[1-9999]x")));
    }

    private static Cluster of(int granule, String names) {
        return cluster("sp2", 12, "1").dividedInto(Nodes.of(granule, Optional.of(names)));
    }

    @Test
    void reservesWholeNodes() {
        var limits = Limits.NONE.with("reservableShare", new BigDecimal("0.7"));
        var cluster = cluster("sp2", 12, "1").under(Policy.STANDARD.withLimits(limits));

        assertThat(cluster.reservablePes()).isEqualTo(8);
        assertThat(cluster.dividedInto(Nodes.of(3, Optional.empty())).reservablePes())
                .isEqualTo(6);
    }

    @Test
    void roundsPesUpToTheNextWholeNode() {
        var nodes = Nodes.of(32, Optional.of("n[1-4]"));

        assertThat(nodes.broken(64)).isEmpty();
        assertThat(nodes.broken(33))
                .hasValueSatisfying(why ->
                        assertThat(why).startsWith("must be a multiple of 32").endsWith("ask for 64"));
        assertThat(nodes.broken(PeSet.parse("32-95"))).isEmpty();
        assertThat(nodes.broken(PeSet.parse("16-47"))).isPresent();
        assertThat(nodes.list(PeSet.parse("0-31,64-127"))).hasValue("n[1,3-4]");
        assertThat(nodes.list(PeSet.range(256, 288))).isEmpty();
    }

    private static Cluster cluster(String id, int pes, String rating) {
        return Cluster.of(id, pes).with("rating", new BigDecimal(rating));
    }

    private static Cluster carrying(Map<String, String> labels) {
        return Cluster.of("sp2", 8).with("labels", labels);
    }

    private static void assertOutOfRange(String field, ThrowingCallable making) {
        assertThatExceptionOfType(InvalidFigure.class).isThrownBy(making).returns(field, InvalidFigure::field);
    }
}
