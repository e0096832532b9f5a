/** Exports of everything recorded: written, verified, imported, rebuilt, and made as backups. */
@NullMarked
package berth.archive;

import org.jspecify.annotations.NullMarked;
