package berth.database;

/**
 * The timeline on which a server writes its log. A promoted standby begins the next one; a server on an earlier timeline does not know of
 * the promotion.
 *
 * @param system the database's own number, which its standbys share
 * @param number counts from 1
 */
public record Timeline(String system, long number) {}
