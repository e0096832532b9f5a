package berth.archive;

import berth.store.ScheduleDigest;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * The description of an export.
 *
 * @param format the format of the export; readers of later formats can read this one
 * @param berth the version of Berth that wrote it
 * @param postgresql the version of the database server; empty in old exports
 * @param schema the version of the database's schema
 * @param at when it was written; its content is of one moment shortly before
 * @param tables the tables, each after those to which it refers
 * @param clusters the position of each cluster; empty if the schema is older than this Berth's
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
     * A table, whose entry has the text format of PostgreSQL's COPY.
     *
     * @param columns the columns in the order of the entry
     * @param sha256 the hash of the entry, in hexadecimal
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
     * @param schedule the SHA-256 of its schedule after that event, in hexadecimal: {@link ScheduleDigest}
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
