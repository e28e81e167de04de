package io.leeway.demo.privoxy;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Somebody who writes. An ordinary entity: it knows nothing of policies. */
@Entity
@Table(name = "people")
class Person {

    @Id
    long id;

    String handle = "";
}
