/** Puts the service together: storage, security, filters around every call, and the decision when a process opens its desks. */
@NullMarked
package berth.service;

import org.jspecify.annotations.NullMarked;
