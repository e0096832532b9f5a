/** Mail to people: an address for each account, and the news of its reservations that is sent there. */
@NullMarked
package berth.mail;

import org.jspecify.annotations.NullMarked;
