/** The calls that make and list backups. */
@NullMarked
package berth.archive.web;

import org.jspecify.annotations.NullMarked;
