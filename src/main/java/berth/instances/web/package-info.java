/** What an instance that stands by does with calls, and the calls about instances. */
@NullMarked
package berth.instances.web;

import org.jspecify.annotations.NullMarked;
