package io.leeway.demo.privoxy;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A post with its author and comments. */
@Entity
@Table(name = "posts")
class Post {

    @Id
    long id;

    @Nullable
    String text;

    @Column(name = "public")
    boolean isPublic;

    @ManyToOne(fetch = FetchType.LAZY)
    @JoinColumn(name = "author_id")
    @Nullable
    Person author;

    @OneToMany(mappedBy = "post")
    @OrderBy("id")
    List<Comment> comments = new ArrayList<>();
}
