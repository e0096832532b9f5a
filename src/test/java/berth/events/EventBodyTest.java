package berth.events;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.engine.Records.RecordedEvent;
import berth.events.EventBody.OutageDataBody;
import berth.reservation.ClusterId;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.Type;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventBodyTest {

    private static final long FROM = 1_800_000_000;

    @Test
    void anAnnouncedOutageThatVersion010RecordedHasNotBegun() {
        assertThat(begunAt(Type.OUTAGE_RECORDED, FROM - 1, OptionalLong.empty()))
                .isNull();
        assertThat(begunAt(Type.OUTAGE_RECORDED, FROM - 1, OptionalLong.of(FROM)))
                .isNull();
        assertThat(begunAt(Type.OUTAGE_RECORDED, FROM, OptionalLong.empty())).isEqualTo(Instant.ofEpochSecond(FROM));
        assertThat(begunAt(Type.OUTAGE_BEGAN, FROM, OptionalLong.empty())).isEqualTo(Instant.ofEpochSecond(FROM));
    }

    private static @Nullable Instant begunAt(Type type, long at, OptionalLong beginsAt) {
        var cluster = new ClusterId("demo");
        var outage = new Outage(
                new OutageId(new UUID(0, 1)),
                cluster,
                4,
                Optional.empty(),
                FROM,
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                beginsAt,
                OptionalLong.empty());
        var body = EventBody.of(new RecordedEvent.Whole(cluster, 1, new OutageEvent(type, outage, at)));
        return ((OutageDataBody) body.data()).begunAt();
    }
}
