/** The tables of projects, grants and charges. */
@NullMarked
package berth.projects.store;

import org.jspecify.annotations.NullMarked;
