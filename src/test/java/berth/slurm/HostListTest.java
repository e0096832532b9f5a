package berth.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.availability.PeSet;
import berth.cluster.HostList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostListTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            n1                 | n1
            n[1-3]             | n1 n2 n3
            n[08-11,20],login  | n08 n09 n10 n11 n20 login
            a,b[2],c           | a b2 c
            r[1-2]n[1-2]       | r1n1 r1n2 r2n1 r2n2
            gpu[01-02]-ib      | gpu01-ib gpu02-ib
            """)
    void namesAreParsedInSlurmsNotation(String text, String names) {
        assertThat(HostList.expand(text)).containsExactly(names.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"n[1-3", "n[a-b]", "n[]", "n[1-2-3]", "n[1-999999999]"})
    void aMalformedListIsRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HostList.expand(text));
    }

    @Test
    void aPeIsTheNodeAtItsPositionInTheList() {
        var nodes = NodeList.of(1, "n[3-5],gpu1");

        assertThat(nodes.pes(List.of("gpu1", "n3", "other"))).isEqualTo(PeSet.of(0, 3));
        assertThat(nodes.names(PeSet.of(0, 3))).containsExactly("gpu1", "n3");
        assertThatIllegalArgumentException().isThrownBy(() -> nodes.names(PeSet.of(4)));
        assertThatIllegalArgumentException().isThrownBy(() -> NodeList.of(1, "n1,n[1-2]"));
        assertThatIllegalArgumentException().isThrownBy(() -> NodeList.of(1, ""));
    }

    @Test
    void aNodeHasTheGivenNumberOfPes() {
        var nodes = NodeList.of(4, "n[1-4]").first(12);

        assertThat(nodes.names()).containsExactly("n1", "n2", "n3");
        assertThat(nodes.pes(2)).isEqualTo(8);
        assertThat(nodes.pes(List.of("n3", "n1", "n1"))).hasToString("0-3,8-11");
        assertThat(nodes.names(PeSet.range(4, 12))).containsExactly("n2", "n3");
        assertThatIllegalArgumentException().isThrownBy(() -> nodes.names(PeSet.of(12)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n[1-16]",
                "n[16,1-15]",
                "n[08-11],login,n[1-3]",
                "n[98-101],n0098",
                "a,b,a1,a[01,1,2]",
                "r1n[1-2],r2n[1-2]"
            })
    void namesAreFoldedInTheirOrder(String text) {
        var names = HostList.expand(text);

        var folded = HostList.foldInOrder(names);

        assertThat(HostList.expand(folded)).isEqualTo(names);
        assertThat(folded).hasSizeLessThanOrEqualTo(text.length());
    }

    @Test
    void aListIsBounded() {
        assertThatIllegalArgumentException().isThrownBy(() -> HostList.expand("n[1-999][1-999]"));
        assertThatIllegalArgumentException().isThrownBy(() -> HostList.expand("n".repeat(256) + "[1-9999]"));
    }

    @Test
    void namesAreFolded() {
        assertThat(HostList.fold(List.of())).isEmpty();
        assertThat(HostList.fold(List.of("login", "n3", "n1", "n2", "n7", "n10")))
                .isEqualTo("login,n[1-3,7,10]");
        assertThat(HostList.fold(List.of("gpu01", "gpu02", "r1n9", "r2n9"))).isEqualTo("gpu[01-02],r1n9,r2n9");
        var all = HostList.expand("a[1-12],b[007-103]");
        assertThat(HostList.expand(HostList.fold(all))).containsExactlyInAnyOrderElementsOf(all);
    }
}
