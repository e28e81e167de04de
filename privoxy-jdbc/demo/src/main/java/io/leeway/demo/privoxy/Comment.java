package io.leeway.demo.privoxy;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A comment on a post. */
@Entity
@Table(name = "comments")
class Comment {

    @Id
    long id;

    String text = "";

    @ManyToOne(fetch = FetchType.LAZY)
    @JoinColumn(name = "post_id")
    @Nullable
    Post post;
}
