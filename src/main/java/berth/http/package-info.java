/** What all calls share: reading fields, problems, pages of lists, entity tags, bounds. It knows no feature but accounts. */
@NullMarked
package berth.http;

import org.jspecify.annotations.NullMarked;
