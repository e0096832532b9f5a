package berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import berth.http.CallsUnderWay.Bounds;
import org.junit.jupiter.api.Test;

class CallsUnderWayTest {

    private final CallsUnderWay calls = new CallsUnderWay(new Bounds(3, 2, 100, 60));

    @Test
    void callsEndAndMakeRoomForOthers() {
        assertThat(calls.enter()).isTrue();
        assertThat(calls.enter()).isTrue();
        assertThat(calls.enter()).isTrue();
        assertThat(calls.enter()).isFalse();
        assertThat(calls.calls()).isEqualTo(3);

        calls.leave();

        assertThat(calls.enter()).isTrue();
    }

    @Test
    void oneCallerHasItsShareOfTheCalls() {
        var first = calls.begin("alice").orElseThrow();
        var second = calls.begin("alice").orElseThrow();

        assertThat(calls.begin("alice")).isEmpty();
        assertThat(calls.begin("bob")).isPresent();

        first.close();

        assertThat(calls.begin("alice")).isPresent();
        second.close();
    }

    @Test
    void oneCallerHasItsShareOfTheBytes() {
        var alice = calls.begin("alice").orElseThrow();
        var again = calls.begin("alice").orElseThrow();
        var bob = calls.begin("bob").orElseThrow();

        assertThat(alice.hold(50)).isTrue();
        assertThat(again.hold(11)).isFalse();
        assertThat(again.hold(10)).isTrue();
        assertThat(bob.hold(41)).as("of all").isFalse();
        assertThat(bob.hold(40)).isTrue();
        assertThat(calls.bytes()).isEqualTo(100);

        alice.close();

        assertThat(calls.bytes()).isEqualTo(50);
        assertThat(bob.hold(20)).isTrue();
    }

    @Test
    void aHeapOfAnySizeHasRoomForABatchQueue() {
        var small = Bounds.of(64 << 20, 8, 2);
        var large = Bounds.of(8L << 30, 8, 2);

        assertThat(small.bytesOfOne()).isGreaterThanOrEqualTo(2L * BodyLimit.MAX_OF_A_LIST);
        assertThat(large.bytes()).isEqualTo(1L << 30);
        assertThat(large.bytesOfOne()).isEqualTo(1L << 28);
    }
}
