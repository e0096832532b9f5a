/**
 * The OpenAPI document: what clients are told of the HTTP contract, read from its controllers, bodies, Javadoc and table of
 * roles. It knows the contract; the contract does not know it.
 */
@NullMarked
package berth.rest.document;

import org.jspecify.annotations.NullMarked;
