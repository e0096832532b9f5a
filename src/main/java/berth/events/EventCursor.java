package berth.events;

import berth.engine.Records.RecordedEvent;
import berth.http.Page;
import berth.reservation.ClusterId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Position of a reader of all events: a position in the history of each cluster, written as one URL-safe word. A single number would not
 * do, because clusters record their events independently of each other.
 */
public record EventCursor(Map<ClusterId, Long> positions) {

    public static EventCursor parse(@Nullable String given) {
        var positions = new TreeMap<ClusterId, Long>();
        if (given == null) {
            return new EventCursor(positions);
        }
        try {
            var text = new String(Base64.getUrlDecoder().decode(given), StandardCharsets.UTF_8);
            for (var part : text.split(",", -1)) {
                int colon = part.indexOf(':');
                positions.put(
                        new ClusterId(part.substring(0, colon)), Long.parseLong(part, colon + 1, part.length(), 10));
            }
            return new EventCursor(positions);
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            throw Page.badCursor(given);
        }
    }

    /** Returns the cursor after reading {@code events}, in this order. */
    EventCursor after(List<RecordedEvent> events) {
        var next = new TreeMap<>(positions);
        events.forEach(recorded -> next.put(recorded.cluster(), recorded.sequence()));
        return new EventCursor(next);
    }

    /** Returns the cursor with position {@code sequence} in the history of {@code cluster}. */
    EventCursor at(ClusterId cluster, long sequence) {
        var next = new TreeMap<>(positions);
        next.put(cluster, sequence);
        return new EventCursor(next);
    }

    /** Returns the cursor as one word; null for a reader that has read nothing. */
    @Nullable
    String word() {
        if (positions.isEmpty()) {
            return null;
        }
        var text = positions.entrySet().stream()
                .map(position -> position.getKey() + ":" + position.getValue())
                .collect(Collectors.joining(","));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
