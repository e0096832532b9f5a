package berth.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerNetworksTest {

    private final PeerNetworks anywhere = new PeerNetworks(List.of());
    private final PeerNetworks inside = new PeerNetworks(List.of("10.0.0.0/8", "192.0.2.7", "2001:db8::/32"));

    @ParameterizedTest
    @ValueSource(strings = {"169.254.169.254", "[fe80::1]", "0.0.0.0", "[::]", "224.0.0.1", "[::ffff:169.254.169.254]"})
    void noPeerHasAForbiddenAddress(String host) throws UnknownHostException {
        assertThat(anywhere.objection(host)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[fd00:ec2::254]",
                "100.100.100.200",
                "168.63.129.16",
                "192.0.0.192",
                "[64:ff9b::a9fe:a9fe]",
                "[::169.254.169.254]",
                "[2002:a9fe:a9fe::1]"
            })
    void noPeerHasAnAddressWhereCloudsServeSecrets(String host) throws UnknownHostException {
        assertThat(anywhere.objection(host))
                .hasValueSatisfying(why -> assertThat(why).endsWith("is one where clouds serve secrets"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.1.2.3", "198.51.100.1", "[2001:db8::1]", "localhost"})
    void aPeerMayHaveAnyOtherAddress(String host) throws UnknownHostException {
        assertThat(anywhere.objection(host)).isEmpty();
    }

    @Test
    void anOperatorMayAllowCertainNetworksAlone() throws UnknownHostException {
        assertThat(inside.objection("10.1.2.3")).isEmpty();
        assertThat(inside.objection("192.0.2.7")).isEmpty();
        assertThat(inside.objection("[2001:db8::1]")).isEmpty();
        assertThat(inside.objection("192.0.2.8"))
                .hasValueSatisfying(why -> assertThat(why).contains("192.0.2.8", "berth.peers.networks"));
        assertThat(inside.objection("127.0.0.1")).isPresent();
    }

    @Test
    void aMalformedNetworkIsRejectedAtOnce() {
        assertThatThrownBy(() -> new PeerNetworks(List.of("10.0.0.0/33"))).isInstanceOf(IllegalArgumentException.class);
    }
}
