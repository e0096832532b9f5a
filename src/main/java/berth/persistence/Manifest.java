package berth.persistence;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an export says of itself.
 *
 * @param format of the export; a reader of a later one reads this one too
 * @param berth the version of Berth that wrote it
 * @param postgresql the version of the server that had it; empty in an export that did not say so yet
 * @param schema the version of the database's schema
 * @param at when it was written; everything in it is as of one moment shortly before
 * @param tables in an order in which each comes after those it refers to
 * @param clusters how far they had come; none where the schema is older than that of this Berth
 */
record Manifest(
        int format,
        String berth,
        Optional<String> postgresql,
        int schema,
        Instant at,
        List<TableContent> tables,
        List<ClusterContent> clusters) {

    static final int FORMAT = 1;

    /** The name of its entry in the file. */
    static final String NAME = "manifest.json";

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(Include.NON_ABSENT))
            .build();

    /**
     * A table, in an entry of its own: as PostgreSQL's COPY writes it as text.
     *
     * @param columns in their order there
     * @param sha256 of the entry, hexadecimal
     */
    record TableContent(String name, List<String> columns, long rows, String sha256) {
        String entry() {
            return name + ".copy";
        }
    }

    /**
     * A cluster.
     *
     * @param sequence the last event in its journal
     * @param schedule the SHA-256 of its schedule after that event, hexadecimal: {@link ScheduleDigest}
     */
    record ClusterContent(String name, long sequence, String schedule) {}

    Optional<ClusterContent> cluster(String name) {
        return clusters.stream().filter(each -> each.name.equals(name)).findAny();
    }

    byte[] write() {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
    }

    static Manifest read(byte[] json) {
        return JSON.readValue(json, Manifest.class);
    }
}
