package empty;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A row. */
@Entity
public class Thing {
    @Id
    public long id;
}
