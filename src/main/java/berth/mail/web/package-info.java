/** The calls about mail. */
@NullMarked
package berth.mail.web;

import org.jspecify.annotations.NullMarked;
