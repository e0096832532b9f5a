/** The calls that concern projects, their budgets and their charges. */
@NullMarked
package berth.projects.web;

import org.jspecify.annotations.NullMarked;
