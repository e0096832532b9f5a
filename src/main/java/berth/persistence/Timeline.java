package berth.persistence;

/**
 * The line of its log that a server writes. A standby that is promoted begins the next one; a server that is still on an earlier one
 * has not heard of that.
 *
 * @param system the database's own number, which its standbys share
 * @param number counts from 1
 */
record Timeline(String system, long number) {}
