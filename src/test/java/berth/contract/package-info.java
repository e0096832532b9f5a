/**
 * The OpenAPI document. It is made from the HTTP contract: controllers, bodies, their Javadoc, and the table of roles. This package uses
 * the contract's classes; they do not use this package.
 */
@NullMarked
package berth.contract;

import org.jspecify.annotations.NullMarked;
