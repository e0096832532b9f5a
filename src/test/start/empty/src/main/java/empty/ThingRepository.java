package empty;

import org.springframework.data.jpa.repository.JpaRepository;

/** The rows. */
interface ThingRepository extends JpaRepository<Thing, Long> {}
