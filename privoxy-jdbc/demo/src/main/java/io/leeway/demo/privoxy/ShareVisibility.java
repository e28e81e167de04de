package io.leeway.demo.privoxy;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** That a limited post reached a user. */
@Entity
@Table(name = "share_visibilities")
class ShareVisibility {

    @Id
    long id;

    @Column(name = "shareable_type")
    String shareableType = "";

    @Column(name = "shareable_id")
    long shareableId;

    @Column(name = "user_id")
    long userId;
}
