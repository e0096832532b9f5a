package berth.accounts.store;

import berth.accounts.Feed;
import berth.reservation.ClusterId;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Converts the feeds of an account to a JSON list; null if there are none. */
@Converter
final class FeedsConverter implements AttributeConverter<List<Feed>, String> {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** A feed in that list. */
    private record Kept(
            UUID id,
            String secretHash,
            @Nullable String cluster,
            @Nullable String project,
            long createdAt) {

        static Kept of(Feed feed) {
            return new Kept(
                    feed.id(),
                    feed.secretHash(),
                    feed.cluster().map(ClusterId::value).orElse(null),
                    feed.project().orElse(null),
                    feed.createdAt());
        }

        Feed toFeed() {
            return new Feed(
                    id,
                    secretHash,
                    Optional.ofNullable(cluster).map(ClusterId::new),
                    Optional.ofNullable(project),
                    createdAt);
        }
    }

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable List<Feed> feeds) {
        return feeds == null || feeds.isEmpty()
                ? null
                : JSON.writeValueAsString(feeds.stream().map(Kept::of).toList());
    }

    @Override
    public List<Feed> convertToEntityAttribute(@Nullable String text) {
        return text == null
                ? List.of()
                : JSON.readValue(text, new TypeReference<List<Kept>>() {}).stream()
                        .map(Kept::toFeed)
                        .toList();
    }
}
